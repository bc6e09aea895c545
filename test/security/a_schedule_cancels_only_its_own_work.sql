-- Only operators cancel the work of others.  A schedule that cancels what still runs ends the work that it started itself: not a
-- task that its slot was merged into, and not a process that somebody else opened.
begin;
select plan(11);
set local client_min_messages = error;
create role test_boss;
create role test_mallory;
grant queues_enqueuer to test_boss, test_mallory;
select queues.set_test_clock('2030-01-01 00:00:30+00');
select worker.register_command('calc', 'test.plain', 'default', p_dedup_keys => '{id}', p_dedup_policy => 'merge');
create function test.wake(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('db_function', 'test.supervise', 'id', _payload->'wakes'), '2031-01-01');
    return '{"status": "succeeded"}';
end $$;
select internal.allow_function('test.wake', 'task');
insert into test.script (id, act) values (5, 'again'), (6, 'again'), (7, 'again'), (8, 'again');
set local role test_boss;
select worker.enqueue('calc', '{"id": 1}', p_scheduled_at => '2031-01-01') as command,
       queues.enqueue('db_function', '{"db_function": "test.supervise", "id": 5}', '2031-01-01') as run,
       queues.enqueue('db_function', '{"db_function": "test.supervise", "id": 6}', '2031-01-01') as woken \gset
set local role test_mallory;
select queues.schedule('merges', '* * * * *', _command => 'calc', _payload => '{"id": 1}', _zone => 'UTC', _overlap => 'cancel_running');
select queues.schedule('runs', '* * * * *', _function => 'test.supervise', _payload => '{"id": 5}', _zone => 'UTC', _overlap => 'cancel_running');
select queues.schedule('wakes', '* * * * *', _function => 'test.wake', _payload => '{"wakes": 6}', _zone => 'UTC', _overlap => 'cancel_running');
select queues.schedule('own', '* * * * *', _command => 'calc', _payload => '{"id": 2}', _zone => 'UTC', _overlap => 'cancel_running');
select queues.schedule('own-run', '* * * * *', _function => 'test.supervise', _payload => '{"id": 7}', _zone => 'UTC', _overlap => 'cancel_running');
select queues.schedule('own-wake', '* * * * *', _function => 'test.wake', _payload => '{"wakes": 8}', _zone => 'UTC', _overlap => 'cancel_running');
reset role;
select test.fire_at('2030-01-01 00:01+00');
select is(test.fired('merges'), :command, 'a slot is merged into the waiting task of somebody else');
select test.fired('own') as own \gset
select test.run(test.fired('wakes')), test.run(test.fired('own-wake'));
select test.run(test.fired('own-run')) as first_run \gset
select test.fire_at('2030-01-01 00:02+00');
select is((select count(*) from queues.ready where task_id in (:command, :run, :woken)), 3::bigint, 'the work of somebody else still waits');
select is((select array_agg(schedule_name order by schedule_name) from queues.schedule_state where waiting_slot is not null), '{merges,runs,wakes}', 'and the slots wait for it');
select is((select outcome from queues.task_completed where task_id = :own), 'cancelled', 'a task of its own is cancelled');
select is((select e.reason from queues.process_ended as e where e.process_id = test.process_id(7)), 'cancelled', 'so is a process of its own');
select is((select e.reason from queues.process_ended as e where e.process_id = test.process_id(8)), 'cancelled', 'and one that its work opened');
-- A process that had ended belongs to the schedule that opens it again.
select queues.end_process(test.process_id(5), 'by hand');
select test.fire_at('2030-01-01 00:02:30+00');
select is((select waiting_slot from queues.schedule_state where schedule_name = 'runs'), null, 'when the process of somebody else has ended, the slot is fired');
select test.run(test.fired('runs'));
select test.fire_at('2030-01-01 00:03+00');
select is((select count(*) from queues.process_ended as e where e.process_id = test.process_id(5) and reason = 'cancelled'), 2::bigint, 'a process that it opened again is its own');
-- An operator may cancel everything.
grant queues_operator to test_mallory;
select test.fire_at('2030-01-01 00:04+00');
select is((select outcome from queues.task_completed where task_id = :command), 'cancelled', 'the schedule of an operator cancels any task');
select is((select e.reason from queues.process_ended as e where e.process_id = test.process_id(6)), 'cancelled', 'and any process');
select is(test.violations(), '', 'all agrees');
select * from finish();
rollback;
