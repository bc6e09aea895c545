-- Shared parts of the isolation tests: stops inside the engine, a clean state for every permutation, time that passes at once, and
-- work to do.
create schema test;
grant usage on schema test to public;

-- Stops.  A session inside the engine passes test.failpoint('name') unless another
-- session holds that name; the one that holds it passes too.  'name@session' stops one
-- session of the spec only.
create function test.failpoint(_name text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _own constant text := _name || '@' || substring(current_setting('application_name') from '[^/]*$');
begin
    perform pg_advisory_lock_shared(20547, hashtext(_name)), pg_advisory_unlock_shared(20547, hashtext(_name));
    perform pg_advisory_lock_shared(20547, hashtext(_own)), pg_advisory_unlock_shared(20547, hashtext(_own));
end
$$;

-- The same in the middle of a statement, in place of a condition.
create function test.passes(_name text) returns boolean
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.failpoint(_name);
    return true;
end
$$;

create procedure test.hold(_name text)
    language plpgsql
as $$
begin
    perform pg_advisory_lock(20547, hashtext(_name));
end
$$;

create procedure test.let_go(_name text)
    language plpgsql
as $$
begin
    perform pg_advisory_unlock(20547, hashtext(_name));
end
$$;

-- Aborts the statement that waits at a stop, and returns when it no longer waits: if the stop were released meanwhile, the aborted
-- session would keep its lock.
create procedure test.abort_at(_name text)
    language plpgsql
as $$
declare
    _pid integer;
begin
    select l.pid into strict _pid from pg_locks as l
    where l.locktype = 'advisory' and l.classid = 20547 and l.objid = hashtext(_name)::oid and not l.granted
      and l.database = (select d.oid from pg_database as d where d.datname = current_database());
    perform pg_cancel_backend(_pid);
    while exists (select 1 from pg_locks as l where l.pid = _pid and not l.granted) loop
        perform pg_sleep(0.001);
    end loop;
end
$$;

-- Workers have numbers.
create function test.worker(_n integer) returns uuid
    language sql immutable
as $$
    select ('00000000-0000-4000-9000-' || lpad(_n::text, 12, '0'))::uuid
$$;

-- A clean state: the rows of a fresh installation, and four workers.
create table test.installed_worker as select * from queues.worker_started;

create procedure test.reset()
    language plpgsql
as $$
declare
    _tables text;
begin
    perform set_config('session_replication_role', 'replica', true);
    select string_agg(c.oid::regclass::text, ', ') into _tables
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('queues', 'worker', 'test', 'comms', 'files', 'pgqueue')
      and c.relname not in ('migration', 'queue', 'registered_task_type', 'installed_worker', 'command_registry');
    execute 'truncate ' || _tables || ' restart identity';
    delete from internal.bulk_carrier;
    insert into queues.worker_started select * from test.installed_worker;
    delete from queues.queue where queue like 'test.%';
    perform queues.start_worker(test.worker(n), 'worker ' || n, 'test', queues.schema_version())
    from generate_series(1, 4) as n;
end
$$;

-- Lets time pass: moves every time that the engine has written further back.
create procedure test.pass_time(_by interval)
    language plpgsql
as $$
declare
    _table record;
begin
    perform set_config('session_replication_role', 'replica', true);
    for _table in
        select c.oid::regclass as name, string_agg(format('%1$I = %1$I - $1', a.attname), ', ') as changes
        from pg_attribute as a
        join pg_class as c on c.oid = a.attrelid
        join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname in ('queues', 'pgqueue') and c.relkind = 'r' and c.relname not in ('migration', 'queue', 'registered_task_type')
          and a.attnum > 0 and not a.attisdropped and a.atttypid = 'timestamptz'::regtype
        group by c.oid
    loop
        execute format('update %s set %s', _table.name, _table.changes) using _by;
    end loop;
end
$$;

-- Effects of the work.
create table test.effect (
    n        bigint generated always as identity,
    task_id  bigint,
    note     text
);

-- The facts, without times; and the violated invariants of the engine.
create function test.story() returns table (story text)
    language sql volatile
as $$
    select x.line
    from (
        select l.task_id, 1 as part, l.lease_no as n, format('task %s lease %s of %s: %s', l.task_id, l.lease_no,
               coalesce((select w.worker_name from queues.worker_started as w where w.worker_id = h.worker_id), h.leased_by::text),
               coalesce(e.how, case when c.lease_no = l.lease_no then 'completed' end, 'held')) as line
        from queues.task_lease as l
        join queues.holder as h on h.holder_id = l.holder_id
        left join queues.task_lease_ended as e on e.task_id = l.task_id and e.lease_no = l.lease_no
        left join queues.task_completed as c on c.task_id = l.task_id
        union all
        select t.task_id, 2, 0, format('task %s: %s', t.task_id, coalesce(
               (select string_agg(p.place, ', ' order by p.place)
                from (select c.outcome as place from queues.task_completed as c where c.task_id = t.task_id
                      union all select 'ready' from queues.ready as r where r.task_id = t.task_id
                      union all select 'running' from queues.running as r where r.task_id = t.task_id) as p), 'LOST'))
        from queues.task as t
        union all
        select r.task_id, 3, r.lease_no, format('task %s late result of lease %s: %s', r.task_id, r.lease_no, r.outcome)
        from queues.late_result as r
        union all
        select e.task_id, 4, e.n::integer, format('task %s effect: %s', e.task_id, e.note) from test.effect as e
        union all
        select 1000000, 5, r.run_no, format('process %s run %s: %s%s', r.process_id, r.run_no, r.status,
               case when r.failed then ' (failed)' else '' end)
        from queues.process_run as r
        union all
        select 1000000, 6, e.run_no, format('process %s ended after run %s: %s', e.process_id, e.run_no, e.reason)
        from queues.process_ended as e
        union all
        select 1000000, 7, 0, format('VIOLATED %s: %s', v.invariant, v.sample) from queues.check() as v
    ) as x
    order by x.task_id, x.part, x.n, x.line
$$;

-- The error of a refused statement.
create function test.refusal(_statement text) returns text
    language plpgsql
as $$
begin
    execute _statement;
    return 'accepted';
exception when others then
    return sqlstate || ': ' || sqlerrm;
end
$$;

-- A claim, without its times.
create function test.claim(_worker integer, _limit integer default 1, _queues text[] default null)
    returns table (task bigint, lease integer, mode text)
    language sql volatile
as $$
    select c.task_id, c.lease_no, c.mode from queues.claim(test.worker(_worker), _queues, null, _limit) as c
$$;

-- A direct claim, as a work connection makes it; one session per worker, so it is known as a holder after this.
create function test.claim_next(_worker integer)
    returns table (task bigint, lease integer, is_more boolean)
    language plpgsql volatile
as $$
begin
    perform internal.this_holder(test.worker(_worker));
    return query select c.task_id, c.lease_no, c.is_more
        from queues.claim_next(test.worker(_worker), 'default', 0, '-infinity', '{db_function}', '60 seconds', 't') as c;
end
$$;

-- Database work: one effect per run, and a stop inside it.
create function test.work(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) values (queues.current_task_id(), coalesce(_payload->>'note', 'done'));
    perform test.failpoint('work.inside');
    return jsonb_build_object('status', 'succeeded');
end
$$;

create procedure test.add_work(_count integer default 1, _queue text default null)
    language plpgsql
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('db_function', 'test.work'), _queue => _queue)
    from generate_series(1, _count);
