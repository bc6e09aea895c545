-- files.file_deletion_task_succeeded: successful attempts, with the task that they belong to.
create or replace view files.file_deletion_task_succeeded as
select a.file_deletion_task_id, a.file_deletion_attempt_id, s.created_at
from files.file_deletion_attempt_succeeded as s
join files.file_deletion_attempt as a on a.file_deletion_attempt_id = s.file_deletion_attempt_id;
comment on view files.file_deletion_task_succeeded is 'Deleted files, one row per successful attempt.';
