-- {{full}}: a supervised process that {{does}}.
-- Up to {{attempts}} attempt{{attempts_s}} for each process.{{retry_words}}
--
--   {{schema}}.kickoff_{{name}}      starts a process; applications call it
--   {{schema}}.{{name}}_supervisor   reads the facts, decides, acts, and enqueues its next run
{{if db_function}}
--   {{schema}}.do_{{name}}           the work of one attempt: write yours here
{{else}}
--   {{schema}}.get_{{name}}_request  what one attempt {{sends}}: look here first
{{end}}
--
-- "reeve new process" wrote this file, and it is yours: nothing depends on the generator.  Apply it with
--   psql -q -1 -v ON_ERROR_STOP=1 -f {{stem}}.sql
{{if owner}}
-- as a member of {{owner}} and queues_admin.  It may be applied again.
{{else}}
-- as a superuser or a member of queues_enqueuer, queues_operator and queues_admin.  It may be applied again.
{{end}}

do $$
begin
    if to_regnamespace('queues') is null then
        raise exception using message = 'Reeve is not installed in this database', hint = 'Run "reeve install" first.';
{{if owner}}
    elsif not (pg_has_role('{{owner_text}}', 'queues_enqueuer', 'usage') and pg_has_role('{{owner_text}}', 'queues_operator', 'usage')) then
        raise exception using errcode = '42501', message = 'the functions of {{full}} would lack rights',
            hint = 'grant queues_enqueuer, queues_operator to {{owner}};';
{{else}}
    elsif not (pg_has_role('queues_enqueuer', 'usage') and pg_has_role('queues_operator', 'usage')) then
        raise exception using errcode = '42501', message = 'the functions of {{full}} would lack rights',
            hint = format('grant queues_enqueuer, queues_operator to %I;', current_user);
{{end}}
    end if;
    if to_regnamespace('{{schema}}') is null then
{{if owner}}
        create schema {{schema}} authorization {{owner}};
{{else}}
        create schema {{schema}};
{{end}}
    end if;
end
$$;
{{if owner}}
set role {{owner}};
{{end}}

-- 1. Tables: a root, its attempts, and their outcomes

create table if not exists {{schema}}.{{name}}_task (
    {{name}}_task_id bigint generated always as identity primary key,
    {{name}}_key text not null unique check (length({{name}}_key) between 1 and 200),
{{if http}}
    body jsonb not null,
{{end}}
{{if email}}
    to_address text not null check (length(to_address) between 1 and 320),
    subject text not null check (length(subject) between 1 and 998),
    html text not null check (length(html) between 1 and 262144),
{{end}}
{{if sms}}
    to_number text not null check (length(to_number) between 1 and 32),
    body text not null check (length(body) between 1 and 1600),
{{end}}
{{if file_delete}}
    file_id bigint not null,
{{end}}
{{if db_function program}}
    details jsonb not null,
{{end}}
    created_at timestamptz not null,
    task_uuid uuid not null default gen_random_uuid()
);
comment on table {{schema}}.{{name}}_task is 'Roots of the processes of {{full}}_supervisor.';
comment on column {{schema}}.{{name}}_task.{{name}}_key is 'What the process is about, such as the number of an order.  One key, one process.';
comment on column {{schema}}.{{name}}_task.task_uuid is 'Idempotency key of every attempt: the receiver can tell a repetition.';

create table if not exists {{schema}}.{{name}}_attempt (
    {{name}}_attempt_id bigint generated always as identity primary key,
    {{name}}_task_id bigint not null references {{schema}}.{{name}}_task,
    task_id bigint not null,
    created_at timestamptz not null
);
create index if not exists {{name}}_attempt_task_idx on {{schema}}.{{name}}_attempt ({{name}}_task_id);
comment on table {{schema}}.{{name}}_attempt is 'Attempts, each with a task that carries it out.';
comment on column {{schema}}.{{name}}_attempt.task_id is 'Row of queues.task.  No foreign key: retention removes old tasks.';

