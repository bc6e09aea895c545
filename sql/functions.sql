-- Table of contents of the functions and views: how the API is used, then the files.
-- This file is applied whole after each migration, so nothing in it is ever written
-- into a migration.
--
--   any SQL client      queues.enqueue, queues.enqueue_many; worker.enqueue for commands
--   a worker            queues.start_worker, claim, execute / begin_dispatch + finish,
--                       renew, release, stop_worker
--   a plain client      queues.dequeue_next_available_task, complete_task, fail_task
--   a supervisor        queues.enqueue itself, recheck_delay, wake_process
--   a command           worker.spawn children, report_progress
--   an operator         cancel_task, retry_task, pause_queue, revive_process, check
--   a test              queues.set_test_clock, worker.process_tasks, queues.simulate
--   jobs                insert into pgqueue.job_queue; retry_job, cancel_job
--   webhooks            pgqueue.create_webhook, or a trigger with pgqueue.trigger_webhook
--   an application      comms.create_and_kickoff_email_task, ..._sms_task, files.kickoff_file_deletion

-- Time, settings, small helpers.
\ir schema/internal/functions/number_setting.sql
\ir schema/internal/functions/test_clock_at.sql
\ir schema/queues/functions/clock.sql
\ir schema/internal/functions/refuse_test_commit.sql
\ir schema/internal/functions/refuse_change.sql
\ir schema/internal/functions/refuse_insert.sql
\ir schema/internal/functions/take_relation.sql
\ir schema/internal/functions/has_trigger.sql
\ir schema/internal/functions/keep_triggers.sql
\ir schema/internal/functions/keep_view.sql
\ir schema/internal/functions/audit.sql
\ir schema/queues/functions/set_test_clock.sql
\ir schema/queues/functions/schema_version.sql
\ir schema/internal/functions/current_run.sql
\ir schema/queues/functions/current_task_id.sql
\ir schema/internal/functions/require_own_run.sql
\ir schema/internal/functions/system_identifier.sql
\ir schema/internal/functions/get_config.sql
\ir schema/internal/functions/check_config.sql
\ir schema/internal/functions/put_config.sql
\ir schema/internal/functions/require_read_committed.sql
\ir schema/internal/functions/check_pairs.sql
\ir schema/internal/functions/require_task.sql
\ir schema/internal/functions/require_queue.sql
\ir schema/internal/functions/note_error.sql
\ir schema/internal/functions/note_late_success.sql
\ir schema/internal/functions/count_ended_tasks.sql
\ir schema/internal/functions/bounded.sql
\ir schema/internal/functions/shown_url.sql
\ir schema/internal/functions/check_text.sql
\ir schema/internal/functions/acting_role.sql

-- Merging commands.
\ir schema/internal/functions/dedup_slot.sql
\ir schema/internal/functions/command_key.sql
\ir schema/internal/functions/range_union.sql
\ir schema/internal/functions/check_merge_rules.sql
\ir schema/internal/functions/check_merge.sql
\ir schema/internal/functions/fold_payload.sql
\ir schema/internal/functions/call_merge.sql
\ir schema/internal/functions/folded.sql
\ir schema/internal/functions/merged_payload.sql

-- Views over the facts, for checks and repair.
\ir schema/internal/functions/job_host.sql
\ir schema/internal/functions/request_destination.sql
\ir schema/internal/functions/call_destination.sql
\ir schema/internal/views/open_task.sql
\ir schema/internal/views/expected_ready.sql
\ir schema/internal/views/expected_running.sql
\ir schema/internal/functions/was_renewed_until.sql
\ir schema/internal/functions/lease_end.sql

