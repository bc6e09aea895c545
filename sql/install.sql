-- A fresh database: roles, schemas, types, tables in order, then functions, grants and
-- first rows.  Plain SQL; psql alone can run it: psql -1 -v ON_ERROR_STOP=1 -f sql/install.sql
-- The program runs the same text in one transaction, without the modules that are not wanted:
-- what stands between "-- module: NAME" and "-- end of module", here and in the other files.
\ir preflight.sql
\ir roles.sql
\ir schemas.sql

set local role queues_owner;
\ir schema/queues/types.sql
\ir schema/queues/tables/migration.sql
\ir schema/queues/tables/registered_task_type.sql
\ir schema/queues/tables/queue.sql
\ir schema/queues/tables/task.sql
\ir schema/queues/tables/ready.sql
\ir schema/queues/tables/running.sql
\ir schema/queues/tables/holder.sql
\ir schema/queues/tables/task_lease.sql
\ir schema/queues/tables/task_completed.sql
\ir schema/queues/tables/error.sql
\ir schema/queues/tables/task_lease_renewed.sql
\ir schema/queues/tables/task_lease_ended.sql
\ir schema/queues/tables/task_dispatched.sql
\ir schema/queues/tables/late_result.sql
\ir schema/queues/tables/task_changed.sql
\ir schema/queues/tables/task_cancel_requested.sql
\ir schema/queues/tables/merging.sql
\ir schema/queues/tables/task_folded.sql
\ir schema/queues/tables/process.sql
\ir schema/queues/tables/process_run.sql
\ir schema/queues/tables/process_ended.sql
\ir schema/queues/tables/process_revived.sql
\ir schema/queues/tables/worker_started.sql
\ir schema/queues/tables/worker_seen.sql
\ir schema/queues/tables/worker_stopped.sql
\ir schema/queues/tables/pruned.sql
\ir schema/queues/tables/audit.sql
\ir schema/internal/tables/config.sql
\ir schema/internal/tables/allowed_function.sql
\ir schema/internal/tables/allowed_secret.sql
\ir schema/internal/tables/installation.sql
\ir schema/internal/tables/test_clock.sql
\ir schema/internal/tables/pruning.sql
\ir schema/worker/types.sql
\ir schema/worker/tables/command_registry.sql
\ir schema/worker/tables/task_parent.sql
\ir schema/worker/tables/handler_done.sql
\ir schema/internal/types.sql
\ir schema/vault/tables/secrets.sql
\ir schema/pgqueue/types.sql
\ir schema/pgqueue/tables/job.sql
\ir schema/pgqueue/tables/job_run.sql
\ir schema/pgqueue/tables/job_ended.sql
\ir schema/pgqueue/tables/job_secret.sql
\ir schema/pgqueue/tables/failed_log.sql
\ir schema/pgqueue/tables/webhook.sql
\ir schema/pgqueue/tables/webhook_secret.sql
\ir schema/pgqueue/tables/webhook_change.sql
\ir schema/pgqueue/tables/webhook_change_column.sql
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
