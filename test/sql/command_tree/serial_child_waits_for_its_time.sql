begin;
select plan(4);
select worker.enqueue('act') as id \gset
select worker.spawn('act', '{"n": 1}', :id, p_child_mode => 'serial') as first \gset
select worker.spawn('act', '{"n": 2}', :id, p_scheduled_at => now() + interval '1 day') as later \gset
select test.run_command(:id);
select test.run_command(:first);
select is(test.place(:first), 'completed', 'the first child has ended');
select is((select r.available_at from queues.ready as r where r.task_id = :later), (select scheduled_at from queues.task where task_id = :later),
          'the next one has its turn at its time');
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'and not before');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