-- Enqueue.
\ir schema/internal/functions/enqueue_rule.sql
\ir schema/internal/functions/check_payload.sql
\ir schema/internal/functions/fits_position.sql
\ir schema/internal/functions/allow_hint.sql
\ir schema/internal/functions/check_enqueuer.sql
\ir schema/internal/functions/check_reserved.sql
\ir schema/internal/functions/check_names.sql
\ir schema/internal/functions/checked_extras.sql
\ir schema/internal/functions/process_ids.sql
\ir schema/internal/functions/new_process.sql
\ir schema/internal/functions/process_of.sql
\ir schema/internal/functions/count_enqueued.sql
\ir schema/internal/functions/note_change.sql
\ir schema/internal/functions/wake_workers.sql
\ir schema/internal/functions/tell_changed.sql
\ir schema/internal/functions/take_merges.sql
\ir schema/worker/functions/notify_status.sql
\ir schema/internal/functions/tell_end.sql
\ir schema/internal/functions/has_open_children.sql
\ir schema/internal/functions/hold_sibling.sql
\ir schema/internal/functions/family_end.sql
\ir schema/internal/functions/unblock_next.sql
\ir schema/internal/functions/complete_parent.sql
\ir schema/internal/functions/close_parents.sql
\ir schema/internal/functions/cancel_family.sql
\ir schema/internal/functions/command_ended.sql
\ir schema/internal/functions/drop_ready.sql
\ir schema/internal/functions/absorb.sql
\ir schema/internal/functions/add_task.sql
\ir schema/internal/functions/add_or_absorb.sql
\ir schema/internal/functions/insert_command.sql
\ir schema/internal/functions/insert_pending.sql
\ir schema/internal/functions/waiting_command.sql
\ir schema/internal/functions/was_cancelled.sql
\ir schema/internal/functions/merge_command.sql
\ir schema/internal/functions/adopt_child.sql
\ir schema/internal/functions/refuse_command.sql
\ir schema/internal/functions/enqueue_command.sql
\ir schema/queues/functions/enqueue.sql
\ir schema/queues/functions/enqueue_many.sql

-- Registry and runner.
\ir schema/internal/functions/runner_role.sql
\ir schema/internal/functions/fits_kinds.sql
\ir schema/internal/functions/find_routine.sql
\ir schema/internal/functions/resolve_function.sql
\ir schema/internal/functions/store_function.sql
\ir schema/internal/functions/grant_function.sql
\ir schema/internal/functions/warn_missing_grants.sql
\ir schema/internal/functions/resolve_routine.sql
\ir schema/internal/functions/allow_function.sql
\ir schema/internal/functions/revoke_function.sql
\ir schema/internal/functions/registered_call.sql
\ir schema/internal/functions/run_function.sql
\ir schema/internal/functions/leased_call.sql
\ir schema/internal/functions/run_leased.sql
\ir schema/internal/functions/command_routines.sql
\ir schema/internal/functions/set_runner_mode.sql
\ir schema/internal/functions/read_envelope.sql
\ir schema/internal/functions/call_handler.sql
\ir schema/internal/functions/call_error_handler.sql

-- Working set: moves, processes.
\ir schema/internal/functions/ready_key.sql
\ir schema/internal/functions/lock_ready.sql
\ir schema/internal/functions/lock_running.sql
\ir schema/internal/functions/move_in_time.sql
\ir schema/internal/functions/note_lease_end.sql
\ir schema/internal/functions/move_to_ready.sql
\ir schema/internal/functions/close_process_if_done.sql
\ir schema/internal/functions/complete_running.sql
\ir schema/internal/functions/end_dead_lease.sql
\ir schema/internal/functions/is_live.sql
\ir schema/internal/functions/is_dead_end.sql
\ir schema/internal/functions/fold_ticks.sql
\ir schema/internal/functions/drop_ticks.sql
\ir schema/internal/functions/has_other_work.sql
\ir schema/queues/functions/backoff.sql
\ir schema/queues/functions/recheck_delay.sql
\ir schema/internal/functions/enqueue_next_tick.sql
\ir schema/internal/functions/end_tick.sql

