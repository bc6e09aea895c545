begin;
select plan(11);
select test.enqueue_email(_on_in_doubt => 'fail') as id \gset
create temp table said (answer text);
do $$
declare
    _id bigint := (select max(task_id) from queues.task);
begin
    -- More often than passing errors are forgiven.
    for _n in 1 .. 15 loop
        perform test.dispatch(_id);
        insert into said select queues.finish(test.worker(), _id, _n, 'unsent', null, 'not sent: the worker is stopping');
    end loop;
end
$$;
select is((select count(*) from said where answer = 'retry'), 15::bigint, 'each time it is to be done again');
select is((select count(*) from queues.task_lease_ended where task_id = :id and how = 'released'), 15::bigint, 'its leases were given back');
select is((select count(*) from queues.ready where task_id = :id and retry_count is null and crash_count is null), 1::bigint, 'nothing is counted');
select is(test.errors(:id), 0::bigint, 'and nothing has failed');
select is(queues.finish(test.worker(), :id, 15, 'unsent'), 'duplicate', 'said twice');
select is((select count(*) from queues.late_result), 0::bigint, 'it is no evidence');
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 16, 'succeeded', '{}'), 'completed', 'then it is sent');

select test.enqueue_email() as unwanted \gset
select test.dispatch(:unwanted);
select queues.cancel_task(:unwanted);
select is(queues.finish(test.worker(), :unwanted, 1, 'unsent'), 'completed', 'one that is to be cancelled');
select is(test.outcome(:unwanted), 'cancelled', 'is cancelled');

select test.enqueue() as function \gset
select test.lease(:function);
select throws_ok(format('select queues.finish(test.worker(), %s, 1, %L)', :function, 'unsent'), '22023', null, 'a function is not sent');
-- The test does not wait until the task is due again.
select is((select string_agg(c::text, ' ') from queues.check() as c where c.invariant <> 'not_before_its_time'), null, 'the facts agree');
select * from finish();
rollback;
