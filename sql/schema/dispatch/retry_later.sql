-- internal.retry_later(_row, _error)
-- Puts a task back after a passing error.  It waits 100 ms, 200 ms ... up to 30 s.
create or replace function internal.retry_later(_row queues.running, _error text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _at timestamptz;
begin
    _row.retry_count := coalesce(_row.retry_count, 0) + 1;
    _at := _now + least(interval '100 milliseconds' * power(2, least(_row.retry_count - 1, 10))
                        + interval '50 milliseconds' * random(), interval '30 seconds');
    perform internal.record_lease_end(_row, 'retry', _now, _at, null, null, left(_error, 1024));
    perform internal.move_to_ready(_row, _at);
end
$$;
comment on function internal.retry_later(queues.running, text) is 'Puts a task back after a passing error.';
