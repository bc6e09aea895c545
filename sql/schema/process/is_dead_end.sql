-- internal.is_process_live(_supervisor, _key, _id), internal.is_dead_end(_supervisor, _key, _id)
-- For the process of a supervisor, identified by one id.  is_process_live: has it an open run?  is_dead_end: did it end in a way
-- that its own facts do not show, because it failed, made no progress, or was cancelled?
create or replace function internal.is_process_live(_supervisor text, _key text, _id bigint) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return internal.is_live((select p.process_id from queues.process as p
                             where p.supervisor = _supervisor and p.ids = jsonb_build_object(_key, _id)));
end
$$;
comment on function internal.is_process_live(text, text, bigint) is 'Whether the process of a supervisor has an open run.';

create or replace function internal.is_dead_end(_supervisor text, _key text, _id bigint) returns boolean
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _process constant bigint := (select p.process_id from queues.process as p
                                 where p.supervisor = _supervisor and p.ids = jsonb_build_object(_key, _id));
begin
    return not internal.is_live(_process)
        and coalesce((select e.reason in ('supervisor_failed', 'run_limit', 'cancelled', 'quarantined')
                      from queues.process_ended as e where e.process_id = _process
                      order by e.run_no desc, e.ended_at desc limit 1), false);
end
$$;
comment on function internal.is_dead_end(text, text, bigint) is 'Whether the process of a supervisor ended early.';
