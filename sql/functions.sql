-- Table of contents of the functions and views: the API by user, then the files by topic.
-- This file is applied whole after each migration, so a migration never contains a function or a view.
--
--   any SQL client      queues.enqueue, queues.enqueue_many; worker.enqueue for commands
--   a worker            queues.start_worker, claim, execute / begin_dispatch + finish,
--                       renew, release, stop_worker
--   a plain client      queues.dequeue_next_available_task, complete_task, fail_task
--   a supervisor        queues.enqueue itself, recheck_delay, wake_process
--   a command           worker.spawn children, report_progress
--   schedules           queues.schedule, unschedule, next_fires; pause, resume, fire and backfill for operators
--   an operator         cancel_task, retry_task, pause_queue, revive_process, check; why, why_process, why_job;
--                       preview_bulk, run_bulk or start_bulk, stop_bulk for many at once
--   a test              queues.set_test_clock, worker.process_tasks, queues.simulate
--   jobs                insert into pgqueue.job_queue; retry_job, cancel_job
--   webhooks            pgqueue.create_webhook, or a trigger with pgqueue.trigger_webhook
--   an application      comms.create_and_kickoff_email_task, ..._sms_task, files.kickoff_file_deletion

-- base: the clock, settings, limits on texts, the audit, and the guards of facts, triggers and views. Everything else builds on this topic.
\ir schema/base/number_setting.sql
\ir schema/base/test_clock_at.sql
\ir schema/base/queues.clock.sql
\ir schema/base/refuse_test_commit.sql
\ir schema/base/refuse_change.sql
\ir schema/base/refuse_insert.sql
\ir schema/base/take_relation.sql
\ir schema/base/has_trigger.sql
\ir schema/base/keep_triggers.sql
\ir schema/base/keep_view.sql
\ir schema/base/actor.sql
\ir schema/base/audit.sql
\ir schema/base/queues.set_test_clock.sql
\ir schema/base/queues.schema_version.sql
\ir schema/base/system_identifier.sql
\ir schema/base/get_config.sql
\ir schema/base/check_config.sql
\ir schema/base/put_config.sql
\ir schema/base/require_read_committed.sql
\ir schema/base/check_pairs.sql
\ir schema/base/bounded.sql
\ir schema/base/shown_url.sql
\ir schema/base/check_text.sql
\ir schema/base/acting_role.sql
\ir schema/base/is_ours.sql
\ir schema/base/error_text.sql
\ir schema/base/require_adopted.sql
\ir schema/base/queues.adopt_database.sql
\ir schema/base/is_operator.sql

-- enqueue: the enqueue of a task: its checks, its fact and its row in the working set.
\ir schema/enqueue/require_task.sql
\ir schema/enqueue/require_queue.sql
\ir schema/enqueue/enqueue_rule.sql
\ir schema/enqueue/check_payload.sql
\ir schema/enqueue/fits_position.sql
\ir schema/enqueue/allow_hint.sql
\ir schema/enqueue/check_enqueuer.sql
\ir schema/enqueue/check_reserved.sql
\ir schema/enqueue/check_names.sql
\ir schema/retry/backoff_seconds.sql
\ir schema/retry/checked_backoff.sql
\ir schema/retry/refuse_policy.sql
\ir schema/retry/add_policy.sql
\ir schema/enqueue/checked_extras.sql
\ir schema/enqueue/count_enqueued.sql
\ir schema/enqueue/record_change.sql
\ir schema/enqueue/wake_workers.sql
\ir schema/enqueue/drop_ready.sql
\ir schema/trace/valid_traceparent.sql
\ir schema/trace/trace_for.sql
\ir schema/trace/keep_trace.sql
\ir schema/trace/lease_traces.sql
\ir schema/enqueue/add_task.sql
\ir schema/enqueue/queues.enqueue.sql
\ir schema/enqueue/queues.enqueue_many.sql
\ir schema/enqueue/worker.enqueue.sql