create table if not exists {{schema}}.{{name}}_attempt_succeeded (
    {{name}}_attempt_id bigint primary key references {{schema}}.{{name}}_attempt,
    created_at timestamptz not null
);
comment on table {{schema}}.{{name}}_attempt_succeeded is 'Attempts that succeeded.  An attempt has one outcome or none.';

create table if not exists {{schema}}.{{name}}_attempt_failed (
    {{name}}_attempt_id bigint primary key references {{schema}}.{{name}}_attempt,
    error_message text not null,
    error_class text,
    created_at timestamptz not null
);
comment on table {{schema}}.{{name}}_attempt_failed is 'Attempts that failed or were lost.  An attempt has one outcome or none.';
comment on column {{schema}}.{{name}}_attempt_failed.error_class is 'Class of the error, such as network or refused; null if the attempt was lost.';

-- Rows are inserted and never changed.
create or replace function {{schema}}.refuse_{{name}}_change() returns trigger
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception using errcode = '42501', message = format('%I.%I is append-only', tg_table_schema, tg_table_name),
        detail = format('%s was refused.', tg_op),
        hint = 'To erase old rows, disable the trigger facts_are_append_only in the same transaction.';
end
$$;
comment on function {{schema}}.refuse_{{name}}_change() is 'Refuses UPDATE, DELETE and TRUNCATE of facts.';
do $$
declare
    _table regclass;
begin
    foreach _table in array array['{{schema}}.{{name}}_task', '{{schema}}.{{name}}_attempt',
            '{{schema}}.{{name}}_attempt_succeeded', '{{schema}}.{{name}}_attempt_failed']::regclass[] loop
        if not exists (select 1 from pg_trigger as t where t.tgrelid = _table and t.tgname = 'facts_are_append_only') then
            execute format('create trigger facts_are_append_only before update or delete or truncate on %s'
                           ' for each statement execute function {{schema}}.refuse_{{name}}_change()', _table);
        end if;
    end loop;
end
$$;

-- 2. Facts: everything that the supervisor decides by, in one row
-- An attempt is lost if it has no outcome and its task has ended or is gone: somebody cancelled the task, or a handler failed
-- too often.

create or replace function {{schema}}.{{name}}_facts(_{{name}}_task_id bigint, out has_success boolean, out num_attempts integer,
        out num_failures integer, out num_lost integer, out last_failed_at timestamptz)
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
    select count(s.{{name}}_attempt_id) > 0, count(*), count(f.{{name}}_attempt_id),
           count(*) filter (where s.{{name}}_attempt_id is null and f.{{name}}_attempt_id is null
               and (exists (select 1 from queues.task_completed as c where c.task_id = a.task_id)
                    or not exists (select 1 from queues.task as q where q.task_id = a.task_id))),
           max(f.created_at)
    into has_success, num_attempts, num_failures, num_lost, last_failed_at
    from {{schema}}.{{name}}_attempt as a
    left join {{schema}}.{{name}}_attempt_succeeded as s on s.{{name}}_attempt_id = a.{{name}}_attempt_id
    left join {{schema}}.{{name}}_attempt_failed as f on f.{{name}}_attempt_id = a.{{name}}_attempt_id
    where a.{{name}}_task_id = _{{name}}_task_id;
end
$$;
comment on function {{schema}}.{{name}}_facts(bigint) is 'Facts by which {{full}}_supervisor decides.';

-- 3. Effects: each act of the supervisor is a named function
-- Only the supervisor calls them, so they run with its rights.

