-- worker.process_tasks(p_batch_size, p_max_runtime_ms, p_queue, p_max_priority, p_scope, p_ahead)
-- Runs database work in the caller's own transaction, for psql, cron and tests.  It stops when nothing is due, when the batch is
-- done or when the time is over.  It never commits or rolls back.
-- p_scope: transaction = only tasks that this transaction enqueued; all = the queue;
-- auto = transaction if it has written before the call, otherwise all.  p_ahead lets it move the test clock to the next due task,
-- again and again, up to that far.
create or replace procedure worker.process_tasks(p_batch_size integer default null, p_max_runtime_ms integer default null,
        p_queue text default null, p_max_priority bigint default null, p_scope text default 'auto',
        p_ahead interval default '0')
    language plpgsql
    set search_path = pg_catalog, pg_temp
as $$
declare
    _started constant timestamptz := clock_timestamp();
    _only_mine constant boolean := case p_scope when 'transaction' then true when 'all' then false
                                                else pg_current_xact_id_if_assigned() is not null end;
    _clock constant timestamptz := queues.clock();
    _worker uuid;
    _task record;
    _done integer := 0;
    _tries integer;
    _error text;
begin
    perform internal.require_read_committed('process_tasks');
    if p_batch_size < 0 or p_max_runtime_ms < 0 or p_ahead is null or p_ahead < interval '0' then
        raise exception using errcode = '22023', message = 'limits of process_tasks must not be negative';
    end if;
    if p_scope is null or p_scope not in ('auto', 'transaction', 'all') then
        raise exception using errcode = '22023', message = format('scope "%s" is not one of auto, transaction, all', coalesce(p_scope, 'null'));
    end if;
    if p_ahead > interval '0' and internal.test_clock_at() is null then
        raise exception using errcode = '55000', message = 'p_ahead needs a test clock', hint = 'select queues.set_test_clock();';
    end if;
    _worker := internal.test_worker();
    loop
        exit when _done >= p_batch_size;
        exit when _done > 0 and clock_timestamp() >= _started + make_interval(secs => p_max_runtime_ms / 1000.0);
        select * into _task from internal.lease_next(_worker, p_queue, p_max_priority, _only_mine, _clock + p_ahead);
        exit when _task.task_id is null;
        _tries := 0;
        loop
            begin
                if not _task.prepares or 'run' = (select d.decision from queues.begin_dispatch(_worker, _task.task_id, _task.lease_no) as d) then
                    perform internal.run_batch(_worker, array[_task.task_id], array[_task.lease_no], null, true);
                end if;
                exit;
            exception when serialization_failure or deadlock_detected or lock_not_available then
                _tries := _tries + 1;
                if _tries > 3 then
                    _error := sqlerrm;
                    begin
                        perform queues.finish(_worker, _task.task_id, _task.lease_no, 'failed', null, _error);
                    exception when serialization_failure or deadlock_detected or lock_not_available then
                        -- The handler or hook failed for the same reason.
                        perform queues.record_result(_worker, _task.task_id, _task.lease_no, 'failed', null, _error);
                    end;
                    exit;
                end if;
            end;
        end loop;
        _done := _done + 1;
    end loop;
end
$$;
comment on procedure worker.process_tasks(integer, integer, text, bigint, text, interval) is
    'Runs due database work in the caller''s transaction.';
