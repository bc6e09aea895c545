-- comms.send_sms_task_scheduled: attempts, under the name that older documents use.
create or replace view comms.send_sms_task_scheduled as
select a.send_sms_task_id, a.created_at, a.send_sms_attempt_id
from comms.send_sms_attempt as a;
comment on view comms.send_sms_task_scheduled is 'Attempts to send a text message, one row each.';