end
$$;

-- The same with a dedup key; returns the id of the task that will do the work.
create function test.add_keyed(_key text, _note text, _policy text default 'skip') returns bigint
    language sql volatile
as $$
    select queues.enqueue('db_function', jsonb_build_object('db_function', 'test.work', 'note', _note, _note, true),
                          _dedup_key => _key, _dedup_policy => _policy)
$$;

-- Channel work: handlers that record the outcome of an attempt each time they are called.
create function test.before_mail(_payload jsonb) returns jsonb
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    select jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('from_address', 'a@example.org',
                              'to_address', 'b@example.org', 'subject', 'test', 'html', 'test'))
$$;

create function test.mail_sent(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) values (queues.current_task_id(), 'attempt succeeded');
    return jsonb_build_object('status', 'succeeded');
end
$$;

create function test.mail_failed(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) values (queues.current_task_id(), 'attempt failed');
    return jsonb_build_object('status', 'succeeded');
end
$$;

create procedure test.add_mail(_count integer default 1, _on_in_doubt text default null)
    language plpgsql
as $$
begin
    perform queues.enqueue('email', jsonb_build_object('before_handler', 'test.before_mail',
                           'success_handler', 'test.mail_sent', 'error_handler', 'test.mail_failed'),
                           _on_in_doubt => _on_in_doubt)
    from generate_series(1, _count);
