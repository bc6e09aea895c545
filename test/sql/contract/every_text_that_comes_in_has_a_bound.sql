-- slow: make check leaves this file out
-- Each function that a person or an application may call is given a text of 5 MB in each of its arguments.
-- It is refused, or nothing of it is kept; a function that is not in the list fails the test.
begin;
create temp table try (n integer generated always as identity, what text, kept boolean default false);
create temp table large as select repeat('x', 5000000) as x;
select test.enqueue() as task \gset
select test.process(1, 'wait') as process \gset
create procedure public.bound_handler(payload jsonb) language sql as 'select';
create table public.bounded_rows (id integer primary key);
insert into try (what) values
    ('select queues.preview_bulk(''task_retry'', _outcome => x) from large'),    ('select queues.preview_bulk(''task_retry'', _type => x) from large'),    ('select queues.preview_bulk(''task_retry'', _queue => x) from large'),    ('select queues.preview_bulk(''task_retry'', _error_like => x) from large'),
    ('select queues.preview_bulk(x, _all => true) from large'), ('select queues.preview_bulk(''task_cancel'', _state => x) from large'), ('select queues.preview_bulk(''job_retry'', _url => x) from large'),
    ('select queues.preview_bulk(''task_cancel'', _all => true, _reason => x) from large'),
    ('select queues.enqueue(x, ''{}'') from large'), ('select queues.enqueue(''noop'', to_jsonb(x)) from large'),
    ('select queues.enqueue(''noop'', jsonb_build_object(''a'', x)) from large'), ('select queues.enqueue(''noop'', ''{}'', _queue => x) from large'),
    ('select queues.enqueue(''noop'', ''{}'', _dedup_key => x) from large'), ('select queues.enqueue(''noop'', ''{}'', _dedup_policy => x) from large'),
    ('select queues.enqueue(''noop'', ''{}'', _on_in_doubt => x) from large'), ('select queues.enqueue(''noop'', ''{}'', _idempotency_key => x) from large'),
    ('select queues.enqueue(''http'', jsonb_build_object(''request'', jsonb_build_object(''url'', ''https://x/'', ''headers'', jsonb_build_object(''a'', left(x, 100000))))) from large'),
    ('select queues.enqueue(''http'', jsonb_build_object(''request'', jsonb_build_object(''url'', ''https://x/'', ''secret_headers'', (select jsonb_object_agg(''h'' || i, ''{"secret": "s"}''::jsonb) from generate_series(1, 20000) as i))))'),
    ('select queues.enqueue(''http'', jsonb_build_object(''request'', jsonb_build_object(''url'', ''https://x/'', ''headers'', (select jsonb_object_agg(''h'' || i, ''v'') from generate_series(1, 51) as i))))'),
    ('select queues.enqueue(''http'', jsonb_build_object(''request'', jsonb_build_object(''url'', ''https://x/'', ''sign'', jsonb_build_object(''secret'', left(x, 100000))))) from large'),
    ('select queues.enqueue_many(x, array[''{}''::jsonb]) from large'), ('select queues.enqueue_many(''noop'', array[jsonb_build_object(''a'', x)]) from large'),
    ('select queues.enqueue_many(''noop'', array[''{}''::jsonb], _queue => x) from large'),
    ('select queues.enqueue_many(''http'', array[jsonb_build_object(''request'', jsonb_build_object(''url'', ''https://x/'', ''headers'', jsonb_build_object(''a'', left(x, 100000))))]) from large'),
    ('select worker.enqueue(x) from large'), ('select worker.enqueue(''task_cleanup'', jsonb_build_object(''a'', x)) from large'),
    ('select worker.spawn(x) from large'), ('select worker.spawn(''task_cleanup'', jsonb_build_object(''a'', x)) from large'),
    ('insert into worker.tasks (command) select x from large'), ('select worker.notify_status(x, true) from large'),
    ('select worker.report_progress(jsonb_build_object(''a'', x)) from large'),
    ('insert into pgqueue.job_queue (url) select ''https://x/'' || x from large'), ('insert into pgqueue.job_queue (url, payload) select ''https://x/'', to_jsonb(x) from large'),
    ('insert into pgqueue.job_queue (url, headers) select ''https://x/'', jsonb_build_object(''a'', x) from large'),
    ('insert into pgqueue.job_queue (url, headers) select ''https://x/'', jsonb_build_object(x, ''a'') from large'),
    ('insert into pgqueue.job_queue (url, headers) select ''https://x/'', (select jsonb_object_agg(''h'' || i, ''v'') from generate_series(1, 51) as i)'),
    ('insert into pgqueue.job_queue (url, job_owner) select ''https://x/'', x from large'), ('insert into pgqueue.job_queue (url, job_jwt) select ''https://x/'', x from large'),
    ('insert into pgqueue.job_queue (url, signing_secret) select ''https://x/'', x::bytea from large'), ('insert into pgqueue.job_queue (url, signing_vault) select ''https://x/'', x from large'),
    ('insert into pgqueue.job_queue (url, signing_header) select ''https://x/'', x from large'), ('insert into pgqueue.job_queue (job_type, url) select ''FUNC'', x from large'),
    ('select pgqueue.create_webhook(x, ''public.bounded_rows'', ''{INSERT}'', ''https://x/'') from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', array[x], ''https://x/'') from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'' || x) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', jsonb_build_object(''a'', x)) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', _jwt => x) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', _signing_secret => x::bytea) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', _signing_vault => x) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', _signing_header => x) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', _columns => array[x]) from large'),
    ('select pgqueue.create_webhook(''w'', ''public.bounded_rows'', ''{INSERT}'', ''https://x/'', _when => ''new.id = '' || repeat(''1 + '', 1000000) || ''1'') from large'),
    ('select pgqueue.drop_webhook(x) from large'), ('select pgqueue.enable_webhook(x, true) from large'), ('select pgqueue.test_webhook(x) from large'),
    ('select queues.cancel_task((select max(task_id) from queues.task), x) from large'), ('select queues.end_process((select max(process_id) from queues.process), x) from large'),
    ('select queues.pause_queue(x) from large'), ('select queues.resume_queue(x) from large'), ('select worker.rescue_waiting_parents(x) from large'),
    ('select queues.create_queue(x) from large'), ('select queues.create_queue(''q'', _description => x) from large'), ('select queues.drop_queue(x) from large'), ('select queues.set_queue(x) from large'), ('select queues.set_queue(''default'', _description => x) from large'),
    ('insert into worker.queue_registry (queue, description) select ''q'', x from large'),
    ('select queues.enqueue(''noop'', ''{}'', _backoff => to_jsonb(array[x])) from large'), ('select queues.enqueue(''noop'', ''{}'', _backoff => jsonb_build_object(''kind'', x)) from large'),
    ('select queues.enqueue_many(''noop'', array[''{}''::jsonb], _backoff => jsonb_build_object(x, 1)) from large'),
    ('select queues.retry_delays(2, to_jsonb(array[x])) from large'), ('select queues.set_retry_policy(x, ''http'', 2) from large'),
    ('select queues.set_retry_policy(''type'', x, 2) from large'), ('select queues.set_retry_policy(''type'', ''http'', 2, to_jsonb(x)) from large'),
    ('select queues.set_retry_policy(''type'', ''http'', 2, _final_statuses => array[x]) from large'),
    ('select queues.register_task_type(x, ''http'') from large'), ('select queues.register_task_type(''t'', x) from large'),
    ('select queues.register_task_type(''t'', ''http'', x) from large'), ('select queues.register_task_type(''t'', ''http'', _on_in_doubt => x) from large'),
    ('select queues.register_task_type(''t'', ''http'', _description => x) from large'),
    ('select worker.register_command(x, ''public.bound_handler'', ''default'') from large'), ('select worker.register_command(''c'', x, ''default'') from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', x) from large'), ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_before_procedure => x) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_after_procedure => x) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_description => x) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_dedup_keys => array[x]) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_dedup_policy => x) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_merge_rules => jsonb_build_object(x, ''sum'')) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_merge_function => x) from large'),
    ('select worker.register_command(''c'', ''public.bound_handler'', ''default'', p_status_type => x) from large'),
    ('select worker.enqueue_function(x) from large'), ('select internal.allow_function(x) from large'), ('select internal.allow_function(''test.ok'', x) from large'),
    ('select internal.allow_function(''test.ok'', ''task'', x) from large'), ('select internal.allow_function(''test.ok'', ''task'', _process_keys => array[x]) from large'),
    ('select internal.set_config(x, ''1'') from large'), ('select internal.set_config(''app.x'', to_jsonb(x)) from large'), ('select internal.set_config(''app.'' || x, ''1'') from large'),
    ('select internal.put_secret(x, ''v'') from large'), ('select internal.put_secret(''n'', x) from large'), ('select internal.put_secret(''n'', ''v'', x) from large'),
    ('select vault.create_secret(x) from large'), ('select vault.create_secret(''v'', x) from large'), ('select vault.create_secret(''v'', ''n'', x) from large'),
    ('select vault.update_secret(gen_random_uuid(), x) from large'),
    ('select internal.allow_secret(x, ''{h}'', ''{queues_admin}'') from large'), ('select internal.allow_secret(''n'', array[x], ''{queues_admin}'') from large'),
    ('select internal.allow_secret(''n'', ''{h}'', array[x]::name[]) from large'), ('select internal.allow_secret(''n'', ''{h}'', ''{queues_admin}'', array[x]) from large'),
    ('select comms.create_email_message(x, ''a@b'', ''s'', ''h'') from large'), ('select comms.create_email_message(''a@b'', x, ''s'', ''h'') from large'),
    ('select comms.create_email_message(''a@b'', ''a@b'', x, ''h'') from large'), ('select comms.create_email_message(''a@b'', ''a@b'', ''s'', x) from large'),
    ('select comms.create_and_kickoff_email_task(''a@b'', ''a@b'', ''s'', x) from large'), ('select comms.create_sms_message(x, ''b'') from large'),
    ('select comms.create_sms_message(''+1'', x) from large'), ('select comms.create_and_kickoff_sms_task(''+1'', x) from large'),
    ('select files.create_file(x, ''k'') from large'), ('select files.create_file(''b'', x) from large'), ('select files.create_file(''b'', ''k'', x) from large'),
    ('select queues.start_worker(gen_random_uuid(), x, ''1'', (select max(version) from queues.migration)) from large'),
    ('select queues.worker_alive(test.worker(), array[x]) from large'), ('select queues.worker_alive(test.worker(), null, array[x]) from large'),
    ('select queues.stop_worker(test.worker(), x) from large');
