-- Everything that worker_service_user may execute, called by somebody who has that login, but neither the id of a worker nor
-- a lease: what it gives.  "nothing" is no row, nulls, an error, or a value that does not depend on any task.
begin;
select plan(5);
set local client_min_messages = error;
-- Work of others: leased by a worker, waiting, completed.
select test.worker('victim') as victim \gset
select internal.allow_function('test.before', 'before');
create function test.shout(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog
as $$ select test.note('shout', _payload); select '{"status": "succeeded"}'::jsonb $$;
select internal.allow_function('test.shout', 'task,before,success,error,job');
-- Its trace is known to the victim alone.
select set_config('reeve.traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true);
select test.start_email() as send, test.start_sms() as text, test.start_deletion() as deletion \gset
select test.enqueue('test.shout', '{"canary": "canary"}') as f, test.enqueue('test.shout', '{"canary": "canary"}') as done,
       queues.enqueue('email', '{"before_handler": "test.before", "success_handler": "test.shout", "canary": "canary"}') as mail,
       test.process(7, 'again', 'test.supervise_with_facts') as tick, worker.enqueue('plain', '{"canary": "canary"}') as command \gset
insert into pgqueue.job_queue (job_type, url, payload) values ('POST', 'https://x.example/', '{"canary": "canary"}'), ('FUNC', 'test.shout', '{"_payload": {"canary": "canary"}}');
select max(send_email_attempt_id) as attempt from comms.send_email_attempt \gset
select max(send_sms_attempt_id) as sms_attempt from comms.send_sms_attempt \gset
select max(file_deletion_attempt_id) as file_attempt from files.file_deletion_attempt \gset
select test.run(:done);
select internal.lease_for_test(t, test.worker('victim')) from unnest(array[:f, :mail, :tick, :command]::bigint[]) as t;
select max(t.task_id) filter (where t.task_type = 'job_http') as job, max(t.task_id) filter (where t.task_type = 'job_func') as func from queues.task as t \gset
select internal.lease_for_test(t, test.worker('victim')) from unnest(array[:job, :func]::bigint[]) as t;
select vault.create_secret('canary', 'a_secret');
delete from test.effect;

create temp table attack (name text, statement text, gives text default 'nothing');
grant all on attack to worker_service_user;
insert into attack (name, statement) values
    ('comms.email_send_supervisor(jsonb)', format('select comms.email_send_supervisor(%L)', jsonb_build_object('send_email_task_id', :send))),
    ('comms.send_email_supervisor(jsonb)', format('select comms.send_email_supervisor(%L)', jsonb_build_object('send_email_task_id', :send))),
    ('comms.get_email_payload(jsonb)', format('select comms.get_email_payload(%L)', jsonb_build_object('send_email_attempt_id', :attempt))),
    ('comms.record_email_success(jsonb)', format('select comms.record_email_success(%L)', jsonb_build_object('original_payload', jsonb_build_object('send_email_attempt_id', :attempt)))),
    ('comms.record_email_failure(jsonb)', format('select comms.record_email_failure(%L)', jsonb_build_object('original_payload', jsonb_build_object('send_email_attempt_id', :attempt)))),
    ('comms.sms_send_supervisor(jsonb)', format('select comms.sms_send_supervisor(%L)', jsonb_build_object('send_sms_task_id', :text))),
    ('comms.send_sms_supervisor(jsonb)', format('select comms.send_sms_supervisor(%L)', jsonb_build_object('send_sms_task_id', :text))),
    ('comms.get_sms_payload(jsonb)', format('select comms.get_sms_payload(%L)', jsonb_build_object('send_sms_attempt_id', :sms_attempt))),
    ('comms.record_sms_success(jsonb)', format('select comms.record_sms_success(%L)', jsonb_build_object('original_payload', jsonb_build_object('send_sms_attempt_id', :sms_attempt)))),
    ('comms.record_sms_failure(jsonb)', format('select comms.record_sms_failure(%L)', jsonb_build_object('original_payload', jsonb_build_object('send_sms_attempt_id', :sms_attempt)))),
    ('files.file_deletion_supervisor(jsonb)', format('select files.file_deletion_supervisor(%L)', jsonb_build_object('file_deletion_task_id', :deletion))),
    ('files.get_file_delete_payload(jsonb)', format('select files.get_file_delete_payload(%L)', jsonb_build_object('file_deletion_attempt_id', :file_attempt))),
    ('files.record_file_delete_success(jsonb)', format('select files.record_file_delete_success(%L)', jsonb_build_object('original_payload', jsonb_build_object('file_deletion_attempt_id', :file_attempt)))),
    ('files.record_file_delete_failure(jsonb)', format('select files.record_file_delete_failure(%L)', jsonb_build_object('original_payload', jsonb_build_object('file_deletion_attempt_id', :file_attempt)))),
    ('pgqueue.make_webhook_jobs(jsonb)', $$select pgqueue.make_webhook_jobs('{"change_id": 1}')$$),
    ('queues.carry_bulk(jsonb)', $$select queues.carry_bulk('{"act_id": 1}')$$),
    ('worker.command_task_cleanup(jsonb,jsonb)', $$call worker.command_task_cleanup('{"completed_days": 0, "failed_days": 0}', null)$$),
    ('internal.abandon_lease(bigint,integer)', format('select nullif(internal.abandon_lease(%s, 1), false)', :f)),
    ('internal.begin_dispatch_step(uuid,bigint,integer)', format('select payload, before_handler from internal.begin_dispatch_step(gen_random_uuid(), %s, 1)', :mail)),
    ('internal.begin_dispatches(uuid,bigint[],integer[])', format('select payload, handler, call from internal.begin_dispatches(gen_random_uuid(), array[%s], array[1])', :mail)),
    ('internal.begin_execute(uuid,bigint[],integer[])', format('select payload, statement, hooks from internal.begin_execute(gen_random_uuid(), array[%s, %s]::bigint[], array[1, 1])', :f, :command)),
    ('internal.begin_finish(uuid,bigint,integer,text,jsonb,text,text)', format('select handler, handler_input, result from internal.begin_finish(gen_random_uuid(), %s, 1, ''failed'', null, null, null)', :mail)),
    ('internal.begin_finishes(uuid,bigint[],integer[],text[],jsonb[],text[])', format('select payload, handler, call from internal.begin_finishes(gen_random_uuid(), array[%s], array[1], ''{failed}'', array[null]::jsonb[], array[null]::text[])', :mail)),
    ('internal.begin_plain(uuid,bigint,integer)', format('select * from internal.begin_plain(gen_random_uuid(), %s, 1)', :f)),
    ('internal.begin_runs(uuid,bigint[],integer[])', format('select * from internal.begin_runs(gen_random_uuid(), array[%s], array[1])', :job)),
    ('internal.bounded(jsonb)', $$select nullif(internal.bounded('{}'), '{}')$$),
    ('internal.call_error_handler(uuid,internal.run_end,text,text,jsonb)', format('select left(internal.call_error_handler(gen_random_uuid(), row(%s, 1, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::internal.run_end, ''test.shout'', ''e'', null), 0)', :mail)),
    ('internal.call_handler(uuid,bigint,integer,text,text,jsonb)', format('select internal.call_handler(gen_random_uuid(), %s, 1, ''success_handler'', ''test.shout'', null)', :mail)),
    ('internal.cancel_requests(uuid,bigint[])', format('select nullif(internal.cancel_requests(gen_random_uuid(), array[%s]), ''{}'')', :mail)),
    ('internal.cancel_running(uuid,bigint,integer)', format('select internal.cancel_running(gen_random_uuid(), %s, 1)', :f)),
    ('internal.check_pairs(bigint[],integer[])', $$select internal.check_pairs('{1}', '{1}')$$),
    ('internal.claim_for(integer,text[],text[],integer,interval,jsonb,internal.claim_limits,boolean,boolean)', $$select * from internal.claim_for(999999, null, null, 1, '1 minute', null, null, true, false)$$),
    ('internal.claim_groups(integer,text[],text[],integer,interval,jsonb,internal.claim_limits,boolean,boolean,boolean)', $$select * from internal.claim_groups(999999, null, null, 1, '1 minute', null, null, true, false, false)$$),
    ('internal.close_parents(bigint[])', format('select internal.close_parents(array[%s])', :command)),
    ('internal.drop_merges(uuid,bigint,integer)', format('select internal.drop_merges(gen_random_uuid(), %s, 1)', :command)),
    ('internal.end_execute(uuid,bigint[],integer[],timestamp with time zone[],internal.run_end[])', format('select internal.end_execute(gen_random_uuid(), array[%s], array[1], array[now()], ''{}'')', :f)),
    ('internal.keep_leases(uuid,bigint[],integer[])', format('select internal.keep_leases(gen_random_uuid(), array[%s], array[1])', :f)),
    ('internal.end_finish(uuid,bigint,integer,internal.finish_step,text,text)', format('select internal.end_finish(gen_random_uuid(), %s, 1, null, null)', :mail)),
    ('internal.end_finishes(uuid,bigint[],integer[],timestamp with time zone[],jsonb[])', format('select internal.end_finishes(gen_random_uuid(), array[%s], array[1], array[now()], array[null]::jsonb[])', :mail)),
    ('internal.end_runs(uuid,bigint[],integer[],text[],jsonb[],text[],text[])', format('select internal.end_runs(gen_random_uuid(), array[%s], array[1], ''{succeeded}'', array[null]::jsonb[], array[null]::text[], array[null]::text[])', :job)),
    ('internal.error_text(text,text,text,text,text)', $$select nullif(internal.error_text('m', '', '', '', 'c'), 'Error: m')$$),
    ('internal.fail_command(uuid,bigint,integer,text,text,text,timestamp with time zone,boolean)', format('select internal.fail_command(gen_random_uuid(), %s, 1, null, null, null, null, null)', :command)),
    ('internal.fold_merges(uuid,bigint,integer)', format('select internal.fold_merges(gen_random_uuid(), %s, 1)', :command)),
    ('internal.holder_of(uuid)', 'select internal.holder_of(gen_random_uuid())'),
    ('internal.judge_before(text,text,jsonb,text,text)', $$select j.request from internal.judge_before('h', 'email', null, 'e', null) as j$$),
    ('internal.judge_command(internal.run_end,internal.command_run,jsonb)', format('select (internal.judge_command(row(%1$s, 1, null, null, null, null, null, null, null, null, null, null, null, false, null, null)::internal.run_end, row(gen_random_uuid(), %1$s, 1, null, null, null, null, null, null, null, null, null, null)::internal.command_run, null)).result', :command)),
    ('internal.asked_wait(jsonb)', 'select nullif(internal.asked_wait(''{}''), null)'),
    ('internal.leased_attempt_info(uuid,internal.run_end)', format('select nullif(internal.leased_attempt_info(gen_random_uuid(), row(%s, 1, null, null, null, null, null, null, null, null, null, null, null, null, null, null)::internal.run_end), ''{}'')', :mail)),
    ('internal.judge_run(uuid,internal.run_end,jsonb,jsonb,text)', format('select (internal.judge_run(gen_random_uuid(), row(%s, 1, null, null, null, null, null, null, null, null, null, null, null, false, null, null)::internal.run_end, ''{"error_handler": "test.shout"}'', ''{"status": "x"}'', null)).result', :mail)),
    ('internal.leased_call(uuid,bigint,integer,text)', format('select * from internal.leased_call(gen_random_uuid(), %s, 1, ''db_function'')', :f)),
    ('internal.leased_quiet_runs(uuid,bigint,integer,jsonb)', format('select nullif(internal.leased_quiet_runs(gen_random_uuid(), %s, 1, null), 0)', :tick)),
    ('internal.leased_task(bigint)', format('select * from internal.leased_task(%s)', :f)),
    ('internal.load_command(uuid,bigint,integer)', format('select * from internal.load_command(gen_random_uuid(), %s, 1)', :command)),
    ('internal.record_dispatch(uuid,bigint,integer,text)', format('select internal.record_dispatch(gen_random_uuid(), %s, 1, null)', :mail)),
    ('internal.record_dispatches(uuid,bigint[],integer[],text[],text[])', format('select internal.record_dispatches(gen_random_uuid(), array[%s], array[1], array[null], array[null])', :mail)),
    ('internal.record_hook_error(uuid,bigint,integer,text,text,text)', format('select internal.record_hook_error(gen_random_uuid(), %s, 1, ''e'', null)', :command)),
    ('internal.prepare_command(uuid,bigint,integer)', format('select internal.prepare_command(gen_random_uuid(), %s, 1)', :command)),
    ('internal.read_envelope(jsonb)', $$select null where (internal.read_envelope('{}')).status is null$$),
    ('internal.read_facts(uuid,bigint,integer)', format('select internal.read_facts(gen_random_uuid(), %s, 1)', :tick)),
    ('internal.ended_as(uuid,bigint,integer)', format('select * from internal.ended_as(gen_random_uuid(), %s, 1)', :done)),
    ('internal.logged_line(text,jsonb)', $$select null where internal.logged_line('it', '[{}]') <> 'it'$$),
    ('internal.lease_traces(uuid,bigint,bigint,bigint[])', format('select * from internal.lease_traces(gen_random_uuid(), %1$s, %1$s + 20)', :f)),
    ('internal.recorded_end(uuid,bigint,integer)', format('select * from internal.recorded_end(gen_random_uuid(), %s, 1)', :done)),
    ('internal.request_problem(text,jsonb)', $$select null where internal.request_problem('email', '{}') is null$$),
    ('internal.request_secrets(uuid,bigint,integer,jsonb)', format('select nullif(internal.request_secrets(gen_random_uuid(), %s, 1, ''{"sign": {"secret": "a_secret"}}''), ''{}'')', :job)),
    ('internal.request_bounds(jsonb)', $$select internal.request_bounds('{}')$$),
    ('internal.handler_destination(text,jsonb)', $$select internal.handler_destination('email', '{}')$$),
    ('internal.header_bounds(text,jsonb,integer,integer)', $$select internal.header_bounds('x', '{}', 1, 100)$$),
    ('internal.is_passing(text)', $$select nullif(internal.is_passing('x'), false)$$),
    ('internal.require_read_committed(text)', $$select internal.require_read_committed('x')$$),
    ('internal.run_batch(uuid,bigint[],integer[],interval,boolean)', format('select outcome, status from internal.run_batch(gen_random_uuid(), array[%s, %s], array[1, 1], null, false)', :f, :command)),
    ('internal.run_command(uuid,bigint,integer)', format('select (internal.run_command(gen_random_uuid(), %s, 1)).result', :command)),
    ('internal.judge_command_run(uuid,internal.run_end,jsonb,jsonb,text,text,text,text)', format('select (internal.judge_command_run(gen_random_uuid(), row(%s, 1, null, null, null, null, null, null, null, null, null, null, null, false, null, null)::internal.run_end, null, null, null, null, null, null)).result', :command)),
    ('internal.fail_command_run(uuid,bigint,integer)', format('select internal.fail_command_run(gen_random_uuid(), %s, 1)', :command)),
    ('internal.end_job_runs(uuid,internal.run_end[])', format('select internal.end_job_runs(gen_random_uuid(), array[row(%s, 1, ''succeeded'', null, null, null, null, null, null, null, null, null, null, false, null, null)::internal.run_end])', :func)),
    ('internal.finish_runs(uuid,bigint[],integer[],text[],jsonb[],text[],text[])', format('select internal.finish_runs(gen_random_uuid(), array[%s], array[1], ''{stored}'', array[null]::jsonb[], array[null]::text[], array[null]::text[])', :job)),
    ('internal.hooks_of(bigint[],text)', format('select nullif(hook, ''internal.begin_runs'') from internal.hooks_of(array[%s], ''begin'')', :job)),
    ('internal.run_hook(uuid,bigint,integer,text,text)', format('select left((internal.run_hook(gen_random_uuid(), %s, 1, ''after'', '''')).error, 0)', :command)),
    ('internal.run_job(uuid,bigint,integer)', format('select (internal.run_job(gen_random_uuid(), %s, 1)).result', :func)),
    ('internal.run_leased(uuid,bigint,integer,text,jsonb)', format('select internal.run_leased(gen_random_uuid(), %s, 1, ''db_function'')', :f)),
    ('internal.run_one(uuid,bigint,integer)', format('select * from internal.run_one(gen_random_uuid(), %s, 1)', :f)),
    ('internal.run_task(uuid,bigint,integer,jsonb,boolean,bigint,boolean,boolean)', format('select (internal.run_task(gen_random_uuid(), %s, 1, ''{"db_function": "test.shout"}'', true, null, false, false)).result', :f)),
    ('internal.seal_secret(uuid,uuid,text,text,text)', format('select nullif(internal.seal_secret(internal.test_worker(), %L, ''a_secret'', ''canary'', ''reeve:v1:x''), false)', (select id from vault.secrets where name = 'a_secret'))),
    ('internal.settle_parent(uuid,bigint,integer,jsonb,timestamp with time zone)', format('select info from internal.settle_parent(gen_random_uuid(), %s, 1, null, now())', :command)),
    ('internal.notify_changed(bigint[])', format('select internal.notify_changed(array[%s])', :command)),
    ('internal.test_clock_at()', 'select internal.test_clock_at()'),
    ('internal.unsealed_secrets(uuid)', 'select * from internal.unsealed_secrets(internal.test_worker())'),
    ('queues.begin_dispatch(uuid,bigint,integer)', format('select request, body, secrets from queues.begin_dispatch(gen_random_uuid(), %s, 1)', :mail)),
    ('queues.begin_dispatch_batch(uuid,bigint[],integer[],integer)', format('select request, body, secrets from queues.begin_dispatch_batch(gen_random_uuid(), array[%s, %s], array[1, 1])', :mail, :job)),
    ('queues.claim(uuid,text[],text[],integer,interval,jsonb,text[],boolean)', 'select * from queues.claim(gen_random_uuid())'),
    ('queues.claim_batch(uuid,text[],text[],integer,interval,jsonb,boolean,text[],integer[],integer[],integer,integer,integer)', 'select * from queues.claim_batch(gen_random_uuid())'),
    ('queues.claim_next(uuid,text,bigint,timestamp with time zone,text[],interval,text)', $$select * from queues.claim_next(gen_random_uuid(), 'default', 0, '-infinity', null, '1 minute', 'x')$$),
    ('queues.complete_noop(uuid,bigint[],integer[])', format('select queues.complete_noop(gen_random_uuid(), array[%s], array[1])', :f)),
    ('queues.complete_task(bigint,integer,text,jsonb)', format('select nullif(queues.complete_task(%s), ''fenced'')', :f)),
    ('queues.current_task_id()', format($$select queues.current_task_id() from set_config('reeve.task_id', '%s', true)$$, :f)),
    -- Numbers of tasks by queue and type, and no data of a task.
    ('queues.metrics()', 'select x.* from queues.metrics() as m, jsonb_each_text(to_jsonb(m)) as x where x.value ~ ''canary'''),
    ('queues.overdue(text[],text[])', 'select x from (select queues.overdue(null, null)) as o(x) where x < interval ''0'''),
    ('internal.roll_up(integer)', 'select nullif(internal.roll_up(1), 0)'),
    ('queues.current_attempt()', format($$select queues.current_attempt() from set_config('reeve.task_id', '%s', true)$$, :f)),
    ('worker.current_task_id()', format($$select worker.current_task_id() from set_config('reeve.task_id', '%s', true)$$, :command)),
    ('worker.report_progress(jsonb)', format($$select worker.report_progress('{"a": 1}') from set_config('reeve.task_id', '%s', true)$$, :command)),
    ('queues.report_progress(uuid,bigint,integer,jsonb)', format('select nullif(queues.report_progress(gen_random_uuid(), %s, 1, ''{}''), false)', :mail)),
    ('queues.execute(uuid,bigint,integer)', format('select * from queues.execute(gen_random_uuid(), %s, 1)', :f)),
    ('queues.execute_batch(uuid,bigint[],integer[])', format('select outcome, status from queues.execute_batch(gen_random_uuid(), array[%s, %s], array[1, 1])', :f, :done)),
    ('queues.fail_task(bigint,text,integer)', format('select queues.fail_task(%s, ''forged'')', :f)),
    ('queues.finish(uuid,bigint,integer,text,jsonb,text,text)', format('select nullif(queues.finish(gen_random_uuid(), %s, 1, ''failed''), ''fenced'')', :f)),
    ('queues.finish_batch(uuid,bigint[],integer[],text[],jsonb[],text[],text[])', format('select nullif(result, ''fenced'') from queues.finish_batch(gen_random_uuid(), array[%s, %s], array[1, 1], ''{failed,failed}'')', :mail, :job)),
    ('queues.held_lease(bigint)', format('select queues.held_lease(%s)', :f)),
    ('queues.record_result(uuid,bigint,integer,text,jsonb,text,text)', format('select nullif(queues.record_result(gen_random_uuid(), %s, 1, ''failed''), ''fenced'')', :mail)),
    ('queues.release(uuid,bigint[],integer[],interval)', format('select nullif(queues.release(gen_random_uuid(), array[%s], array[1], ''0''), 0)', :f)),
    ('queues.renew(uuid,bigint[],integer[],interval)', format('select nullif(nullif(state, ''lost''), ''unknown'') from queues.renew(gen_random_uuid(), array[%s], array[1], ''1 minute'')', :f)),
    ('queues.stop_worker(uuid,text)', 'select queues.stop_worker(internal.test_worker(), ''x'')'),
    ('queues.prune(interval,integer)', 'select queues.prune(interval ''0'')'),
    ('worker.reset_abandoned_processing_tasks()', 'select nullif(worker.reset_abandoned_processing_tasks(), 0)');
-- What is left gives something that is no secret and belongs to no task.
insert into attack (name, statement, gives) values
    ('internal.add_holder(uuid,timestamp with time zone)', 'select 1', 'a number for this session'),
    ('internal.this_holder(uuid)', 'select 1', 'the same'),
    ('internal.tidy_session(text,integer,text)', 'select 1', 'an answer about this session'),
    ('internal.test_worker()', 'select 1', 'an id that is the same everywhere and opens nothing'),
    ('internal.text_setting(text)', 'select 1', 'a setting'),
    ('internal.registered_call(text)', 'select 1', 'whether a function is registered'),
    ('internal.run_function(text,jsonb)', 'select 1', 'the documented runner: calls what the login may execute itself'),
    ('internal.lease_next(uuid,text,bigint,boolean,timestamp with time zone)', 'select 1', 'a lease, as a claim'),
    ('queues.dequeue_available_task()', 'select 1', 'a lease and its payload, as documented'),
    ('queues.dequeue_next_available_task(text[],text[],interval)', 'select 1', 'the same'),
    ('worker.process_tasks(integer,integer,text,bigint,text,interval)', 'select 1', 'runs of what is due'),
    ('queues.clock()', 'select 1', 'the time'),
    ('queues.next_due(text[],text[],jsonb)', 'select 1', 'the time of the next task'),
    ('queues.fire_due(integer,interval)', 'select 1', 'a count; schedules that are due are fired with the rights of their owners'),
    ('internal.next_fire_at()', 'select 1', 'the time of the next schedule'),
    ('internal.enter_gate(boolean)', 'select 1', 'whether another worker sleeps; advisory locks of its own session'),
    ('internal.leave_gate(boolean,boolean)', 'select 1', 'whether another worker sleeps'),
    ('queues.schema_version()', 'select 1', 'a number'),
    ('queues.start_worker(uuid,text,text,integer,boolean,uuid)', 'select 1', 'the right to claim'),
    ('queues.sweep_processes()', 'select 1', 'a count; upkeep that every worker does'),
    ('worker.rescue_waiting_parents(text)', 'select 1', 'a count; upkeep that every worker does'),
    ('queues.worker_alive(uuid,text[],text[],text[],bigint[])', 'select 1', 'types that nobody serves'),
    ('queues.worker_settings()', 'select 1', 'types, queues and settings'),
    ('internal.held_leases()', 'select 1', 'numbers of tasks, leases and backends'),
    ('internal.claim_limits(text[],integer[],integer[],integer,integer,integer)', 'select 1', 'its own arguments, as one value'),
    ('internal.job_host(text)', 'select 1', 'a part of its argument'),
    ('internal.request_destination(jsonb)', 'select 1', 'a part of its argument'),
    ('internal.end_backend(integer,timestamp with time zone,name)', 'select 1', 'ends sessions of the same role, as PostgreSQL itself allows');
select set_eq('select name from attack',
    $$select replace(replace(line, 'worker_service_user function ', ''), ' execute', '') from test.privilege where line like 'worker_service_user function %'$$,
    'every function of the role stands here');

create function pg_temp.tried(_statement text) returns text language plpgsql as $$
declare
    _answer text;
begin
    perform set_config('role', 'worker_service_user', true);
    if _statement like 'call %' then
        execute _statement;
    else
        execute format('select string_agg(x::text, '';'') from (%s) as x where x is distinct from null and x::text !~ ''^\(?[,"() ]*\)?$''', _statement) into _answer;
    end if;
    perform set_config('role', 'none', true);
    return _answer;
exception when others then
    return case when sqlstate in ('42601', '42883', '42P01', '42804', '42846', '22P02', '42703') then sqlstate || ' ' || sqlerrm end;
end $$;
create temp table before_attack as
select (select jsonb_agg(to_jsonb(r.*) order by r.task_id) from queues.running as r) as running, (select count(*) from queues.task_completed) as completed,
       (select count(*) from queues.error) as errors, (select count(*) from queues.task) as tasks, (select count(*) from comms.send_email_attempt_succeeded) as sent;
create temp table got as select a.name, pg_temp.tried(a.statement) as answer from attack as a where a.gives = 'nothing';
select is_empty('select name, answer from got where answer is not null', 'none of them gives anything');
select is((select to_jsonb(b.*) from before_attack as b), (select jsonb_build_object('running', (select jsonb_agg(to_jsonb(r.*) order by r.task_id) from queues.running as r),
    'completed', (select count(*) from queues.task_completed), 'errors', (select count(*) from queues.error), 'tasks', (select count(*) from queues.task),
    'sent', (select count(*) from comms.send_email_attempt_succeeded))), 'nor changes anything');
select is((select count(*) from test.effect), 0::bigint, 'nor runs anything');
select is((select count(*) from queues.worker_stopped), 0::bigint, 'nor stops anybody');
select * from finish();
rollback;
