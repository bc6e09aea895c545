-- internal.attempt_info(_task, _payload, _end)
-- What an error handler is told of the attempt that failed; an empty object if no policy holds for the task.
create or replace function internal.attempt_info(_task queues.task, _payload jsonb, _end internal.attempt_end) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule constant record := internal.retry_decision(_task, _payload, _end);
begin
    if _rule.max_attempts is null then
        return '{}'::jsonb;
    end if;
    return jsonb_build_object('attempt', _rule.attempt, 'max_attempts', _rule.max_attempts, 'is_last', _rule.is_last);
end
$$;
comment on function internal.attempt_info(queues.task, jsonb, internal.attempt_end) is 'Number of an attempt, for its error handler.';
