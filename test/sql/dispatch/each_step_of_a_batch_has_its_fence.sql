-- The steps of a batch are functions of their own, and each looks for itself: a lease of another worker, one that has run out or
-- was superseded, and a task that was asked to stop get nothing.
begin;
select plan(8);
select test.enqueue_email() as old, test.enqueue_email() as foreign, test.enqueue_email() as live, test.enqueue_email() as stopped,
       test.enqueue_email() as again, test.enqueue() as run \gset
select test.lease(:old), test.lease(:live), test.lease(:stopped), test.lease(:foreign, 'other');
select test.expire(:old);
select is(array(select d.task_id from internal.record_dispatches(test.worker(), array[:old, :foreign, :live], array[1, 1, 1],
                                                                 array[null, null, null]::text[], array[null, null, null]::text[]) as d),
          array[:live]::bigint[], 'only the live lease of this worker is announced');
select is((select count(*) from queues.task_dispatched where task_id in (:old, :foreign)), 0::bigint, 'no fact of the others');
select queues.cancel_task(:stopped);
select is((select d.decision from queues.begin_dispatch_batch(test.worker(), array[:stopped], array[1]) as d), 'completed', 'cancelled work is not sent');
select is(test.outcome(:stopped), 'cancelled', 'it ends');

-- The first lease was announced and lost; its result came late.
select test.dispatch(:again);
select test.expire(:again);
select test.take_back();
select queues.finish(test.worker(), :again, 1, 'succeeded', '{"id": "late"}');
select is(test.dispatch(:again), 'stored', 'a call with a known result is not sent again');

select test.lease(:run);
select test.expire(:run);
select test.take_back();
select test.lease(:run);
select is((select e.sqlstate from queues.execute_batch(test.worker(), array[:run], array[1]) as e), 'QU002', 'a superseded lease is not run');
select is((select e.outcome from queues.execute_batch(test.worker(), array[:run], array[2]) as e), 'succeeded', 'the newest is');
select throws_ok(format('select internal.end_finishes(test.worker(), array[%s], array[7], array[now()], array[null]::jsonb[])', :live), 'QU002', null,
    'results of another lease complete nothing');
select * from finish();
rollback;
