-- queues.create_queue, queues.drop_queue, queues.pause_queue, queues.resume_queue
-- Queues and their state.  Running workers notice changes without a restart.
create or replace function queues.create_queue(_queue text, _max_running integer default null,
        _top_level_limit integer default null, _description text default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _queue is null then
        raise exception using errcode = '22004', message = 'queue must not be null';
    end if;
    if _queue !~ '^[a-z][a-z0-9_.-]{0,62}$' then
        raise exception using errcode = '22023', message = format('queue name "%s" is not of the form a-z, 0-9, _, . and -, at most 63', left(_queue, 128));
    end if;
    if _max_running < 1 or _top_level_limit < 1 then
        raise exception using errcode = '22023', message = 'limits of a queue must be at least 1';
    end if;
    perform internal.check_text('description', _description, 1024);
    -- An insert uses up a number of the sequence even if it finds a conflict.
    insert into queues.queue (queue, max_running, top_level_limit, description)
    select _queue, _max_running, _top_level_limit, _description
    where not exists (select 1 from queues.queue as q where q.queue = _queue)
    on conflict (queue) do nothing;
    if not found then
        raise exception using errcode = '42710', message = format('queue "%s" already exists', _queue);
    end if;
    perform pg_notify('worker_queue_change', _queue);
end
$$;
comment on function queues.create_queue(text, integer, integer, text) is 'Makes a queue.';

create or replace function queues.drop_queue(_queue text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id integer := internal.require_queue(_queue);
begin
    lock table queues.ready, queues.running in share row exclusive mode;
    if exists (select 1 from queues.ready as r where r.queue_id = _id)
       or exists (select 1 from queues.running as r where r.queue_id = _id) then
        raise exception using errcode = '55000', message = format('queue "%s" has open tasks', _queue),
            hint = 'Let them finish or cancel them first.';
    end if;
    if exists (select 1 from queues.registered_task_type as t where t.default_queue = _queue) then
        raise exception using errcode = '55000', message = format('queue "%s" is the default queue of a task type', _queue);
    end if;
    delete from queues.queue as q where q.queue_id = _id;
    perform pg_notify('worker_queue_change', _queue);
end
$$;
comment on function queues.drop_queue(text) is 'Removes an empty queue.';

create or replace function queues.pause_queue(_queue text, _for interval default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id integer := internal.require_queue(_queue);
begin
    if _for <= interval '0' then
        raise exception using errcode = '22023', message = format('pause of "%s" is not positive', _for);
    end if;
    update queues.queue as q set paused_until = coalesce(queues.clock() + _for, 'infinity') where q.queue_id = _id;
    perform pg_notify('worker_queue_change', _queue);
end
$$;
comment on function queues.pause_queue(text, interval) is 'Stops claims from a queue; running tasks finish.';

create or replace function queues.resume_queue(_queue text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id integer := internal.require_queue(_queue);
begin
    update queues.queue as q set paused_until = null where q.queue_id = _id;
    perform pg_notify('worker_queue_change', _queue);
end
$$;
comment on function queues.resume_queue(text) is 'Lets a paused queue be claimed again.';
