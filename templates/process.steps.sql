-- Steps of the test -----------------------------------------------------------------------------

-- Starts a process.
create procedure pg_temp.kickoff(_key text)
    language plpgsql
as $$
begin
    assert {{schema}}.kickoff_{{name}}(_key, {{example}}) is null, 'the kickoff was refused';
end
$$;

-- Runs the supervisor once, or not at all if it is not due within this time.
create procedure pg_temp.supervise(_ahead interval default '0')
    language plpgsql
as $$
begin
    call worker.process_tasks(p_batch_size => 1, p_ahead => _ahead);
end
$$;

-- The task of the newest attempt.
create function pg_temp.task_of(_key text) returns bigint
    language sql
as $$
    select max(a.task_id) from {{schema}}.{{name}}_attempt as a
    join {{schema}}.{{name}}_task as t on t.{{name}}_task_id = a.{{name}}_task_id
    where t.{{name}}_key = _key
$$;

{{if db_function}}
-- Plays the work of the newest attempt: until the rollback, this function takes the place of yours.
create or replace function {{schema}}.do_{{name}}(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    return jsonb_build_object('status', current_setting('test.outcome'));
end
$$;
create procedure pg_temp.answer(_key text, _outcome text)
    language plpgsql
as $$
begin
    perform set_config('test.outcome', _outcome, true);
    call worker.process_tasks(p_batch_size => 1);
end
$$;
{{else}}
-- Plays the answer to the newest attempt: calls the handlers, but nobody outside.
create procedure pg_temp.answer(_key text, _outcome text)
    language plpgsql
as $$
begin
    perform queues.simulate(pg_temp.task_of(_key), _outcome, '{}', case when _outcome = 'failed' then 'no answer' end);
end
$$;
{{end}}

-- What has happened, in words.
create function pg_temp.story(_key text) returns text
    language sql
as $$
    select format('attempts: %s, failed: %s, %s', f.num_attempts, f.num_failures,
                  coalesce((select p.end_reason from queues.process_state as p
                            where p.supervisor = '{{full}}_supervisor'
                              and p.ids = jsonb_build_object('{{name}}_task_id', t.{{name}}_task_id)), 'open'))
    from {{schema}}.{{name}}_task as t cross join lateral {{schema}}.{{name}}_facts(t.{{name}}_task_id) as f
    where t.{{name}}_key = _key
$$;

