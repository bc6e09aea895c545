-- A worked example: an account is deleted, by a supervisor that waits for others.
--
--   api.request_account_deletion             the call of a front end
--     accounts.account_deletion_supervisor     the root: files first, then personal data
--       files.file_deletion_supervisor           one per file (module files, three attempts)
--       accounts.account_anonymization_supervisor  one per account (here, three attempts)
--
-- The root has no retries of its own.  It starts its children and checks them again later.  If one of them is
-- stuck, the root stops and records it.  A new request then makes a new root, which reads only children
-- that are not older than itself.
--
-- Installed by `reeve install --with-example`, or by psql -1 -f after sql/install.sql; it may be
-- applied again.  Needs the module files.  Everything belongs to queues_owner, so that
-- `reeve uninstall` removes it.

do $$
declare
    _name text;
begin
    foreach _name in array array['account', 'account_flag', 'account_file', 'account_deletion_task', 'account_anonymization_task'] loop
        if exists (select 1 from pg_class as c where c.oid = to_regclass('accounts.' || _name)
                   and pg_get_userbyid(c.relowner) <> 'queues_owner') then
            raise exception using errcode = '42710',
                message = format('object accounts.%s already exists and is not ours', _name),
                hint = 'The example needs a database in which these names are free.';
        end if;
    end loop;
    foreach _name in array array['accounts', 'api'] loop
        if to_regnamespace(_name) is null then
            execute format('create schema %I authorization queues_owner', _name);
        elsif not has_schema_privilege('queues_owner', _name, 'create') then
            execute format('grant usage, create on schema %I to queues_owner with grant option', _name);
        end if;
    end loop;
end
$$;
set local role queues_owner;

-- Tables ------------------------------------------------------------------------------

create table if not exists accounts.account (
    account_id    bigint generated always as identity primary key,
    email         text,
    phone         text,
    display_name  text,
    created_at    timestamptz not null default now()
);
create table if not exists accounts.account_flag (
    account_id  bigint not null references accounts.account,
    flag        text not null check (flag in ('deleted', 'anonymized')),
    created_at  timestamptz not null default now(),
    unique (account_id, flag)
);
create table if not exists accounts.account_file (
    account_id  bigint not null references accounts.account,
    file_id     bigint not null references files.file,
    primary key (account_id, file_id)
);

-- The root and its two ends.
create table if not exists accounts.account_deletion_task (
    account_deletion_task_id  bigint generated always as identity primary key,
    account_id                bigint not null references accounts.account,
    created_at                timestamptz not null default now()
);
create index if not exists account_deletion_task_account_idx on accounts.account_deletion_task (account_id);
create table if not exists accounts.account_deletion_task_succeeded (
    account_deletion_task_id  bigint primary key references accounts.account_deletion_task,
    created_at                timestamptz not null default now()
);
create table if not exists accounts.account_deletion_task_failed (
    account_deletion_task_id  bigint primary key references accounts.account_deletion_task,
    error_message             text not null,
    created_at                timestamptz not null default now()
);

-- Our own child process: attempts, each with one outcome at most.
create table if not exists accounts.account_anonymization_task (
    account_anonymization_task_id  bigint generated always as identity primary key,
    account_id                     bigint not null references accounts.account,
    created_at                     timestamptz not null default now(),
    task_uuid                      uuid not null default gen_random_uuid()
);
create index if not exists account_anonymization_task_account_idx on accounts.account_anonymization_task (account_id);
create table if not exists accounts.account_anonymization_attempt (
    account_anonymization_attempt_id  bigint generated always as identity primary key,
    account_anonymization_task_id     bigint not null references accounts.account_anonymization_task,
    created_at                        timestamptz not null default now(),
    task_id                           bigint not null
);
create index if not exists account_anonymization_attempt_task_idx
    on accounts.account_anonymization_attempt (account_anonymization_task_id);