-- retry: policies of retries, and the next attempts of work that failed.
\ir schema/retry/retry_wait.sql
\ir schema/retry/queues.retry_delays.sql
\ir schema/retry/queues.set_retry_policy.sql
\ir schema/retry/retry_decisions.sql
\ir schema/retry/retry_tasks.sql
\ir schema/retry/attempt_info.sql
\ir schema/retry/leased_attempt_info.sql
\ir schema/retry/call_attempt.sql
\ir schema/retry/asked_wait.sql
\ir schema/retry/last_attempt.sql
\ir schema/retry/is_repeated.sql
\ir schema/retry/queues.current_attempt.sql

-- registry: registered functions and the roles that may name them, queues, and task types.
\ir schema/registry/runner_role.sql
\ir schema/registry/fits_kinds.sql
\ir schema/registry/find_routine.sql
\ir schema/registry/resolve_function.sql
\ir schema/registry/store_function.sql
\ir schema/registry/grant_function.sql
\ir schema/registry/warn_missing_grants.sql
\ir schema/registry/resolve_routine.sql
\ir schema/registry/allow_function.sql
\ir schema/registry/revoke_function.sql
\ir schema/registry/registered_call.sql
\ir schema/registry/set_runner_mode.sql
\ir schema/registry/queues.create_queue.sql
\ir schema/registry/queues.set_queue.sql
\ir schema/registry/queues.register_task_type.sql
\ir schema/registry/hooks_of.sql
\ir schema/registry/guard_queue.sql

-- claim: leases: claim, renewal, release and take-back of tasks.
\ir schema/claim/ready_key.sql
\ir schema/claim/lock_ready.sql
\ir schema/claim/lock_running.sql
\ir schema/claim/move_in_time.sql
\ir schema/claim/record_lease_end.sql
\ir schema/claim/move_to_ready.sql
\ir schema/claim/complete_running.sql
\ir schema/claim/end_dead_lease.sql
\ir schema/claim/is_running_row_held.sql
\ir schema/claim/hasten.sql
\ir schema/claim/lease_end.sql
\ir schema/claim/restart_lease.sql
\ir schema/claim/was_renewed_until.sql
\ir schema/claim/take_back.sql
\ir schema/claim/holder_of.sql
\ir schema/claim/add_holder.sql
\ir schema/claim/this_holder.sql
\ir schema/claim/queue_room.sql
\ir schema/claim/claim_lanes.sql
\ir schema/claim/share_bound.sql
\ir schema/claim/share_limit.sql
\ir schema/claim/without_suspects.sql
\ir schema/claim/claim_limits.sql
\ir schema/claim/within_destinations.sql
\ir schema/claim/claim_groups.sql
\ir schema/claim/claim_for.sql
\ir schema/claim/queues.claim.sql
\ir schema/claim/queues.claim_batch.sql
\ir schema/claim/queues.claim_next.sql
\ir schema/claim/cancel_state.sql
\ir schema/claim/queues.renew.sql
\ir schema/claim/queues.release.sql
\ir schema/claim/queues.next_due.sql
\ir schema/claim/queues.expire_lease.sql

-- run: database work: a function runs in the transaction that records the end of its task.
\ir schema/run/is_passing.sql
\ir schema/run/current_run.sql
\ir schema/run/queues.current_task_id.sql
\ir schema/run/require_own_run.sql
\ir schema/run/record_error.sql
\ir schema/run/record_late_success.sql
\ir schema/run/run_function.sql
\ir schema/run/leased_call.sql
\ir schema/run/run_leased.sql
\ir schema/run/read_envelope.sql
\ir schema/run/call_handler.sql
\ir schema/run/call_error_handler.sql
\ir schema/run/quiet_runs.sql
\ir schema/run/count_quiet_runs.sql
\ir schema/run/read_facts.sql
\ir schema/run/why_not_run.sql
\ir schema/run/cancel_running.sql
\ir schema/run/recorded_end.sql
\ir schema/run/begin_execute.sql
\ir schema/run/end_execute.sql
\ir schema/run/keep_leases.sql
\ir schema/run/judge_run.sql
\ir schema/run/run_task.sql
\ir schema/run/run_batch.sql
\ir schema/run/begin_plain.sql
\ir schema/run/run_one.sql
\ir schema/run/queues.execute.sql
\ir schema/run/queues.execute_batch.sql
\ir schema/run/queues.complete_noop.sql
\ir schema/run/is_executing.sql
\ir schema/run/worker.current_task_id.sql

