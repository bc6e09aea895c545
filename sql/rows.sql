-- First rows: settings, queues, task types, and the identity of this database.  They are applied again after each migration,
-- and keep the changes that people made.
insert into internal.config (key, value) values
    ('max_payload_bytes', '1048576'), ('transient_retry_limit', '10'), ('handler_retry_limit', '5'),
    ('supervisor_retry_limit', '10'), ('max_idle_runs', '20'), ('retention_completed', '"30 days"'),
    ('retention_failed', '"90 days"'), ('handler_search_path', '"pg_catalog, public, pg_temp"'), ('error_detail', 'true'),
    ('notify', '"on"'), ('notify_task_changes', 'false'), ('runner_mode', '"invoker"'),
    ('from_emails', '{"noreply": null, "hello": null}'), ('pgqueue_retry_5xx', 'false'),
    ('pgqueue_timeout', '"30 seconds"'), ('comms_on_in_doubt', '"retry"'), ('backoff_jitter', '0'), ('strict', 'false'),
    ('without', '[]'), ('retention_throughput', '"400 days"')
on conflict (key) do nothing;

-- An insert uses up a number of the sequence even if it finds a conflict, so these rows are looked for first.
insert into queues.queue (queue, max_running, top_level_limit, description)
select v.queue, v.max_running, v.top_level_limit, v.description
from (values
    ('default', null::integer, null::integer, 'work that names no other queue'),
    ('email', null, null, 'e-mail'), ('sms', null, null, 'text messages'), ('files', null, null, 'deletion of files'),
    ('http', null, null, 'HTTP requests and jobs'), ('maintenance', 1, 1, 'upkeep, one at a time'),
    ('analytics', 1, 1, 'derived data, one tree at a time')) as v(queue, max_running, top_level_limit, description)
where not exists (select 1 from queues.queue as q where q.queue = v.queue)
on conflict (queue) do nothing;

insert into internal.adapter (adapter, kind, is_open, answers, sends_payload, is_interrupted) values
    ('function', 'run', true, false, false, false), ('command', 'prepared', false, false, false, true),
    ('job_func', 'run', false, false, false, false), ('noop', 'nothing', true, false, false, false),
    ('email', 'call', true, false, false, false), ('sms', 'call', true, false, false, false),
    ('file_delete', 'call', true, false, false, false), ('http', 'call', true, true, false, false),
    ('program', 'call', true, false, true, true)
on conflict (adapter) do nothing;

insert into queues.registered_task_type (task_type, adapter, default_queue, before_required, timeout, description, kind)
select v.task_type, v.adapter, v.default_queue, v.before_required, v.timeout, v.description, a.kind
from (values
    ('db_function', 'function', 'default', false, interval '1 hour', 'a registered database function'),
    ('command', 'command', 'default', false, '1 hour', 'a command of the registry'),
    ('email', 'email', 'email', true, '60 seconds', 'one e-mail'),
    ('sms', 'sms', 'sms', true, '60 seconds', 'one text message'),
    ('file_delete', 'file_delete', 'files', true, '60 seconds', 'deletion of one stored file'),
    ('http', 'http', 'http', false, '60 seconds', 'one HTTP request'),
    ('job_http', 'http', 'http', false, '30 seconds', 'one run of an HTTP job'),
    ('job_func', 'job_func', 'default', false, '1 hour', 'one run of a FUNC job'),
    ('noop', 'noop', 'default', false, '60 seconds', 'nothing: leased and completed, to measure and to try things out'))
    as v(task_type, adapter, default_queue, before_required, timeout, description)
join internal.adapter as a on a.adapter = v.adapter
where not exists (select 1 from queues.registered_task_type as t where t.task_type = v.task_type)
on conflict (task_type) do nothing;

-- Steps that a type replaces by functions of its own; the signatures are in sql/schema/registry/README.md.
update queues.registered_task_type as t
set is_reserved = true, is_interrupted = v.is_command, is_watched = v.is_command, variant_key = v.variant_key, hooks = v.hooks
from (values
    ('command', true, 'command', jsonb_build_object(
        'call', 'internal.command_call', 'prepare', 'internal.prepare_command', 'run', 'internal.run_command',
        'judge', 'internal.judge_command_run', 'fail', 'internal.fail_command_run', 'ended', 'internal.command_task_ended')),
    ('job_http', false, null, jsonb_build_object(
        'begin', 'internal.begin_runs', 'finish', 'internal.finish_runs', 'ended', 'internal.job_task_ended')),
    ('job_func', false, null, jsonb_build_object(
        'call', 'internal.job_run_call', 'run', 'internal.run_job', 'end', 'internal.end_job_runs', 'finish', 'internal.finish_runs',
        'ended', 'internal.job_task_ended'))) as v(task_type, is_command, variant_key, hooks)
