begin;
select plan(2);
select queues.enqueue('email', '{"before_handler": "test.before"}', now() + interval '1 hour', 'http', -7, 'k', 'skip', 3,
                      interval '9 s', 'fail', 'key-1') as id \gset
select is((select (queue, priority, dedup_key, max_crashes, timeout, on_in_doubt, idempotency_key)::text from queues.task where task_id = :id),
          '(http,-7,k,3,00:00:09,fail,key-1)', 'on the task');
select is((select (priority, dedup_key, max_crashes, timeout)::text from queues.ready where task_id = :id),
          '(-7,k,3,00:00:09)', 'and what a claim needs in the working row');
select * from finish();
rollback;