-- The attempt and its task are made together, so neither can exist without the other.
create or replace function {{schema}}.schedule_{{name}}_attempt(_{{name}}_task_id bigint) returns void
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant bigint := nextval(pg_get_serial_sequence('{{schema}}.{{name}}_attempt', '{{name}}_attempt_id'));
begin
    insert into {{schema}}.{{name}}_attempt ({{name}}_attempt_id, {{name}}_task_id, task_id, created_at)
    overriding system value
    values (_id, _{{name}}_task_id, queues.enqueue('{{type}}', jsonb_build_object(
{{if db_function}}
        '{{name}}_attempt_id', _id, 'db_function', '{{schema_text}}.do_{{name}}',
{{else}}
        '{{name}}_attempt_id', _id, 'before_handler', '{{schema_text}}.get_{{name}}_request',
{{end}}
        'success_handler', '{{schema_text}}.record_{{name}}_success', 'error_handler', '{{schema_text}}.record_{{name}}_failure')),
        queues.clock());
end
$$;
comment on function {{schema}}.schedule_{{name}}_attempt(bigint) is 'Effect: one more attempt.';

create or replace function {{schema}}.schedule_{{name}}_recheck(_{{name}}_task_id bigint, _at timestamptz) returns void
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('db_function', '{{full}}_supervisor',
        '{{name}}_task_id', _{{name}}_task_id), _at);
end
$$;
comment on function {{schema}}.schedule_{{name}}_recheck(bigint, timestamptz) is 'Effect: the supervisor runs again at this time.';

-- The attempts are locked before their outcomes are read, as the handlers do.
create or replace function {{schema}}.record_lost_{{name}}_attempts(_{{name}}_task_id bigint) returns void
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1 from {{schema}}.{{name}}_attempt as a
    where a.{{name}}_task_id = _{{name}}_task_id order by a.{{name}}_attempt_id for no key update;
    insert into {{schema}}.{{name}}_attempt_failed ({{name}}_attempt_id, error_message, created_at)
    select a.{{name}}_attempt_id,
           format('attempt lost: task %s %s', a.task_id, coalesce('ended as ' || c.outcome, 'is gone')), queues.clock()
    from {{schema}}.{{name}}_attempt as a
    left join queues.task as q on q.task_id = a.task_id
    left join queues.task_completed as c on c.task_id = a.task_id
    where a.{{name}}_task_id = _{{name}}_task_id
      and (q.task_id is null or c.task_id is not null)
      and not exists (select 1 from {{schema}}.{{name}}_attempt_succeeded as s
                      where s.{{name}}_attempt_id = a.{{name}}_attempt_id)
    on conflict ({{name}}_attempt_id) do nothing;
end
$$;
comment on function {{schema}}.record_lost_{{name}}_attempts(bigint) is 'Effect: attempts without an outcome whose task has ended have failed.';

-- 4. The supervisor
-- It may run at any time, twice, early or late, without harm.  The root is locked in a statement of its own: a snapshot that is
-- older than the lock would see old facts.  The facts in the answer are kept with the run ("reeve process show").

