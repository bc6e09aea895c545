-- Handlers of the channel tests, in schema t.  The payload of a task has the answer of its before handler, and every committed call
-- of a handler is a row.
create table t.handled (kind text not null, task_id bigint not null, input jsonb not null, at timestamptz not null default clock_timestamp());
create sequence t.befores;
create sequence t.successes;
create sequence t.errors;

-- Returns the field `send` of the payload.  Slow on demand: `before_seconds`.
create function t.prepare(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform nextval('t.befores');
    insert into t.handled (kind, task_id, input) values ('before', queues.current_task_id(), _payload);
    perform pg_sleep(coalesce((_payload->>'before_seconds')::double precision, 0));
    return jsonb_build_object('status', 'succeeded', 'payload', _payload->'send');
end
$$;

-- Returns the field `answer` of the payload as its envelope.
create function t.prepare_oddly(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform nextval('t.befores');
    if _payload ? 'raise' then
        raise exception '%', _payload->>'raise';
    end if;
    return _payload->'answer';
end
$$;

-- Fails the first `success_failures` times, after it has written a row.
create function t.note_success(_input jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.handled (kind, task_id, input) values ('success', queues.current_task_id(), _input);
    if nextval('t.successes') <= coalesce((_input->'original_payload'->>'success_failures')::integer, 0) then
        raise exception 'no room for the success';
    end if;
    perform pg_sleep(coalesce((_input->'original_payload'->>'success_seconds')::double precision, 0));
    return coalesce(_input->'original_payload'->'success_answer', jsonb_build_object('status', 'succeeded'));
end
$$;

create function t.note_error(_input jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.handled (kind, task_id, input) values ('error', queues.current_task_id(), _input);
    if nextval('t.errors') <= coalesce((_input->'original_payload'->>'error_failures')::integer, 0) then
        raise exception 'no room for the error';
    end if;
    return jsonb_build_object('status', 'succeeded');
end
$$;

revoke all on all functions in schema t from public;
select internal.allow_function('t.prepare', 'before'), internal.allow_function('t.prepare_oddly', 'before'),
       internal.allow_function('t.note_success', 'success'), internal.allow_function('t.note_error', 'error');
