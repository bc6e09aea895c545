-- Common functions of the SQL tests, in schema test.  The payload of a task tells its business function what to do, so a test
-- reads from top to bottom.
create schema test;
comment on schema test is 'Helpers of the SQL tests.';
grant usage on schema test to public;

-- The first run inside a transaction would make this row; here it exists from the start.
select internal.test_worker();

-- psql's variables are written as plain numbers; a task id is a bigint.
create function tap.is(bigint, integer, text) returns text language sql as $$ select tap.is($1, $2::bigint, $3) $$;
create function tap.isnt(bigint, integer, text) returns text language sql as $$ select tap.isnt($1, $2::bigint, $3) $$;

-- Effects of business functions, in order.
create table test.effect (effect_id bigint generated always as identity, what text, detail jsonb);

create function test.note(_what text, _detail jsonb default null) returns void
    language sql security definer set search_path = pg_catalog, pg_temp
as $$ insert into test.effect (what, detail) values (_what, _detail) $$;

create function test.effects(_what text) returns bigint language sql volatile
as $$ select count(*) from test.effect as e where e.what = _what $$;

-- A started worker, one per name and transaction.
create function test.worker(_name text default 'one') returns uuid language plpgsql volatile
as $$
declare
    _id uuid := nullif(current_setting('test.worker_' || _name, true), '')::uuid;
begin
    if _id is null then
        _id := gen_random_uuid();
        perform queues.start_worker(_id, _name, '0', queues.schema_version());
        perform set_config('test.worker_' || _name, _id::text, true);
    end if;
    return _id;
end
$$;

-- Enqueues a call of a registered function.
create function test.enqueue(_function text default 'test.ok', _more jsonb default '{}', _at timestamptz default now(),
        _queue text default null, _priority bigint default null) returns bigint language sql volatile
as $$
    select queues.enqueue('db_function', jsonb_build_object('db_function', _function) || _more, _at, _queue, _priority)
$$;

-- Enqueues an e-mail whose before handler returns a complete request.
create function test.enqueue_email(_more jsonb default '{}', _on_in_doubt text default null, _key text default null)
    returns bigint language sql volatile
as $$
    select queues.enqueue('email', jsonb_build_object('before_handler', 'test.before', 'success_handler', 'test.success',
                                                      'error_handler', 'test.error') || _more,
                          _on_in_doubt => _on_in_doubt, _idempotency_key => _key)
$$;

-- Leases one given task, even before its time; returns the lease number.
create function test.lease(_task_id bigint, _worker text default 'one') returns integer language sql volatile
as $$ select internal.lease_for_test(_task_id, test.worker(_worker)) $$;

-- Leases a task and runs it; returns its outcome.
create function test.run(_task_id bigint) returns text language plpgsql volatile
as $$
declare
    _lease integer := test.lease(_task_id);
begin
    return (select e.outcome from queues.execute(test.worker(), _task_id, _lease) as e);
end
$$;

-- Leases a channel task and begins its dispatch, as workers do; returns the decision.
create function test.dispatch(_task_id bigint) returns text language plpgsql volatile
as $$
declare
    _lease integer := test.lease(_task_id);
    _answer record;
begin
    select * into _answer from queues.begin_dispatch_batch(test.worker(), array[_task_id], array[_lease]);
    if _answer.sqlstate is not null then
        raise exception using errcode = _answer.sqlstate, message = _answer.error;
    end if;
    return _answer.decision;
end
$$;

-- Lets the lease of a task run out.
create function test.expire(_task_id bigint) returns void language sql volatile
as $$ update queues.running set expires_at = clock_timestamp() - interval '1 second' where task_id = _task_id $$;

-- Makes a waiting task due now, as if its time had passed.
create function test.make_due(_task_id bigint) returns void language sql volatile
as $$ update queues.ready set available_at = clock_timestamp() - interval '1 second' where task_id = _task_id $$;