-- dispatch: calls to the outside: the announcement with the before handler, and the outcome with the success or error handler.
\ir schema/dispatch/job_host.sql
\ir schema/dispatch/request_destination.sql
\ir schema/dispatch/call_destination.sql
\ir schema/dispatch/handler_destination.sql
\ir schema/dispatch/header_bounds.sql
\ir schema/dispatch/request_bounds.sql
\ir schema/dispatch/check_request.sql
\ir schema/dispatch/retry_later.sql
\ir schema/dispatch/give_back.sql
\ir schema/dispatch/stored_result.sql
\ir schema/dispatch/keep_late_result.sql
\ir schema/dispatch/with_handler.sql
\ir schema/dispatch/begin_finish.sql
\ir schema/dispatch/end_finish.sql
\ir schema/dispatch/begin_finishes.sql
\ir schema/dispatch/end_finishes.sql
\ir schema/dispatch/queues.finish.sql
\ir schema/dispatch/queues.finish_batch.sql
\ir schema/dispatch/queues.record_result.sql
\ir schema/dispatch/begin_dispatch_step.sql
\ir schema/dispatch/request_problem.sql
\ir schema/dispatch/record_dispatch.sql
\ir schema/dispatch/judge_before.sql
\ir schema/dispatch/begin_dispatches.sql
\ir schema/dispatch/record_dispatches.sql
\ir schema/dispatch/queues.begin_dispatch.sql
\ir schema/dispatch/queues.begin_dispatch_batch.sql
\ir schema/dispatch/queues.report_progress.sql

-- process: supervised processes: their runs, the facts that they read, and their ends.
\ir schema/process/process_ids.sql
\ir schema/process/new_process.sql
\ir schema/process/process_of.sql
\ir schema/process/close_process_if_done.sql
\ir schema/process/is_live.sql
\ir schema/process/is_dead_end.sql
\ir schema/process/fold_supervisor_runs.sql
\ir schema/process/drop_supervisor_runs.sql
\ir schema/process/has_other_work.sql
\ir schema/process/queues.backoff.sql
\ir schema/process/queues.recheck_delay.sql
\ir schema/process/enqueue_next_run.sql
\ir schema/process/end_supervisor_run.sql
\ir schema/process/queues.wake_process.sql
\ir schema/process/queues.revive_process.sql
\ir schema/process/queues.end_process.sql
\ir schema/process/queues.sweep_processes.sql

-- observe: figures for monitoring.
\ir schema/observe/queues.overdue.sql
\ir schema/observe/queues.metrics.sql
\ir schema/observe/roll_up.sql
\ir schema/observe/queues.top_queues.sql
\ir schema/observe/queues.top_workers.sql
\ir schema/observe/queues.top_running.sql
\ir schema/observe/queues.top_failures.sql
\ir schema/observe/queues.top_task.sql
\ir schema/observe/ended_as.sql

-- merge: merges of commands into a waiting one, and the folding of their payloads.
\ir schema/merge/dedup_slot.sql
\ir schema/merge/command_key.sql
\ir schema/merge/range_union.sql
\ir schema/merge/check_merge_rules.sql
\ir schema/merge/check_merge.sql
\ir schema/merge/fold_payload.sql
\ir schema/merge/call_merge.sql
\ir schema/merge/folded.sql
\ir schema/merge/merged_payload.sql
\ir schema/merge/take_merges.sql
\ir schema/merge/absorb.sql
\ir schema/merge/add_or_absorb.sql
\ir schema/merge/waiting_command.sql
\ir schema/merge/merge_command.sql
\ir schema/merge/rehome_task.sql
\ir schema/merge/rehome_merges.sql
\ir schema/merge/rehome_own_merges.sql
\ir schema/merge/fold_merges.sql
\ir schema/merge/shown_payload.sql

