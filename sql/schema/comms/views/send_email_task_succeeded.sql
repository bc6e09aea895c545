-- comms.send_email_task_succeeded: accepted attempts, with the task that they belong to.
create or replace view comms.send_email_task_succeeded as
select a.send_email_task_id, s.created_at, a.send_email_attempt_id, s.provider_id
from comms.send_email_attempt_succeeded as s
join comms.send_email_attempt as a on a.send_email_attempt_id = s.send_email_attempt_id;
comment on view comms.send_email_task_succeeded is 'E-mails that the provider accepted, one row per accepted attempt.';
