-- It raises twice and then works: one call of the provider, two error facts, one success.
begin;
select plan(8);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_email();
select test.email_task() as id \gset
alter function comms.record_email_success(jsonb) rename to kept;
create function comms.record_email_success(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if (select count(*) from queues.error as e where e.source = 'success_handler') < 2 then
        raise exception 'disk full';
    end if;
    return comms.kept(_payload);
end $$;
select is(queues.simulate(:id, 'succeeded', '{"id": "m1"}'), 'handler_failed', 'the handler raises');
select is((select count(*) from comms.send_email_attempt_succeeded), 0::bigint, 'nothing is written yet');
call worker.process_tasks(p_ahead => '1 minute');
select is((select count(*) from comms.send_email_attempt), 1::bigint, 'the supervisor waits for the attempt that is out');
select is(queues.simulate(:id), 'handler_failed', 'it raises again');
select is(queues.simulate(:id), 'completed', 'and works at last');
select is((select count(*) from queues.error where task_id = :id), 2::bigint, 'two error facts');
select is((select count(*) from queues.task_dispatched), 1::bigint, 'one call of the provider');
select is((select array_agg(provider_id) from comms.send_email_attempt_succeeded), array['m1'], 'whose answer is kept');
select * from finish();
rollback;