-- command: commands: the registry of handlers and hooks, their enqueue, runs, pauses and status.
\ir schema/command/notify_changed.sql
\ir schema/command/worker.notify_status.sql
\ir schema/command/notify_end.sql
\ir schema/command/command_ended.sql
\ir schema/command/insert_command.sql
\ir schema/command/insert_pending.sql
\ir schema/command/was_cancelled.sql
\ir schema/command/refuse_command.sql
\ir schema/command/enqueue_command.sql
\ir schema/command/command_routines.sql
\ir schema/command/run_hook.sql
\ir schema/command/record_hook_error.sql
\ir schema/command/judge_command.sql
\ir schema/command/load_command.sql
\ir schema/command/command_call.sql
\ir schema/command/judge_command_run.sql
\ir schema/command/fail_command_run.sql
\ir schema/command/command_task_ended.sql
\ir schema/command/run_command.sql
\ir schema/command/fail_command.sql
\ir schema/command/prepare_command.sql
\ir schema/command/check_command.sql
\ir schema/command/record_command.sql
\ir schema/command/insert_task.sql
\ir schema/command/run_pid.sql
\ir schema/command/held_leases.sql
\ir schema/command/abandon_lease.sql
\ir schema/command/end_backend.sql
\ir schema/command/worker.register_command.sql
\ir schema/command/worker.report_progress.sql
\ir schema/command/worker.reset_abandoned_processing_tasks.sql
\ir schema/command/worker.pause.sql
\ir schema/command/worker.command_task_cleanup.sql
\ir schema/command/worker.enqueue_task_cleanup.sql
\ir schema/command/worker.enqueue_function.sql
\ir schema/command/worker.current_status.sql

-- tree: parents and children, and the end of a parent.
\ir schema/tree/has_open_children.sql
\ir schema/tree/hold_sibling.sql
\ir schema/tree/tree_end.sql
\ir schema/tree/unblock_next.sql
\ir schema/tree/complete_parent.sql
\ir schema/tree/close_parents.sql
\ir schema/tree/cancel_tree.sql
\ir schema/tree/adopt_child.sql
\ir schema/tree/hold_trees.sql
\ir schema/tree/settle_parent.sql
\ir schema/tree/tree_info.sql
\ir schema/tree/worker.spawn.sql
\ir schema/tree/worker.has_pending_children.sql
\ir schema/tree/worker.has_failed_siblings.sql
\ir schema/tree/worker.rescue_waiting_parents.sql

-- vault: secrets, the roles that may name them, and the hosts that may receive them.
\ir schema/vault/vault.create_secret.sql
\ir schema/vault/put_secret.sql
\ir schema/vault/unsealed_secrets.sql
\ir schema/vault/unsealed_names.sql
\ir schema/vault/has_secret_argument.sql
\ir schema/vault/url_place.sql
\ir schema/vault/is_edge_secret.sql
\ir schema/vault/allow_secret.sql
\ir schema/vault/secret_problem.sql
\ir schema/vault/named_secrets.sql
\ir schema/vault/vault_values.sql
\ir schema/vault/call_secrets.sql

-- job: HTTP jobs as rows: checks, runs, retries, follow-up jobs, and the views for users.
\ir schema/job/job_secrets.sql
\ir schema/job/check_signer.sql
\ir schema/job/token_expiry.sql
\ir schema/job/session_token.sql
\ir schema/job/check_job_function.sql
\ir schema/job/leaves_base.sql
\ir schema/job/check_job_secrets.sql
\ir schema/job/check_job.sql
\ir schema/job/add_job.sql
\ir schema/job/job_task_ended.sql
\ir schema/job/job_run_call.sql
\ir schema/job/end_job_runs.sql
\ir schema/job/finish_runs.sql
\ir schema/job/restart_job.sql
\ir schema/job/retry_after.sql
\ir schema/job/retry_wait.sql
\ir schema/job/request_secrets.sql
\ir schema/job/follow_up.sql
\ir schema/job/end_runs.sql
\ir schema/job/begin_runs.sql
\ir schema/job/job_call.sql
\ir schema/job/run_job.sql
\ir schema/job/pgqueue.cancel_job.sql
\ir schema/job/pgqueue.reschedule_job.sql
\ir schema/job/pgqueue.retry_job.sql
\ir schema/job/pgqueue.replay_failed.sql
\ir schema/job/pgqueue.run_scheduled_jobs.sql
\ir schema/job/insert_job.sql
\ir schema/job/update_job.sql

