-- The functions behind `reeve top`: bounded counts, running tasks, workers, errors, and texts for operators only.
begin;
select plan(16);

select queues.enqueue('noop', '{}') from generate_series(1, 3);
select queues.enqueue('noop', '{}', now() + interval '1 hour');
select is(waiting, 3::bigint, 'due tasks wait') from queues.top_queues() where queue = 'default';
select is(scheduled, 1::bigint, 'others are for later') from queues.top_queues() where queue = 'default';
select is(is_more, false, 'a short queue is counted to its end') from queues.top_queues() where queue = 'default';
select ok(oldest_s >= 0, 'the oldest has waited') from queues.top_queues() where queue = 'default';
select is((select count(*) from queues.top_queues()), (select count(*) from queues.queue), 'every queue has a row');

select count(*) from queues.enqueue_many('noop', array_fill('{}'::jsonb, array[2500]));
select is(waiting + scheduled, 2000::bigint, 'of a long queue the first 2000 are counted') from queues.top_queues() where queue = 'default';
select is(is_more, true, 'and it is said that there are more') from queues.top_queues() where queue = 'default';
select queues.pause_queue('default');
select is(paused, true, 'a paused queue is shown as such') from queues.top_queues() where queue = 'default';

insert into queues.throughput (minute, queue, task_type, started, succeeded, failed, other, waits, wait_seconds, wait_seconds_max, runs,
                               run_seconds, run_seconds_max)
select s.rolled_until - n * interval '1 minute', 'default', 'noop', 10, 8, 2, 0, 10, 0, 0, 10, 0, 0
from internal.roll_up_state as s, generate_series(1, 10) as n;
select is(done, 10::double precision, 'ends in a minute') from queues.top_queues() where queue = 'default';
select is(failed, 2::double precision, 'failures in a minute') from queues.top_queues() where queue = 'default';

select queues.resume_queue('default');
create temp table leased on commit drop as
    select task_id from queues.claim(test.worker(), null, null, 1, '1 hour');
grant select on leased to public;
select is((select array_agg(task_id) from queues.top_running()), (select array_agg(task_id) from leased), 'leased tasks run');

insert into queues.error (task_id, error_message, created_at, lease_no, sqlstate, source)
select task_id, 'a secret of 4711', now(), 1, 'P0001', 'function' from leased;
select is(error, 'a secret of 4711', 'an operator sees messages') from queues.top_failures();
select ok((select bool_or(label = 'payload') from queues.top_task((select task_id from leased))), 'and payloads');
set local role queues_observer;
select (select error from queues.top_failures()) as error,
       (select bool_or(label = 'payload' or line like '%4711%') from queues.top_task((select task_id from leased))) as sees_texts,
       (select count(*) from queues.top_task(-1)) as lines \gset
reset role;
select is(:'error'::text, 'function P0001', 'an observer sees the source');
select is(:'sees_texts'::boolean, false, 'and no text of a task');
select is(:'lines'::bigint, 0::bigint, 'there is no such task');
select * from finish();
rollback;
