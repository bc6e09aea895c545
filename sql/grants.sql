-- The rights of all roles, on one page.  The page begins by revoking everything from everybody.
do $$
declare
    _object record;
begin
    -- Only our own tables and functions: a shared schema may hold others.
    for _object in
        select c.oid::regclass as name
        from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'comms', 'files') and c.relkind in ('r', 'p', 'v', 'm')
          and pg_get_userbyid(c.relowner) = 'queues_owner'
    loop
        execute format('revoke all on %s from public, worker_service_user, queues_runner, queues_enqueuer, queues_observer, '
                       'queues_operator, queues_admin, queues_dashboard', _object.name);
    end loop;
    for _object in
        select p.oid::regprocedure as name, p.prokind, pg_get_userbyid(p.proowner) as owner
        from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
        where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'comms', 'files')
          and pg_get_userbyid(p.proowner) in ('queues_owner', 'queues_runner')
    loop
        execute format('revoke all on %s %s from public, worker_service_user, queues_enqueuer, queues_observer, queues_operator, queues_admin, queues_dashboard%s',
                       case _object.prokind when 'p' then 'procedure' else 'function' end, _object.name,
                       case when _object.owner <> 'queues_runner' then ', queues_runner' else '' end);
    end loop;
end
$$;
alter default privileges for role queues_owner revoke execute on functions from public;
grant usage on schema queues, internal, worker to worker_service_user, queues_runner, queues_enqueuer, queues_observer,
    queues_operator, queues_admin;

-- The worker may call these functions, and reads no table.
grant execute on function
    queues.start_worker(uuid, text, text, integer, boolean, uuid), queues.stop_worker(uuid, text),
    queues.worker_alive(uuid, text[], text[], text[], bigint[]), queues.worker_settings(), queues.schema_version(),
    queues.claim(uuid, text[], text[], integer, interval, jsonb, text[], boolean),
    queues.claim_batch(uuid, text[], text[], integer, interval, jsonb, boolean, text[], integer[], integer[], integer, integer, integer),
    queues.next_due(text[], text[], jsonb), queues.overdue(text[], text[]), queues.metrics(), internal.roll_up(integer),
    internal.enter_gate(boolean), internal.leave_gate(boolean, boolean),
    queues.renew(uuid, bigint[], integer[], interval), queues.release(uuid, bigint[], integer[], interval),
    queues.claim_next(uuid, text, bigint, timestamptz, text[], interval, text),
    queues.execute(uuid, bigint, integer), queues.execute_batch(uuid, bigint[], integer[]),
    queues.begin_dispatch(uuid, bigint, integer), queues.begin_dispatch_batch(uuid, bigint[], integer[], integer),
    queues.report_progress(uuid, bigint, integer, jsonb),
    queues.finish(uuid, bigint, integer, text, jsonb, text, text),
    queues.finish_batch(uuid, bigint[], integer[], text[], jsonb[], text[], text[]),
    queues.record_result(uuid, bigint, integer, text, jsonb, text, text),
    queues.complete_noop(uuid, bigint[], integer[]),
    queues.prune(interval, integer), queues.sweep_processes(),
    queues.dequeue_next_available_task(text[], text[], interval), queues.dequeue_available_task(),
    queues.held_lease(bigint), queues.complete_task(bigint, integer, text, jsonb), queues.fail_task(bigint, text, integer),
    queues.clock(), queues.current_task_id(), queues.current_attempt(), internal.run_function(text, jsonb),
    worker.current_task_id(), worker.report_progress(jsonb), worker.rescue_waiting_parents(text),
    worker.reset_abandoned_processing_tasks(), queues.fire_due(integer, interval), internal.next_fire_at()
    to worker_service_user;
