-- comms.send_sms_task_succeeded: accepted attempts, with the task that they belong to.
create or replace view comms.send_sms_task_succeeded as
select a.send_sms_task_id, s.created_at, a.send_sms_attempt_id, s.provider_id
from comms.send_sms_attempt_succeeded as s
join comms.send_sms_attempt as a on a.send_sms_attempt_id = s.send_sms_attempt_id;
comment on view comms.send_sms_task_succeeded is 'Text messages that the provider accepted, one row per accepted attempt.';
