-- internal.last_error_words(_task_id)
-- The last error of a task, as a sentence may show it.  The text may repeat data, so a session that is no operator's gets only the source of
-- the error and its SQLSTATE.
create or replace function internal.last_error_words(_task_id bigint, out words text, out sqlstate text, out source text, out at timestamptz)
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select case when internal.is_operator() then left(e.error_message, 1000) else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end,
           e.sqlstate, e.source, e.created_at
    from queues.error as e where e.task_id = _task_id order by e.error_id desc limit 1
$$;
comment on function internal.last_error_words(bigint) is 'The last error of a task; its text only for operators.';
