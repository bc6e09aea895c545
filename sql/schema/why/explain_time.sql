-- internal.explain_time(_row, _now)
-- Why a waiting task is not due yet; null if it is due.
create or replace function internal.explain_time(_row queues.ready, _now timestamptz) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _subject constant text := 'task ' || _row.task_id;
    _when constant text := internal.time_words(_row.available_at, _now);
    _change queues.task_changed;
    _ended queues.task_lease_ended;
    _attempt queues.task_attempt;
    _error record;
    _last bigint;
begin
    if _row.available_at <= _now then
        return null;
    end if;
    select c.* into _change from queues.task_changed as c where c.task_id = _row.task_id order by c.change_no desc limit 1;
    select e.* into _ended from queues.task_lease_ended as e where e.task_id = _row.task_id order by e.lease_no desc limit 1;
    select a.* into _attempt from queues.task_attempt as a where a.task_id = _row.task_id;
    if _change.available_at = _row.available_at and _change.lease_no >= _row.lease_no then
        return internal.explained(_subject, 'not_due', format('Task %s is not due before %s: %s chose that time at %s.', _row.task_id, _when,
            _change.changed_by, internal.time_words(_change.changed_at, _now)), _change.changed_at, _row.available_at, _change.changed_by,
            jsonb_build_object('change', _change.reason));
    elsif _ended.retry_at = _row.available_at then
        return internal.explained(_subject, 'backoff', format('Task %s is tried again at %s: its lease %s ended at %s (%s).', _row.task_id, _when,
            _ended.lease_no, internal.time_words(_ended.ended_at, _now), replace(_ended.how, '_', ' ')), _ended.ended_at, _row.available_at, null,
            jsonb_build_object('lease_no', _ended.lease_no, 'how', _ended.how, 'leases_died', _row.crash_count,
                               'error', (select e.words from internal.last_error_words(_row.task_id) as e)));
    elsif _attempt.attempt > 1 then
        select n.task_id into _last from queues.task_attempt as n where n.chain_id = _attempt.chain_id and n.attempt = _attempt.attempt - 1;
        select * into _error from internal.last_error_words(_last);
        return internal.explained(_subject, 'next_attempt', format('Task %s is attempt %s of %s and is due at %s: the last attempt, task %s, failed%s.',
            _row.task_id, _attempt.attempt, _attempt.max_attempts, _when, _last, coalesce(': ' || rtrim(_error.words, '.'), '')),
            _error.at, _row.available_at, null,
            jsonb_build_object('attempt', _attempt.attempt, 'max_attempts', _attempt.max_attempts, 'last_attempt', _last, 'error', _error.words,
                               'sqlstate', _error.sqlstate));
    end if;
    return internal.explained(_subject, 'not_due', format('Task %s is not due before %s: it was enqueued for that time.', _row.task_id, _when),
        (select t.enqueued_at from queues.task as t where t.task_id = _row.task_id), _row.available_at);
end
$$;
comment on function internal.explain_time(queues.ready, timestamptz) is 'Why a waiting task is not due yet.';