-- webhook: row changes that become jobs.
\ir schema/webhook/webhook_arguments.sql
\ir schema/webhook/key_columns.sql
\ir schema/webhook/webhook_payload.sql
\ir schema/webhook/webhook_job.sql
\ir schema/webhook/add_webhook_jobs.sql
\ir schema/webhook/check_webhook_trigger.sql
\ir schema/webhook/keep_change.sql
\ir schema/webhook/forget_change.sql
\ir schema/webhook/to_plain_json.sql
\ir schema/webhook/kept_rows.sql
\ir schema/webhook/capture_statement.sql
\ir schema/webhook/has_plain_json.sql
\ir schema/webhook/plain_json.sql
\ir schema/webhook/change_payloads.sql
\ir schema/webhook/store_webhook.sql
\ir schema/webhook/remove_webhook.sql
\ir schema/webhook/pgqueue.trigger_webhook.sql
\ir schema/webhook/fire_webhook.sql
\ir schema/webhook/pgqueue.make_webhook_jobs.sql
\ir schema/webhook/pgqueue.create_webhook.sql
\ir schema/webhook/pgqueue.drop_webhook.sql
\ir schema/webhook/pgqueue.enable_webhook.sql

-- schedule: recurring work: expressions, slots, decisions, and the functions for people.
\ir schema/schedule/parse_field.sql
\ir schema/schedule/next_local.sql
\ir schema/schedule/parse_cron.sql
\ir schema/schedule/slot_at.sql
\ir schema/schedule/next_change.sql
\ir schema/schedule/next_slot.sql
\ir schema/schedule/last_slot.sql
\ir schema/schedule/count_slots.sql
\ir schema/schedule/cron_words.sql
\ir schema/schedule/wait_words.sql
\ir schema/schedule/check_zone.sql
\ir schema/schedule/parse_when.sql
\ir schema/schedule/queues.next_fires.sql
\ir schema/schedule/slot_end.sql
\ir schema/schedule/start_work.sql
\ir schema/schedule/record_slots.sql
\ir schema/schedule/settle_open.sql
\ir schema/schedule/decide_slots.sql
\ir schema/schedule/queues.fire_due.sql
\ir schema/schedule/fire_in_test.sql
\ir schema/schedule/prune_fires.sql
\ir schema/schedule/rebuild_schedules.sql
\ir schema/schedule/check_schedule.sql
\ir schema/schedule/queues.schedule.sql
\ir schema/schedule/queues.pause_schedule.sql
\ir schema/schedule/queues.fire_schedule.sql
\ir schema/schedule/queues.import_schedules.sql

-- worker: workers: their start, their signs of life, the queues that they serve, and the gate at which they sleep.
\ir schema/worker/is_served.sql
\ir schema/worker/tidy_session.sql
\ir schema/worker/enter_gate.sql
\ir schema/worker/leave_gate.sql
\ir schema/worker/queues.worker_settings.sql
\ir schema/worker/queues.start_worker.sql
\ir schema/worker/queues.stop_worker.sql
\ir schema/worker/queues.worker_alive.sql

-- client: the documented functions for programs that lease and complete one task at a time.
\ir schema/client/leased_task.sql
\ir schema/client/queues.dequeue_next_available_task.sql
\ir schema/client/queues.held_lease.sql
\ir schema/client/queues.complete_task.sql
\ir schema/client/queues.fail_task.sql

-- operate: functions and views for operators: cancel, retry, retention, advice, states.
\ir schema/operate/count_ended_tasks.sql
\ir schema/operate/cancel_below.sql
\ir schema/operate/cancel_work.sql
\ir schema/operate/queues.cancel_task.sql
\ir schema/operate/last_payloads.sql
\ir schema/operate/repeat_problems.sql
\ir schema/operate/repeat_supervisor_run.sql
\ir schema/operate/repeat_tasks.sql
\ir schema/operate/queues.retry_task.sql
\ir schema/operate/queues.reschedule_task.sql
\ir schema/operate/process_qualifies.sql
\ir schema/operate/prune_tasks.sql
\ir schema/operate/queues.prune.sql
\ir schema/operate/queues.advise.sql
\ir schema/operate/ready_state.sql
\ir schema/operate/state_of.sql
\ir schema/operate/queues.task_result.sql

