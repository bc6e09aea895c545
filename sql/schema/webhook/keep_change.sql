-- internal.keep_change(_change, _parts)
-- Begins to keep the rows of a large statement, and asks a worker to make jobs of them: one task
-- for each part.  Returns the id of each part, for internal.capture_statement.
create or replace function internal.keep_change(_change pgqueue.webhook_change, _parts bigint) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _ids bigint[];
begin
    with change as (
        insert into pgqueue.webhook_change as c (webhook_id, arguments, table_schema, table_name, event, token, problem, time_zone)
        select _change.webhook_id, _change.arguments, _change.table_schema, _change.table_name, _change.event, _change.token,
               _change.problem, current_setting('TimeZone')
        from generate_series(1, _parts)
        returning c.change_id
    )
    select array_agg(c.change_id order by c.change_id) into _ids from change as c;
    perform internal.ask_for_jobs(_ids);
    return _ids;
end
$$;
comment on function internal.keep_change(pgqueue.webhook_change, bigint) is 'Begins to keep the rows of a large statement.';

-- internal.ask_for_jobs(_change_ids)
-- Asks a worker to make the jobs of these parts: a task for each.
create or replace function internal.ask_for_jobs(_change_ids bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _rule constant internal.task_rule := internal.enqueue_rule('db_function', 'http');
    _id bigint;
begin
    foreach _id in array _change_ids loop
        perform internal.add_task(_rule, 'db_function',
            jsonb_build_object('db_function', 'pgqueue.make_webhook_jobs', 'change_id', _id), now(), 0, 'task', null);
    end loop;
    perform internal.wake_workers(_rule.queue, now(), _rule.notify);
end
$$;
comment on function internal.ask_for_jobs(bigint[]) is 'Enqueues the making of jobs from kept rows.';
