begin;
select plan(6);
select test.enqueue('test.ok') as one, test.enqueue_email() as mail, test.enqueue('test.ok') as two \gset
select test.lease(:one), test.dispatch(:mail), test.lease(:two, 'other');
select queues.stop_worker(test.worker(), 'stopped');
select is(test.place(:one), 'ready', 'a lease that the worker did not know of is given back');
select is((select how from queues.task_lease_ended where task_id = :one), 'released', 'as if the worker had released it');
select is(test.place(:mail), 'running', 'a call that was announced stays leased: it may have been sent');
select is(test.place(:two), 'running', 'leases of other workers stay');
select is((select count(*) from queues.claim(test.worker('third'), _limit => 10)), 1::bigint, 'another worker claims it at once');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
