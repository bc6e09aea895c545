-- files.file_deletion_task_failed: failed attempts, with the task that they belong to.
create or replace view files.file_deletion_task_failed as
select a.file_deletion_task_id, a.file_deletion_attempt_id, case when pg_has_role('queues_operator', 'member') then f.error_message end as error_message, f.created_at
from files.file_deletion_attempt_failed as f
join files.file_deletion_attempt as a on a.file_deletion_attempt_id = f.file_deletion_attempt_id;
comment on view files.file_deletion_task_failed is 'Failed attempts to delete a file, one row each; texts of errors only for operators.';
