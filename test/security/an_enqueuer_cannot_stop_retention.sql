-- A task of an enqueuer looks like one of ours, with another payload: retention goes on, and removes nothing that is not the task's.
begin;
select plan(4);
create role shop login;
grant queues_enqueuer to shop;
select is(test.sqlstate_as('shop', $$select queues.enqueue('db_function', '{"db_function": "pgqueue.make_webhook_jobs", "change_id": "x"}')$$), '42501',
          'the function of large statements is not for enqueuers');
select queues.enqueue('db_function', '{"db_function": "pgqueue.make_webhook_jobs", "change_id": "x"}') as odd,
       queues.enqueue('db_function', '{"db_function": "pgqueue.make_webhook_jobs", "change_id": 1e30}') as huge \gset
select test.run(:odd), test.run(:huge);
select is(test.outcome(:odd), 'failed', 'a payload without a number fails');
select lives_ok('select queues.prune(interval ''0'')', 'retention goes on');
select is((select count(*) from queues.task where task_id in (:odd, :huge)), 0::bigint, 'and removes it');
select * from finish();
rollback;
