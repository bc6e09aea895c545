-- internal.hooks_of(_task_ids, _step)
-- The hooks that replace a step of the engine for leased tasks, and the adapters of their types.
create or replace function internal.hooks_of(_task_ids bigint[], _step text) returns table (hook text, adapter text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _types constant smallint[] := array(select t.type_id from queues.registered_task_type as t where t.hooks ? _step);
begin
    return query
        select t.hooks->>_step, t.adapter from queues.registered_task_type as t
        where t.type_id = any(_types)
          and exists (select 1 from queues.running as r where r.task_id = any(_task_ids) and r.type_id = t.type_id)
        order by t.hooks->>_step;
end
$$;
comment on function internal.hooks_of(bigint[], text) is 'Functions that replace a step for leased tasks.';
