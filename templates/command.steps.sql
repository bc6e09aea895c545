-- Until the rollback, this handler takes the place of yours.  It fails on demand, and remembers the ids that it got.
create or replace procedure {{schema}}.{{name}}(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    if current_setting('test.outcome') = 'failed' then
        raise exception 'no paper';
    end if;
    perform set_config('test.handled', current_setting('test.handled') || (payload->>'ids'), true);
end
$$;

-- Chooses what the handler does from now on, and forgets what it did.
create procedure pg_temp.handler_will(_outcome text)
    language plpgsql
as $$
begin
    perform set_config('test.outcome', _outcome, true), set_config('test.handled', '', true);
end
$$;

-- What became of a task and its next attempts, in words.
create function pg_temp.story(_task_id bigint) returns text
    language sql
as $$
    select format('attempts: %s, %s', count(*), coalesce((array_agg(c.outcome order by t.task_id desc))[1], 'open'))
    from queues.task as t
    left join queues.task_attempt as a on a.task_id = t.task_id
    left join queues.task_completed as c on c.task_id = t.task_id
    where coalesce(a.chain_id, t.task_id) = _task_id
$$;

