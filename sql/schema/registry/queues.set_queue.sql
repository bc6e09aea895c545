-- queues.set_queue(_queue, _max_running, _top_level_limit, _description)
-- Changes the settings of a queue.  A null leaves its setting as it is; a limit of 0 removes the limit.  The trigger of the table
-- audits the change and notifies the workers.
create or replace function queues.set_queue(_queue text, _max_running integer default null,
        _top_level_limit integer default null, _description text default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id integer := internal.require_queue(_queue);
begin
    if _max_running < 0 or _top_level_limit < 0 then
        raise exception using errcode = '22023', message = format('limit %s of queue "%s" is negative', least(_max_running, _top_level_limit), _queue),
            hint = 'A limit is at least 1; 0 removes it.';
    end if;
    update queues.queue as q
    set max_running = case when _max_running is null then q.max_running else nullif(_max_running, 0) end,
        top_level_limit = case when _top_level_limit is null then q.top_level_limit else nullif(_top_level_limit, 0) end,
        description = coalesce(_description, q.description)
    where q.queue_id = _id;
end
$$;
comment on function queues.set_queue(text, integer, integer, text) is 'Changes the limits or the description of a queue.';
