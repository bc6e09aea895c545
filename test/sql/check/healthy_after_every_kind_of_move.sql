begin;
select plan(2);
select test.enqueue() as done, test.enqueue('test.raises') as failed, test.enqueue() as waits, test.enqueue(_at => now() + interval '1 hour') as later,
       test.enqueue() as held, test.enqueue() as crashed, test.enqueue() as released, test.enqueue() as cancelled,
       test.enqueue_email() as sent, test.enqueue_email('{"on_success": "raise"}') as pending, test.enqueue() as passing \gset
select test.run(:done), test.run(:failed), test.lease(:held), test.lease(:released), test.dispatch(:sent), test.dispatch(:pending), test.lease(:passing);
select task_id from queues.claim(test.worker(), _limit => 1, _lease => '1 s');
select queues.release(test.worker(), array[:released]::bigint[], array[1], '1 minute');
select queues.cancel_task(:cancelled);
select queues.finish(test.worker(), :sent, 1, 'succeeded'), queues.finish(test.worker(), :pending, 1, 'succeeded'), queues.finish(test.worker(), :passing, 1, 'transient');
select queues.renew(test.worker(), array[:held]::bigint[], array[1]);
select queues.reschedule_task(:later, now() + interval '2 hours');
select test.process(1, 'again') as tick \gset
select test.run(:tick);
select is(test.violations(), '', 'no violation');
select is((select count(*) from queues.check(true) where invariant = 'drained'), 1::bigint, 'but it is not drained');
select * from finish();
rollback;