-- Ends dead leases and leases nothing.
create function test.take_back() returns integer language sql volatile
as $$ select internal.take_back(clock_timestamp()) $$;

create function test.outcome(_task_id bigint) returns text language sql volatile
as $$ select c.outcome from queues.task_completed as c where c.task_id = _task_id $$;

create function test.status(_task_id bigint) returns text language sql volatile
as $$ select coalesce(c.status, c.outcome) from queues.task_completed as c where c.task_id = _task_id $$;

create function test.errors(_task_id bigint) returns bigint language sql volatile
as $$ select count(*) from queues.error as e where e.task_id = _task_id $$;

create function test.last_error(_task_id bigint) returns text language sql volatile
as $$ select e.error_message from queues.error as e where e.task_id = _task_id order by e.error_id desc limit 1 $$;

create function test.place(_task_id bigint) returns text language sql volatile
as $$
    select string_agg(p.place, '+') from (
        select 'ready' as place from queues.ready as r where r.task_id = _task_id
        union all select 'running' from queues.running as r where r.task_id = _task_id
        union all select 'completed' from queues.task_completed as c where c.task_id = _task_id) as p
$$;

create function test.open_ticks(_process_id bigint) returns bigint language sql volatile
as $$
    select (select count(*) from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run)
         + (select count(*) from queues.running as r where r.process_id = _process_id and r.is_supervisor_run)
$$;

-- A job, and the answer to its newest run, as its worker would report it.
create function test.job(_url text default 'https://example.com/x', _type text default 'POST', _retry_limit integer default null)
    returns bigint language sql volatile
as $$
    insert into pgqueue.job_queue (job_type, url, retry_limit) values (_type::pgqueue.job_type, _url, _retry_limit) returning job_id
$$;

create function test.answer_job(_job_id bigint, _status integer, _headers jsonb default '{}', _body text default '')
    returns text language sql volatile
as $$
    select queues.simulate(j.task_id, 'answered', jsonb_build_object('status', _status, 'headers', _headers, 'body', _body))
    from pgqueue.job_queue as j where j.job_id = _job_id
$$;

create function test.job_status(_job_id bigint) returns text language sql volatile
as $$ select j.job_status::text from pgqueue.job_queue as j where j.job_id = _job_id $$;

-- Seconds from the end of the last run of a job until its next one.
create function test.job_wait(_job_id bigint) returns numeric language sql volatile
as $$
    select round(extract(epoch from t.scheduled_at - c.completed_at)::numeric, 3)
    from pgqueue.job_run as k join queues.task as t on t.task_id = k.task_id
    join pgqueue.job_run as b on b.job_id = k.job_id and b.job_run = k.job_run - 1
    join queues.task_completed as c on c.task_id = b.task_id
    where k.job_id = _job_id order by k.job_run desc limit 1
$$;

-- The violated invariants, by name.
create function test.violations() returns text language sql volatile
as $$ select coalesce(string_agg(c.invariant, ',' order by c.invariant), '') from queues.check() as c $$;

-- Runs a statement as another role, and returns its SQLSTATE; 00000 is success.
create function test.sqlstate_as(_role name, _statement text) returns text language plpgsql volatile
as $$
begin
    perform set_config('role', _role, true);
    execute _statement;
    perform set_config('role', 'none', true);
    return '00000';
exception when others then
    return sqlstate;
end
$$;

-- The answer of a statement, or its SQLSTATE, for a session of a login that has taken a role ('none': none) and names a person.
create function test.as_login(_login text, _role text, _person text, _sql text) returns text language plpgsql as $$
declare
    _me constant text := session_user;
    _answer text;
begin
    perform set_config('session_authorization', _login, true), set_config('reeve.person', _person, true);
    perform set_config('role', _role, true);
    begin
        execute _sql into _answer;
    exception when others then
        _answer := sqlstate;
    end;
    perform set_config('role', 'none', true);
    perform set_config('session_authorization', _me, true), set_config('reeve.person', '', true);
    return _answer;
