-- A worked example: a parcel is delivered, with up to three attempts, under a supervisor.
--
--   parcel.kickoff_delivery       makes the root row and enqueues the supervisor
--   parcel.delivery_supervisor    reads facts, decides, acts, enqueues its next run
--   parcel.attempt_delivery       one attempt; here plain SQL, it could be any channel
--
-- Everything that happens is a row that is inserted and never changed.  Apply it with
-- psql after `reeve install`; it may be applied again.

create schema if not exists parcel;

-- Facts -------------------------------------------------------------------------------

create table if not exists parcel.delivery_task (
    delivery_task_id  bigint generated always as identity primary key,
    address           text not null unique,
    answers           text[] not null default '{at_home}', -- what the door says, attempt by attempt
    created_at        timestamptz not null default now()
);
create table if not exists parcel.delivery_attempt (
    delivery_attempt_id  bigint generated always as identity primary key,
    delivery_task_id     bigint not null references parcel.delivery_task,
    task_id              bigint not null, -- the task that carries it out
    created_at           timestamptz not null default now()
);
create table if not exists parcel.delivery_attempt_succeeded (
    delivery_attempt_id  bigint primary key references parcel.delivery_attempt,
    created_at           timestamptz not null default now()
);
create table if not exists parcel.delivery_attempt_failed (
    delivery_attempt_id  bigint primary key references parcel.delivery_attempt,
    error_message        text not null,
    created_at           timestamptz not null default now()
);

create or replace function parcel.delivery_facts(_delivery_task_id bigint,
        out has_success boolean, out num_failures integer, out num_attempts integer)
    language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select count(s.delivery_attempt_id) > 0, count(f.delivery_attempt_id)::integer, count(a.delivery_attempt_id)::integer
    from parcel.delivery_attempt as a
    left join parcel.delivery_attempt_succeeded as s on s.delivery_attempt_id = a.delivery_attempt_id
    left join parcel.delivery_attempt_failed as f on f.delivery_attempt_id = a.delivery_attempt_id
    where a.delivery_task_id = _delivery_task_id
$$;

-- Effects -----------------------------------------------------------------------------

-- The attempt and its task are made together, so neither can exist without the other.
create or replace function parcel.schedule_attempt(_delivery_task_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt_id constant bigint := nextval(pg_get_serial_sequence('parcel.delivery_attempt', 'delivery_attempt_id'));
begin
    insert into parcel.delivery_attempt (delivery_attempt_id, delivery_task_id, task_id)
    overriding system value
    values (_attempt_id, _delivery_task_id, queues.enqueue('db_function', jsonb_build_object(
        'db_function', 'parcel.attempt_delivery',
        'success_handler', 'parcel.record_success',
        'error_handler', 'parcel.record_failure',
        'delivery_attempt_id', _attempt_id)));
end
$$;

create or replace function parcel.schedule_recheck(_delivery_task_id bigint, _num_failures integer) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object(
        'db_function', 'parcel.delivery_supervisor', 'delivery_task_id', _delivery_task_id),
        queues.clock() + queues.recheck_delay(1, _num_failures));
end
$$;

-- Logic -------------------------------------------------------------------------------

create or replace function parcel.delivery_supervisor(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant bigint := (_payload->>'delivery_task_id')::bigint;
    _max_attempts constant integer := 3;
    _facts record;
begin
    -- The lock comes before the facts, in a statement of its own: a second run waits here
    -- and then sees the work of the first one.
    perform 1 from parcel.delivery_task as t where t.delivery_task_id = _id for no key update;
    if not found then
        return jsonb_build_object('status', 'delivery_task_not_found');
    end if;
    select * into _facts from parcel.delivery_facts(_id);

    if _facts.has_success then
        return jsonb_build_object('status', 'succeeded');
    elsif _facts.num_failures >= _max_attempts then
        return jsonb_build_object('status', 'max_attempts_reached');
    elsif _facts.num_attempts = _facts.num_failures then
        perform parcel.schedule_attempt(_id);
    end if;
    perform parcel.schedule_recheck(_id, _facts.num_failures);
    return jsonb_build_object('status', 'scheduled');
end
$$;

-- The work and its facts ---------------------------------------------------------------

create or replace function parcel.attempt_delivery(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _answer text;
begin
    select t.answers[least((select count(*) from parcel.delivery_attempt as b
                            where b.delivery_task_id = t.delivery_task_id
                              and b.delivery_attempt_id <= a.delivery_attempt_id), cardinality(t.answers))]
    into _answer
    from parcel.delivery_attempt as a join parcel.delivery_task as t on t.delivery_task_id = a.delivery_task_id
    where a.delivery_attempt_id = (_payload->>'delivery_attempt_id')::bigint;
    if _answer is distinct from 'at_home' then
        raise exception 'nobody opened the door (%)', _answer;
    end if;
    return jsonb_build_object('status', 'succeeded');
end
$$;

create or replace function parcel.record_success(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into parcel.delivery_attempt_succeeded (delivery_attempt_id)
    values ((_payload #>> '{original_payload,delivery_attempt_id}')::bigint)
    on conflict do nothing;
    return jsonb_build_object('status', 'succeeded');
end
$$;

create or replace function parcel.record_failure(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into parcel.delivery_attempt_failed (delivery_attempt_id, error_message)
    values ((_payload #>> '{original_payload,delivery_attempt_id}')::bigint, _payload->>'error')
    on conflict do nothing;
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Kickoff: a message instead of an exception, and a second call does nothing.
create or replace function parcel.kickoff_delivery(_address text, _answers text[] default '{at_home}',
        out validation_failure_message text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    if coalesce(_address, '') = '' then
        validation_failure_message := 'missing_address';
        return;
    end if;
    insert into parcel.delivery_task (address, answers) values (_address, _answers)
    on conflict (address) do nothing
    returning delivery_task_id into _id;
    if _id is not null then
        perform queues.enqueue('db_function', jsonb_build_object(
            'db_function', 'parcel.delivery_supervisor', 'delivery_task_id', _id));
    end if;
end
$$;

-- The worker needs a registration and EXECUTE for each function; no other role may call them.
revoke all on all functions in schema parcel from public;
select internal.allow_function('parcel.delivery_supervisor', 'supervisor', _facts_function => 'parcel.delivery_facts');
select internal.allow_function('parcel.attempt_delivery');
select internal.allow_function('parcel.record_success', 'success');
select internal.allow_function('parcel.record_failure', 'error');
