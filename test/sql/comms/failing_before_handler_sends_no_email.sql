-- It raises, answers another status, or gives no payload: the provider is not called, and the error handler is told why.
begin;
select plan(7);
select queues.set_test_clock('2030-01-01 09:00+00');
create table public.answer (a jsonb);
grant select on public.answer to queues_owner;
create or replace function comms.get_email_payload(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select 1 from public.answer) then
        raise exception 'no address';
    end if;
    return (select a from public.answer);
end $$;
create function pg_temp.failure(_answer jsonb) returns text language plpgsql as $$
begin
    delete from public.answer;
    insert into public.answer select _answer where _answer is not null;
    perform test.start_email();
    perform queues.simulate(test.email_task());
    return (select f.error_message from comms.send_email_attempt_failed as f order by f.send_email_attempt_id desc limit 1);
end $$;
select is(pg_temp.failure(null), 'before handler comms.get_email_payload failed: no address', 'it raises');
select is(pg_temp.failure('{"status": "not_now"}'), 'before handler comms.get_email_payload returned status: not_now', 'another status');
select is(pg_temp.failure('{"error": "bad"}'), 'before handler comms.get_email_payload returned status: error: bad', 'an error');
select is(pg_temp.failure('{"status": "succeeded"}'), 'before handler comms.get_email_payload did not return payload', 'no payload');
select is(pg_temp.failure('{"status": "succeeded", "payload": {"from_address": "a@x", "subject": "s", "html": "h"}}'), 'email payload: missing "to_address"', 'a field is missing');
select is((select count(*) from queues.task_dispatched), 0::bigint, 'the provider was never called');
select is((select count(*) from queues.error where source = 'before_handler'), 5::bigint, 'each is an error fact');
select * from finish();
rollback;