end
$$;

-- Turns the guard of a fact table off until the rollback, to do damage on purpose.
create function test.unguard(_table regclass) returns void language plpgsql volatile
as $$
begin
    execute format('alter table %s disable trigger user', _table);
end
$$;

-- Business functions.
create function test.ok(_payload jsonb) returns jsonb language sql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$ select test.note('ok', _payload); select '{"status": "succeeded"}'::jsonb $$;

-- Returns the key "answer" of its payload; SQL null without it.
create function test.answer(_payload jsonb) returns jsonb language sql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$ select test.note('answer', _payload); select _payload->'answer' $$;

-- Writes an effect, then raises the SQLSTATE of its payload.
create function test.raises(_payload jsonb) returns jsonb language plpgsql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note('raises', _payload);
    raise exception using errcode = coalesce(_payload->>'sqlstate', 'P0001'), message = 'boom';
end
$$;

create function test.asserts(_payload jsonb) returns jsonb language plpgsql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$
begin
    assert false, 'never so';
end
$$;

-- Records the task that it runs for, and enqueues one.
create function test.spawns(_payload jsonb) returns jsonb language plpgsql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note('spawns', jsonb_build_object('task', queues.current_task_id()));
    perform queues.enqueue('db_function', '{"db_function": "test.ok"}');
    return '{"status": "succeeded"}';
end
$$;

-- No test registers it, and no role may execute it.
create function test.secret(_payload jsonb) returns jsonb language sql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$ select test.note('secret'); select '{"status": "succeeded"}'::jsonb $$;
revoke execute on function test.secret(jsonb) from public;

-- A before handler: the key "before" chooses its behaviour.
create function test.before(_payload jsonb) returns jsonb language plpgsql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note('before', _payload);
    case _payload->>'before'
        when 'raise' then raise exception 'no address';
        when 'lock' then raise exception using errcode = '55P03', message = 'locked';
        when 'answer' then return _payload->'answer';
        else return jsonb_build_object('status', 'succeeded', 'payload', coalesce(_payload->'request',
            '{"from_address": "a@x", "to_address": "b@x", "subject": "s", "html": "h"}'));
    end case;
end
$$;

-- Success and error handlers: the keys "on_success" and "on_error" of the task's payload choose their behaviour.
create function test.handle(_kind text, _does text, _input jsonb) returns jsonb language plpgsql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note(_kind, _input || jsonb_build_object('task', queues.current_task_id()));
    if _does = 'raise' then
        raise exception 'handler boom';
    elsif _does = 'refuse' then
        return '{"status": "not_found"}';
    end if;
    return '{"status": "succeeded"}';