grant execute on procedure worker.command_task_cleanup(jsonb, jsonb) to worker_service_user;
grant execute on procedure worker.process_tasks(integer, integer, text, bigint, text, interval) to worker_service_user, queues_admin;
-- Private steps of the functions above, which run with the rights of the caller.
grant execute on function
    internal.claim_for(integer, text[], text[], integer, interval, jsonb, internal.claim_limits, boolean, boolean),
    internal.claim_limits(text[], integer[], integer[], integer, integer, integer),
    internal.claim_groups(integer, text[], text[], integer, interval, jsonb, internal.claim_limits, boolean, boolean, boolean),
    internal.this_holder(uuid), internal.holder_of(uuid), internal.add_holder(uuid, timestamptz), internal.leased_task(bigint),
    internal.run_batch(uuid, bigint[], integer[], interval, boolean),
    internal.run_one(uuid, bigint, integer), internal.begin_plain(uuid, bigint, integer),
    internal.run_task(uuid, bigint, integer, jsonb, boolean, bigint, boolean, boolean), internal.run_job(uuid, bigint, integer),
    internal.begin_execute(uuid, bigint[], integer[]), internal.end_execute(uuid, bigint[], integer[], timestamptz[], internal.run_end[]),
    internal.keep_leases(uuid, bigint[], integer[]), internal.tidy_session(text, integer, text),
    internal.recorded_end(uuid, bigint, integer), internal.cancel_requests(uuid, bigint[]), internal.cancel_running(uuid, bigint, integer), internal.judge_run(uuid, internal.run_end, jsonb, jsonb, text),
    internal.begin_finish(uuid, bigint, integer, text, jsonb, text, text),
    internal.end_finish(uuid, bigint, integer, internal.finish_step, text, text),
    internal.begin_dispatch_step(uuid, bigint, integer), internal.record_dispatch(uuid, bigint, integer, text),
    internal.begin_dispatches(uuid, bigint[], integer[]), internal.record_dispatches(uuid, bigint[], integer[], text[], text[]),
    internal.request_destination(jsonb), internal.handler_destination(text, jsonb), internal.job_host(text),
    internal.judge_before(text, text, jsonb, text, text),
    internal.begin_finishes(uuid, bigint[], integer[], text[], jsonb[], text[]),
    internal.end_finishes(uuid, bigint[], integer[], timestamptz[], jsonb[]),
    internal.request_problem(text, jsonb), internal.request_bounds(jsonb), internal.header_bounds(text, jsonb, integer, integer),
    internal.call_handler(uuid, bigint, integer, text, text, jsonb),
    internal.call_error_handler(uuid, internal.run_end, text, text, jsonb), internal.read_envelope(jsonb), internal.bounded(jsonb),
    internal.run_leased(uuid, bigint, integer, text, jsonb), internal.read_facts(uuid, bigint, integer),
    internal.leased_quiet_runs(uuid, bigint, integer, jsonb), internal.leased_attempt_info(uuid, internal.run_end), internal.asked_wait(jsonb),
    internal.require_read_committed(text), internal.is_passing(text), internal.check_pairs(bigint[], integer[]), internal.text_setting(text),
    internal.begin_runs(uuid, bigint[], integer[]), internal.request_secrets(uuid, bigint, integer, jsonb),
    internal.end_runs(uuid, bigint[], integer[], text[], jsonb[], text[], text[]),
    internal.test_worker(), internal.lease_next(uuid, text, bigint, boolean, timestamptz),
    internal.prepare_command(uuid, bigint, integer), internal.load_command(uuid, bigint, integer),
    internal.fold_merges(uuid, bigint, integer), internal.drop_merges(uuid, bigint, integer),
    internal.run_command(uuid, bigint, integer), internal.judge_command_run(uuid, internal.run_end, jsonb, jsonb, text, text, text, text),
    internal.fail_command_run(uuid, bigint, integer), internal.end_job_runs(uuid, internal.run_end[]),
    internal.finish_runs(uuid, bigint[], integer[], text[], jsonb[], text[], text[]), internal.hooks_of(bigint[], text),
    internal.judge_command(internal.run_end, internal.command_run, jsonb),
    internal.settle_parent(uuid, bigint, integer, jsonb, timestamptz), internal.run_hook(uuid, bigint, integer, text, text),
    internal.record_hook_error(uuid, bigint, integer, text, text, text), internal.error_text(text, text, text, text, text),
    internal.fail_command(uuid, bigint, integer, text, text, text, timestamptz, boolean),
    internal.close_parents(bigint[]), internal.notify_changed(bigint[])
    to worker_service_user, queues_admin;