create table if not exists accounts.account_anonymization_attempt_succeeded (
    account_anonymization_attempt_id  bigint primary key references accounts.account_anonymization_attempt,
    created_at                        timestamptz not null default now()
);
create table if not exists accounts.account_anonymization_attempt_failed (
    account_anonymization_attempt_id  bigint primary key references accounts.account_anonymization_attempt,
    error_message                     text not null,
    created_at                        timestamptz not null default now(),
    in_doubt                          boolean not null default false
);
create or replace view accounts.account_anonymization_task_succeeded as
select a.account_anonymization_task_id, a.account_anonymization_attempt_id, s.created_at
from accounts.account_anonymization_attempt_succeeded as s
join accounts.account_anonymization_attempt as a using (account_anonymization_attempt_id);
create or replace view accounts.account_anonymization_task_failed as
select a.account_anonymization_task_id, a.account_anonymization_attempt_id, f.error_message, f.created_at
from accounts.account_anonymization_attempt_failed as f
join accounts.account_anonymization_attempt as a using (account_anonymization_attempt_id);

-- Facts -------------------------------------------------------------------------------

create or replace function files.account_files(_account_id bigint) returns setof files.file
    language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select f.* from accounts.account_file as a join files.file as f on f.file_id = a.file_id
    where a.account_id = _account_id and not files.is_file_deleted(f.file_id)
    order by f.file_id
$$;

create or replace function accounts.has_account_flag(_account_id bigint, _flag text) returns boolean
    language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
    select exists (select 1 from accounts.account_flag as f where f.account_id = _account_id and f.flag = _flag)
$$;

create or replace function accounts.account_anonymization_supervisor_facts(_account_anonymization_task_id bigint,
        out is_anonymized boolean, out has_success boolean, out num_failures integer, out num_attempts integer,
        out num_scheduled integer, out num_lost integer)
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
    is_anonymized := exists (
        select 1 from accounts.account_anonymization_task as t join accounts.account_flag as f on f.account_id = t.account_id
        where t.account_anonymization_task_id = _account_anonymization_task_id and f.flag = 'anonymized');
    select count(s.account_anonymization_attempt_id) > 0, count(f.account_anonymization_attempt_id), count(*), count(*),
           -- Lost: the task has ended, or was removed, without an outcome of the attempt.
           count(*) filter (where s.account_anonymization_attempt_id is null and f.account_anonymization_attempt_id is null
               and (not exists (select 1 from queues.task as t where t.task_id = a.task_id)
                    or exists (select 1 from queues.task_completed as c where c.task_id = a.task_id)))
    into has_success, num_failures, num_attempts, num_scheduled, num_lost
    from accounts.account_anonymization_attempt as a
    left join accounts.account_anonymization_attempt_succeeded as s using (account_anonymization_attempt_id)
    left join accounts.account_anonymization_attempt_failed as f using (account_anonymization_attempt_id)
    where a.account_anonymization_task_id = _account_anonymization_task_id;
end
$$;

create or replace function accounts.has_account_anonymization_succeeded_attempt(_account_anonymization_task_id bigint) returns boolean
    language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select f.has_success from accounts.account_anonymization_supervisor_facts(_account_anonymization_task_id) as f $$;

create or replace function accounts.count_account_anonymization_failed_attempts(_account_anonymization_task_id bigint) returns integer
    language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select f.num_failures from accounts.account_anonymization_supervisor_facts(_account_anonymization_task_id) as f $$;

create or replace function accounts.count_account_anonymization_attempts(_account_anonymization_task_id bigint) returns integer
    language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select f.num_attempts from accounts.account_anonymization_supervisor_facts(_account_anonymization_task_id) as f $$;

-- Stuck: the newest task has no success, and three failures or a process that ended early.
create or replace function accounts.is_account_anonymization_stuck(_account_id bigint) returns boolean
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _task constant bigint := (select max(t.account_anonymization_task_id) from accounts.account_anonymization_task as t
                              where t.account_id = _account_id);
    _facts record;
