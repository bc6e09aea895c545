begin;
select plan(4);
select test.enqueue_email() as mail, test.enqueue() as fn, test.enqueue_email() as running \gset
select test.lease(:running);
select queues.adopt_database(true);
select is(test.outcome(:mail), 'cancelled', 'an open channel task');
select is(test.place(:fn), 'ready', 'database work stays');
select is((select count(*) from queues.task_cancel_requested where task_id = :running), 1::bigint, 'a running one is asked to stop');
select is((select count(*) from queues.audit where action = 'adopt_database'), 1::bigint, 'on record');
select * from finish();
rollback;