-- bulk: one act on many tasks, processes or jobs.
\ir schema/bulk/check_bulk.sql
\ir schema/bulk/scan_ended_tasks.sql
\ir schema/bulk/scan_open_tasks.sql
\ir schema/bulk/scan_processes.sql
\ir schema/bulk/scan_jobs.sql
\ir schema/bulk/scan_bulk.sql
\ir schema/bulk/lock_bulk.sql
\ir schema/bulk/bulk_examples.sql
\ir schema/bulk/bulk_preview.sql
\ir schema/bulk/queues.preview_bulk.sql
\ir schema/bulk/act_on_one.sql
\ir schema/bulk/act_one_by_one.sql
\ir schema/bulk/retry_batch.sql
\ir schema/bulk/begin_bulk.sql
\ir schema/bulk/act_on_batch.sql
\ir schema/bulk/queues.run_bulk.sql
\ir schema/bulk/add_carrier.sql
\ir schema/bulk/queues.start_bulk.sql
\ir schema/bulk/queues.carry_bulk.sql
\ir schema/bulk/queues.stop_bulk.sql
\ir schema/bulk/prune_acts.sql

-- why: explanations: what a task, process or job waits for, or why it ended as it did.
\ir schema/why/explained.sql
\ir schema/why/row_locker.sql
\ir schema/why/last_error_words.sql
\ir schema/why/worker_words.sql
\ir schema/why/unregistered_names.sql
\ir schema/why/explain_end.sql
\ir schema/why/explain_lease.sql
\ir schema/why/explain_tree.sql
\ir schema/why/explain_time.sql
\ir schema/why/explain_queue.sql
\ir schema/why/explain_workers.sql
\ir schema/why/explain_turn.sql
\ir schema/why/explain_wait.sql
\ir schema/why/explain_task.sql
\ir schema/why/lock_holders.sql
\ir schema/why/queues.why.sql
\ir schema/why/queues.why_process.sql
\ir schema/why/pgqueue.why_job.sql

-- look: lists, counts of open work, the story of a task, and a search by id or name.
\ir schema/look/check_look.sql
\ir schema/look/check_word.sql
\ir schema/look/look_bounds.sql
\ir schema/look/list_answer.sql
\ir schema/look/executing_keys.sql
\ir schema/look/open_tasks.sql
\ir schema/look/task_places.sql
\ir schema/look/task_rows.sql
\ir schema/look/look_at_ended.sql
\ir schema/look/look_at_tasks.sql
\ir schema/look/queues.list_tasks.sql
\ir schema/look/live_processes.sql
\ir schema/look/queues.list_processes.sql
\ir schema/look/pgqueue.list_jobs.sql
\ir schema/look/count_open.sql
\ir schema/look/shared_counts.sql
\ir schema/look/queues.open_counts.sql
\ir schema/look/queues.show_task.sql
\ir schema/look/queues.task_story.sql
\ir schema/look/queues.find.sql
\ir schema/look/queues.attention.sql
\ir schema/look/command_rows.sql
\ir schema/look/worker.list_commands.sql

-- dashboard: forms that are carried out once.
\ir schema/dashboard/queues.claim_act.sql

-- check: the working set that the facts imply, its check and its repair.
\ir schema/check/queues.rebuild_working_set.sql
\ir schema/check/open_task_ids.sql
\ir schema/check/check_working_set.sql
\ir schema/check/check_trees.sql
\ir schema/check/check_chains.sql
\ir schema/check/check_leases.sql
\ir schema/check/check_completions.sql
\ir schema/check/check_dispatches.sql
\ir schema/check/check_processes.sql
\ir schema/check/check_schedules.sql
\ir schema/check/queues.check_part.sql
\ir schema/check/queues.check.sql

-- test: runs of tasks inside the transaction of a caller, for tests of applications.
\ir schema/test/test_worker.sql
\ir schema/test/has_room.sql
\ir schema/test/lease_row.sql
\ir schema/test/lease_for_test.sql
\ir schema/test/lease_next.sql
\ir schema/test/queues.simulate.sql
\ir schema/test/worker.process_tasks.sql

