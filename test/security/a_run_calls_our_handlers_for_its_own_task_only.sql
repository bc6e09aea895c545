-- A registered function runs with the worker's rights, and the worker's role may execute our handlers: from the run of one task
-- nobody reads or ends the message of another.
begin;
select plan(4);
set local client_min_messages = error;
select test.start_email();
select max(send_email_attempt_id) as attempt from comms.send_email_attempt \gset
create function test.thief(_payload jsonb) returns jsonb language plpgsql
as $$
declare
    _got text;
begin
    execute _payload->>'statement' into _got;
    return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('got', _got));
end $$;
select internal.allow_function('test.thief');
create function pg_temp.run_as_worker(_id bigint) returns text language plpgsql as $$
declare
    _lease integer := test.lease(_id);
    _outcome text;
begin
    perform set_config('role', 'worker_service_user', true);
    _outcome := (select e.outcome from queues.execute(test.worker(), _id, _lease) as e);
    perform set_config('role', 'none', true);
    return _outcome;
end $$;
select test.worker();
select test.enqueue('test.thief', jsonb_build_object('statement',
    format('select comms.get_email_payload(%L)', jsonb_build_object('send_email_attempt_id', :attempt)))) as read \gset
select is(pg_temp.run_as_worker(:read), 'failed', 'reading another message fails');
select alike(test.last_error(:read), '%only the run of its task may call this function%', 'with this error');
select test.enqueue('test.thief', jsonb_build_object('statement',
    format('select comms.record_email_success(%L)', jsonb_build_object('original_payload', jsonb_build_object('send_email_attempt_id', :attempt))))) as write \gset
select is(pg_temp.run_as_worker(:write), 'failed', 'so does ending it');
select is((select count(*) from comms.send_email_attempt_succeeded where send_email_attempt_id = :attempt), 0::bigint, 'and no fact is there');
select * from finish();
rollback;