grant execute on function internal.ended_as(uuid, bigint, integer), internal.logged_line(text, jsonb), internal.lease_traces(uuid, bigint, bigint, bigint[]) to worker_service_user;
-- Steps that free the tasks of a dead worker, with the rights of the caller.
grant execute on function internal.held_leases(), internal.abandon_lease(bigint, integer),
    internal.end_backend(integer, timestamptz, name) to worker_service_user, queues_operator;
grant execute on function internal.registered_call(text), internal.leased_call(uuid, bigint, integer, text), internal.text_setting(text),
    internal.test_clock_at()
    to worker_service_user, queues_runner, queues_admin;
grant execute on function internal.run_function(text, jsonb), queues.execute(uuid, bigint, integer),
    queues.begin_dispatch(uuid, bigint, integer), queues.finish(uuid, bigint, integer, text, jsonb, text, text),
    queues.record_result(uuid, bigint, integer, text, jsonb, text, text), queues.schema_version() to queues_admin;

-- Enqueuers; owners of supervisors and handlers are members.
grant execute on function
    queues.enqueue(queues.task_type, jsonb, timestamptz, text, bigint, text, text, integer, interval, text, text, integer, jsonb),
    queues.enqueue_many(queues.task_type, jsonb[], timestamptz, text, bigint, integer, jsonb), queues.retry_delays(integer, jsonb),
    queues.wake_process(text, jsonb, timestamptz), queues.backoff(numeric, integer, interval, numeric),
    queues.recheck_delay(numeric, integer, interval), queues.clock(), queues.current_task_id(), queues.current_attempt(),
    internal.number_setting(text), internal.test_clock_at(),
    worker.enqueue(text, jsonb, timestamptz, bigint, integer, jsonb),
    worker.spawn(text, jsonb, bigint, bigint, worker.child_mode, timestamptz, integer, jsonb),
    worker.current_task_id(), worker.report_progress(jsonb), worker.notify_status(text, boolean),
    worker.has_pending_children(bigint), worker.has_failed_siblings(bigint)
    to queues_enqueuer;
grant insert, select (id) on worker.tasks to queues_enqueuer;

-- Schedules.  Enqueuers make them and act on their own; operators act on all of them.  The functions check which.
grant execute on function
    queues.schedule(text, text, text, jsonb, interval, text, text, jsonb, text, bigint, interval, integer, jsonb, text, timestamptz, timestamptz,
                    interval, interval, date[], text, text, interval, integer, text),
    queues.unschedule(text), queues.import_schedules(text, text, text, boolean), internal.import_lines(text)
    to queues_enqueuer;
grant execute on function queues.pause_schedule(text, text), queues.resume_schedule(text), queues.fire_schedule(text),
    queues.backfill_schedule(text, timestamptz, timestamptz) to queues_enqueuer, queues_operator;
grant execute on function queues.next_fires(text, integer, text, timestamptz), queues.describe_schedule(text, text), internal.wait_words(interval)
    to queues_enqueuer, queues_observer;
grant execute on function queues.fire_due(integer, interval) to queues_admin;
grant select on queues.schedule_state to queues_observer;
grant execute on function internal.cron_words(internal.cron, interval, text), internal.slot_outcome(bigint) to queues_observer;
grant select (fire_id, schedule_id, schedule_name, decision, first_slot, last_slot, slots, decided_at, task_id, late) on queues.schedule_fire
    to queues_observer;
grant select on queues.schedule, queues.schedule_due, queues.schedule_fire to queues_operator;

-- Observers: views without payloads.
grant select on queues.task_state, queues.queue_state, queues.process_state, queues.worker_state, queues.lease_outcome, queues.task_chain,
    worker.tasks, worker.queue_registry, queues.throughput to queues_observer;
grant execute on function internal.ready_state("char", timestamptz, timestamptz), internal.is_executing(bigint), internal.shown_url(text),
    queues.schema_version(), queues.metrics(), internal.run_pid(bigint), internal.shown_payload(bigint, jsonb), internal.shown_merges(bigint, jsonb),
    internal.tree_info(bigint), queues.top_queues(), queues.top_workers(), queues.top_running(), queues.top_failures(),
    queues.top_task(bigint),
    worker.current_status() to queues_observer;
