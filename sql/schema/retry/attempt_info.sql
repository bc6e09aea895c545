-- internal.attempt_info(_end)
-- What an error handler is told of the attempt that failed; an empty object if no policy holds for the task.
create or replace function internal.attempt_info(_end internal.attempt_end) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return coalesce((select jsonb_build_object('attempt', d.attempt, 'max_attempts', d.max_attempts, 'is_last', d.is_last)
                     from internal.retry_decisions(array[_end]) as d where d.max_attempts is not null), '{}'::jsonb);
end
$$;
comment on function internal.attempt_info(internal.attempt_end) is 'Number of an attempt, for its error handler.';
