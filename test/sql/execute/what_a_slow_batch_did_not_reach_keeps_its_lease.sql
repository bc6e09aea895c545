begin;
select plan(4);
create function test.slow(payload jsonb) returns jsonb language plpgsql as $$
begin
    perform pg_sleep(0.2);
    return '{"status": "succeeded"}';
end $$;
select internal.allow_function('test.slow', 'task');
select test.enqueue('test.slow') as slow \gset
select test.enqueue() as waiting \gset
select test.lease(:slow), test.lease(:waiting);
-- As if the slow one had taken a whole lease.
update queues.running set expires_at = clock_timestamp() - interval '1 second' where task_id = :waiting;
select results_eq(format('select task_id from queues.execute_batch(test.worker(), array[%s, %s]::bigint[], array[1, 1])', :slow, :waiting),
                  format('values (%s::bigint)', :slow), 'the batch stops behind the slow one');
select cmp_ok((select expires_at from queues.running where task_id = :waiting), '>', clock_timestamp() + interval '55 seconds',
              'what it held meanwhile has a whole lease again');
select is((select count(*) from queues.task_lease_renewed where task_id = :waiting), 1::bigint, 'and the fact says so');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
