-- queues.prune(_before, _limit)
-- Removes the engine facts of tasks that completed long ago, and old decisions of schedules, in ascending id ranges, at most _limit tasks per call; returns their
-- number.  A tree is removed as a whole; a process is removed when it has ended and all its tasks qualify.  Open tasks and all rows
-- that they refer to are kept.
create or replace function queues.prune(_before interval default null, _limit integer default 10000) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _done_before timestamptz;
    _failed_before timestamptz;
begin
    if _before < interval '0' or _limit < 1 then
        raise exception using errcode = '22023', message = 'age and limit must be positive';
    end if;
    if _before is not null and not pg_has_role(
            case when current_setting('role') = 'none' then session_user else current_setting('role')::name end,
            'queues_admin', 'member') then
        raise exception using errcode = '42501', message = 'only members of queues_admin may choose an age',
            hint = 'Without an age, the settings retention_completed and retention_failed decide.';
    end if;
    _done_before := _now - coalesce(_before, internal.text_setting('retention_completed')::interval);
    _failed_before := _now - coalesce(_before, internal.text_setting('retention_failed')::interval);
    if _before is not null then
        perform internal.audit('prune', _before::text);
    end if;
    perform internal.prune_fires(_failed_before, coalesce(_limit, 10000));
    perform internal.prune_acts(_failed_before, coalesce(_limit, 10000));
    return internal.prune_tasks(_done_before, _failed_before, coalesce(_limit, 10000), false);
end
$$;
comment on function queues.prune(interval, integer) is 'Removes facts of tasks that completed long ago.';