begin
    if _task is null then
        return false;
    end if;
    _facts := accounts.account_anonymization_supervisor_facts(_task);
    return not _facts.has_success and (_facts.num_failures >= 3 or exists (
        select 1 from queues.process_state as p
        where p.supervisor = 'accounts.account_anonymization_supervisor'
          and p.ids = jsonb_build_object('account_anonymization_task_id', _task)
          and p.end_reason in ('supervisor_failed', 'run_limit', 'cancelled', 'quarantined')));
end
$$;

-- The facts of the root.  Only children that are not older than the root count.
create or replace function accounts.account_deletion_supervisor_facts(_account_deletion_task_id bigint,
        out has_succeeded boolean, out has_failed boolean, out stuck_file_id bigint, out num_undeleted_files integer,
        out is_anonymization_stuck boolean, out is_anonymized boolean)
    language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _root accounts.account_deletion_task;
begin
    select t.* into _root from accounts.account_deletion_task as t where t.account_deletion_task_id = _account_deletion_task_id;
    has_succeeded := exists (select 1 from accounts.account_deletion_task_succeeded as s
                             where s.account_deletion_task_id = _account_deletion_task_id);
    has_failed := exists (select 1 from accounts.account_deletion_task_failed as f
                          where f.account_deletion_task_id = _account_deletion_task_id);
    select count(*), min(f.file_id) filter (where files.is_file_deletion_stuck(f.file_id) and (
               select max(t.created_at) from files.file_deletion_task as t where t.file_id = f.file_id) >= _root.created_at)
    into num_undeleted_files, stuck_file_id
    from files.account_files(_root.account_id) as f;
    is_anonymization_stuck := accounts.is_account_anonymization_stuck(_root.account_id) and (
        select max(t.created_at) from accounts.account_anonymization_task as t
        where t.account_id = _root.account_id) >= _root.created_at;
    is_anonymized := accounts.has_account_flag(_root.account_id, 'anonymized');
end
$$;

-- Effects -----------------------------------------------------------------------------

create or replace function accounts.set_account_flag(_account_id bigint, _flag text) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into accounts.account_flag (account_id, flag, created_at) values (_account_id, _flag, queues.clock())
    on conflict (account_id, flag) do nothing;
end
$$;

-- The work itself: removes personal data and sets the flag.
create or replace function accounts.anonymize_account(_account_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    update accounts.account as a set email = null, phone = null, display_name = null where a.account_id = _account_id;
    perform accounts.set_account_flag(_account_id, 'anonymized');
end
$$;

create or replace function accounts.schedule_anonymization_attempt(_account_anonymization_task_id bigint) returns bigint
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant bigint := nextval(pg_get_serial_sequence('accounts.account_anonymization_attempt', 'account_anonymization_attempt_id'));
begin
    insert into accounts.account_anonymization_attempt (account_anonymization_attempt_id, account_anonymization_task_id, created_at, task_id)
    overriding system value
    values (_id, _account_anonymization_task_id, queues.clock(), queues.enqueue('db_function', jsonb_build_object(
        'task_type', 'db_function', 'db_function', 'accounts.do_anonymization',
        'success_handler', 'accounts.record_anonymization_success', 'error_handler', 'accounts.record_anonymization_failure',
        'account_anonymization_task_id', _account_anonymization_task_id, 'account_anonymization_attempt_id', _id)));
    return _id;
end
$$;

create or replace function accounts.schedule_anonymization_recheck(_account_anonymization_task_id bigint, _num_failures integer) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'accounts.account_anonymization_supervisor', 'account_anonymization_task_id', _account_anonymization_task_id),
        queues.clock() + queues.recheck_delay(10, _num_failures));
end
$$;

