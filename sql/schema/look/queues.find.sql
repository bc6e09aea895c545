-- queues.find(_text)
-- What has this id or this name: tasks, processes, jobs, messages and acts by number, workers by uuid or by name, and queues,
-- commands, schedules, webhooks and task types whose name begins like this.  Ten of each kind at most.  A kind may stand before the
-- id: job:8.  It reads keys and small tables.
create or replace function queues.find(_text text) returns table (kind text, id text, title text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
declare
    _word text;
    _kind text;
    _id bigint;
begin
    perform internal.check_text('text', _text, 256);
    _word := lower(btrim(_text));
    if _word ~ '^([a-z]+:)?[0-9]{1,18}$' then
        _kind := nullif(split_part(_word, ':', 1), _word);
        _id := substring(_word from '[0-9]+$')::bigint;
        return query select 'task', p.task_id::text, format('%s in %s, %s', t.task_type, t.queue, p.state)
            from internal.task_places(array[_id]) as p join queues.task as t on t.task_id = p.task_id where coalesce(_kind, 'task') in ('task', 'command');
        return query select 'process', p.process_id::text, p.supervisor || ' ' || p.ids::text from queues.process as p
            where p.process_id = _id and coalesce(_kind, 'process') = 'process';
        return query select 'job', j.job_id::text, j.job_type || ' ' || internal.shown_url(j.url) from pgqueue.job as j where j.job_id = _id and coalesce(_kind, 'job') = 'job';
        return query select 'act', a.act_id::text, a.kind || ', made by ' || a.made_by from queues.bulk_act as a where a.act_id = _id and coalesce(_kind, 'act') = 'act';
        -- Without the module anybody who may make schemas can put something of their own in this place.  Messages are for operators.
        if coalesce(_kind, 'message') = 'message' and internal.is_operator()
           and exists (select 1 from pg_class as c where c.oid = to_regclass('comms.message') and c.relkind = 'r' and pg_get_userbyid(c.relowner) = 'queues_owner') then
            return query select 'message', m.message_id::text, m.channel::text || ' of ' || to_char(m.created_at, 'YYYY-MM-DD HH24:MI') from comms.message as m
                where m.message_id = _id;
        end if;
        return;
    end if;
    if _word ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
        return query select 'worker', s.worker_id::text, s.worker_name from queues.worker_started as s where s.worker_id = _word::uuid;
        return;
    end if;
    if coalesce(_word, '') = '' then
        return;
    end if;
    return query select 'queue', q.queue, coalesce(q.description, 'queue') from queues.queue as q where starts_with(lower(q.queue), _word) order by q.queue limit 10;
    return query select 'command', c.command, 'handled by ' || c.handler_procedure from worker.command_registry as c where starts_with(lower(c.command), _word)
        order by c.command limit 10;
    return query select 'schedule', s.schedule_name, s.expression from queues.schedule as s where starts_with(lower(s.schedule_name), _word) order by s.schedule_name limit 10;
    return query select 'webhook', w.name, w.table_schema || '.' || w.table_name from pgqueue.webhook as w where starts_with(lower(w.name), _word) order by w.name limit 10;
    return query select 'type', y.task_type::text, coalesce(y.description, y.adapter) from queues.registered_task_type as y where starts_with(lower(y.task_type), _word)
        order by y.task_type limit 10;
    return query select 'worker', s.worker_id::text, s.worker_name from queues.worker_seen as w join queues.worker_started as s on s.worker_id = w.worker_id
        where starts_with(lower(s.worker_name), _word) order by s.started_at desc limit 10;
end
$$;
comment on function queues.find(text) is 'What has this id or this name.';
