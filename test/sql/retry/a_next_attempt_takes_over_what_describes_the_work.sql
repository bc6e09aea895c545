-- Queue, priority, origin, process, timeout, crashes and on_in_doubt, none of them a default; and an urgency that a merge gave.
begin;
select plan(7);
insert into queues.queue (queue) values ('test.slow');
create function test.starts_one(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin
    perform queues.enqueue('http', '{"request": {"url": "https://example.com/x"}, "n": 1}', _queue => 'test.slow', _priority => 7, _timeout => '9 s',
                           _max_crashes => 3, _on_in_doubt => 'fail', _max_attempts => 3, _backoff => '[5, 6]');
    return '{"status": "scheduled"}';
end $$;
select internal.allow_function('test.starts_one', 'supervisor', _process_keys => array['id']);
select test.run(test.enqueue('test.starts_one', '{"id": 1}'));
select task_id as one from queues.task where task_type = 'http' \gset
select test.dispatch(:one);
select queues.finish(test.worker(), :one, 1, 'failed', null, 'refused', 'refused');
select internal.last_attempt(:one) as two \gset
select is((select (queue, priority, timeout, max_crashes, on_in_doubt, payload)::text from queues.task where task_id = :two),
          (select (queue, priority, timeout, max_crashes, on_in_doubt, payload)::text from queues.task where task_id = :one), 'what its enqueuer chose');
select is((select (queue, on_in_doubt)::text from queues.task where task_id = :two), '(test.slow,fail)', 'no default');
select ok((select t.origin_task_id is not null and t.process_id is not null and (t.origin_task_id, t.process_id) = (o.origin_task_id, o.process_id)
           from queues.task as t, queues.task as o where t.task_id = :two and o.task_id = :one), 'its origin and its process');
select is((select (q.queue, r.priority, r.process_id is not null, r.max_crashes, r.timeout)::text from queues.ready as r join queues.queue as q using (queue_id)
           where r.task_id = :two), '(test.slow,7,t,3,00:00:09)', 'the working row says the same');

select queues.set_retry_policy('command', 'merged', 4, '[600]');
update worker.command_registry set handler_procedure = 'test.act' where command = 'merged';
select worker.enqueue('merged', '{"kind": "a", "ids": [1], "succeeds_at": 9}') as c \gset
select worker.enqueue('merged', '{"kind": "a", "ids": [2]}', p_priority => -5);
select internal.rehome_merges(); -- as claims do
select is(test.run_command(:c), 'failed', 'a command that a merge made more urgent fails');
select is((select (t.priority, r.priority)::text from queues.task as t join queues.ready as r using (task_id) where t.task_id = internal.last_attempt(:c)),
          '(-5,-5)', 'its next attempt is as urgent');
select ok(test.violations() in ('', 'not_before_its_time'), 'the facts agree');
select * from finish();
rollback;
