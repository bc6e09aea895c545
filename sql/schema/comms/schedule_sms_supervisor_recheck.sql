-- comms.schedule_sms_supervisor_recheck(_send_sms_task_id, _num_failures)
-- Effect: the supervisor of a text message looks again, after 5 s, 10 s ... and later while nothing
-- changes.
create or replace function comms.schedule_sms_supervisor_recheck(_send_sms_task_id bigint, _num_failures integer) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'comms.send_sms_supervisor', 'send_sms_task_id', _send_sms_task_id),
        queues.clock() + queues.recheck_delay(5, _num_failures));
end
$$;
comment on function comms.schedule_sms_supervisor_recheck(bigint, integer) is 'Effect: the supervisor of a text message looks again later.';