-- Claim, renew, release.
\ir schema/internal/functions/is_ours.sql
\ir schema/internal/functions/is_running_row_held.sql
\ir schema/internal/functions/hasten.sql
\ir schema/internal/functions/rehome_task.sql
\ir schema/internal/functions/rehome_merges.sql
\ir schema/internal/functions/rehome_own_merges.sql
\ir schema/internal/functions/restart_lease.sql
\ir schema/internal/functions/take_back.sql
\ir schema/internal/functions/holder_of.sql
\ir schema/internal/functions/add_holder.sql
\ir schema/internal/functions/this_holder.sql
\ir schema/internal/functions/queue_room.sql
\ir schema/internal/functions/claim_lanes.sql
\ir schema/internal/functions/share_bound.sql
\ir schema/internal/functions/share_limit.sql
\ir schema/internal/functions/without_suspects.sql
\ir schema/internal/functions/claim_limits.sql
\ir schema/internal/functions/within_destinations.sql
\ir schema/internal/functions/claim_groups.sql
\ir schema/internal/functions/claim_for.sql
\ir schema/queues/functions/claim.sql
\ir schema/queues/functions/claim_batch.sql
\ir schema/queues/functions/claim_next.sql
\ir schema/queues/functions/renew.sql
\ir schema/queues/functions/release.sql
\ir schema/queues/functions/next_due.sql

-- Secrets.
\ir schema/vault/views/decrypted_secrets.sql
\ir schema/vault/functions/create_secret.sql
\ir schema/internal/functions/put_secret.sql
\ir schema/internal/functions/unsealed_secrets.sql
\ir schema/internal/functions/unsealed_names.sql
\ir schema/internal/functions/has_secret_argument.sql
\ir schema/internal/functions/url_place.sql
\ir schema/internal/functions/is_edge_secret.sql
\ir schema/internal/functions/allow_secret.sql
\ir schema/internal/functions/secret_problem.sql
\ir schema/internal/functions/named_secrets.sql
\ir schema/internal/functions/header_bounds.sql
\ir schema/internal/functions/request_bounds.sql
\ir schema/internal/functions/check_request.sql
\ir schema/internal/functions/vault_values.sql
\ir schema/internal/functions/call_secrets.sql
\ir schema/internal/functions/job_secrets.sql
\ir schema/internal/functions/check_signer.sql

-- Jobs.
\ir schema/internal/functions/token_expiry.sql
\ir schema/internal/functions/session_token.sql
\ir schema/internal/functions/check_job_function.sql
\ir schema/internal/functions/leaves_base.sql
\ir schema/internal/functions/check_job_secrets.sql
\ir schema/internal/functions/check_job.sql
\ir schema/internal/functions/add_job.sql
\ir schema/internal/functions/job_task_ended.sql
\ir schema/internal/functions/restart_job.sql
\ir schema/internal/functions/retry_after.sql
\ir schema/internal/functions/retry_wait.sql
\ir schema/internal/functions/request_secrets.sql
\ir schema/internal/functions/follow_up.sql
\ir schema/internal/functions/end_runs.sql
\ir schema/internal/functions/begin_runs.sql
\ir schema/internal/functions/job_call.sql
\ir schema/internal/functions/run_job.sql