end
$$;

create function test.finish(_worker integer, _task bigint, _lease integer, _outcome text default 'succeeded') returns text
    language sql volatile
as $$
    select queues.finish(test.worker(_worker), _task, _lease, _outcome)
$$;

-- The same as a worker does it: once more after a passing error.  The rows of a transaction that ends are free a moment before its
-- other locks.
create function test.finish_at_last(_worker integer, _task bigint, _lease integer, _outcome text) returns text
    language plpgsql volatile
as $$
begin
    for _try in 1 .. 1000 loop
        begin
            return test.finish(_worker, _task, _lease, _outcome);
        exception when lock_not_available then
            perform pg_sleep(0.001);
        end;
    end loop;
end
$$;

-- An HTTP job, whose first run is task 1, and the answer of its receiver.
create procedure test.add_job(_count integer default 1, _retry_limit integer default 10)
    language plpgsql
as $$
begin
    insert into pgqueue.job_queue (url, retry_limit) select 'https://example.org/', _retry_limit from generate_series(1, _count);
end
$$;

create function test.send(_worker integer, _task bigint, _lease integer) returns text
    language sql volatile
as $$
    select coalesce(b.decision, b.error) from queues.begin_dispatch_batch(test.worker(_worker), array[_task], array[_lease]) as b
$$;

create function test.answered(_worker integer, _task bigint, _lease integer, _status integer) returns text
    language sql volatile
as $$
    select coalesce(f.result, f.error) from queues.finish_batch(test.worker(_worker), array[_task], array[_lease], array['answered'],
        array[jsonb_build_object('status', _status, 'headers', '{}'::jsonb, 'body', 'b')]) as f
$$;

create function test.jobs() returns table (job text)
    language sql volatile
as $$
    select format('job %s: %s, %s failed, runs %s, sent %s, answer %s', j.job_id, j.job_status, j.retry_count,
                  (select string_agg(k.task_id::text, ' ' order by k.job_run) from pgqueue.job_run as k where k.job_id = j.job_id),
                  (select count(*) from queues.task_dispatched as d join pgqueue.job_run as k using (task_id) where k.job_id = j.job_id),
                  coalesce(j.response_status::text, 'none'))
    from pgqueue.job_queue as j
    union all
    select format('job %s has ended %s times', e.job_id, count(*)) from pgqueue.job_ended as e group by e.job_id having count(*) > 1
    union all
    select format('run of no job: task %s', k.task_id) from pgqueue.job_run as k
    where not exists (select 1 from pgqueue.job as j where j.job_id = k.job_id)
    union all
    select format('open task of no job: %s', r.task_id) from queues.ready as r join queues.task as t using (task_id)
    where t.task_type = 'job_http' and not exists (select 1 from pgqueue.job_run as k where k.task_id = r.task_id)
    order by 1
$$;

-- A supervised process: one attempt, then re-checks until it is done.
create table test.root (root_id integer primary key, is_done boolean not null default false);
create table test.attempt (n bigint generated always as identity, root_id integer not null);

