begin;
select plan(5);
select test.enqueue() as id \gset
select queues.pause_queue('default');
select is((select count(*) from queues.claim(test.worker())), 0::bigint, 'paused');
select is(queues.next_due(), null, 'and nothing is due');
select queues.resume_queue('default');
select queues.pause_queue('default', interval '1 hour');
select is((select count(*) from queues.claim(test.worker())), 0::bigint, 'paused for a time');
select ok(queues.next_due() > now() + interval '59 minutes', 'due when the pause ends');
update queues.queue set paused_until = now() where queue = 'default';
select is((select task_id from queues.claim(test.worker())), :id, 'claimed when the pause is over');
select * from finish();
rollback;