-- Run and finish.
\ir schema/internal/functions/quiet_runs.sql
\ir schema/internal/functions/count_quiet_runs.sql
\ir schema/internal/functions/read_facts.sql
\ir schema/internal/functions/why_not_run.sql
\ir schema/internal/functions/cancel_running.sql
\ir schema/internal/functions/recorded_end.sql
\ir schema/internal/functions/error_text.sql
\ir schema/internal/functions/run_hook.sql
\ir schema/internal/functions/note_hook_error.sql
\ir schema/internal/functions/settle_parent.sql
\ir schema/internal/functions/judge_command.sql
\ir schema/internal/functions/load_command.sql
\ir schema/internal/functions/fold_merges.sql
\ir schema/internal/functions/run_command.sql
\ir schema/internal/functions/begin_execute.sql
\ir schema/internal/functions/end_execute.sql
\ir schema/internal/functions/judge_run.sql
\ir schema/internal/functions/fail_command.sql
\ir schema/internal/functions/prepare_command.sql
\ir schema/internal/functions/run_task.sql
\ir schema/internal/functions/run_batch.sql
\ir schema/internal/functions/begin_plain.sql
\ir schema/internal/functions/run_one.sql
\ir schema/queues/functions/execute.sql
\ir schema/queues/functions/execute_batch.sql
\ir schema/internal/functions/retry_later.sql
\ir schema/internal/functions/give_back.sql
\ir schema/internal/functions/stored_result.sql
\ir schema/internal/functions/keep_late_result.sql
\ir schema/internal/functions/with_handler.sql
\ir schema/internal/functions/begin_finish.sql
\ir schema/internal/functions/end_finish.sql
\ir schema/internal/functions/begin_finishes.sql
\ir schema/internal/functions/end_finishes.sql
\ir schema/queues/functions/finish.sql
\ir schema/queues/functions/finish_batch.sql
\ir schema/queues/functions/complete_noop.sql
\ir schema/queues/functions/record_result.sql
\ir schema/internal/functions/begin_dispatch_step.sql
\ir schema/internal/functions/request_problem.sql
\ir schema/internal/functions/note_dispatch.sql
\ir schema/internal/functions/judge_before.sql
\ir schema/internal/functions/begin_dispatches.sql
\ir schema/internal/functions/note_dispatches.sql
\ir schema/queues/functions/begin_dispatch.sql
\ir schema/queues/functions/begin_dispatch_batch.sql

-- The documented single-row functions.
\ir schema/internal/functions/leased_task.sql
\ir schema/queues/functions/dequeue_next_available_task.sql
\ir schema/queues/functions/held_lease.sql
\ir schema/queues/functions/complete_task.sql
\ir schema/queues/functions/fail_task.sql

-- Workers.
\ir schema/internal/functions/require_adopted.sql
\ir schema/internal/functions/is_served.sql
\ir schema/queues/functions/worker_settings.sql
\ir schema/queues/functions/start_worker.sql
\ir schema/queues/functions/stop_worker.sql
\ir schema/queues/functions/worker_alive.sql

-- Operators and administrators.
\ir schema/queues/functions/cancel_task.sql
\ir schema/queues/functions/retry_task.sql
\ir schema/queues/functions/reschedule_task.sql
\ir schema/queues/functions/expire_lease.sql
\ir schema/queues/functions/create_queue.sql
\ir schema/queues/functions/register_task_type.sql
\ir schema/queues/functions/wake_process.sql
\ir schema/queues/functions/revive_process.sql
\ir schema/queues/functions/end_process.sql
\ir schema/queues/functions/sweep_processes.sql
\ir schema/internal/functions/process_qualifies.sql
\ir schema/internal/functions/prune_tasks.sql
\ir schema/queues/functions/prune.sql
\ir schema/queues/functions/rebuild_working_set.sql
\ir schema/internal/functions/open_task_ids.sql
\ir schema/internal/functions/check_working_set.sql
\ir schema/internal/functions/check_trees.sql
\ir schema/internal/functions/check_leases.sql
\ir schema/internal/functions/check_completions.sql
\ir schema/internal/functions/check_dispatches.sql
\ir schema/internal/functions/check_processes.sql
\ir schema/queues/functions/check_part.sql
\ir schema/queues/functions/check.sql
\ir schema/queues/functions/advise.sql
\ir schema/queues/functions/adopt_database.sql
\ir schema/internal/functions/is_executing.sql
\ir schema/internal/functions/ready_state.sql
\ir schema/internal/functions/state_of.sql
\ir schema/queues/functions/task_result.sql

-- Runs inside the caller's transaction.
\ir schema/internal/functions/test_worker.sql
\ir schema/internal/functions/has_room.sql
\ir schema/internal/functions/lease_row.sql
\ir schema/internal/functions/lease_for_test.sql
\ir schema/internal/functions/lease_next.sql
\ir schema/queues/functions/simulate.sql
\ir schema/worker/functions/process_tasks.sql

