-- worker.list_commands(_command, _state, _queue, _cursor, _limit), worker.show_command(_id)
-- list_commands: a page of commands, newest first (internal.list_answer).  It looks at the newest thousand commands of this name;
-- without a name, at tasks, as queues.list_tasks does.  States and queues are sorted out afterwards, so a page may have fewer rows,
-- and the cursor goes on. show_command: one command with its newest children, and how many of the first thousand have ended; null:
-- there is no such command.  Payload, info, merges and texts of errors are for operators.
create or replace function worker.list_commands(_command text default null, _state text default null, _queue text default null, _cursor text default null,
        _limit integer default 50) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _before bigint;
    _ids bigint[];
    _rows jsonb;
    _list jsonb;
begin
    perform internal.check_text('command', _command, 256), internal.check_text('state', _state, 64), internal.check_text('queue', _queue, 256),
            internal.check_text('cursor', _cursor, 64);
    perform internal.check_word('state', _state, array['pending', 'processing', 'waiting', 'interrupted', 'completed', 'failed']);
    _before := internal.check_look(null, null, _limit, _cursor);
    if _command is null then
        _list := queues.list_tasks(_state => case when _state = 'waiting' then 'waiting' end,
            _outcome => case _state when 'failed' then 'failed' when 'completed' then 'succeeded' end, _task_type => 'command', _queue => _queue,
            _cursor => _cursor, _limit => _limit);
        _rows := internal.command_rows(array(select (r->>'task_id')::bigint from jsonb_array_elements(_list->'rows') as r));
        return _list || jsonb_build_object('rows', (select coalesce(jsonb_agg(r order by (r->>'id')::bigint desc), '[]') from jsonb_array_elements(_rows) as r
                                                    where _state is null or r->>'state' = _state));
    end if;
    _ids := array(select t.task_id from queues.task as t
                  where t.task_type = 'command' and t.payload->>'command' = _command and t.task_id < _before
                  order by t.task_id desc limit case when num_nonnulls(_state, _queue) = 0 then _limit else 1000 end + 1);
    select coalesce(jsonb_agg(x.r order by x.n), '[]') into _rows
    from (select r, n from jsonb_array_elements(internal.command_rows(_ids)) with ordinality as e(r, n)
          where (_state is null or r->>'state' = _state) and (_queue is null or r->>'queue' = _queue) order by n limit _limit) as x;
    -- The page is full, or the look has ended before the commands did.
    if jsonb_array_length(_rows) = _limit then
        _before := (_rows->-1->>'id')::bigint;
    else
        _before := case when cardinality(_ids) > 1000 then _ids[cardinality(_ids)] end;
    end if;
    return internal.list_answer(_rows, case when _before > _ids[cardinality(_ids)] or cardinality(_ids) > 1000 then _before end, cardinality(_ids),
                                case when cardinality(_ids) > 1000 then (select t.enqueued_at from queues.task as t where t.task_id = _before) end);
end
$$;
comment on function worker.list_commands(text, text, text, text, integer) is 'A page of commands, newest first.';

create or replace function worker.show_command(_id bigint) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _sees_texts constant boolean := internal.is_operator();
    _row constant jsonb := internal.command_rows(array[_id])->0;
    _all bigint;
    _ended bigint;
begin
    if _row is null then
        return null;
    end if;
    select count(*), count(c.task_id) into _all, _ended
    from (select t.task_id from queues.task as t where t.parent_id = _id limit 1000) as k
    left join lateral (select y.task_id from queues.task_completed as y where y.task_id = k.task_id offset 0) as c on true;
    return (select _row || to_jsonb(x.*)
            from (select t.scheduled_at, p.child_mode, coalesce(t.depth, 0) as depth, coalesce(d.started_at, c.started_at) as process_start_at,
                         coalesce(d.done_at, case when c.started_at is not null then c.completed_at end) as process_stop_at,
                         case when _sees_texts then coalesce((select f.payload from queues.task_folded as f where f.task_id = _id order by f.lease_no desc limit 1),
                             internal.shown_payload(_id, t.payload)) end as payload,
                         case when not _sees_texts then null when c.outcome in ('succeeded', 'failed') then c.result
                              when c.task_id is null and d.task_id is not null then internal.tree_info(_id) end as info,
                         case when c.task_id is null then internal.shown_merges(_id, t.payload) end as merges,
                         _all as children_count, _ended as children_ended,
                         internal.command_rows(array(select y.task_id from queues.task as y where y.parent_id = _id order by y.task_id desc limit 100)) as children
                  from queues.task as t
                  left join queues.task_completed as c on c.task_id = t.task_id
                  left join worker.handler_done as d on d.task_id = t.task_id
                  left join worker.task_parent as p on p.task_id = t.task_id
                  where t.task_id = _id) as x);
end
$$;
comment on function worker.show_command(bigint) is 'One command with its children.';
