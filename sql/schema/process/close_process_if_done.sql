-- internal.close_process_if_done(_process_id, _reason, _message)
-- Records the end of a process that has no open run left; true if it did.  The process row is locked first, and a new statement
-- reads the runs.  So of two last runs exactly one sees that it is the last.
create or replace function internal.close_process_if_done(_process_id bigint, _reason text, _message text) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1 from queues.process as p where p.process_id = _process_id for no key update;
    if exists (select 1 from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run)
       or exists (select 1 from queues.running as r where r.process_id = _process_id and r.is_supervisor_run) then
        return false;
    end if;
    insert into queues.process_ended (process_id, run_no, ended_at, reason, message)
    select _process_id, coalesce(max(n.run_no), 0), queues.clock(), _reason, _message
    from queues.process_run as n where n.process_id = _process_id
    on conflict do nothing;
    return true;
end
$$;
comment on function internal.close_process_if_done(bigint, text, text) is 'Ends a process that has no open run.';
