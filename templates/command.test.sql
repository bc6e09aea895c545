-- Merge: a second command joins the one that waits, and both ids are handled once.
do $$
declare
    _first bigint;
begin
    call pg_temp.handler_will('succeeded');
    _first := {{schema}}.enqueue_{{name}}('{2}');
    assert {{schema}}.enqueue_{{name}}('{1,2}') = _first, 'the second command is merged into the first';
    call worker.process_tasks();
    assert current_setting('test.handled') = '[1, 2]', format('handled: %s', current_setting('test.handled'));
    assert pg_temp.story(_first) = 'attempts: 1, succeeded', pg_temp.story(_first);
end
$$;

-- Delay: a command of the future waits.
do $$
declare
    _task bigint;
begin
    call pg_temp.handler_will('succeeded');
    _task := {{schema}}.enqueue_{{name}}('{3}', queues.clock() + interval '1 hour');
    call worker.process_tasks(p_ahead => '59 minutes');
    assert pg_temp.story(_task) = 'attempts: 1, open', pg_temp.story(_task);
    call worker.process_tasks(p_ahead => '1 hour');
    assert pg_temp.story(_task) = 'attempts: 1, succeeded', pg_temp.story(_task);
end
$$;

-- Exhaustion: every attempt fails, and each failure is recorded.
do $$
declare
    _task bigint;
begin
    call pg_temp.handler_will('failed');
    _task := {{schema}}.enqueue_{{name}}('{4}');
    call worker.process_tasks(p_ahead => '20 years');
    assert pg_temp.story(_task) = 'attempts: {{attempts}}, failed', pg_temp.story(_task);
    assert (select t.error from worker.tasks as t where t.id = _task) like 'Error: no paper%', 'the error is recorded';
end
$$;

{{if retries}}
-- Retry: the attempt after a failure succeeds.
do $$
declare
    _task bigint;
begin
    call pg_temp.handler_will('failed');
    _task := {{schema}}.enqueue_{{name}}('{5}');
    call worker.process_tasks();
    assert pg_temp.story(_task) = 'attempts: 2, open', pg_temp.story(_task);
    call pg_temp.handler_will('succeeded');
    call worker.process_tasks(p_ahead => '20 years');
    assert pg_temp.story(_task) = 'attempts: 2, succeeded', pg_temp.story(_task);
    assert current_setting('test.handled') = '[5]', format('handled: %s', current_setting('test.handled'));
end
$$;
{{end}}
rollback;
\echo {{full}}: all tests passed