-- Explanations: the inner ones hide data from those who are no operators.
grant execute on function queues.why(bigint), queues.why_process(bigint), pgqueue.why_job(bigint),
    internal.explain_task(bigint), internal.explain_process(bigint), internal.explain_job(bigint), internal.lock_holders(integer[]) to queues_observer;

-- Lists and counts, for pages and the command line.
grant execute on function
    queues.list_tasks(text, text, text, text, timestamptz, timestamptz, text, text, integer),
    queues.list_processes(text, text, timestamptz, timestamptz, text, integer),
    pgqueue.list_jobs(text, text, text, timestamptz, timestamptz, text, integer),
    queues.open_counts(), queues.show_task(bigint), queues.task_story(bigint), queues.find(text), queues.attention(),
    worker.list_commands(text, text, text, text, integer), worker.show_command(bigint), internal.live_processes(integer),
    internal.check_look(timestamptz, timestamptz, integer, text), internal.check_word(text, text, text[]), internal.check_text(text, text, integer),
    internal.look_bounds(integer), internal.list_answer(jsonb, bigint, bigint, timestamptz) to queues_observer;

-- Operators: actions on tasks.
grant execute on function
    queues.cancel_task(bigint, text), queues.retry_task(bigint, timestamptz, boolean),
    queues.reschedule_task(bigint, timestamptz), queues.expire_lease(bigint), queues.task_result(bigint),
    queues.wake_process(text, jsonb, timestamptz), queues.revive_process(bigint, timestamptz),
    queues.end_process(bigint, text), queues.backoff(numeric, integer, interval, numeric),
    queues.recheck_delay(numeric, integer, interval), queues.sweep_processes(),
    queues.check(boolean), queues.check_part(text, boolean), queues.advise(), queues.pause_queue(text, interval), queues.resume_queue(text),
    queues.clock(), internal.number_setting(text), internal.test_clock_at(),
    worker.pause(), worker.pause(bigint), worker.pause(interval), worker.resume(), worker.reset_abandoned_processing_tasks(),
    worker.rescue_waiting_parents(text), worker.enqueue_task_cleanup(integer, integer)
    to queues_operator;
grant select on queues.task, queues.task_lease, queues.task_completed, queues.error, queues.task_lease_renewed,
    queues.task_lease_ended, queues.task_dispatched, queues.task_progress, queues.late_result, queues.task_changed, queues.task_cancel_requested,
    queues.process, queues.process_run, queues.process_ended, queues.process_revived, queues.worker_started,
    queues.worker_stopped, queues.worker_seen, queues.pruned, queues.audit, queues.holder, queues.ready, queues.running,
    queues.queue, queues.registered_task_type, queues.migration, queues.merging, queues.task_folded, queues.retry_policy,
    queues.task_attempt, queues.task_trace,
    worker.command_registry, worker.task_parent, worker.handler_done, internal.installation
    to queues_operator;

-- Acts on many things: the inner functions check what those on one thing check.
grant execute on function
    queues.preview_bulk(text, text, text, text, text, timestamptz, timestamptz, text, text, boolean, text, bigint[], integer),
    queues.extend_bulk(bigint, integer), queues.run_bulk(bigint, integer), queues.start_bulk(bigint), queues.stop_bulk(bigint) to queues_operator;
grant select on queues.bulk_act, queues.bulk_scan, queues.bulk_target, queues.bulk_done, queues.bulk_started, queues.bulk_stopped to queues_operator;
grant select on queues.bulk_state to queues_observer;

