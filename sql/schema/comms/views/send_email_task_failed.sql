-- comms.send_email_task_failed: failed attempts, with the task that they belong to.
create or replace view comms.send_email_task_failed as
select a.send_email_task_id, f.created_at, a.send_email_attempt_id, case when pg_has_role('queues_operator', 'member') then f.error_message end as error_message
from comms.send_email_attempt_failed as f
join comms.send_email_attempt as a on a.send_email_attempt_id = f.send_email_attempt_id;
comment on view comms.send_email_task_failed is 'Failed attempts to send an e-mail, one row each; texts of errors only for operators.';