-- Commands: registry, faces of enqueue, control.
\ir schema/internal/functions/check_command.sql
\ir schema/internal/functions/note_command.sql
\ir schema/internal/functions/guard_queue.sql
\ir schema/internal/functions/insert_task.sql
\ir schema/internal/functions/is_operator.sql
\ir schema/internal/functions/shown_payload.sql
\ir schema/internal/functions/family_info.sql
\ir schema/internal/functions/run_pid.sql
\ir schema/internal/functions/held_leases.sql
\ir schema/internal/functions/abandon_lease.sql
\ir schema/internal/functions/end_backend.sql
\ir schema/worker/functions/register_command.sql
\ir schema/worker/functions/enqueue.sql
\ir schema/worker/functions/spawn.sql
\ir schema/worker/functions/current_task_id.sql
\ir schema/worker/functions/report_progress.sql
\ir schema/worker/functions/has_pending_children.sql
\ir schema/worker/functions/has_failed_siblings.sql
\ir schema/worker/functions/rescue_waiting_parents.sql
\ir schema/worker/functions/reset_abandoned_processing_tasks.sql
\ir schema/worker/functions/pause.sql
\ir schema/worker/functions/command_task_cleanup.sql
\ir schema/worker/functions/enqueue_task_cleanup.sql
\ir schema/worker/functions/enqueue_function.sql

-- Views.
\ir schema/queues/views/task_state.sql
\ir schema/queues/views/queue_state.sql
\ir schema/queues/views/process_state.sql
\ir schema/queues/views/worker_state.sql
\ir schema/queues/views/lease_outcome.sql
\ir schema/worker/views/queue_registry.sql
\ir schema/worker/views/tasks.sql
\ir schema/worker/functions/current_status.sql

-- Jobs, as their users see them.
\ir schema/pgqueue/functions/cancel_job.sql
\ir schema/pgqueue/functions/reschedule_job.sql
\ir schema/pgqueue/functions/retry_job.sql
\ir schema/pgqueue/functions/replay_failed.sql
\ir schema/pgqueue/functions/run_scheduled_jobs.sql
\ir schema/pgqueue/views/job_queue.sql
\ir schema/internal/functions/insert_job.sql
\ir schema/internal/functions/update_job.sql

-- Webhooks on tables.
\ir schema/internal/functions/webhook_arguments.sql
\ir schema/internal/functions/key_columns.sql
\ir schema/internal/functions/webhook_payload.sql
\ir schema/internal/functions/webhook_job.sql
\ir schema/internal/functions/add_webhook_jobs.sql
\ir schema/internal/functions/check_webhook_trigger.sql
\ir schema/internal/functions/keep_change.sql
\ir schema/internal/functions/forget_change.sql
\ir schema/internal/functions/to_plain_json.sql
\ir schema/internal/functions/kept_rows.sql
\ir schema/internal/functions/capture_statement.sql
\ir schema/internal/functions/has_plain_json.sql
\ir schema/internal/functions/plain_json.sql
\ir schema/internal/functions/change_payloads.sql
\ir schema/internal/functions/fire_webhook.sql
\ir schema/internal/functions/store_webhook.sql
\ir schema/internal/functions/remove_webhook.sql
\ir schema/pgqueue/views/webhooks.sql
\ir schema/pgqueue/functions/trigger_webhook.sql
\ir schema/pgqueue/functions/make_webhook_jobs.sql
\ir schema/pgqueue/functions/create_webhook.sql
\ir schema/pgqueue/functions/drop_webhook.sql
\ir schema/pgqueue/functions/enable_webhook.sql