-- Administrators: registries and settings.
grant execute on function
    internal.allow_function(text, text, text, text[], integer, name[], boolean), internal.revoke_function(text),
    internal.resolve_function(text, text[]), internal.fits_kinds(pg_catalog.pg_proc, text[]), internal.runner_role(),
    internal.store_function(oid, text, oid, text[], integer, name[]), internal.grant_function(oid, name),
    internal.warn_missing_grants(oid, name), internal.get_config(text), internal.set_config(text, jsonb),
    queues.create_queue(text, integer, integer, text), queues.set_queue(text, integer, integer, text), queues.drop_queue(text),
    queues.register_task_type(text, text, text, boolean, interval, smallint, text, text),
    queues.set_retry_policy(text, text, integer, jsonb, text[]),
    queues.prune(interval, integer), queues.rebuild_working_set(), queues.adopt_database(boolean),
    queues.simulate(bigint, text, jsonb, text), internal.lease_for_test(bigint, uuid),
    internal.put_secret(text, text, text), internal.drop_secret(text), internal.secret_names(),
    internal.check_text(text, text, integer), internal.allow_secret(text, text[], name[], text[]), internal.revoke_secret(text),
    worker.register_command(text, text, text, text, text, text, text[], text, jsonb, text, interval, integer, name[], text),
    worker.enqueue_function(text), internal.find_routine(text), internal.resolve_routine(text, text),
    internal.check_merge_rules(jsonb), internal.require_queue(text)
    to queues_admin;
grant insert, update, delete on worker.command_registry to queues_admin;
grant insert, update on worker.queue_registry to queues_admin;
grant select on internal.allowed_function, internal.allowed_secret, internal.config to queues_admin;

grant execute on function internal.unsealed_secrets(uuid), internal.seal_secret(uuid, uuid, text, text, text) to worker_service_user;

-- Jobs: applications insert, observers see the columns without secrets, operators act.
grant usage on schema pgqueue to worker_service_user, queues_runner, queues_enqueuer, queues_observer, queues_operator, queues_admin;
grant insert, select (job_id) on pgqueue.job_queue to queues_enqueuer;
grant execute on function pgqueue.run_scheduled_jobs(), pgqueue.process_tasks_subminute() to queues_enqueuer, queues_operator;
grant select on pgqueue.job_queue to queues_observer;
grant select (id, job_id, created_at, job_run, response_status) on pgqueue.failed_log to queues_observer;
grant select, update on pgqueue.job_queue to queues_operator;
grant select on pgqueue.job, pgqueue.job_run, pgqueue.job_ended, pgqueue.failed_log to queues_operator;
grant execute on function pgqueue.cancel_job(bigint), pgqueue.reschedule_job(bigint, timestamptz), pgqueue.retry_job(bigint),
    pgqueue.replay_failed(text, timestamptz) to queues_operator;
-- Webhooks: administrators who own the table make them; owners of tables use the trigger function.
grant execute on function pgqueue.trigger_webhook() to queues_enqueuer, queues_admin;
grant execute on function pgqueue.make_webhook_jobs(jsonb), queues.carry_bulk(jsonb) to worker_service_user;
grant select on pgqueue.webhooks to queues_observer, queues_operator, queues_admin;
grant execute on function pgqueue.create_webhook(text, regclass, text[], text, jsonb, text, bytea, text, text, pgqueue.signing_styles,
    pgqueue.signing_algs, pgqueue.signing_encs, text[], boolean, integer, boolean, text), pgqueue.drop_webhook(text),
    internal.store_webhook(pgqueue.webhook, text, bytea), internal.remove_webhook(text), internal.key_columns(oid),
    internal.fire_webhook() to queues_admin;
grant execute on function pgqueue.enable_webhook(text, boolean), pgqueue.test_webhook(text) to queues_operator;

-- Merge functions run with the rights of this role.  Its only right is EXECUTE on registered functions.
grant create on schema internal to queues_runner;
alter function internal.call_merge(text, jsonb, jsonb) owner to queues_runner;
revoke create on schema internal from queues_runner;

-- module: comms
-- Messages: the worker runs supervisors and handlers, applications write and kick off, operators read, administrators keep
-- the templates.
grant usage on schema comms to worker_service_user, queues_runner, queues_enqueuer, queues_observer, queues_operator,
    queues_admin;
grant execute on function
    comms.send_email_supervisor(jsonb), comms.email_send_supervisor(jsonb),
    comms.get_email_payload(jsonb), comms.record_email_success(jsonb), comms.record_email_failure(jsonb),
    comms.send_sms_supervisor(jsonb), comms.sms_send_supervisor(jsonb),
    comms.get_sms_payload(jsonb), comms.record_sms_success(jsonb), comms.record_sms_failure(jsonb)
    to worker_service_user;
