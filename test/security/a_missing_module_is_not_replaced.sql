-- Without the module comms, a schema of that name is somebody else's, and nothing in it runs with our rights.
begin;
select plan(4);
set local client_min_messages = error;
create role test_observer; create role test_operator;
grant queues_observer to test_observer; grant queues_operator to test_operator;
select count(*) from queues.find('1');
select set_eq($$select f.kind from queues.find('message:' || (select max(m.message_id) from comms.message as m)) as f$$, '{}'::text[], 'no message is no find');
insert into comms.message (channel) values ('email') returning message_id as id \gset
create function pg_temp.finds(_role name, _text text) returns text language plpgsql as $$
declare
    _answer text;
begin
    perform set_config('role', _role, true);
    select string_agg(f.kind, ' ' order by f.kind) into _answer from queues.find(_text) as f;
    perform set_config('role', 'none', true);
    return coalesce(_answer, 'nothing');
end
$$;
select is(pg_temp.finds('test_operator', 'message:' || :id) || ', ' || pg_temp.finds('test_observer', 'message:' || :id), 'message, nothing', 'a message is for operators');
alter schema comms rename to comms_ours;
create schema comms;
create table public.ran_as (who name);
grant usage on schema comms to public;
grant insert on public.ran_as to public;
create function comms.evil() returns text language plpgsql as $$ begin insert into public.ran_as values (current_user); return 'email'; end $$;
create view comms.message as select 1::bigint as message_id, comms.evil() as channel, now() as created_at;
grant select on comms.message to public;
select is(pg_temp.finds('test_operator', 'message:1'), 'nothing', 'a message of somebody else is not found');
select is_empty('select who from public.ran_as', 'and their function does not run');
select * from finish();
rollback;