-- module: comms
-- Messages, templates, and the supervised send of e-mail and text messages.
\ir schema/comms/functions/generate_message_body_from_template.sql
\ir schema/comms/functions/render_email_template.sql
\ir schema/comms/functions/render_sms_template.sql
\ir schema/comms/functions/from_email_address.sql
\ir schema/comms/functions/message_exists.sql
\ir schema/comms/functions/create_email_message.sql
\ir schema/comms/functions/create_sms_message.sql
\ir schema/comms/functions/start_send_email_task.sql
\ir schema/comms/functions/kickoff_send_email_task.sql
\ir schema/comms/functions/create_and_kickoff_email_task.sql
\ir schema/comms/functions/has_send_email_succeeded_attempt.sql
\ir schema/comms/functions/count_send_email_failed_attempts.sql
\ir schema/comms/functions/count_send_email_attempts.sql
\ir schema/comms/functions/send_email_supervisor_facts.sql
\ir schema/comms/functions/schedule_email_attempt.sql
\ir schema/comms/functions/schedule_email_supervisor_recheck.sql
\ir schema/comms/functions/record_lost_email_attempts.sql
\ir schema/comms/functions/send_email_supervisor.sql
\ir schema/comms/functions/email_attempt_of.sql
\ir schema/comms/functions/get_email_payload.sql
\ir schema/comms/functions/record_email_success.sql
\ir schema/comms/functions/record_email_failure.sql
\ir schema/comms/functions/start_send_sms_task.sql
\ir schema/comms/functions/kickoff_send_sms_task.sql
\ir schema/comms/functions/create_and_kickoff_sms_task.sql
\ir schema/comms/functions/has_send_sms_succeeded_attempt.sql
\ir schema/comms/functions/count_send_sms_failed_attempts.sql
\ir schema/comms/functions/count_send_sms_attempts.sql
\ir schema/comms/functions/send_sms_supervisor_facts.sql
\ir schema/comms/functions/schedule_sms_attempt.sql
\ir schema/comms/functions/schedule_sms_supervisor_recheck.sql
\ir schema/comms/functions/record_lost_sms_attempts.sql
\ir schema/comms/functions/send_sms_supervisor.sql
\ir schema/comms/functions/sms_attempt_of.sql
\ir schema/comms/functions/get_sms_payload.sql
\ir schema/comms/functions/record_sms_success.sql
\ir schema/comms/functions/record_sms_failure.sql
\ir schema/comms/views/send_email_task_scheduled.sql
\ir schema/comms/views/send_email_task_succeeded.sql
\ir schema/comms/views/send_email_task_failed.sql
\ir schema/comms/views/send_sms_task_scheduled.sql
\ir schema/comms/views/send_sms_task_succeeded.sql
\ir schema/comms/views/send_sms_task_failed.sql
-- end of module

-- module: files
-- Stored files, and their supervised deletion.
\ir schema/files/functions/create_file.sql
\ir schema/files/functions/is_file_deleted.sql
\ir schema/files/functions/mark_file_deleted.sql
\ir schema/files/functions/has_file_deletion_succeeded_attempt.sql
\ir schema/files/functions/count_file_deletion_failed_attempts.sql
\ir schema/files/functions/count_file_deletion_attempts.sql
\ir schema/files/functions/file_deletion_supervisor_facts.sql
\ir schema/files/functions/is_file_deletion_stuck.sql
\ir schema/files/functions/kickoff_file_deletion.sql
\ir schema/files/functions/schedule_file_deletion_attempt.sql
\ir schema/files/functions/schedule_file_deletion_recheck.sql
\ir schema/files/functions/record_lost_file_deletion_attempts.sql
\ir schema/files/functions/file_deletion_supervisor.sql
\ir schema/files/functions/file_deletion_attempt_of.sql
\ir schema/files/functions/get_file_delete_payload.sql
\ir schema/files/functions/record_file_delete_success.sql
\ir schema/files/functions/record_file_delete_failure.sql
\ir schema/files/views/file_deletion_task_succeeded.sql
\ir schema/files/views/file_deletion_task_failed.sql
-- end of module
