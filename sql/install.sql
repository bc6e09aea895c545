-- A fresh database: roles, schemas, types, tables in order, then functions, grants and first rows.  This is plain SQL, and psql
-- alone can run it: psql -1 -v ON_ERROR_STOP=1 -f sql/install.sql
-- The program runs the same text in one transaction.  It skips a module that is left out: the lines between
-- "-- module: NAME" and "-- end of module", here and in the other files.
\ir preflight.sql
\ir roles.sql
\ir schemas.sql

set local role queues_owner;
-- A view may call any function, and a function may read any view.
set local check_function_bodies = off;
\ir schema/base/types/queues.sql
\ir schema/base/tables/migration.sql
\ir schema/registry/tables/adapter.sql
\ir schema/registry/tables/registered_task_type.sql
\ir schema/registry/tables/queue.sql
\ir schema/enqueue/tables/task.sql
\ir schema/enqueue/tables/ready.sql
\ir schema/retry/tables/retry_policy.sql
\ir schema/retry/tables/task_attempt.sql
\ir schema/trace/tables/task_trace.sql
\ir schema/claim/tables/running.sql
\ir schema/claim/tables/holder.sql
\ir schema/claim/tables/task_lease.sql
\ir schema/run/tables/task_completed.sql
\ir schema/run/tables/error.sql
\ir schema/claim/tables/task_lease_renewed.sql
\ir schema/claim/tables/task_lease_ended.sql
\ir schema/dispatch/tables/task_dispatched.sql
\ir schema/dispatch/tables/task_progress.sql
\ir schema/run/tables/late_result.sql
\ir schema/enqueue/tables/task_changed.sql
\ir schema/operate/tables/task_cancel_requested.sql
\ir schema/merge/tables/merging.sql
\ir schema/merge/tables/task_folded.sql
\ir schema/process/tables/process.sql
\ir schema/process/tables/process_run.sql
\ir schema/process/tables/process_ended.sql
\ir schema/process/tables/process_revived.sql
\ir schema/worker/tables/worker_started.sql
\ir schema/worker/tables/worker_seen.sql
\ir schema/worker/tables/worker_stopped.sql
\ir schema/operate/tables/pruned.sql
\ir schema/observe/tables/throughput.sql
\ir schema/observe/tables/roll_up_state.sql
\ir schema/base/tables/audit.sql
\ir schema/base/tables/config.sql
\ir schema/registry/tables/allowed_function.sql
\ir schema/vault/tables/allowed_secret.sql
\ir schema/base/tables/installation.sql
\ir schema/base/tables/test_clock.sql
\ir schema/base/tables/pruning.sql
\ir schema/base/types/worker.sql
\ir schema/command/tables/command_registry.sql
\ir schema/tree/tables/task_parent.sql
\ir schema/command/tables/handler_done.sql
\ir schema/base/types/internal.sql
\ir schema/vault/tables/secrets.sql
\ir schema/base/types/pgqueue.sql
\ir schema/job/tables/job.sql
\ir schema/job/tables/job_run.sql
\ir schema/job/tables/job_ended.sql
\ir schema/job/tables/job_secret.sql
\ir schema/job/tables/failed_log.sql
\ir schema/webhook/tables/webhook.sql
\ir schema/webhook/tables/webhook_secret.sql
\ir schema/webhook/tables/webhook_change.sql
\ir schema/webhook/tables/webhook_change_column.sql
\ir schema/schedule/tables/schedule.sql
\ir schema/schedule/tables/schedule_due.sql
\ir schema/schedule/tables/schedule_fire.sql
\ir schema/schedule/tables/acting.sql
\ir schema/bulk/tables/bulk_act.sql
\ir schema/bulk/tables/bulk_scan.sql
\ir schema/bulk/tables/bulk_target.sql
\ir schema/bulk/tables/bulk_done.sql
\ir schema/bulk/tables/bulk_started.sql
\ir schema/bulk/tables/bulk_stopped.sql
\ir schema/bulk/tables/bulk_carrier.sql
\ir schema/look/tables/kept_count.sql
\ir schema/dashboard/tables/act_key.sql
-- module: comms
\ir schema/comms/types.sql
\ir schema/comms/tables/message.sql
\ir schema/comms/tables/email_message.sql
\ir schema/comms/tables/sms_message.sql
\ir schema/comms/tables/email_template.sql
\ir schema/comms/tables/sms_template.sql
\ir schema/comms/tables/send_email_task.sql
\ir schema/comms/tables/send_email_attempt.sql
\ir schema/comms/tables/send_email_attempt_succeeded.sql
\ir schema/comms/tables/send_email_attempt_failed.sql
\ir schema/comms/tables/send_sms_task.sql
\ir schema/comms/tables/send_sms_attempt.sql
\ir schema/comms/tables/send_sms_attempt_succeeded.sql
\ir schema/comms/tables/send_sms_attempt_failed.sql
-- end of module
-- module: files
\ir schema/files/tables/file.sql
\ir schema/files/tables/file_metadata.sql
\ir schema/files/tables/file_deletion_task.sql
\ir schema/files/tables/file_deletion_attempt.sql
\ir schema/files/tables/file_deletion_attempt_succeeded.sql
\ir schema/files/tables/file_deletion_attempt_failed.sql
-- end of module

\ir functions.sql
\ir triggers.sql
\ir rows.sql
\ir grants.sql
reset role;
