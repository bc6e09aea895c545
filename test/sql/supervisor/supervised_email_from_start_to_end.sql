-- A week of supervision in a moment: a failed attempt, a second one, the end.
begin;
select plan(7);
select queues.set_test_clock();
create table public.attempt (attempt_id bigint generated always as identity, task_id bigint, outcome text);
create function test.mail_supervisor(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    _failed integer := (select count(*) from public.attempt where outcome = 'failed');
begin
    if exists (select 1 from public.attempt where outcome = 'succeeded') then
        return '{"status": "succeeded"}';
    elsif _failed >= 2 then
        return '{"status": "max_attempts_reached"}';
    end if;
    if not exists (select 1 from public.attempt where outcome is null) then
        insert into public.attempt (task_id) values (queues.enqueue('email', '{"before_handler": "test.before", "success_handler": "test.mail_done", "error_handler": "test.mail_failed"}'));
    end if;
    perform queues.enqueue('db_function', _payload, queues.clock() + queues.recheck_delay(5, _failed));
    return '{"status": "scheduled"}';
end $$;
create function test.mail_done(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp as $$
    update public.attempt set outcome = 'succeeded' where task_id = queues.current_task_id();
    select queues.wake_process('test.mail_supervisor', '{"id": 1}', queues.clock());
    select '{"status": "succeeded"}'::jsonb $$;
create function test.mail_failed(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp as $$
    update public.attempt set outcome = 'failed' where task_id = queues.current_task_id();
    select '{"status": "succeeded"}'::jsonb $$;
select internal.allow_function('test.mail_supervisor', 'supervisor'), internal.allow_function('test.mail_done', 'success'), internal.allow_function('test.mail_failed', 'error');
select test.enqueue('test.mail_supervisor', '{"id": 1}');
call worker.process_tasks();
select is((select count(*) from public.attempt), 1::bigint, 'the first attempt');
select is(queues.simulate((select task_id from public.attempt where outcome is null), 'failed', null, '422'), 'completed', 'fails');
call worker.process_tasks(p_ahead => '6 seconds');
select is((select count(*) from public.attempt), 2::bigint, 'a second one after 5 s');
select is(queues.simulate((select task_id from public.attempt where outcome is null)), 'completed', 'succeeds');
call worker.process_tasks();
select is((select end_reason from queues.process_state where supervisor = 'test.mail_supervisor'), 'succeeded', 'the supervisor is woken and ends');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'nothing is open');
select is((select runs from queues.process_state where supervisor = 'test.mail_supervisor'), 3, 'three runs');
select * from finish();
rollback;
