-- From ready to running and back, by each way: whatever ready and running share is the same afterwards, except the number
-- of the lease.  A new column needs a value here.
begin;
select plan(7);
create function pg_temp.carried(_row jsonb) returns jsonb language sql as $$
    select jsonb_object_agg(e.key, e.value) from jsonb_each(_row) as e
    where e.key <> 'lease_no' and e.key in (
        select a.attname from pg_attribute as a join pg_attribute as b on b.attname = a.attname
        where a.attrelid = 'queues.ready'::regclass and b.attrelid = 'queues.running'::regclass and a.attnum > 0 and b.attnum > 0)
$$;
create function pg_temp.ready(_task_id bigint) returns jsonb language sql as $$ select pg_temp.carried(to_jsonb(r)) from queues.ready as r where r.task_id = _task_id $$;
create function pg_temp.running(_task_id bigint) returns jsonb language sql as $$ select pg_temp.carried(to_jsonb(r)) from queues.running as r where r.task_id = _task_id $$;
select queues.enqueue('http', '{"request": {"url": "https://example.org/"}}', _priority => 7) as call \gset
update queues.ready set phase = 'h', crash_count = 1, retry_count = 2, handler_failures = 3, max_crashes = 40, is_supervisor_run = true,
    process_id = 50, parent_id = 60, timeout = '70 seconds', destination = 'example.org', payload = '{"a": 8}', is_retry = true where task_id = :call;
select pg_temp.ready(:call) as before \gset
select is_empty(format($$select e.key from jsonb_each(%L) as e where e.value = 'null'$$, :'before'), 'each column has a value');
select is((select count(*) from queues.claim(test.worker(), _limit => 5)), 1::bigint, 'claimed');
select is(pg_temp.running(:call), :'before'::jsonb, 'a claim carries all of it');
select queues.release(test.worker(), array[:call], array[1]);
select is(pg_temp.ready(:call), :'before'::jsonb, 'so does a move back');
select test.lease(:call);
select is(pg_temp.running(:call), :'before'::jsonb, 'and a run inside a transaction');
-- A direct claim takes what has neither crashed nor come to a handler, and no calls.
select test.enqueue() as fn \gset
update queues.ready set retry_count = 2, handler_failures = 3, max_crashes = 40, is_supervisor_run = true, process_id = 50, parent_id = 60,
    timeout = '70 seconds', destination = 'x', payload = '{"a": 8}' where task_id = :fn;
select pg_temp.ready(:fn) as before \gset
select internal.this_holder(test.worker());
select is((select task_id from queues.claim_next(test.worker(), 'default', 0, '-infinity', '{db_function}', '60 seconds', 't')), :fn, 'claimed directly');
select is(pg_temp.running(:fn), :'before'::jsonb, 'a direct claim carries all that it may find');
select * from finish();
rollback;
