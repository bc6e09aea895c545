begin;
select plan(5);
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 3) as one \gset
select test.run(:one);
select test.run(internal.last_attempt(:one));
select is(queues.prune(interval '0'), 0::bigint, 'a chain that goes on stays');
select test.run(internal.last_attempt(:one));
select test.unguard('queues.task_completed');
update queues.task_completed set completed_at = completed_at - interval '100 days' where task_id = :one;
select is(queues.prune(interval '90 days'), 0::bigint, 'an old attempt of a younger chain stays');
select is(queues.prune(interval '0', 1), 3::bigint, 'a chain that is old enough goes at once, all of it');
select is((select count(*) from queues.task), 0::bigint, 'nothing is left');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
