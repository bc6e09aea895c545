begin isolation level repeatable read;
select plan(3);
select throws_ok($$select comms.send_email_supervisor('{"send_email_task_id": 1}')$$, '25001', null, 'e-mail');
select throws_ok($$select comms.send_sms_supervisor('{"send_sms_task_id": 1}')$$, '25001', null, 'text messages');
select throws_ok($$select files.file_deletion_supervisor('{"file_deletion_task_id": 1}')$$, '25001', null, 'files');
select * from finish();
rollback;