-- Schedules.
insert into try (what) select format('select queues.schedule(%s) from large', a) from unnest(array[
    'x, ''@daily'', ''noop''', '''s'', x, ''noop''', '''s'', ''@daily'', x', '''s'', ''@daily'', ''noop'', jsonb_build_object(''a'', x)', '''s'', ''@daily'', _function => x',
    '''s'', ''@daily'', _command => x', '''s'', ''@daily'', _job => jsonb_build_object(''url'', ''https://x/'' || x)', '''s'', ''@daily'', ''noop'', _queue => x',
    '''s'', ''@daily'', ''noop'', _backoff => to_jsonb(x)', '''s'', ''@daily'', ''noop'', _zone => x', '''s'', ''@daily'', ''noop'', _overlap => x',
    '''s'', ''@daily'', ''noop'', _catch_up => x', '''s'', ''@daily'', ''noop'', _description => x']) as a;
select queues.schedule('kept', '@daily', 'noop');
insert into try (what) values ('select queues.unschedule(x) from large'), ('select queues.pause_schedule(x) from large'), ('select queues.pause_schedule(''kept'', x) from large'),
    ('select queues.resume_schedule(x) from large'), ('select queues.fire_schedule(x) from large'), ('select queues.backfill_schedule(x, now(), now()) from large'),
    ('select queues.next_fires(x) from large'), ('select queues.next_fires(''@daily'', 1, x) from large'), ('select queues.describe_schedule(x) from large'),
    ('select queues.describe_schedule(''@daily'', x) from large'), ('select queues.import_schedules(x) from large'),
    ('select queues.import_schedules('''', x) from large'), ('select queues.import_schedules('''', null, x) from large');
-- Lists and the search.
insert into try (what) select format('select queues.list_tasks(%s => x) from large', a) from unnest(array['_state', '_outcome', '_task_type', '_queue', '_error_like', '_cursor']) as a;
insert into try (what) select format('select queues.list_processes(%s => x) from large', a) from unnest(array['_state', '_supervisor', '_cursor']) as a;
insert into try (what) select format('select pgqueue.list_jobs(%s => x) from large', a) from unnest(array['_status', '_job_type', '_url', '_cursor']) as a;
insert into try (what) select format('select worker.list_commands(%s => x) from large', a) from unnest(array['_command', '_state', '_queue', '_cursor']) as a;
insert into try (what) values ('select queues.find(x) from large');
-- These look something up by their text, make a text of it for their caller, or are steps of the others.
create temp table exempt as select unnest(array['check_part', 'shown_url', 'shown_merges', 'wake_process', 'get_config', 'revoke_function', 'revoke_secret', 'drop_secret', 'number_setting', 'text_setting',
    'from_email_address', 'generate_message_body_from_template', 'render_email_template', 'render_sms_template', 'replay_failed', 'simulate', 'execute', 'finish',
    'record_result', 'begin_dispatch', 'run_function', 'run_shell', 'process_tasks', 'command_task_cleanup', 'check_text', 'enqueue_function', 'store_function',
    'find_routine', 'resolve_routine', 'resolve_function', 'fits_kinds', 'check_merge_rules', 'require_queue', 'grant_function', 'warn_missing_grants', 'store_webhook',
    'remove_webhook', 'shown_payload', 'tree_info', 'ready_state', 'end_backend', 'registered_call', 'job_call', 'is_facts_call', 'command_call', 'import_lines', 'cron_words', 'check_look', 'check_word', 'list_answer']) as name;
select plan((select count(*)::integer from try) + 2);
create function pg_temp.tried(_what text) returns text language plpgsql as $$ begin execute _what; return 'taken'; exception when others then return sqlstate; end $$;
select ok(case when t.what ~ 'start_worker|stop_worker' then r.state in ('taken', '54000') else r.state <> 'taken' end, r.state || ' ' || left(replace(t.what, 'select ', ''), 100))
from try as t cross join lateral pg_temp.tried(t.what) as r(state) order by t.n;
select is_empty($$
    select p.oid::regprocedure from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'comms', 'files', 'vault') and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
      and (has_function_privilege('queues_enqueuer', p.oid, 'execute') or has_function_privilege('queues_operator', p.oid, 'execute')
           or (has_function_privilege('queues_admin', p.oid, 'execute') and not has_function_privilege('worker_service_user', p.oid, 'execute')))
      and p.proargtypes::oid[] && array['text'::regtype, 'jsonb'::regtype, 'bytea'::regtype, 'text[]'::regtype, 'jsonb[]'::regtype, 'name[]'::regtype, 'queues.task_type'::regtype]::oid[]
      and not exists (select 1 from try as t where t.what like '%' || n.nspname || '.' || p.proname || '(%')
      and p.proname not in (select name from exempt)$$, 'every function is tried or exempt');
do $$
declare _t record; _n bigint;
begin
    for _t in select c.oid::regclass as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
              where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'comms', 'files', 'vault') and c.relkind = 'r' loop
        execute format('select count(*) from %s as r where octet_length(r::text) > 300000', _t.name) into _n;
        if _n > 0 then raise exception 'a large row in %', _t.name; end if;
    end loop;
end $$;
select pass('nothing of it was kept');
select * from finish();
rollback;