create or replace function {{schema}}.{{name}}_supervisor(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _max_attempts constant integer := {{attempts}};
{{if retries}}
    _first_delay constant interval := interval '{{first_delay}}'; -- from the first failure to the next attempt; doubles with each failure
    _longest_delay constant interval := interval '{{longest_delay}}';
{{end}}
    _id constant bigint := case when _payload->>'{{name}}_task_id' ~ '^[1-9][0-9]{0,17}$'
                                then (_payload->>'{{name}}_task_id')::bigint end;
    _facts record;
{{if retries}}
    _retry_at timestamptz; -- null: there was no failure
{{end}}
    _status text;
begin
    if _id is null then
        return jsonb_build_object('status', 'missing_{{name}}_task_id');
    end if;
    perform 1 from {{schema}}.{{name}}_task as t where t.{{name}}_task_id = _id for no key update;
    if not found then
        return jsonb_build_object('status', '{{name}}_task_not_found');
    end if;
    _facts := {{schema}}.{{name}}_facts(_id);
    if _facts.num_lost > 0 then
        perform {{schema}}.record_lost_{{name}}_attempts(_id);
        _facts := {{schema}}.{{name}}_facts(_id);
    end if;
{{if retries}}
    _retry_at := _facts.last_failed_at + least(_first_delay * power(2, least(_facts.num_failures - 1, 20)), _longest_delay);
{{end}}

    if _facts.has_success then
        _status := 'succeeded';
    elsif _facts.num_failures >= _max_attempts then
        _status := 'max_attempts_reached';
    elsif _facts.num_attempts > _facts.num_failures then
        -- The handlers of the attempt wake the supervisor.  This run is for an attempt that is lost.
        perform {{schema}}.schedule_{{name}}_recheck(_id, queues.clock() + queues.recheck_delay(30, 0));
        _status := 'waiting_for_attempt';
{{if retries}}
    elsif _retry_at > queues.clock() then
        perform {{schema}}.schedule_{{name}}_recheck(_id, _retry_at);
        _status := 'waiting_for_retry';
{{end}}
    else
        perform {{schema}}.schedule_{{name}}_attempt(_id);
        perform {{schema}}.schedule_{{name}}_recheck(_id, queues.clock() + queues.recheck_delay(30, 0));
        _status := 'scheduled';
    end if;
    return jsonb_build_object('status', _status, 'payload', jsonb_build_object('facts', to_jsonb(_facts)));
end
$$;
comment on function {{schema}}.{{name}}_supervisor(jsonb) is 'Supervises one process: up to {{attempts}} attempt{{attempts_s}}.';

{{if db_function}}
-- 5. The work, and the handlers of its task
-- Each of them checks that it runs for the attempt's own task: whoever may enqueue may name any registered function.
-- The effects of the work, the success fact and the completion of the task commit together: they happen exactly once.
-- Raise an exception, or return another status than succeeded, if the attempt fails.

create or replace function {{schema}}.do_{{name}}(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _task {{schema}}.{{name}}_task;
begin
    select t.* into _task from {{schema}}.{{name}}_attempt as a
    join {{schema}}.{{name}}_task as t on t.{{name}}_task_id = a.{{name}}_task_id
    where a.{{name}}_attempt_id = (_payload->>'{{name}}_attempt_id')::bigint and a.task_id = queues.current_task_id();
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    end if;
    -- CHANGE: your work.  _task.{{name}}_key and _task.details say what to do.
    return jsonb_build_object('status', 'succeeded');
end
$$;
comment on function {{schema}}.do_{{name}}(jsonb) is 'The work of one attempt.';
{{else}}
-- 5. Handlers: functions that the worker calls before and after the call
-- Each of them checks that it runs for the attempt's own task: whoever may enqueue may name any registered function.
-- The before handler returns {{request}}.

create or replace function {{schema}}.get_{{name}}_request(_payload jsonb) returns jsonb
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _task {{schema}}.{{name}}_task;
begin
    select t.* into _task from {{schema}}.{{name}}_attempt as a
    join {{schema}}.{{name}}_task as t on t.{{name}}_task_id = a.{{name}}_task_id
    where a.{{name}}_attempt_id = (_payload->>'{{name}}_attempt_id')::bigint and a.task_id = queues.current_task_id();
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    elsif ({{schema}}.{{name}}_facts(_task.{{name}}_task_id)).has_success then
        return jsonb_build_object('status', 'already_done'); -- nothing is sent, and the task succeeds
    end if;
    return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object(
{{end}}
{{if http}}
        'method', 'POST',
        'url', '{{url}}',{{url_mark}}
        'body', _task.body,
        'idempotency_key', _task.task_uuid));
{{end}}
{{if email}}
        'from_address', 'noreply@example.org', -- CHANGE: your sender
        'to_address', _task.to_address,
        'subject', _task.subject,
        'html', _task.html,
        'idempotency_key', _task.task_uuid));
{{end}}
{{if sms}}
        'to_number', _task.to_number,
        'body', _task.body,
        'idempotency_key', _task.task_uuid));
{{end}}
{{if file_delete}}
        'file_id', _task.file_id,
        'idempotency_key', _task.task_uuid));
{{end}}
{{if program}}
        '{{name}}_key', _task.{{name}}_key,
        'details', _task.details,
        'idempotency_key', _task.task_uuid));
{{end}}
{{if db_function}}
{{else}}
end
$$;
comment on function {{schema}}.get_{{name}}_request(jsonb) is 'Before handler: what one attempt {{sends}}.';
{{end}}