end
$$;
create function test.success(_payload jsonb) returns jsonb language sql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$ select test.handle('success', _payload #>> '{original_payload,on_success}', _payload) $$;
create function test.error(_payload jsonb) returns jsonb language sql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$ select test.handle('error', _payload #>> '{original_payload,on_error}', _payload) $$;

-- The next acts of a supervisor are rows of this table: id of the process, then the act.
create table test.script (id bigint, act text, amount integer default 1, facts jsonb);

-- A supervisor of processes (id).  Acts: end, raise, again, spawn, fail, child, thrice.
create function test.supervise(_payload jsonb) returns jsonb language plpgsql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _script test.script;
begin
    select s.* into _script from test.script as s where s.id = (_payload->>'id')::bigint;
    perform test.note('supervise', _payload || jsonb_build_object('delay', queues.recheck_delay(10, 0)));
    if _script.act = 'raise' then
        raise exception 'supervisor boom';
    elsif _script.act = 'fail' then
        return '{"error": "no such root"}';
    elsif _script.act = 'end' or _script.act is null then
        return '{"status": "succeeded"}';
    end if;
    if _script.act = 'spawn' then
        perform queues.enqueue('db_function', '{"db_function": "test.ok"}');
    elsif _script.act = 'child' then
        perform queues.enqueue('db_function', '{"db_function": "test.supervise", "id": 9001}', queues.clock() + interval '1 day');
    end if;
    for _i in 1 .. case _script.act when 'thrice' then 3 else 1 end loop
        perform queues.enqueue('db_function', _payload, queues.clock() + interval '10 seconds' * _i);
    end loop;
    return jsonb_build_object('status', 'scheduled')
        || case when _script.facts is not null then jsonb_build_object('payload', jsonb_build_object('facts', _script.facts))
                else '{}' end;
end
$$;

-- Facts of a process, under the search_path of handlers.
create table public.test_fact (id bigint, n integer);
create function test.facts(_id bigint) returns jsonb language plpgsql stable security definer
as $$ begin return (select jsonb_build_object('n', coalesce(sum(f.n), 0)) from test_fact as f where f.id = _id); end $$;
create function test.supervise_with_facts(_payload jsonb) returns jsonb language sql volatile
    security definer set search_path = pg_catalog, pg_temp
as $$ select test.supervise(_payload) $$;

grant execute on function test.note(text, jsonb) to public;
select internal.allow_function('test.' || f, 'task') from unnest(array['ok', 'answer', 'raises', 'asserts', 'spawns']) as f;
select internal.allow_function('test.before', 'before'), internal.allow_function('test.success', 'success'),
       internal.allow_function('test.error', 'error'),
       internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id']),
       internal.allow_function('test.supervise_with_facts', 'supervisor', _facts_function => 'test.facts',
                               _process_keys => array['id']);

-- Starts a process with these acts; returns the id of its first run.
create function test.process(_id bigint, _act text, _supervisor text default 'test.supervise') returns bigint
    language plpgsql volatile
as $$
begin
    delete from test.script as s where s.id = _id;
    insert into test.script (id, act) values (_id, _act);
    return test.enqueue(_supervisor, jsonb_build_object('id', _id));
end
$$;
create function test.process_id(_id bigint, _supervisor text default 'test.supervise') returns bigint language sql volatile
as $$ select p.process_id from queues.process as p where p.supervisor = _supervisor and p.ids = jsonb_build_object('id', _id) $$;

-- Runs the waiting runs of a process, each at its time, up to a number.
create function test.run_ticks(_process_id bigint, _times integer) returns integer language plpgsql volatile
as $$
declare
    _task bigint;
    _done integer := 0;
begin
    for _i in 1 .. _times loop
        select r.task_id into _task from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run
        order by r.available_at, r.task_id limit 1;
        exit when not found;
        perform test.run(_task);
        _done := _done + 1;
    end loop;
    return _done;
end
$$;

-- Every privilege of our seven roles in our three schemas, one line each, the same on each
-- supported server version.  contract/privileges.golden is made from it:
--   scripts/with_postgres bash -c 'test/sql/run >/dev/null; psql -XAtq -d reeve_sql_test -c "select line from test.privilege"'
-- The owner has all privileges on its own objects, so only its schemas are listed.
create view test.privilege as
select r.rolname || ' ' || o.kind || ' ' || o.name || ' ' || p.privilege as line
from unnest(array['queues_admin', 'queues_dashboard', 'queues_enqueuer', 'queues_observer', 'queues_operator', 'queues_owner',
                  'queues_runner', 'worker_service_user']) as r(rolname)
cross join (
    select 'schema' as kind, n.oid, n.nspname::text as name from pg_namespace as n
    where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
    union all
    select 'function', p.oid, p.oid::regprocedure::text from pg_proc as p
    where p.pronamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
    union all
    select case when c.relkind = 'v' then 'view' else 'table' end, c.oid, c.oid::regclass::text from pg_class as c
    where c.relnamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and c.relkind in ('r', 'v', 'm', 'p')
) as o
cross join lateral (
    select x.privilege from unnest(array['usage', 'create']) as x(privilege)
    where o.kind = 'schema' and has_schema_privilege(r.rolname, o.oid, x.privilege)
    union all
    select 'execute' where o.kind = 'function' and has_function_privilege(r.rolname, o.oid, 'execute')
    union all
    select x.privilege
    from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as x(privilege)
    where o.kind in ('table', 'view') and has_table_privilege(r.rolname, o.oid, x.privilege)
) as p
where r.rolname <> 'queues_owner' or o.kind = 'schema'
order by (r.rolname || ' ' || o.kind || ' ' || o.name || ' ' || p.privilege) collate "C";

-- Messages: an e-mail or text message that was kicked off and whose supervisor ran once; returns
-- the id of its send task.
create function test.start_email() returns bigint language plpgsql volatile
as $$
begin
    perform comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 'Hello', '<p>hi</p>');
    call worker.process_tasks();
    return (select max(t.send_email_task_id) from comms.send_email_task as t);
end
$$;
create function test.start_sms() returns bigint language plpgsql volatile
as $$
begin
    perform comms.create_and_kickoff_sms_task('+15558675310', 'hi');
    call worker.process_tasks();
    return (select max(t.send_sms_task_id) from comms.send_sms_task as t);
end
$$;
-- The same for a file with a started deletion; returns the id of the deletion task.
create function test.start_deletion(_object_key text default 'k') returns bigint language plpgsql volatile
as $$
begin
    perform files.kickoff_file_deletion((files.create_file('b', _object_key, 'audio/mp4')).created_file_id);
    call worker.process_tasks();
    return (select max(t.file_deletion_task_id) from files.file_deletion_task as t);
end
$$;
-- The task of the newest attempt.
create function test.email_task() returns bigint language sql volatile
as $$ select a.task_id from comms.send_email_attempt as a order by a.send_email_attempt_id desc limit 1 $$;
create function test.sms_task() returns bigint language sql volatile
as $$ select a.task_id from comms.send_sms_attempt as a order by a.send_sms_attempt_id desc limit 1 $$;
create function test.deletion_task() returns bigint language sql volatile
as $$ select a.task_id from files.file_deletion_attempt as a order by a.file_deletion_attempt_id desc limit 1 $$;
-- The end of the process of a supervisor, from its end fact.
create function test.end_reason(_supervisor text, _ids jsonb) returns text language sql volatile
as $$ select p.end_reason from queues.process_state as p where p.supervisor = _supervisor and p.ids = _ids $$;

-- Commands.  The payload chooses the behaviour of their handlers: "raise" (a SQLSTATE, after an effect), "succeeds_at" (the number of
-- the first attempt that does not raise), "children" (payloads of
-- children, with "mode"), "top" (a payload to enqueue beside), "info" (the info to return), "report" (progress to report),
-- "enqueue_self" (a child under the parent).
create procedure test.act(payload jsonb, inout p_info jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note('act', payload || jsonb_build_object('task', worker.current_task_id()));
    if payload ? 'raise' then
        raise exception using errcode = payload->>'raise', message = 'act boom', detail = 'why', hint = 'what now';
    end if;
    if queues.current_attempt() < (payload->>'succeeds_at')::integer then
        raise exception 'not yet';
    end if;
    perform worker.spawn('act', c.value, worker.current_task_id(), (c.value->>'priority')::bigint,
                         (payload->>'mode')::worker.child_mode)
    from jsonb_array_elements(payload->'children') as c;
    if payload ? 'sibling' then
        perform worker.spawn('act', payload->'sibling', (payload->>'parent')::bigint);
    end if;
    if payload ? 'top' then
        perform worker.enqueue('act', payload->'top');
    end if;
    if payload ? 'report' then
        perform worker.report_progress(payload->'report');
    end if;
    p_info := coalesce(payload->'info', p_info);
end
$$;
create procedure test.plain(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin perform test.note('plain', payload || jsonb_build_object('task', worker.current_task_id())); end $$;
-- Hooks: the keys "before" and "after" of the payload choose their behaviour.
create procedure test.hook_before(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note('hook_before', payload || jsonb_build_object('task', worker.current_task_id()));
    if payload ? 'before' then
        raise exception using errcode = payload->>'before', message = 'before boom';
    end if;
end
$$;
create function test.hook_after(payload jsonb) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.note('hook_after', payload || jsonb_build_object('task', worker.current_task_id()));
    if payload ? 'after' then
        raise exception using errcode = payload->>'after', message = 'after boom';
    end if;
end
$$;
create function test.merge_notes(_old jsonb, _new jsonb) returns jsonb language sql immutable
as $$ select _old || _new || jsonb_build_object('notes', concat(_old->>'notes', _new->>'notes')) $$;

do $$
begin
    perform set_config('client_min_messages', 'error', true);
    insert into worker.queue_registry (queue, description, default_concurrency) values ('trees', 'one tree at a time', 3);
    perform worker.register_command('act', 'test.act', 'default');
    perform worker.register_command('plain', 'test.plain', 'default');
    perform worker.register_command('hooked', 'test.act', 'default', 'test.hook_before', 'test.hook_after');
    perform worker.register_command('tree', 'test.act', 'trees', p_after_procedure => 'test.hook_after');
    perform worker.register_command('merged', 'test.plain', 'default', p_dedup_keys => '{kind}',
        p_merge_rules => '{"ids": "union", "first": "keep", "since": "least", "until": "greatest", "n": "sum"}');
end
$$;

create function test.state(_id bigint) returns text language sql volatile as $$ select t.state from worker.tasks as t where t.id = _id $$;
create function test.info(_id bigint) returns jsonb language sql volatile as $$ select t.info from worker.tasks as t where t.id = _id $$;
create function test.error_of(_id bigint) returns text language sql volatile as $$ select t.error from worker.tasks as t where t.id = _id $$;
-- The payloads with which a handler or hook was called, in order.
create function test.calls(_what text) returns jsonb[] language sql volatile
as $$ select array_agg(e.detail - 'task' - 'command' order by e.effect_id) from test.effect as e where e.what = _what $$;
-- The children of a task, in order.
create function test.children(_id bigint) returns bigint[] language sql volatile
as $$ select array_agg(t.task_id order by t.task_id) from queues.task as t where t.parent_id = _id $$;
-- Leases a command and runs it as the program does, with its before step; returns the outcome.
create function test.run_command(_id bigint) returns text language plpgsql volatile
as $$
declare
    _lease constant integer := test.lease(_id);
    _decision text;
begin
    if exists (select 1 from worker.command_registry as c join queues.task as t on t.payload->>'command' = c.command
               where t.task_id = _id and c.before_call is not null) then
        select d.decision into _decision from queues.begin_dispatch(test.worker(), _id, _lease) as d;
        if _decision <> 'run' then
            return _decision;
        end if;
    end if;
    return (select e.outcome from queues.execute(test.worker(), _id, _lease) as e);
end
$$;

-- Decisions about the slots of a schedule, in order: decision, first slot as HH:MI:SS in UTC, number of slots if more than one.
create function test.fires(_name text) returns text language sql volatile
as $$
    select string_agg(f.decision || ' ' || to_char(f.first_slot at time zone 'UTC', 'HH24:MI:SS')
                      || case when f.slots <> 1 then ' x' || f.slots else '' end, ', ' order by f.fire_id)
    from queues.schedule_fire as f where f.schedule_name = _name
$$;

-- The task of the newest fire of a schedule.
create function test.fired(_name text) returns bigint language sql volatile
as $$ select f.task_id from queues.schedule_fire as f where f.schedule_name = _name and f.task_id is not null order by f.fire_id desc limit 1 $$;

-- Moves the test clock to a time and fires what is due then.
create function test.fire_at(_at timestamptz) returns integer language plpgsql volatile
as $$
begin
    perform queues.set_test_clock(_at);
    return queues.fire_due(1000);
end
$$;