create function test.supervisor(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _root constant integer := (_payload->>'root_id')::integer;
    _done boolean;
    _attempts integer;
begin
    select r.is_done into _done from test.root as r where r.root_id = _root for no key update;
    select count(*) into _attempts from test.attempt as a where a.root_id = _root;
    perform test.failpoint('tick.after_facts');
    if _done then
        return jsonb_build_object('status', 'succeeded');
    end if;
    if _attempts = 0 then
        insert into test.attempt (root_id) values (_root);
        perform queues.enqueue('db_function', jsonb_build_object('db_function', 'test.work', 'note', 'attempt'));
        perform test.failpoint('tick.after_effect');
    end if;
    perform queues.enqueue('db_function', _payload, queues.clock() + interval '1 minute');
    perform test.failpoint('tick.after_enqueue');
    return jsonb_build_object('status', 'waiting');
end
$$;

create function test.tick(_root integer, _at timestamptz default now()) returns bigint
    language sql volatile
as $$
    select queues.enqueue('db_function', jsonb_build_object('db_function', 'test.supervisor', 'root_id', _root), _at)
$$;

-- The same with a dedup key, in place of the task that waits under it.
create function test.add_run(_root integer, _key text) returns bigint
    language sql volatile
as $$
    select queues.enqueue('db_function', jsonb_build_object('db_function', 'test.supervisor', 'root_id', _root),
                          _dedup_key => _key, _dedup_policy => 'replace')
$$;

-- The documented form: the root is unique, the second call does nothing.
create function test.kickoff(_root integer) returns text
    language plpgsql volatile
as $$
begin
    insert into test.root (root_id) values (_root) on conflict do nothing;
    if not found then
        return 'exists';
    end if;
    perform test.tick(_root);
    return 'started';
end
$$;

-- An e-mail message, and one whose supervisor has run once: task 2 carries attempt 1, and run 2 waits as task 3.
create procedure test.write_mail()
    language plpgsql
as $$
begin
    perform comms.create_email_message('a@example.org', 'b@example.org', 'test', 'test');
end
$$;

create procedure test.start_mail()
    language plpgsql
as $$
begin
    perform comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 'test', 'test');
    call worker.process_tasks();
end
$$;

-- The handlers of attempt 1, and runs of the supervisor of mail 1, now and enqueued.
create function test.mail_success() returns text
    language sql volatile
as $$
    select comms.record_email_success('{"original_payload": {"send_email_attempt_id": 1}}')->>'status'
$$;

create function test.mail_failure() returns text
    language sql volatile
as $$
    select comms.record_email_failure('{"original_payload": {"send_email_attempt_id": 1}, "error": "refused"}')->>'status'
$$;

create function test.mail_run() returns text
    language sql volatile
as $$
    select comms.send_email_supervisor('{"send_email_task_id": 1}')->>'status'
$$;

create function test.mail_tick() returns bigint
    language sql volatile
as $$
    select queues.enqueue('db_function', '{"db_function": "comms.send_email_supervisor", "send_email_task_id": 1}')
$$;

create function test.mail_facts() returns table (tasks bigint, attempts bigint, successes bigint, failures bigint, runs bigint)
    language sql volatile
as $$
    select (select count(*) from comms.send_email_task), (select count(*) from comms.send_email_attempt),
           (select count(*) from comms.send_email_attempt_succeeded), (select count(*) from comms.send_email_attempt_failed),
           (select count(*) from queues.ready as r where r.is_supervisor_run)
$$;

-- Commands.  One that collects items, and merges them while it waits; each becomes an effect.
create procedure test.collect(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) select worker.current_task_id(), i from jsonb_array_elements_text(payload->'items') as i;
    perform test.failpoint('command.inside');
    if payload ? 'fails' then
        raise exception 'as told';
    end if;
end
$$;

create function test.merge(_item text, _at timestamptz default null) returns bigint
    language sql volatile
as $$
    select worker.enqueue('collect', jsonb_build_object('items', jsonb_build_array(_item)), _at)
$$;

-- A command with as many children as its payload says, and a stop inside.
create procedure test.parent(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform worker.spawn('child', '{}', worker.current_task_id(), p_child_mode => (payload->>'mode')::worker.child_mode)
    from generate_series(1, (payload->>'n')::integer);
    perform test.failpoint('parent.inside');
    if payload ? 'fails' then
        raise exception 'as told';
    end if;
end
$$;
create procedure test.child(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) values (worker.current_task_id(), 'child');
    perform test.failpoint('child.inside');
    if payload ? 'spawns' then
        perform worker.spawn('child', '{}', (payload->>'spawns')::bigint);
    end if;
end
$$;
create procedure test.after_parent()
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) values (worker.current_task_id(), 'after hook');
end
$$;

