-- comms.send_email_task_scheduled: attempts, under the name that older documents use.
create or replace view comms.send_email_task_scheduled as
select a.send_email_task_id, a.created_at, a.send_email_attempt_id
from comms.send_email_attempt as a;
comment on view comms.send_email_task_scheduled is 'Attempts to send an e-mail, one row each.';
