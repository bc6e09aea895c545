begin;
select plan(3);
select worker.enqueue('act') as id \gset
select worker.spawn('act', '{}', :id, p_scheduled_at => now() + interval '1 day') as later \gset
select test.run_command(:id);
select is(test.state(:id), 'waiting', 'the parent waits');
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'there is nothing to claim');
select is(queues.next_due(), (select scheduled_at from queues.task where task_id = :later), 'until the child is due');
select * from finish();
rollback;
