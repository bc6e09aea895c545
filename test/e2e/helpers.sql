-- Business functions of the end-to-end tests, in schema t.  Sequences are not rolled back, so they count all real events: starts of
-- a run, overlaps, arrivals.
create schema t;

create table t.effect (task_id bigint not null, n integer, at timestamptz not null default clock_timestamp());
create table t.lock_row (id integer primary key, n integer not null default 0);
insert into t.lock_row (id) values (1), (2);
create table t.unique_later (id integer, constraint one_of_each unique (id) deferrable initially deferred);
create table t.checked_later (id integer);
create sequence t.starts;
create sequence t.overlaps;
create sequence t.arrivals;
create sequence t.failures;

-- The number of values that a sequence has given.
create function t.count_of(_sequence regclass) returns bigint language plpgsql
as $$
declare
    _n bigint;
begin
    execute format('select case when is_called then last_value else 0 end from %s', _sequence) into _n;
    return _n;
end
$$;

create function t.noop(_payload jsonb) returns jsonb
    language sql security definer set search_path = pg_catalog, pg_temp
as $$ select jsonb_build_object('status', 'succeeded') $$;

create function t.write_effect(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.effect (task_id, n) values (queues.current_task_id(), (_payload->>'n')::integer);
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Sleeps on the first `times` starts (default: always), and records overlapping runs of one task.
create function t.slow(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    if not pg_try_advisory_xact_lock(77, queues.current_task_id()::integer) then
        perform nextval('t.overlaps');
    end if;
    insert into t.effect (task_id) values (queues.current_task_id());
    if nextval('t.starts') <= coalesce((_payload->>'times')::integer, 1000000) then
        perform pg_sleep((_payload->>'seconds')::double precision);
    end if;
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Runs until row 1 of t.lock_row, which a test holds, is free.
create function t.wait_for_row(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform nextval('t.starts');
    perform 1 from t.lock_row where id = 1 for update;
    insert into t.effect (task_id) values (queues.current_task_id());
    return jsonb_build_object('status', 'succeeded');
end
$$;

create function t.boom(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.effect (task_id) values (queues.current_task_id());
    raise exception 'boom: %', coalesce(_payload->>'text', 'no text');
end
$$;

create function t.answer(_payload jsonb) returns jsonb
    language sql security definer set search_path = pg_catalog, pg_temp
as $$ select _payload->'answer' $$;

-- Leaves a setting behind in its session.
create function t.spoil(_payload jsonb) returns jsonb
    language plpgsql
as $$
begin
    perform set_config(_payload->>'setting', _payload->>'value', false);
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Fails only at commit.
create function t.fail_at_commit(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.effect (task_id) values (queues.current_task_id());
    insert into t.unique_later (id) values (1), (1);
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Fails only at commit, with an error that elsewhere would indicate a wrong set-up.
create function t.check_later() returns trigger language plpgsql
as $$
begin
    perform 1 from t.no_such_table;
    return null;
end
$$;
create constraint trigger check_later after insert on t.checked_later
    deferrable initially deferred for each row execute function t.check_later();
create function t.fail_at_commit_oddly(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.effect (task_id) values (queues.current_task_id());
    insert into t.checked_later (id) values (1);
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Two of these with `first` and `second` exchanged meet and deadlock, once.
create function t.cross(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.effect (task_id) values (queues.current_task_id());
    perform 1 from t.lock_row where id = (_payload->>'first')::integer for update;
    perform nextval('t.arrivals');
    for _i in 1 .. 1000 loop
        exit when t.count_of('t.arrivals') >= 2;
        perform pg_sleep(0.01);
    end loop;
    perform 1 from t.lock_row where id = (_payload->>'second')::integer for update;
    return jsonb_build_object('status', 'succeeded');
end
$$;

create function t.serialize_once(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.effect (task_id) values (queues.current_task_id());
    if nextval('t.failures') = 1 then
        raise exception using errcode = '40001', message = 'could not serialize';
    end if;
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Kills the backend that runs it, as a crash of the server would.
create function t.die(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform nextval('t.starts');
    perform pg_terminate_backend(pg_backend_pid());
    perform pg_sleep(60);
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Runs with the rights of its caller.
create function t.who(_payload jsonb) returns jsonb language sql
as $$ select jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('user', current_user)) $$;

revoke all on all functions in schema t from public;
grant usage on schema t to worker_service_user;
select internal.allow_function('t.' || f)
from unnest(array['noop', 'write_effect', 'slow', 'wait_for_row', 'boom', 'answer', 'fail_at_commit',
                  'fail_at_commit_oddly', 'cross', 'serialize_once', 'die', 'who', 'spoil']) as f;

-- Commands.  A table of the effects of their handlers and hooks, with the time of each.
create table t.note (n bigint generated always as identity, task_id bigint, what text, payload jsonb,
                     at timestamptz not null default clock_timestamp());

create procedure t.remember(payload jsonb, inout info jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into t.note (task_id, what, payload) values (worker.current_task_id(), 'handler', payload);
    if payload ? 'seconds' then
        perform nextval('t.starts');
        perform pg_sleep((payload->>'seconds')::double precision);
    end if;
    if payload ? 'wait_for_row' then
        perform nextval('t.starts');
        perform 1 from t.lock_row where id = 1 for update;
    end if;
    if payload ? 'raise' then
        raise exception 'as told: %', payload->>'raise';
    end if;
    perform worker.spawn('remember', c.value, worker.current_task_id(), null, (payload->>'mode')::worker.child_mode)
    from jsonb_array_elements(payload->'children') as c;
    if payload ? 'report' then
        perform worker.report_progress(payload->'report');
    end if;
    info := payload->'info';
end
$$;
create procedure t.before_hook(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin insert into t.note (task_id, what, payload) values (worker.current_task_id(), 'before', payload); end $$;
create procedure t.after_hook(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin insert into t.note (task_id, what, payload) values (worker.current_task_id(), 'after', payload); end $$;
-- Two of these deadlock, once.
create procedure t.cross_command(payload jsonb)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin perform t.cross(payload); end $$;

revoke all on all routines in schema t from public;
do $$
begin
    perform set_config('client_min_messages', 'error', true);
    insert into worker.queue_registry (queue, default_concurrency) values ('trees', 2);
    perform worker.register_command('remember', 't.remember', 'default');
    perform worker.register_command('hooked', 't.remember', 'default', 't.before_hook', 't.after_hook', p_status_type => 'is_hooked');
    perform worker.register_command('tree', 't.remember', 'trees', p_after_procedure => 't.after_hook');
    perform worker.register_command('branch', 't.remember', 'trees');
    perform worker.register_command('cross', 't.cross_command', 'default');
    perform worker.register_command('merged', 't.remember', 'default', p_dedup_keys => '{}',
                                    p_merge_rules => '{"ids": "union", "n": "sum", "seconds": "keep"}');
end
$$;