-- Views, which may call any function above.
\ir schema/registry/views/task_variant.sql
\ir schema/check/views/open_task.sql
\ir schema/check/views/expected_ready.sql
\ir schema/check/views/expected_running.sql
\ir schema/vault/views/vault.decrypted_secrets.sql
\ir schema/operate/views/queues.task_state.sql
\ir schema/retry/views/queues.task_chain.sql
\ir schema/operate/views/queues.queue_state.sql
\ir schema/bulk/views/queues.bulk_state.sql
\ir schema/process/views/queues.process_state.sql
\ir schema/worker/views/queues.worker_state.sql
\ir schema/operate/views/queues.lease_outcome.sql
\ir schema/command/views/worker.queue_registry.sql
\ir schema/command/views/worker.tasks.sql
\ir schema/job/views/pgqueue.job_queue.sql
\ir schema/webhook/views/pgqueue.webhooks.sql
\ir schema/schedule/views/queues.schedule_state.sql

-- module: comms
-- Messages, templates, and the supervised send of e-mail and text messages.
\ir schema/comms/generate_message_body_from_template.sql
\ir schema/comms/render_email_template.sql
\ir schema/comms/render_sms_template.sql
\ir schema/comms/from_email_address.sql
\ir schema/comms/message_exists.sql
\ir schema/comms/create_email_message.sql
\ir schema/comms/create_sms_message.sql
\ir schema/comms/start_send_email_task.sql
\ir schema/comms/kickoff_send_email_task.sql
\ir schema/comms/create_and_kickoff_email_task.sql
\ir schema/comms/has_send_email_succeeded_attempt.sql
\ir schema/comms/count_send_email_failed_attempts.sql
\ir schema/comms/count_send_email_attempts.sql
\ir schema/comms/send_email_supervisor_facts.sql
\ir schema/comms/schedule_email_attempt.sql
\ir schema/comms/schedule_email_supervisor_recheck.sql
\ir schema/comms/record_lost_email_attempts.sql
\ir schema/comms/send_email_supervisor.sql
\ir schema/comms/email_attempt_of.sql
\ir schema/comms/get_email_payload.sql
\ir schema/comms/record_email_success.sql
\ir schema/comms/record_email_failure.sql
\ir schema/comms/start_send_sms_task.sql
\ir schema/comms/kickoff_send_sms_task.sql
\ir schema/comms/create_and_kickoff_sms_task.sql
\ir schema/comms/has_send_sms_succeeded_attempt.sql
\ir schema/comms/count_send_sms_failed_attempts.sql
\ir schema/comms/count_send_sms_attempts.sql
\ir schema/comms/send_sms_supervisor_facts.sql
\ir schema/comms/schedule_sms_attempt.sql
\ir schema/comms/schedule_sms_supervisor_recheck.sql
\ir schema/comms/record_lost_sms_attempts.sql
\ir schema/comms/send_sms_supervisor.sql
\ir schema/comms/sms_attempt_of.sql
\ir schema/comms/get_sms_payload.sql
\ir schema/comms/record_sms_success.sql
\ir schema/comms/record_sms_failure.sql
\ir schema/comms/views/send_email_task_scheduled.sql
\ir schema/comms/views/send_email_task_succeeded.sql
\ir schema/comms/views/send_email_task_failed.sql
\ir schema/comms/views/send_sms_task_scheduled.sql
\ir schema/comms/views/send_sms_task_succeeded.sql
\ir schema/comms/views/send_sms_task_failed.sql
-- end of module

-- module: files
-- Stored files, and their supervised deletion.
\ir schema/files/create_file.sql
\ir schema/files/is_file_deleted.sql
\ir schema/files/mark_file_deleted.sql
\ir schema/files/has_file_deletion_succeeded_attempt.sql
\ir schema/files/count_file_deletion_failed_attempts.sql
\ir schema/files/count_file_deletion_attempts.sql
\ir schema/files/file_deletion_supervisor_facts.sql
\ir schema/files/is_file_deletion_stuck.sql
\ir schema/files/kickoff_file_deletion.sql
\ir schema/files/schedule_file_deletion_attempt.sql
\ir schema/files/schedule_file_deletion_recheck.sql
\ir schema/files/record_lost_file_deletion_attempts.sql
\ir schema/files/file_deletion_supervisor.sql
\ir schema/files/file_deletion_attempt_of.sql
\ir schema/files/get_file_delete_payload.sql
\ir schema/files/record_file_delete_success.sql
\ir schema/files/record_file_delete_failure.sql
\ir schema/files/views/file_deletion_task_succeeded.sql
\ir schema/files/views/file_deletion_task_failed.sql
-- end of module
