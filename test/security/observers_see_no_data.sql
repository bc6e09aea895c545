-- Texts of errors, facts and URLs may repeat what payloads say.
begin;
select plan(17);
set local client_min_messages = error;
create role test_observer;
grant queues_observer to test_observer;
create function test.tells(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog as
    $$ begin raise exception using errcode = '22012', message = 'canary ' || (_payload->>'canary'); end $$;
select internal.allow_function('test.tells'), internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id']);
create procedure test.tells_command(payload jsonb) language plpgsql security definer set search_path = pg_catalog as
    $$ begin raise exception 'canary %', payload->>'canary'; end $$;
select worker.register_command('tells', 'test.tells_command', 'default');
select test.run(test.enqueue('test.tells', '{"canary": "canary"}')), test.run_command(worker.enqueue('tells', '{"canary": "canary"}'));
select test.process(8, 'again');
update test.script set facts = '{"canary": "canary"}';
call worker.process_tasks();
insert into pgqueue.job_queue (url, payload) values ('https://user:canary@x.example:8443/canary?token=canary', '{"canary": 1}'), ('/fn?token=canary', '{}');
create table public.hooked (id integer primary key);
select pgqueue.create_webhook('h', 'public.hooked', '{INSERT}', 'https://x.example/canary?token=canary');
insert into queues.task_lease_ended (task_id, lease_no, ended_at, how, retry_at, error_message) select task_id, 7, now(), 'retry', now(), 'canary' from queues.task limit 1;
create function pg_temp.seen(_role name, _view text) returns text language plpgsql as $$
declare
    _all text;
begin
    perform set_config('role', _role, true);
    execute format('select string_agg(v::text, chr(10)) from %s as v', _view) into _all;
    perform set_config('role', 'none', true);
    return _all;
end $$;
select comms.create_and_kickoff_email_task('noreply@example.org', 'ann@example.net', 'Welcome', '<p>Hello</p>'),
       comms.create_and_kickoff_sms_task('+4915112345678', 'Hello'), files.kickoff_file_deletion((files.create_file('b', 'k')).created_file_id);
call worker.process_tasks();
insert into comms.send_email_attempt_failed (send_email_attempt_id, error_message) select send_email_attempt_id, 'canary' from comms.send_email_attempt;
insert into comms.send_sms_attempt_failed (send_sms_attempt_id, error_message) select send_sms_attempt_id, 'canary' from comms.send_sms_attempt;
insert into files.file_deletion_attempt_failed (file_deletion_attempt_id, error_message) select file_deletion_attempt_id, 'canary' from files.file_deletion_attempt;
select is((select string_agg(v.name, ' ') from (
    select c.oid::regclass::text as name from pg_class as c where c.relkind = 'v' and has_any_column_privilege('queues_observer', c.oid, 'select')
        and c.relnamespace in ('queues'::regnamespace, 'worker'::regnamespace, 'pgqueue'::regnamespace, 'comms'::regnamespace, 'files'::regnamespace)) as v
    where pg_temp.seen('test_observer', v.name) like '%canary%'), null, 'no view shows an observer data');
select is((select count(*) from comms.send_email_task_failed where error_message = 'canary'), 1::bigint, 'an operator sees the texts of errors');
select alike(pg_temp.seen('test_observer', 'queues.task_state'), '%function 22012%', 'but where it went wrong');
select alike(pg_temp.seen('test_observer', 'pgqueue.job_queue'), '%https://x.example:8443/...%', 'and where a job goes');
select alike(pg_temp.seen('queues_operator', 'queues.task_state'), '%canary%', 'an operator sees it all');
select alike(pg_temp.seen('queues_operator', 'pgqueue.job_queue'), '%canary?token=canary%', 'URLs, too');
-- Explanations of everything there is.
select queues.cancel_task(t.task_id, 'canary') from queues.task as t join queues.ready as r on r.task_id = t.task_id where t.task_type = 'job_http';
select queues.end_process(p.process_id, 'canary') from queues.process as p where p.supervisor = 'test.supervise';
create function pg_temp.explained(_role name) returns text language plpgsql as $$
declare
    _ids constant bigint[] := array(select t.task_id from queues.task as t);
    _processes constant bigint[] := array(select p.process_id from queues.process as p);
    _jobs constant bigint[] := array(select j.job_id from pgqueue.job as j);
    _all text;
begin
    perform set_config('role', _role, true);
    select string_agg(w::text, chr(10)) into _all from (
        select queues.why(i) as w from unnest(_ids) as i union all select queues.why_process(i) from unnest(_processes) as i
        union all select pgqueue.why_job(i) from unnest(_jobs) as i) as x;
    perform set_config('role', 'none', true);
    return _all;
end $$;
select unalike(pg_temp.explained('test_observer'), '%canary%', 'no explanation shows an observer data');
select alike(pg_temp.explained('test_observer'), '%failed at %: function 22012.%', 'but where it went wrong');
select alike(pg_temp.explained('queues_operator'), '%canary canary%', 'an operator sees the text');
select is((select count(*) from unnest(array['queues_enqueuer', 'worker_service_user', 'queues_runner']) as r
           where test.sqlstate_as(r, 'select queues.why(1)') <> '42501' or test.sqlstate_as(r, 'select internal.explain_task(1)') <> '42501'), 0::bigint, 'nobody else may ask');
-- Lists, stories and the search.
create function pg_temp.listed(_role name) returns text language plpgsql as $$
declare
    _ids constant bigint[] := array(select t.task_id from queues.task as t);
    _all text;
begin
    perform set_config('role', _role, true);
    select string_agg(x.l, chr(10)) into _all from (
        select queues.list_tasks()::text as l union all select queues.list_processes()::text union all select pgqueue.list_jobs()::text
        union all select queues.open_counts()::text union all select s::text from unnest(_ids) as i, queues.task_story(i) as s
        union all select f::text from unnest(_ids) as i, queues.find(i::text) as f union all select queues.show_task(i)::text from unnest(_ids) as i) as x;
    perform set_config('role', 'none', true);
    return _all;
end $$;
select unalike(pg_temp.listed('test_observer'), '%canary%', 'no list and no story shows an observer data');
select alike(pg_temp.listed('test_observer'), '%function 22012%', 'but where it went wrong');
select alike(pg_temp.listed('queues_operator'), '%canary canary%', 'an operator sees the text');
select is(test.sqlstate_as('test_observer', 'select queues.list_tasks(_error_like => ''canary%'')'), '42501', 'an observer cannot guess texts by a pattern');
select is(test.sqlstate_as('queues_operator', 'select queues.list_tasks(_error_like => ''canary%'')'), '00000', 'an operator looks for them');
set local role test_observer;
select jsonb_array_length(pgqueue.list_jobs(_url => 'https://user:canary')->'rows') + jsonb_array_length(pgqueue.list_jobs(_url => 'https://x.example:8443/canary')->'rows') as guessed,
       jsonb_array_length(pgqueue.list_jobs(_url => 'https://x.example:8443/...')->'rows') as shown \gset
reset role;
select is(:guessed || ' ' || :shown, '0 1', 'nor the path of a URL');
select is((select count(*) from unnest(array['queues_enqueuer', 'worker_service_user', 'queues_runner']) as r,
           unnest(array['queues.list_tasks()', 'queues.list_processes()', 'pgqueue.list_jobs()', 'queues.open_counts()', 'queues.task_story(1)', 'queues.find(''1'')', 'internal.task_rows(null)']) as f
           where test.sqlstate_as(r, 'select ' || f) <> '42501'), 0::bigint, 'nobody else may ask');
select * from finish();
rollback;