-- The success and error handlers record the outcome and wake the supervisor, which decides.  They may run twice.  They lock the
-- attempt first, so it never gets both outcomes: the first one stays.
create or replace function {{schema}}.record_{{name}}_outcome(_input jsonb, _has_succeeded boolean) returns jsonb
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt constant bigint := (_input #>> '{original_payload,{{name}}_attempt_id}')::bigint;
    _task bigint;
begin
    select a.{{name}}_task_id into _task from {{schema}}.{{name}}_attempt as a
    where a.{{name}}_attempt_id = _attempt and a.task_id = queues.current_task_id() for no key update;
    if not found then
        return jsonb_build_object('status', 'succeeded'); -- a task of somebody else, or an operator's second one: nothing to record
    end if;
    if _has_succeeded then
        insert into {{schema}}.{{name}}_attempt_succeeded ({{name}}_attempt_id, created_at)
        select _attempt, queues.clock() where not exists (
            select 1 from {{schema}}.{{name}}_attempt_failed as f where f.{{name}}_attempt_id = _attempt)
        on conflict ({{name}}_attempt_id) do nothing;
    else
        insert into {{schema}}.{{name}}_attempt_failed ({{name}}_attempt_id, error_message, error_class, created_at)
        select _attempt, coalesce(_input->>'error', 'failed'), _input->>'error_class', queues.clock() where not exists (
            select 1 from {{schema}}.{{name}}_attempt_succeeded as s where s.{{name}}_attempt_id = _attempt)
        on conflict ({{name}}_attempt_id) do nothing;
    end if;
    perform queues.wake_process('{{full}}_supervisor', jsonb_build_object('{{name}}_task_id', _task), queues.clock());
    return jsonb_build_object('status', 'succeeded');
end
$$;
comment on function {{schema}}.record_{{name}}_outcome(jsonb, boolean) is 'Records the outcome of an attempt and wakes the supervisor.';

-- The answer is in _input->'worker_payload', if you want to keep a part of it.
create or replace function {{schema}}.record_{{name}}_success(_input jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    return {{schema}}.record_{{name}}_outcome(_input, true);
end
$$;
comment on function {{schema}}.record_{{name}}_success(jsonb) is 'Success handler: an attempt has succeeded.';

create or replace function {{schema}}.record_{{name}}_failure(_input jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    return {{schema}}.record_{{name}}_outcome(_input, false);
end
$$;
comment on function {{schema}}.record_{{name}}_failure(jsonb) is 'Error handler: an attempt has failed.';

-- 6. Kickoff
-- It returns null, or a word that names the problem.  A second call with the same key does nothing, also if both run at the same
-- moment.  Call it in the transaction of your own change: the process starts if and only if that commits.

create or replace function {{schema}}.kickoff_{{name}}(_{{name}}_key text, {{parameters}},
        _scheduled_at timestamptz default null, out validation_failure_message text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    validation_failure_message := case
        when coalesce(_{{name}}_key, '') = '' then 'missing_{{name}}_key'
        when length(_{{name}}_key) > 200 then '{{name}}_key_too_long'
{{if http}}
        when _body is null then 'missing_body'
{{end}}
{{if email}}
        when coalesce(_to_address, '') = '' then 'missing_to_address'
        when length(_to_address) > 320 then 'to_address_too_long'
        when coalesce(_subject, '') = '' then 'missing_subject'
        when length(_subject) > 998 then 'subject_too_long'
        when coalesce(_html, '') = '' then 'missing_html'
        when length(_html) > 262144 then 'html_too_long'
{{end}}
{{if sms}}
        when coalesce(_to_number, '') = '' then 'missing_to_number'
        when length(_to_number) > 32 then 'to_number_too_long'
        when coalesce(_body, '') = '' then 'missing_body'
        when length(_body) > 1600 then 'body_too_long'
{{end}}
{{if file_delete}}
        when _file_id is null then 'missing_file_id'
{{end}}
{{if db_function program}}
        when _details is null then 'missing_details'
{{end}}
    end;
    if validation_failure_message is not null then
        return;
    end if;
    insert into {{schema}}.{{name}}_task ({{name}}_key, {{columns}}, created_at)
    values (_{{name}}_key, {{arguments}}, queues.clock())
    on conflict ({{name}}_key) do nothing
    returning {{name}}_task_id into _id;
    if _id is not null then
        perform {{schema}}.schedule_{{name}}_recheck(_id, coalesce(_scheduled_at, queues.clock()));
    end if;
end
$$;
comment on function {{schema}}.kickoff_{{name}}(text, {{types}}, timestamptz) is 'Starts a process, once for each key.';

-- 7. Rights: nothing for PUBLIC
-- Applications start processes, operators look.

revoke all on {{schema}}.{{name}}_task, {{schema}}.{{name}}_attempt, {{schema}}.{{name}}_attempt_succeeded,
    {{schema}}.{{name}}_attempt_failed from public;
revoke all on function {{schema}}.refuse_{{name}}_change(), {{schema}}.{{name}}_facts(bigint),
    {{schema}}.schedule_{{name}}_attempt(bigint), {{schema}}.schedule_{{name}}_recheck(bigint, timestamptz),
    {{schema}}.record_lost_{{name}}_attempts(bigint), {{schema}}.{{name}}_supervisor(jsonb),
{{if db_function}}
    {{schema}}.do_{{name}}(jsonb), {{schema}}.record_{{name}}_outcome(jsonb, boolean),
{{else}}
    {{schema}}.get_{{name}}_request(jsonb), {{schema}}.record_{{name}}_outcome(jsonb, boolean),
{{end}}
    {{schema}}.record_{{name}}_success(jsonb), {{schema}}.record_{{name}}_failure(jsonb),
    {{schema}}.kickoff_{{name}}(text, {{types}}, timestamptz) from public;
grant usage on schema {{schema}} to queues_enqueuer, queues_operator;
grant execute on function {{schema}}.kickoff_{{name}}(text, {{types}}, timestamptz) to queues_enqueuer;
grant execute on function {{schema}}.{{name}}_facts(bigint) to queues_operator;
grant select on {{schema}}.{{name}}_task, {{schema}}.{{name}}_attempt, {{schema}}.{{name}}_attempt_succeeded,
    {{schema}}.{{name}}_attempt_failed to queues_operator;
{{if owner}}
reset role;
{{end}}

-- 8. Registration: a task may name only registered functions
-- allow_function also grants EXECUTE to the role of the worker.

do $$
begin
{{if program}}
    -- The type of the tasks that your program carries out.
    perform queues.register_task_type('{{type}}', 'program', _before_required => true, _timeout => '10 minutes',
        _description => 'attempts of {{full}}');
{{end}}
    perform internal.allow_function('{{full}}_supervisor', 'supervisor',
        _facts_function => '{{full}}_facts', _process_keys => array['{{name}}_task_id']);
{{if db_function}}
    perform internal.allow_function('{{schema_text}}.do_{{name}}');
{{else}}
    perform internal.allow_function('{{schema_text}}.get_{{name}}_request', 'before');
{{end}}
    perform internal.allow_function('{{schema_text}}.record_{{name}}_success', 'success');
    perform internal.allow_function('{{schema_text}}.record_{{name}}_failure', 'error');
end
$$;
