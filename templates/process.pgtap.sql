-- Cases -----------------------------------------------------------------------------------------

-- Success: the first attempt succeeds.
call pg_temp.kickoff('test success');
call pg_temp.supervise();                                -- makes an attempt
select is(pg_temp.story('test success'), 'attempts: 1, failed: 0, open', 'the supervisor makes an attempt');
call pg_temp.answer('test success', 'succeeded');
call pg_temp.supervise();                                -- sees the success
select is(pg_temp.story('test success'), 'attempts: 1, failed: 0, succeeded', 'a success ends the process');

{{if retries}}
-- Retry: after a failure the supervisor waits, then makes another attempt.
call pg_temp.kickoff('test retry');
call pg_temp.supervise();
call pg_temp.answer('test retry', 'failed');
call pg_temp.supervise();                                -- sees the failure
call pg_temp.supervise(interval '{{first_delay}}' - interval '1 millisecond'); -- too early
select is(pg_temp.story('test retry'), 'attempts: 1, failed: 1, open', 'the supervisor waits after a failure');
call pg_temp.supervise('{{first_delay}}');
select is(pg_temp.story('test retry'), 'attempts: 2, failed: 1, open', 'then it makes another attempt');
call pg_temp.answer('test retry', 'succeeded');
call pg_temp.supervise();
select is(pg_temp.story('test retry'), 'attempts: 2, failed: 1, succeeded', 'a success after a failure ends the process');

{{end}}
-- Exhaustion: every attempt fails, and the supervisor gives up.
call pg_temp.kickoff('test exhaustion');
do $$
begin
    for _attempt in 1 .. {{attempts}} loop
        call pg_temp.supervise('{{longest_delay}}');
        call pg_temp.answer('test exhaustion', 'failed');
        call pg_temp.supervise();
    end loop;
end
$$;
select is(pg_temp.story('test exhaustion'), 'attempts: {{attempts}}, failed: {{attempts}}, max_attempts_reached',
    'the supervisor gives up after {{attempts}} failure{{attempts_s}}');
call worker.process_tasks(p_ahead => '1 day');
select is(pg_temp.story('test exhaustion'), 'attempts: {{attempts}}, failed: {{attempts}}, max_attempts_reached', 'and that is the end');
{{if db_function}}
{{else}}
select is(count(distinct d.idempotency_key), 1::bigint, 'all attempts have the same idempotency key')
from {{schema}}.{{name}}_attempt as a
join {{schema}}.{{name}}_task as t on t.{{name}}_task_id = a.{{name}}_task_id
join queues.task_dispatched as d on d.task_id = a.task_id
where t.{{name}}_key = 'test exhaustion';
{{end}}

-- Lost attempt: its task ends without an outcome, and the supervisor notices.
call pg_temp.kickoff('test lost');
call pg_temp.supervise();
do $$ begin perform queues.cancel_task(pg_temp.task_of('test lost'), 'test'); end $$;
call pg_temp.supervise('1 minute');
{{if retries}}
select is(pg_temp.story('test lost'), 'attempts: 1, failed: 1, open', 'a lost attempt has failed');
call pg_temp.supervise('{{longest_delay}}');
call pg_temp.answer('test lost', 'succeeded');
call pg_temp.supervise();
select is(pg_temp.story('test lost'), 'attempts: 2, failed: 1, succeeded', 'another attempt follows a lost one');
{{else}}
select is(pg_temp.story('test lost'), 'attempts: 1, failed: 1, max_attempts_reached', 'a lost attempt has failed');
{{end}}
select isnt_empty($$ select 1 from {{schema}}.{{name}}_attempt_failed as f where f.error_message like 'attempt lost: task % ended as cancelled' $$,
    'the loss is recorded');

-- Kickoff twice: the second one does nothing.  A kickoff without a key is refused with a word.
call pg_temp.kickoff('test twice');
call pg_temp.kickoff('test twice');
call pg_temp.supervise();
select is(count(*), 1::bigint, 'a second kickoff makes no second root') from {{schema}}.{{name}}_task as t where t.{{name}}_key = 'test twice';
call pg_temp.answer('test twice', 'succeeded');
call pg_temp.kickoff('test twice');
call pg_temp.supervise();
select is(pg_temp.story('test twice'), 'attempts: 1, failed: 0, succeeded', 'a kickoff after the end does nothing');
select is({{schema}}.kickoff_{{name}}('', {{example}}), 'missing_{{name}}_key', 'a key is needed');

-- Forgery: the task of somebody else cannot record an outcome.
call pg_temp.kickoff('test forgery');
call pg_temp.supervise();
do $$
begin
    perform queues.simulate(queues.enqueue('http', jsonb_build_object('{{name}}_attempt_id', a.{{name}}_attempt_id,
        'request', '{"url": "https://example.org"}'::jsonb, 'success_handler', '{{schema_text}}.record_{{name}}_success')))
    from {{schema}}.{{name}}_attempt as a where a.task_id = pg_temp.task_of('test forgery');
end
$$;
select is_empty($$ select 1 from {{schema}}.{{name}}_attempt_succeeded as s
    join {{schema}}.{{name}}_attempt as a on a.{{name}}_attempt_id = s.{{name}}_attempt_id
    where a.task_id = pg_temp.task_of('test forgery') $$, 'a forged success is not recorded');

-- Facts stay.
select throws_ok('delete from {{schema}}.{{name}}_attempt_failed', '42501', null, 'facts cannot be removed');
select * from finish();
rollback;
