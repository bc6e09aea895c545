-- For everybody: these statements are a superuser's.
begin;
select plan(154);
create temp table fact as
select c.oid::regclass as name from (values
    ('queues', array['task', 'task_lease', 'task_completed', 'error', 'task_lease_renewed', 'task_lease_ended', 'task_dispatched', 'task_progress',
                     'late_result', 'task_changed', 'task_cancel_requested', 'task_folded', 'task_attempt', 'task_trace', 'process', 'process_run', 'process_ended',
                     'process_revived', 'worker_started', 'worker_stopped', 'holder', 'pruned', 'audit', 'schedule_fire', 'bulk_act', 'bulk_scan', 'bulk_target', 'bulk_done', 'bulk_started', 'bulk_stopped']),
    ('pgqueue', array['job', 'job_run', 'job_ended', 'failed_log']),
    ('worker', array['task_parent', 'handler_done']),
    ('comms', array['send_email_task', 'send_email_attempt', 'send_email_attempt_succeeded', 'send_email_attempt_failed',
                    'send_sms_task', 'send_sms_attempt', 'send_sms_attempt_succeeded', 'send_sms_attempt_failed']),
    ('files', array['file_deletion_task', 'file_deletion_attempt', 'file_deletion_attempt_succeeded', 'file_deletion_attempt_failed'])
    ) as f(schema, names)
join pg_class as c on c.relnamespace = f.schema::regnamespace and c.relname = any(f.names);
select is((select count(*) from fact), 48::bigint, 'these are the facts');
select throws_ok(format('update %s set %I = %I', f.name, a.attname, a.attname), '42501', 'facts are append-only', 'update ' || f.name)
from fact as f join pg_attribute as a on a.attrelid = f.name
where a.attnum = (select min(x.attnum) from pg_attribute as x where x.attrelid = a.attrelid and x.attnum > 0 and x.attidentity = '');
select throws_ok(format('delete from %s', name), '42501', 'facts are append-only', 'delete ' || name) from fact;
select throws_ok(format('truncate %s cascade', name), '42501', 'facts are append-only', 'truncate ' || name) from fact;

-- Only retention opens the trigger, and no setting does.
select set_config('reeve.pruning', 'on', true);
select throws_ok('delete from queues.task', '42501', null, 'the setting that once meant retention does not help');
select is(test.sqlstate_as('queues_owner', 'delete from queues.task'), '42501', 'nor does it help the owner to remove them');
select is(test.sqlstate_as('queues_owner', 'update queues.task set queue = queue'), '42501', 'nor to change them');
insert into internal.pruning (xact) values ((pg_current_xact_id()::text::bigint - 1)::text::xid8);
select is(test.sqlstate_as('queues_owner', 'delete from queues.task'), '42501', 'the mark of another transaction opens nothing');
insert into internal.pruning (xact) values (pg_current_xact_id());
select throws_ok('delete from queues.task', '42501', null, 'the mark of this one helps nobody but the owner');
select is(test.sqlstate_as('queues_owner', 'update queues.task set queue = queue'), '42501', 'and not to change anything');
delete from internal.pruning;
select test.run(test.enqueue());
select queues.prune('0 seconds');
select is((select count(*) from internal.pruning), 0::bigint, 'retention leaves no mark');
select is_empty($$select r.rolname from pg_roles as r
                  where not r.rolsuper and r.rolname <> 'queues_owner' and r.rolname not like 'pg\_%'
                    and has_table_privilege(r.oid, 'internal.pruning', 'insert, update, delete, truncate')$$, 'nobody else can write one');

select is((select array_agg(c.oid::regclass::text order by c.oid::regclass::text collate "C") from pg_class as c
           where c.relnamespace::regnamespace::text in ('queues', 'pgqueue', 'worker', 'comms', 'files')
             and c.relkind = 'r' and not exists (select 1 from fact where name = c.oid)),
          array['comms.email_message', 'comms.email_template', 'comms.message', 'comms.sms_message', 'comms.sms_template',
                'files.file', 'files.file_metadata', 'pgqueue.job_secret', 'pgqueue.webhook', 'pgqueue.webhook_change',
                'pgqueue.webhook_change_column', 'pgqueue.webhook_secret', 'queues.merging', 'queues.migration', 'queues.queue',
                'queues.ready', 'queues.registered_task_type', 'queues.retry_policy', 'queues.running', 'queues.schedule', 'queues.schedule_due', 'queues.throughput', 'queues.worker_seen', 'worker.command_registry'],
          'only these tables may change');
select * from finish();
rollback;
