-- queues.check_part(_part, _is_quick)
-- One part of the invariants: working_set, trees, leases, completions, dispatches, processes or schedules.  No rows: healthy.
-- Quick: for working_set and trees, the newest 100,000 tasks and up to 100,000 older ones that wait or run.  The other parts have
-- no quick form.
-- The function is stable, so it reads the snapshot of the calling statement.  In a repeatable read transaction, the parts can be
-- called one after the other and still see one state (reeve doctor does this).
create or replace function queues.check_part(_part text, _is_quick boolean default false)
    returns table (invariant text, violations bigint, sample text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _from constant bigint := case when _is_quick then coalesce((select max(t.task_id) from queues.task as t), 0) - 100000 else 0 end;
begin
    if _part is null or _part not in ('working_set', 'trees', 'leases', 'completions', 'dispatches', 'processes', 'schedules') then
        raise exception using errcode = '22023', message = format('there is no part "%s" of the check', left(_part, 64)),
            hint = 'Parts are working_set, trees, leases, completions, dispatches, processes and schedules.';
    end if;
    return query
    select b.invariant, count(*), min(b.sample)
    from (select x.* from internal.check_working_set(_from) as x where _part = 'working_set'
          union all select x.* from internal.check_trees(_is_quick) as x where _part = 'trees'
          union all select x.* from internal.check_leases() as x where _part = 'leases'
          union all select x.* from internal.check_completions() as x where _part = 'completions'
          union all select x.* from internal.check_chains() as x where _part = 'completions'
          union all select x.* from internal.check_dispatches() as x where _part = 'dispatches'
          union all select x.* from internal.check_processes() as x where _part = 'processes'
          union all select x.* from internal.check_schedules() as x where _part = 'schedules') as b
    group by b.invariant order by b.invariant;
end
$$;
comment on function queues.check_part(text, boolean) is 'Violated invariants of one part; no rows: healthy.';
