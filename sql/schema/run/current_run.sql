-- internal.current_run()
-- The task that runs in this transaction, its lease, its process and whether it has a trace; nulls outside a run.  A setting names the task, and anybody
-- can set it.  So it counts only if this transaction holds the running row of that task, by a lock or as its writer.  Only the
-- holder of the lease can do that.
create or replace function internal.current_run(out task_id bigint, out lease_no integer, out process_id bigint,
        out is_traced boolean)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
declare
    _text constant text := current_setting('reeve.task_id', true);
    _here constant xid := pg_current_xact_id_if_assigned()::xid;
    _row record;
    _is_ours boolean;
begin
    -- A transaction that has locked a row has a number.
    if coalesce(_text, '') = '' or _here is null or length(_text) > 18 or translate(_text, '0123456789', '') <> '' then
        return;
    end if;
    select r.task_id, r.lease_no, r.process_id, r.xmin as writer, r.xmax as locker,
           (select true from queues.task_trace as x where x.task_id = r.task_id) as is_traced
    into _row
    from queues.running as r where r.task_id = _text::bigint;
    -- Usually the first condition holds; the others are for subtransactions and cost much more.
    if _row.locker = _here or _row.writer = _here then
        _is_ours := true;
    elsif internal.is_ours(_row.writer) then
        _is_ours := true;
    else
        _is_ours := exists (select 1 from pg_locks as l where l.locktype = 'transactionid' and l.transactionid = _row.locker
                            and l.pid = pg_backend_pid() and l.mode = 'ExclusiveLock');
    end if;
    if _is_ours then
        task_id := _row.task_id;
        lease_no := _row.lease_no;
        process_id := _row.process_id;
        is_traced := _row.is_traced;
    end if;
end
$$;
comment on function internal.current_run() is 'The task that runs in this transaction, as its running row proves.';
