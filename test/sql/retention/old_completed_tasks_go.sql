begin;
select plan(9);
select test.enqueue() as old, test.enqueue() as recent, test.enqueue('test.raises') as failed, test.enqueue('test.raises') as very_old, test.enqueue() as open \gset
select test.run(:old), test.run(:recent), test.run(:failed), test.run(:very_old);
select test.unguard('queues.task_completed');
update queues.task_completed set completed_at = now() - case task_id when :old then interval '31 days' when :recent then interval '29 days'
    when :failed then interval '31 days' when :very_old then interval '91 days' end;
alter table queues.task_completed enable trigger user;
select is(queues.prune(), 2::bigint, 'two are old enough');
select is((select array_agg(task_id order by task_id) from queues.task), array[:recent, :failed, :open]::bigint[], '30 days, 90 for failed ones; open ones stay');
select is((select count(*) from queues.task_lease where task_id in (:old, :very_old)), 0::bigint, 'their leases are gone');
select is((select count(*) from queues.task_completed where task_id in (:old, :very_old)), 0::bigint, 'and completions');
select is(test.errors(:very_old), 0::bigint, 'and errors');
select is((select (from_task_id, to_task_id, tasks)::text from queues.pruned), format('(%s,%s,2)', :old, :very_old), 'a fact remains');
select is(queues.prune(), 0::bigint, 'nothing more to do');
select is((select count(*) from queues.pruned), 1::bigint, 'and no fact of it');
select throws_ok('delete from queues.task', '42501', null, 'the guard is on again');
select * from finish();
rollback;