create or replace function accounts.record_lost_anonymization_attempts(_account_anonymization_task_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1 from accounts.account_anonymization_attempt as a
    where a.account_anonymization_task_id = _account_anonymization_task_id for no key update;
    insert into accounts.account_anonymization_attempt_failed (account_anonymization_attempt_id, error_message, created_at)
    select a.account_anonymization_attempt_id,
           format('attempt lost: task %s %s', a.task_id, coalesce('ended as ' || c.outcome, 'is gone')), queues.clock()
    from accounts.account_anonymization_attempt as a
    left join queues.task_completed as c on c.task_id = a.task_id
    where a.account_anonymization_task_id = _account_anonymization_task_id
      and (c.task_id is not null or not exists (select 1 from queues.task as t where t.task_id = a.task_id))
      and not exists (select 1 from accounts.account_anonymization_attempt_succeeded as s
                      where s.account_anonymization_attempt_id = a.account_anonymization_attempt_id)
    on conflict do nothing;
end
$$;

create or replace function accounts.fail_account_deletion(_account_deletion_task_id bigint, _error_message text) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into accounts.account_deletion_task_failed (account_deletion_task_id, error_message, created_at)
    values (_account_deletion_task_id, _error_message, queues.clock()) on conflict do nothing;
end
$$;

create or replace function accounts.succeed_account_deletion(_account_deletion_task_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into accounts.account_deletion_task_succeeded (account_deletion_task_id, created_at)
    values (_account_deletion_task_id, queues.clock()) on conflict do nothing;
end
$$;

-- One child per file; a file with an open deletion is left alone.
create or replace function accounts.kickoff_file_deletions(_account_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform files.kickoff_file_deletion(f.file_id) from files.account_files(_account_id) as f;
end
$$;

create or replace function accounts.schedule_account_deletion_recheck(_account_deletion_task_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'accounts.account_deletion_supervisor', 'account_deletion_task_id', _account_deletion_task_id),
        queues.clock() + queues.recheck_delay(10, 0));
end
$$;

-- Kickoffs ----------------------------------------------------------------------------

create or replace function accounts.kickoff_account_anonymization(_account_id bigint, _scheduled_at timestamptz default now(),
        out validation_failure_message text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _task bigint;
begin
    if _account_id is null then
        validation_failure_message := 'missing_account_id';
        return;
    end if;
    perform 1 from accounts.account as a where a.account_id = _account_id for no key update;
    if not found then
        validation_failure_message := 'account_not_found';
        return;
    end if;
    -- Done, or under way: no success, fewer than three failures, a live process.
    if accounts.has_account_flag(_account_id, 'anonymized') or exists (
            select 1 from accounts.account_anonymization_task as t
            cross join lateral accounts.account_anonymization_supervisor_facts(t.account_anonymization_task_id) as f
            join queues.process_state as p on p.supervisor = 'accounts.account_anonymization_supervisor'
                and p.ids = jsonb_build_object('account_anonymization_task_id', t.account_anonymization_task_id)
            where t.account_id = _account_id and not f.has_success and f.num_failures < 3 and p.state = 'live') then
        return;
    end if;
    insert into accounts.account_anonymization_task (account_id, created_at) values (_account_id, queues.clock())
    returning account_anonymization_task_id into _task;
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'accounts.account_anonymization_supervisor', 'account_anonymization_task_id', _task), _scheduled_at);
end
$$;

create or replace function accounts.kickoff_account_deletion(_account_id bigint, _scheduled_at timestamptz default now(),
        out validation_failure_message text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _task bigint;
begin
    if _account_id is null then
        validation_failure_message := 'missing_account_id';
        return;
    end if;
    perform 1 from accounts.account as a where a.account_id = _account_id for no key update;
    if not found then
        validation_failure_message := 'account_not_found';
        return;
    end if;
    perform accounts.set_account_flag(_account_id, 'deleted');
    -- Done, or under way: neither end is written, and its process is live.
    if exists (
            select 1 from accounts.account_deletion_task as t
            left join accounts.account_deletion_task_succeeded as s using (account_deletion_task_id)
            left join accounts.account_deletion_task_failed as f using (account_deletion_task_id)
            where t.account_id = _account_id and (s.account_deletion_task_id is not null
                or (f.account_deletion_task_id is null and exists (
                    select 1 from queues.process_state as p
                    where p.supervisor = 'accounts.account_deletion_supervisor' and p.state = 'live'
                      and p.ids = jsonb_build_object('account_deletion_task_id', t.account_deletion_task_id))))) then
        return;
    end if;
    insert into accounts.account_deletion_task (account_id, created_at) values (_account_id, queues.clock())
    returning account_deletion_task_id into _task;
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'accounts.account_deletion_supervisor', 'account_deletion_task_id', _task), _scheduled_at);
end
$$;