grant execute on function
    comms.create_email_message(text, text, text, text), comms.create_sms_message(text, text), comms.message_exists(bigint),
    comms.generate_message_body_from_template(text, jsonb, text[]), comms.render_email_template(text, jsonb),
    comms.render_sms_template(text, jsonb), comms.from_email_address(text),
    comms.kickoff_send_email_task(bigint, timestamptz), comms.kickoff_send_sms_task(bigint, timestamptz),
    comms.create_and_kickoff_email_task(text, text, text, text, timestamptz),
    comms.create_and_kickoff_sms_task(text, text, timestamptz)
    to queues_enqueuer;
grant select on comms.send_email_task_scheduled, comms.send_email_task_succeeded, comms.send_email_task_failed,
    comms.send_sms_task_scheduled, comms.send_sms_task_succeeded, comms.send_sms_task_failed
    to queues_observer;
grant execute on function
    comms.has_send_email_succeeded_attempt(bigint), comms.count_send_email_failed_attempts(bigint),
    comms.count_send_email_attempts(bigint), comms.send_email_supervisor_facts(bigint),
    comms.has_send_sms_succeeded_attempt(bigint), comms.count_send_sms_failed_attempts(bigint),
    comms.count_send_sms_attempts(bigint), comms.send_sms_supervisor_facts(bigint)
    to queues_operator;
grant select on comms.message, comms.email_message, comms.sms_message, comms.email_template, comms.sms_template,
    comms.send_email_task, comms.send_email_attempt, comms.send_email_attempt_succeeded, comms.send_email_attempt_failed,
    comms.send_sms_task, comms.send_sms_attempt, comms.send_sms_attempt_succeeded, comms.send_sms_attempt_failed
    to queues_operator;
grant insert, update, delete on comms.email_template, comms.sms_template to queues_admin;
-- end of module

-- module: files
-- Files, with the same division of rights.
grant usage on schema files to worker_service_user, queues_runner, queues_enqueuer, queues_observer, queues_operator,
    queues_admin;
grant execute on function
    files.file_deletion_supervisor(jsonb), files.get_file_delete_payload(jsonb),
    files.record_file_delete_success(jsonb), files.record_file_delete_failure(jsonb)
    to worker_service_user;
grant execute on function
    files.create_file(text, text, text), files.kickoff_file_deletion(bigint, timestamptz), files.is_file_deleted(bigint),
    files.is_file_deletion_stuck(bigint)
    to queues_enqueuer;
grant select on files.file_deletion_task_succeeded, files.file_deletion_task_failed to queues_observer;
grant execute on function
    files.is_file_deleted(bigint), files.is_file_deletion_stuck(bigint), files.has_file_deletion_succeeded_attempt(bigint),
    files.count_file_deletion_failed_attempts(bigint), files.count_file_deletion_attempts(bigint),
    files.file_deletion_supervisor_facts(bigint)
    to queues_operator;
grant select on files.file, files.file_metadata, files.file_deletion_task, files.file_deletion_attempt,
    files.file_deletion_attempt_succeeded, files.file_deletion_attempt_failed
    to queues_operator;
-- end of module

-- The login of the dashboard: all else it does in the role of a viewer.
grant usage on schema queues to queues_dashboard;
grant execute on function queues.schema_version(), queues.claim_act(uuid, text), queues.end_act(uuid, text, text) to queues_dashboard;

-- Choices made at install, which the statements above would undo.
do $$
begin
    if internal.text_setting('runner_mode') = 'definer' then
        perform internal.set_runner_mode('definer');
    end if;
    if internal.text_setting('strict') = 'true' then
        -- The program calls none of these functions.
        revoke execute on function queues.dequeue_next_available_task(text[], text[], interval),
            queues.dequeue_available_task(), queues.held_lease(bigint), queues.complete_task(bigint, integer, text, jsonb),
            queues.fail_task(bigint, text, integer), internal.leased_task(bigint), internal.run_function(text, jsonb),
            internal.registered_call(text), internal.test_worker(), internal.lease_next(uuid, text, bigint, boolean, timestamptz)
            from worker_service_user;
        revoke execute on procedure worker.process_tasks(integer, integer, text, bigint, text, interval) from worker_service_user;
    end if;
end
$$;
