-- Compares the story with what should have happened.
create procedure pg_temp.expect(_key text, _story text)
    language plpgsql
as $$
begin
    assert pg_temp.story(_key) = _story, format('%s: expected "%s", found "%s"', _key, _story, pg_temp.story(_key));
end
$$;

-- Cases -----------------------------------------------------------------------------------------

-- Success: the first attempt succeeds.
do $$
begin
    call pg_temp.kickoff('test success');
    call pg_temp.supervise();                            -- makes an attempt
    call pg_temp.expect('test success', 'attempts: 1, failed: 0, open');
    call pg_temp.answer('test success', 'succeeded');
    call pg_temp.supervise();                            -- sees the success
    call pg_temp.expect('test success', 'attempts: 1, failed: 0, succeeded');
end
$$;

{{if retries}}
-- Retry: after a failure the supervisor waits, then makes another attempt.
do $$
begin
    call pg_temp.kickoff('test retry');
    call pg_temp.supervise();
    call pg_temp.answer('test retry', 'failed');
    call pg_temp.supervise();                            -- sees the failure
    call pg_temp.supervise(interval '{{first_delay}}' - interval '1 millisecond'); -- too early
    call pg_temp.expect('test retry', 'attempts: 1, failed: 1, open');
    call pg_temp.supervise('{{first_delay}}');
    call pg_temp.expect('test retry', 'attempts: 2, failed: 1, open');
    call pg_temp.answer('test retry', 'succeeded');
    call pg_temp.supervise();
    call pg_temp.expect('test retry', 'attempts: 2, failed: 1, succeeded');
end
$$;
{{end}}

-- Exhaustion: every attempt fails, and the supervisor gives up.
do $$
begin
    call pg_temp.kickoff('test exhaustion');
    for _attempt in 1 .. {{attempts}} loop
        call pg_temp.supervise('{{longest_delay}}');
        call pg_temp.expect('test exhaustion', format('attempts: %s, failed: %s, open', _attempt, _attempt - 1));
        call pg_temp.answer('test exhaustion', 'failed');
        call pg_temp.supervise();
    end loop;
    call pg_temp.expect('test exhaustion', 'attempts: {{attempts}}, failed: {{attempts}}, max_attempts_reached');
    call worker.process_tasks(p_ahead => '1 day');      -- and that is the end
    call pg_temp.expect('test exhaustion', 'attempts: {{attempts}}, failed: {{attempts}}, max_attempts_reached');
end
$$;
{{if db_function}}
{{else}}
do $$
begin
    assert (select count(distinct d.idempotency_key) = 1 from {{schema}}.{{name}}_attempt as a
            join {{schema}}.{{name}}_task as t on t.{{name}}_task_id = a.{{name}}_task_id
            join queues.task_dispatched as d on d.task_id = a.task_id
            where t.{{name}}_key = 'test exhaustion'), 'all attempts have the same idempotency key';
end
$$;
{{end}}

-- Lost attempt: its task ends without an outcome, and the supervisor notices.
do $$
begin
    call pg_temp.kickoff('test lost');
    call pg_temp.supervise();
    perform queues.cancel_task(pg_temp.task_of('test lost'), 'test');
    call pg_temp.supervise('1 minute');
{{if retries}}
    call pg_temp.expect('test lost', 'attempts: 1, failed: 1, open');
    call pg_temp.supervise('{{longest_delay}}');
    call pg_temp.answer('test lost', 'succeeded');
    call pg_temp.supervise();
    call pg_temp.expect('test lost', 'attempts: 2, failed: 1, succeeded');
{{else}}
    call pg_temp.expect('test lost', 'attempts: 1, failed: 1, max_attempts_reached');
{{end}}
    assert exists (select 1 from {{schema}}.{{name}}_attempt_failed as f where f.error_message like 'attempt lost: task % ended as cancelled'),
        'the loss is recorded';
end
$$;

-- Kickoff twice: the second one does nothing.  A kickoff without a key is refused with a word.
do $$
begin
    call pg_temp.kickoff('test twice');
    call pg_temp.kickoff('test twice');
    call pg_temp.supervise();
    assert (select count(*) from {{schema}}.{{name}}_task as t where t.{{name}}_key = 'test twice') = 1, 'one root';
    call pg_temp.expect('test twice', 'attempts: 1, failed: 0, open');
    call pg_temp.answer('test twice', 'succeeded');
    call pg_temp.kickoff('test twice');
    call pg_temp.supervise();
    call pg_temp.expect('test twice', 'attempts: 1, failed: 0, succeeded');
    assert {{schema}}.kickoff_{{name}}('', {{example}}) = 'missing_{{name}}_key', 'a key is needed';
end
$$;

-- Forgery: the task of somebody else cannot record an outcome.
do $$
begin
    call pg_temp.kickoff('test forgery');
    call pg_temp.supervise();
    perform queues.simulate(queues.enqueue('http', jsonb_build_object('{{name}}_attempt_id', a.{{name}}_attempt_id,
        'request', '{"url": "https://example.org"}'::jsonb, 'success_handler', '{{schema_text}}.record_{{name}}_success')))
    from {{schema}}.{{name}}_attempt as a where a.task_id = pg_temp.task_of('test forgery');
    assert not exists (select 1 from {{schema}}.{{name}}_attempt_succeeded as s
                       join {{schema}}.{{name}}_attempt as a on a.{{name}}_attempt_id = s.{{name}}_attempt_id
                       where a.task_id = pg_temp.task_of('test forgery')), 'a forged success was recorded';
end
$$;

-- Facts stay.
do $$
begin
    delete from {{schema}}.{{name}}_attempt_failed;
    raise exception 'a fact was removed';
exception when insufficient_privilege then
    null;
end
$$;
rollback;
\echo {{full}}: all tests passed