where t.task_type = v.task_type and t.hooks is distinct from v.hooks;

insert into internal.roll_up_state (rolled_until) select date_trunc('minute', clock_timestamp())
where not exists (select 1 from internal.roll_up_state);
insert into internal.installation (system_identifier, database_oid, database_name)
select internal.system_identifier(), d.oid, d.datname from pg_database as d
where d.datname = current_database() and not exists (select 1 from internal.installation);

-- The worker of runs inside a caller's transaction.  If it were made on first use, such transactions would wait for each other.
insert into queues.worker_started (worker_id, worker_name, version, started_at)
values ('00000000-0000-4000-8000-000000000001', 'in-transaction', 'sql', clock_timestamp())
on conflict (worker_id) do nothing;

-- The functions that make the jobs of large statements, and carry acts out.  Their tasks are made by the engine; an operator may retry one.
do $$
begin
    perform internal.allow_function(f.name, 'task', _enqueuers => '{queues_operator}')
    from unnest(array['pgqueue.make_webhook_jobs', 'queues.carry_bulk']) as f(name)
    where not exists (select 1 from internal.allowed_function as a where a.function_name = f.name);
end
$$;

-- Retention of commands on demand.  The program's own retention does not depend on it.
insert into worker.command_registry (command, handler_procedure, description, queue, dedup_keys, merge_rules, enqueuers)
select 'task_cleanup', 'worker.command_task_cleanup', 'removes old commands', 'maintenance', '{}', '{"*": "least"}', '{queues_operator}'
where not exists (select 1 from worker.command_registry as c where c.command = 'task_cleanup');

-- module: comms
-- Functions that the tasks of messages may name.  An existing registration is kept.
do $$
begin
    perform internal.allow_function(f.name, f.kind, f.facts, f.keys)
    from (values ('comms.send_email_supervisor', 'supervisor', 'comms.send_email_supervisor_facts', array['send_email_task_id']),
                 ('comms.email_send_supervisor', 'supervisor', 'comms.send_email_supervisor_facts', array['send_email_task_id']),
                 ('comms.get_email_payload', 'before', null, null), ('comms.record_email_success', 'success', null, null),
                 ('comms.record_email_failure', 'error', null, null),
                 ('comms.send_sms_supervisor', 'supervisor', 'comms.send_sms_supervisor_facts', array['send_sms_task_id']),
                 ('comms.sms_send_supervisor', 'supervisor', 'comms.send_sms_supervisor_facts', array['send_sms_task_id']),
                 ('comms.get_sms_payload', 'before', null, null), ('comms.record_sms_success', 'success', null, null),
                 ('comms.record_sms_failure', 'error', null, null)) as f(name, kind, facts, keys)
    where not exists (select 1 from internal.allowed_function as a where a.function_name = f.name);
end
$$;
update internal.allowed_function set returns_facts = true
where not returns_facts and function_name in ('comms.send_email_supervisor', 'comms.email_send_supervisor',
                                              'comms.send_sms_supervisor', 'comms.sms_send_supervisor');
-- end of module

-- module: files
-- Functions that the tasks of files may name.
do $$
begin
    perform internal.allow_function(f.name, f.kind, f.facts, f.keys)
    from (values ('files.file_deletion_supervisor', 'supervisor', 'files.file_deletion_supervisor_facts',
                  array['file_deletion_task_id']),
                 ('files.get_file_delete_payload', 'before', null, null),
                 ('files.record_file_delete_success', 'success', null, null),
                 ('files.record_file_delete_failure', 'error', null, null)) as f(name, kind, facts, keys)
    where not exists (select 1 from internal.allowed_function as a where a.function_name = f.name);
end
$$;
update internal.allowed_function set returns_facts = true
where not returns_facts and function_name = 'files.file_deletion_supervisor';
-- end of module