-- A parent that waits for a number of children; they are tasks 2, 3 ...
create procedure test.add_tree(_children integer, _mode text default 'concurrent', _command text default 'parent')
    language plpgsql
as $$
begin
    perform worker.enqueue(_command, jsonb_build_object('n', _children, 'mode', _mode));
    perform 1 from queues.claim(test.worker(1));
    perform 1 from queues.execute(test.worker(1), 1, 1);
end
$$;

-- Runs the leased tasks, or all due tasks, until none is left.
create function test.run(_worker integer, _task bigint, _lease integer default 1) returns text
    language sql volatile
as $$
    select e.outcome from queues.execute(test.worker(_worker), _task, _lease) as e
$$;
create procedure test.drain(_worker integer)
    language plpgsql
as $$
declare
    _task record;
    _count integer;
begin
    loop
        _count := 0;
        for _task in select c.task_id, c.lease_no from queues.claim(test.worker(_worker), _limit => 10) as c loop
            perform test.run(_worker, _task.task_id, _task.lease_no);
            _count := _count + 1;
        end loop;
        exit when _count = 0;
    end loop;
end
$$;

-- The items that have run, their number of runs, and the rest of the inbox.
create function test.items() returns table (item text, times bigint)
    language sql volatile
as $$
    select e.note, count(*) from test.effect as e group by e.note
    union all select 'not taken: ' || (m.payload->>'items'), 1 from queues.merging as m
    order by 1
$$;

-- The same as collect, under a name whose registration changes while it is in use.
create procedure test.before_gather(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) values (worker.current_task_id(), 'before hook');
end
$$;
create procedure test.gather_anew(payload jsonb)
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into test.effect (task_id, note) select worker.current_task_id(), 'anew ' || i from jsonb_array_elements_text(payload->'items') as i;
end
$$;
create procedure test.register_gather(_handler text default 'test.collect', _queue text default 'default', _before text default null)
    language plpgsql
as $$
begin
    perform set_config('client_min_messages', 'error', true);
    perform worker.register_command('gather', _handler, _queue, _before, p_dedup_keys => '{}',
                                    p_merge_rules => jsonb_build_object('items', 'union'));
end
$$;
create procedure test.unregister_gather()
    language plpgsql
as $$
begin
    delete from worker.command_registry where command = 'gather';
end
$$;
create function test.gather(_item text) returns bigint
    language sql volatile
as $$
    select worker.enqueue('gather', jsonb_build_object('items', jsonb_build_array(_item)))
$$;

-- Makes the backend that took the leases of this worker look dead.
create procedure test.orphan(_worker integer)
    language plpgsql
as $$
begin
    perform set_config('session_replication_role', 'replica', true);
    update queues.holder set backend_pid = 2147483647 where worker_id = test.worker(_worker);
end
$$;

do $$
begin
    perform set_config('client_min_messages', 'error', true);
    perform worker.register_command('collect', 'test.collect', 'default', p_dedup_keys => '{}',
                                    p_merge_rules => jsonb_build_object('items', 'union'));
    perform worker.register_command('parent', 'test.parent', 'default');
    perform worker.register_command('hooked_parent', 'test.parent', 'default', p_after_procedure => 'test.after_parent');
    perform worker.register_command('child', 'test.child', 'default');
end
$$;

do $$
declare
    _role text;
begin
    perform internal.allow_function('test.work'), internal.allow_function('test.supervisor', 'supervisor'),
            internal.allow_function('test.before_mail', 'before'), internal.allow_function('test.mail_sent', 'success'),
            internal.allow_function('test.mail_failed', 'error');
    -- Two plain clients.  Roles are shared by the databases of a server.
    foreach _role in array array['test_alice', 'test_bob'] loop
        if not exists (select 1 from pg_roles as r where r.rolname = _role) then
            execute format('create role %I login in role worker_service_user', _role);
        end if;
    end loop;
end
$$;
