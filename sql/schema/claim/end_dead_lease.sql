-- internal.end_dead_lease(_row, _how, _now)
-- Ends a lease whose holder is taken for dead.  The caller holds the running row.  A quarantine is also a warning (QU001): the worker
-- whose claim it was counts and logs it, with the words of the detail.  The name comes last, because it may have spaces.
create or replace function internal.end_dead_lease(_row queues.running, _how text, _now timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _type queues.registered_task_type;
    _task queues.task;
    _crashes constant integer := coalesce(_row.crash_count, 0) + 1;
    _in_doubt boolean;
    _at timestamptz := _now;
begin
    select t.* into _type from queues.registered_task_type as t where t.type_id = _row.type_id;
    select t.* into _task from queues.task as t where t.task_id = _row.task_id;
    _in_doubt := _row.phase is distinct from 'h'
        and exists (select 1 from queues.task_dispatched as d
                    where d.task_id = _row.task_id and d.lease_no = _row.lease_no);
    -- A task whose holder an operator declared dead is claimable at once.
    if _crashes >= 2 and _how = 'expired' then
        _at := _now + least(interval '5 seconds' * power(2, least(_crashes - 2, 10)), interval '5 minutes');
    end if;

    if exists (select 1 from queues.task_cancel_requested as c where c.task_id = _row.task_id) then
        perform internal.record_lease_end(_row, _how, _now, _now);
        perform internal.complete_running(_row, 'cancelled', 'cancelled', null, null, 'engine');
    elsif _crashes >= coalesce(_row.max_crashes, _type.max_crashes) then
        perform internal.record_lease_end(_row, _how, _now, _now);
        perform internal.record_error(_row.task_id, _row.lease_no,
            format('quarantined: %s of its leases died', _crashes), 'QU001', 'engine');
        perform internal.complete_running(_row, 'quarantined', 'quarantined',
            (select e.result from queues.task_lease_ended as e
             where e.task_id = _row.task_id and e.outcome is not null
             order by e.lease_no desc limit 1), null, 'engine');
        raise warning using errcode = 'QU001', message = format('task %s (%s) is quarantined: %s of its leases died', _row.task_id,
            concat_ws(' ', _task.task_type, left(_task.payload->>_type.variant_key, 128)), _crashes),
            detail = format('task_id=%s lease_no=%s task_type=%s queue=%s name=%s', _row.task_id, _row.lease_no, _task.task_type, _task.queue,
                left(case when _type.kind in ('run', 'prepared') then _task.payload->>coalesce(_type.variant_key, 'db_function') end, 128));
    elsif _in_doubt and coalesce(_task.on_in_doubt, _type.on_in_doubt) = 'fail' then
        perform internal.record_lease_end(_row, _how, _now, _now, 'in_doubt', null,
            format('in doubt: lease %s was dispatched without a result', _row.lease_no));
        _row.phase := 'h';
        _row.crash_count := _crashes;
        perform internal.move_to_ready(_row, _now);
    else
        if _in_doubt then
            perform internal.record_error(_row.task_id, _row.lease_no, format(
                'in doubt: lease %s was dispatched without a result, sending again with the same key', _row.lease_no),
                null, 'engine', 'in_doubt');
        end if;
        perform internal.record_lease_end(_row, _how, _now, _at);
        _row.crash_count := _crashes;
        perform internal.move_to_ready(_row, _at);
    end if;
end
$$;
comment on function internal.end_dead_lease(queues.running, text, timestamptz) is
    'Ends the lease of a dead holder, and decides how its task goes on.';
