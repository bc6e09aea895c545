-- The decision table of answers: outcome, status, and whether an error fact is written.
begin;
select plan(23);
create temp table shape (answer jsonb, outcome text, status text, errors integer, id bigint);
insert into shape values
    ('[]', 'failed', 'invalid_envelope', 1), ('"succeeded"', 'failed', 'invalid_envelope', 1),
    ('1', 'failed', 'invalid_envelope', 1), ('true', 'failed', 'invalid_envelope', 1), ('null', 'failed', 'invalid_envelope', 1),
    ('{"error": "x"}', 'failed', 'error', 1), ('{"error": "x", "status": "succeeded"}', 'failed', 'error', 1),
    ('{"error": {"code": 1}, "status": "gone"}', 'failed', 'gone', 1), ('{"error": "", "status": "succeeded"}', 'succeeded', 'succeeded', 0),
    ('{"error": null, "validation_failure_message": "", "success": true}', 'succeeded', 'succeeded', 0),
    ('{"validation_failure_message": "bad", "status": "succeeded"}', 'failed', 'validation_failed', 1),
    ('{"success": false}', 'failed', 'failed', 1), ('{"success": false, "status": "late"}', 'failed', 'late', 1),
    ('{"status": "succeeded"}', 'succeeded', 'succeeded', 0), ('{"status": "Succeeded"}', 'non_success', 'Succeeded', 0),
    ('{"status": "scheduled"}', 'non_success', 'scheduled', 0), ('{"status": 1}', 'failed', 'invalid_status', 1),
    ('{"success": true}', 'succeeded', 'succeeded', 0), ('{"success": "yes"}', 'failed', 'invalid_envelope', 1),
    ('{}', 'non_success', 'no_status', 0), ('{"other": 1}', 'non_success', 'no_status', 0),
    (null, 'non_success', 'no_status', 0);
update shape set id = test.enqueue('test.answer', case when answer is null then '{}' else jsonb_build_object('answer', answer) end);
select test.run(id) from shape;
select is((select (c.outcome, coalesce(c.status, c.outcome), test.errors(s.id))::text from queues.task_completed as c where c.task_id = s.id),
          (s.outcome, s.status, s.errors)::text, coalesce(s.answer::text, 'SQL null'))
from shape as s;
select is((select e.error_message from queues.error as e join shape as s on s.id = e.task_id where s.status = 'gone'), '{"code": 1}', 'an error that is no string is kept as its text');
select * from finish();
rollback;