create or replace function api.request_account_deletion(_account_id bigint, out validation_failure_message text)
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    validation_failure_message := accounts.kickoff_account_deletion(_account_id);
end
$$;

-- Logic -------------------------------------------------------------------------------

create or replace function accounts.account_deletion_supervisor(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint := case when _payload->>'account_deletion_task_id' ~ '^[1-9][0-9]{0,17}$'
                       then (_payload->>'account_deletion_task_id')::bigint end;
    _account bigint := case when _payload->>'account_id' ~ '^[1-9][0-9]{0,17}$' then (_payload->>'account_id')::bigint end;
    _facts record;
    _status text;
begin
    if _id is null and _account is null then
        return jsonb_build_object('status', 'missing_account_deletion_task_id');
    elsif _id is null then
        select max(t.account_deletion_task_id) into _id from accounts.account_deletion_task as t where t.account_id = _account;
    end if;
    -- The lock comes before the facts, in a statement of its own.
    select t.account_id into _account from accounts.account_deletion_task as t
    where t.account_deletion_task_id = _id for no key update;
    if not found then
        return jsonb_build_object('status', 'account_deletion_task_not_found');
    end if;
    _facts := accounts.account_deletion_supervisor_facts(_id);

    if _facts.has_succeeded then
        _status := 'succeeded';
    elsif _facts.has_failed then
        _status := 'failed';
    elsif _facts.stuck_file_id is not null then
        perform accounts.fail_account_deletion(_id, format('file deletion stuck: file %s', _facts.stuck_file_id));
        _status := 'file_deletion_stuck';
    elsif _facts.num_undeleted_files > 0 then
        perform accounts.kickoff_file_deletions(_account);
        perform accounts.schedule_account_deletion_recheck(_id);
        _status := 'waiting_for_file_deletions';
    elsif _facts.is_anonymization_stuck then
        perform accounts.fail_account_deletion(_id, format('account anonymization stuck: account %s', _account));
        _status := 'account_anonymization_stuck';
    elsif not _facts.is_anonymized then
        perform accounts.kickoff_account_anonymization(_account);
        perform accounts.schedule_account_deletion_recheck(_id);
        _status := 'waiting_for_anonymization';
    else
        perform accounts.succeed_account_deletion(_id);
        _status := 'succeeded';
    end if;
    return jsonb_build_object('status', _status, 'payload', jsonb_build_object('facts', to_jsonb(_facts)));
end
$$;

create or replace function accounts.account_anonymization_supervisor(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _max_attempts constant integer := 3;
    _id constant bigint := case when _payload->>'account_anonymization_task_id' ~ '^[1-9][0-9]{0,17}$'
                                then (_payload->>'account_anonymization_task_id')::bigint end;
    _facts record;
    _status text;
begin
    if _id is null then
        return jsonb_build_object('status', 'missing_account_anonymization_task_id');
    end if;
    perform 1 from accounts.account_anonymization_task as t where t.account_anonymization_task_id = _id for no key update;
    if not found then
        return jsonb_build_object('status', 'account_anonymization_task_not_found');
    end if;
    _facts := accounts.account_anonymization_supervisor_facts(_id);
    if not _facts.has_success and _facts.num_lost > 0 then
        perform accounts.record_lost_anonymization_attempts(_id);
        _facts := accounts.account_anonymization_supervisor_facts(_id);
    end if;

    if _facts.has_success then
        _status := 'succeeded';
    elsif _facts.is_anonymized then
        _status := 'already_anonymized';
    elsif _facts.num_failures >= _max_attempts then
        _status := 'max_attempts_reached';
    else
        if _facts.num_attempts = _facts.num_failures then
            perform accounts.schedule_anonymization_attempt(_id);
        end if;
        perform accounts.schedule_anonymization_recheck(_id, _facts.num_failures);
        _status := 'scheduled';
    end if;
    return jsonb_build_object('status', _status, 'payload', jsonb_build_object('facts', to_jsonb(_facts)));
end
$$;

-- The attempt and its facts ------------------------------------------------------------

create or replace function accounts.do_anonymization(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _account bigint;
begin
    select t.account_id into _account
    from accounts.account_anonymization_attempt as a
    join accounts.account_anonymization_task as t using (account_anonymization_task_id)
    where a.account_anonymization_attempt_id = (_payload->>'account_anonymization_attempt_id')::bigint;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    end if;
    perform accounts.anonymize_account(_account);
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Locks the attempt before it reads the outcomes, so that an attempt never has both.
create or replace function accounts.record_anonymization_success(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt constant bigint := (_payload #>> '{original_payload,account_anonymization_attempt_id}')::bigint;
    _task bigint;
begin
    select a.account_anonymization_task_id into _task from accounts.account_anonymization_attempt as a
    where a.account_anonymization_attempt_id = _attempt for no key update;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    end if;
    insert into accounts.account_anonymization_attempt_succeeded (account_anonymization_attempt_id, created_at)
    select _attempt, queues.clock()
    where not exists (select 1 from accounts.account_anonymization_attempt_failed as f
                      where f.account_anonymization_attempt_id = _attempt)
    on conflict do nothing;
    perform queues.wake_process('accounts.account_anonymization_supervisor',
        jsonb_build_object('account_anonymization_task_id', _task), queues.clock());
    return jsonb_build_object('status', 'succeeded');
end
$$;

create or replace function accounts.record_anonymization_failure(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt constant bigint := (_payload #>> '{original_payload,account_anonymization_attempt_id}')::bigint;
    _task bigint;
begin
    select a.account_anonymization_task_id into _task from accounts.account_anonymization_attempt as a
    where a.account_anonymization_attempt_id = _attempt for no key update;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    end if;
    insert into accounts.account_anonymization_attempt_failed (account_anonymization_attempt_id, error_message, created_at)
    select _attempt, coalesce(_payload->>'error', 'failed'), queues.clock()
    where not exists (select 1 from accounts.account_anonymization_attempt_succeeded as s
                      where s.account_anonymization_attempt_id = _attempt)
    on conflict do nothing;
    perform queues.wake_process('accounts.account_anonymization_supervisor',
        jsonb_build_object('account_anonymization_task_id', _task),
        queues.clock() + queues.backoff(10, accounts.count_account_anonymization_failed_attempts(_task) - 1));
    return jsonb_build_object('status', 'succeeded');
end
$$;

-- Rights ------------------------------------------------------------------------------

-- Nothing for PUBLIC (new functions of queues_owner never are).  The worker needs a registration and EXECUTE.
do $$
begin
    perform internal.allow_function('accounts.account_deletion_supervisor', 'supervisor',
                _facts_function => 'accounts.account_deletion_supervisor_facts', _max_idle_runs => 50),
            internal.allow_function('accounts.account_anonymization_supervisor', 'supervisor',
                _facts_function => 'accounts.account_anonymization_supervisor_facts',
                _process_keys => array['account_anonymization_task_id']),
            internal.allow_function('accounts.do_anonymization'),
            internal.allow_function('accounts.record_anonymization_success', 'success'),
            internal.allow_function('accounts.record_anonymization_failure', 'error');
end
$$;
grant usage on schema accounts, api to queues_enqueuer, queues_operator;
grant execute on function api.request_account_deletion(bigint) to queues_enqueuer;
grant execute on function accounts.is_account_anonymization_stuck(bigint),
    accounts.account_deletion_supervisor_facts(bigint), accounts.account_anonymization_supervisor_facts(bigint)
    to queues_operator;
reset role;
