-- Wherever the key of the first attempt came from: a next attempt sends the same one, also if the before handler changes its mind, and also
-- if the attempt between them was never sent.
begin;
select plan(9);
select queues.register_task_type('resize_image', 'program');
create function test.fail_call(_task_id bigint) returns bigint language plpgsql as $$
begin
    perform test.dispatch(_task_id);
    perform queues.finish(test.worker(), _task_id, 1, 'failed', null, 'refused', 'refused');
    return internal.last_attempt(_task_id);
end
$$;
create function test.key_of(_task_id bigint) returns text language sql as $$
    select d.idempotency_key from queues.task_dispatched as d where d.task_id = _task_id order by d.lease_no limit 1
$$;
create temp table call as select c.what, c.key, c.task_id as one, test.fail_call(c.task_id) as two, null::bigint as three
from (values
    ('payload', 'k-payload', queues.enqueue('resize_image', '{"idempotency_key": "k-payload"}', _max_attempts => 5)),
    ('task before payload', 'k-task', queues.enqueue('resize_image', '{"idempotency_key": "k-payload"}', _idempotency_key => 'k-task', _max_attempts => 5)),
    ('payload of a request', 'k-payload', queues.enqueue('http', '{"idempotency_key": "k-payload", "request": {"url": "https://example.com/x"}}', _max_attempts => 5)),
    ('request', 'k-request', queues.enqueue('http', '{"idempotency_key": "k-payload", "request": {"url": "https://example.com/x", "idempotency_key": "k-request"}}', _max_attempts => 5)),
    ('none', null, queues.enqueue('resize_image', '{}', _max_attempts => 5))) as c(what, key, task_id);
select is(test.key_of(c.one), coalesce(c.key, (select t.task_uuid::text from queues.task as t where t.task_id = c.one)), 'first attempt, key from: ' || c.what)
from call as c order by c.one;
update call as c set three = test.fail_call(c.two);
select results_eq($$ select test.key_of(two) from call order by one $$, $$ select test.key_of(one) from call order by one $$, 'the second attempt has the same key');

-- A before handler that gives another key each time.
create function test.before_with_its_own_key(_payload jsonb) returns jsonb language sql as $$
    select jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('url', 'https://example.com/x', 'idempotency_key', gen_random_uuid()))
$$;
select internal.allow_function('test.before_with_its_own_key', 'before');
select queues.enqueue('http', '{"before_handler": "test.before_with_its_own_key"}', _max_attempts => 5) as mail \gset
select test.fail_call(:mail) as again \gset
-- The second attempt fails before it is sent.
select test.lease(:again) as lease \gset
select queues.finish(test.worker(), :again, 1, 'failed', null, 'no handler', 'handler');
select internal.last_attempt(:again) as third \gset
select test.dispatch(:third);
select is(test.key_of(:third), test.key_of(:mail), 'the key that was sent first stays');
select is(test.key_of(:again), null, 'the attempt between them was not sent');
select is(test.violations(), 'not_before_its_time', 'the facts agree, but for the time that the test passed over');
select * from finish();
rollback;
