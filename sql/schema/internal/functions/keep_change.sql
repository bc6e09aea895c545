-- internal.keep_change(_change)
-- Keeps the rows of a large statement, and asks a worker to make jobs of them.
create or replace function internal.keep_change(_change pgqueue.webhook_change) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule constant internal.task_rule := internal.enqueue_rule('db_function', 'http');
    _id bigint;
begin
    insert into pgqueue.webhook_change (webhook_id, arguments, table_schema, table_name, event, changed_at, token, problem, old_rows, new_rows)
    values (_change.webhook_id, _change.arguments, _change.table_schema, _change.table_name, _change.event, _change.changed_at,
            _change.token, _change.problem, _change.old_rows, _change.new_rows)
    returning change_id into _id;
    perform internal.add_task(_rule, 'db_function',
        jsonb_build_object('db_function', 'pgqueue.make_webhook_jobs', 'change_id', _id), now(), 0, 'task', null);
    perform internal.wake_workers(_rule.queue, now(), _rule.notify);
end
$$;
comment on function internal.keep_change(pgqueue.webhook_change) is 'Keeps the rows of a large statement.';
