"""A worker that sleeps and is told of a queue: a work connection claims for itself, and runs what it got."""
import signal

import psycopg
import pytest
from harness import eventually


def who_claimed(db, task):
    """The role of the connection that took the newest lease."""
    return db.value("select a.application_name from queues.task_lease as l join queues.holder as h using (holder_id)"
                    " join pg_stat_activity as a on a.pid = h.backend_pid where l.task_id = %s order by l.lease_no desc limit 1", task)


def sleeper(db, *args, **kwargs):
    """A worker that has had work in the default queue, and sleeps; nothing but a notification makes it look."""
    worker = db.work("--poll-interval", 60, *args, **kwargs).ready()
    db.wait_asleep()
    assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    return worker


def claimed_directly(db, function="write_effect", **more):
    """A task that was claimed directly, sooner or later: if the worker is just looking, that finds it; and for a minute after a connection
    was lost, as one is on a busy machine where a limit was left behind, no direct claim is made."""
    def once():
        if function != "write_effect":
            claimed_directly(db)  # One that was not claimed directly has spoilt its session all the same.
        task = db.enqueue(function, **more)
        eventually(lambda: db.leases(task) > 0, "it is claimed")
        return task if who_claimed(db, task) == "reeve work" else None
    return eventually(once, "a task is claimed directly", deadline=120)


def test_a_sleeping_worker_draws_what_it_is_told_of(db):
    sleeper(db)
    tasks = [claimed_directly(db) for _ in range(5)]
    db.wait_drained()
    db.assert_effects_once(tasks)
    db.assert_healthy(drained=True)


def test_what_is_enqueued_together_with_a_drawn_task_is_done_too(db):
    sleeper(db)
    db.run("select queues.create_queue('other')")
    claimed_directly(db)
    for _ in range(5):
        tasks = db.rows("select queues.enqueue('db_function', '{\"db_function\": \"t.write_effect\"}', _queue => q, _priority => p)"
                        " from (values ('default', 0), ('default', 0), ('default', 7), ('default', -7), ('other', 0)) as v(q, p)")
        noop = db.value("select queues.enqueue('noop', '{}')")
        db.wait_drained()
        db.assert_effects_once([task[0] for task in tasks])
        assert db.outcome(noop) == "succeeded"


def test_a_drawn_task_ends_like_any_other(db):
    sleeper(db)
    failing = claimed_directly(db, "boom")
    assert db.wait_outcome(failing) == "failed"
    assert len(db.errors(failing)) == 1
    at_commit = claimed_directly(db, "fail_at_commit")
    assert db.wait_outcome(at_commit) == "failed"
    assert db.effects(at_commit) == 0
    again = claimed_directly(db, "serialize_once")
    assert db.wait_outcome(again) == "succeeded"
    db.wait_drained()
    db.assert_healthy(drained=True)


def test_a_drawn_task_has_its_own_timeout(db):
    sleeper(db)
    quick = claimed_directly(db, "slow", seconds=30, timeout="300 milliseconds")
    assert db.wait_outcome(quick) == "failed"
    assert db.errors(quick) == ["timed out after 0.3 s"]
    # And it does not stay with the connection.
    long = claimed_directly(db, "slow", seconds=1)
    assert db.wait_outcome(long) == "succeeded"


def test_a_drawn_task_whose_connection_is_lost_runs_again(db):
    sleeper(db, "--concurrency", 1)
    task = claimed_directly(db, "slow", seconds=3, times=1)
    db.eventually("select t.count_of('t.starts') > 0")
    db.terminate("reeve work")
    assert db.wait_outcome(task, deadline=30) == "succeeded"
    db.assert_effects_once([task])


def test_a_drawn_task_that_crashes_the_server_is_quarantined(own_db):
    # At once: the lease of the direct claim has hardly been written.
    own_db.run("create function t.crash(_payload jsonb) returns jsonb language plpgsql security definer as $$ begin"
               " copy (select 1) to program 'kill -9 $PPID'; perform pg_sleep(60); return null; end $$")
    own_db.run("select internal.allow_function('t.crash')")
    worker = sleeper(own_db, "--lease", 1, "--poll-interval", 1)
    claimed_directly(own_db)
    witness = psycopg.connect(own_db.conninfo())
    try:
        own_db.enqueue("crash", max_crashes=2)
    except psycopg.OperationalError:
        pass  # The server may crash before it has answered.
    poison = own_db.eventually("select max(task_id) from queues.task where payload->>'db_function' = 't.crash'")
    assert own_db.wait_outcome(poison, deadline=60) == "quarantined"
    with pytest.raises(psycopg.OperationalError):
        witness.execute("select 1")
    assert own_db.leases(poison) <= 3
    good = own_db.enqueue("write_effect")
    assert own_db.wait_outcome(good) == "succeeded"
    assert worker.stop() == 0
    own_db.assert_healthy(drained=True)


def test_after_a_lost_connection_nothing_is_drawn(db):
    sleeper(db)
    claimed_directly(db)
    db.wait_drained()
    db.terminate("reeve work")
    db.wait_asleep()
    for _ in range(5):
        task = db.enqueue("write_effect")
        assert db.wait_outcome(task) == "succeeded"
        assert who_claimed(db, task) == "reeve control"


def test_a_single_instance_claims_only_where_its_lock_is(db):
    sleeper(db, "--single-instance")
    for _ in range(5):
        task = db.enqueue("write_effect")
        assert db.wait_outcome(task) == "succeeded"
        assert who_claimed(db, task) == "reeve control"


def test_a_slow_drawn_task_keeps_nobody_waiting(db):
    sleeper(db, "--concurrency", 8)
    slow = claimed_directly(db, "slow", seconds=5)
    quick = [db.enqueue("write_effect") for _ in range(3)]
    for task in quick:
        assert db.wait_outcome(task) == "succeeded"
    assert db.outcome(slow) is None
    assert db.wait_outcome(slow) == "succeeded"


def test_a_stop_lets_a_drawn_task_end_and_a_hurried_one_gives_it_back(db):
    patient = sleeper(db)
    task = claimed_directly(db, "slow", seconds=1)
    assert patient.stop() == 0
    assert db.outcome(task) == "succeeded"
    hurried = sleeper(db, "--stop-grace", 0.1)
    task = claimed_directly(db, "slow", seconds=30)
    assert hurried.stop() == 0
    assert (db.outcome(task), db.value("select state from queues.task_state where task_id = %s", task)) == (None, "ready")


@pytest.mark.parametrize("name", ["claim.sent", "claim.committed", "execute.committed"])
def test_a_worker_killed_while_it_draws_loses_no_task(db, name):
    # The second hit is the direct claim: the first task is found by a look.
    victim = db.work("--poll-interval", 60, "--lease", 2, failpoints=f"{name}=kill@{30 if name == 'claim.sent' else 2}").ready()
    db.wait_asleep()
    tasks = []

    def dies():
        tasks.append(db.enqueue("write_effect"))
        return victim.process.poll() is not None
    eventually(dies, "the worker dies")
    assert victim.wait() == -signal.SIGKILL
    healthy = db.work("--lease", 2).ready()
    db.wait_drained(deadline=30)
    assert healthy.stop() == 0
    db.assert_effects_once(tasks)
    db.assert_healthy(drained=True)


def test_several_sleeping_workers_draw_each_task_once(db):
    workers = [sleeper(db, "--concurrency", 1) for _ in range(3)]
    tasks = []
    for _ in range(100):
        tasks.append(db.enqueue("write_effect"))
        db.wait_outcome(tasks[-1])
    assert [worker.stop() for worker in workers] == [0] * 3
    db.assert_effects_once(tasks)
    assert db.value("select max(lease_no) from queues.task_lease") == 1
    db.assert_healthy(drained=True)


def test_commands_in_a_queue_of_functions_are_run_at_once(db):
    sleeper(db)
    claimed_directly(db)
    db.run("select queues.create_queue('both', _max_running => null)")
    db.run("create procedure t.nothing(_payload jsonb) language plpgsql as $$ begin end $$")
    db.run("select worker.register_command('nothing', 't.nothing', p_queue => 'both')")
    for _ in range(5):
        function = db.enqueue("write_effect", queue="both")
        command = db.value("select worker.enqueue('nothing', '{}')")
        for task in (function, command):
            assert db.wait_outcome(task) == "succeeded"


@pytest.mark.parametrize("setting, value", [("default_transaction_isolation", "serializable"), ("statement_timeout", "1ms"),
                                            ("datestyle", "German"), ("timezone", "Asia/Tokyo")])
def test_settings_that_a_function_leaves_behind_spoil_nothing(db, setting, value):
    sleeper(db, "--concurrency", 1)
    assert db.wait_outcome(claimed_directly(db, "spoil", setting=setting, value=value)) == "succeeded"
    tasks = [db.enqueue("write_effect") for _ in range(3)]
    tasks.append(claimed_directly(db))
    db.wait_drained()
    db.assert_effects_once(tasks)


def test_a_function_may_write_over_what_its_session_remembers(db):
    sleeper(db, "--concurrency", 1)
    db.run("create function t.forget(_payload jsonb) returns jsonb language plpgsql as $$ begin"
           " perform set_config('reeve.next_' || s.name, '1', false) from unnest(array['token', 'task_id', 'lease_no', 'timeout_ms']) as s (name);"
           " return '{\"status\": \"succeeded\"}'; end $$")
    db.run("select internal.allow_function('t.forget')")
    tasks = [claimed_directly(db, "forget") for _ in range(3)]
    for task in tasks:
        assert db.wait_outcome(task) == "succeeded"


def test_a_session_that_a_function_has_changed_is_replaced(db):
    # What was left behind would decide where the names of our own next statement are looked up, or what its name stands for.
    db.run("""
        create schema evil;
        create table evil.loot (who text);
        grant usage on schema evil to public;
        grant insert on evil.loot to public;
        create function evil.minus(timestamptz, timestamptz) returns interval language plpgsql set search_path = pg_catalog
            as $$ begin insert into evil.loot values (current_user); return $1 operator(pg_catalog.-) $2; end $$;
        create operator evil.- (leftarg = timestamptz, rightarg = timestamptz, function = evil.minus);
        create function t.spoil_path(_payload jsonb) returns jsonb language plpgsql
            as $$ begin perform pg_catalog.set_config('search_path', 'evil, pg_catalog', false); return '{"status": "succeeded"}'; end $$;
        create function t.spoil_statement(_payload jsonb) returns jsonb language plpgsql
            as $$ begin
                if exists (select 1 from pg_prepared_statements where name = 'rv_execute') then
                    execute 'deallocate rv_execute';
                    execute 'prepare rv_execute(text, text, text) as insert into evil.loot values ($1)';
                end if;
                return '{"status": "succeeded"}';
            end $$;
        revoke all on function t.spoil_path(jsonb), t.spoil_statement(jsonb) from public;
        select internal.allow_function('t.spoil_path'), internal.allow_function('t.spoil_statement')""")
    worker = db.work("--concurrency", 1).ready()
    for function in ("spoil_path", "spoil_statement", "spoil_path", "spoil_statement"):
        assert db.wait_outcome(db.enqueue(function)) == "succeeded"
        assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    worker.wait_line("session replaced")
    assert db.rows("select * from evil.loot") == []


@pytest.mark.parametrize("left_behind", ["set_config('datestyle', 'German', false)", "set_config('timezone', 'Asia/Tokyo', false)",
                                         "set_config('default_transaction_isolation', 'serializable', false)",
                                         "set_config('statement_timeout', '1h', false)", "set_config('row_security', 'off', false)",
                                         "set_config('app.tenant', 'mine', false)", "pg_advisory_lock(4711)"])
@pytest.mark.parametrize("is_batch", [False, True])
def test_what_a_function_leaves_in_its_session_reaches_no_other_function(db, left_behind, is_batch):
    db.run(f'''
        create table t.seen (what text);
        create function t.leave(_payload jsonb) returns jsonb language plpgsql
            as $$ begin perform {left_behind}; return '{{"status": "succeeded"}}'; end $$;
        create function t.look(_payload jsonb) returns jsonb language plpgsql
            as $$ begin
                insert into t.seen select concat_ws('|', current_setting('datestyle'), current_setting('timezone'),
                    current_setting('default_transaction_isolation'), current_setting('row_security'), nullif(current_setting('app.tenant', true), ''),
                    (select count(*) from pg_locks where locktype = 'advisory' and classid = 0 and objid = 4711));
                return '{{"status": "succeeded"}}';
            end $$;
        grant insert on t.seen to worker_service_user;
        select internal.allow_function('t.leave'), internal.allow_function('t.look')''')
    if is_batch:
        worker = db.work("--concurrency", 1).ready()
        enqueue = db.enqueue
    else:
        worker = sleeper(db, "--concurrency", 1)
        enqueue = lambda function: claimed_directly(db, function)
    for function in ("look", "leave", "look"):
        assert db.wait_outcome(enqueue(function)) == "succeeded"
    assert db.value("select count(distinct what) from t.seen") == 1, db.rows("select what from t.seen")
    assert "level=error" not in worker.log()


@pytest.mark.parametrize("left_behind", ["create temp table mine (n integer)", "declare mine cursor with hold for select 1", "deallocate all"])
def test_what_a_function_makes_in_its_session_reaches_no_other_function(db, left_behind):
    # A table in pg_temp hides one of the same name from every function whose search_path does not put pg_temp last.
    db.run(f'''
        create table t.seen (what text);
        create function t.leave(_payload jsonb) returns jsonb language plpgsql
            as $$ begin execute '{left_behind}'; return '{{"status": "succeeded"}}'; end $$;
        create function t.look(_payload jsonb) returns jsonb language plpgsql
            as $$ begin
                insert into t.seen select concat_ws('|', to_regclass('pg_temp.mine'), (select count(*) from pg_cursors where name = 'mine'));
                return '{{"status": "succeeded"}}';
            end $$;
        grant insert on t.seen to worker_service_user;
        select internal.allow_function('t.leave'), internal.allow_function('t.look')''')
    worker = db.work("--concurrency", 1).ready()
    for function in ("look", "leave", "look", "leave", "look"):
        assert db.wait_outcome(db.enqueue(function)) == "succeeded", worker.log()
    assert db.rows("select distinct what from t.seen") == [("0",)]
    assert ("session replaced" in worker.log()) == (left_behind == "deallocate all")
    assert db.value("select count(*) from queues.error") == 0


@pytest.mark.parametrize("fails", ["while it runs", "at commit"])
def test_what_a_function_that_fails_leaves_in_its_session_is_taken_back(db, fails):
    # A rollback takes back settings, but no locks of the session.
    raises = "raise exception 'no'" if fails == "while it runs" else "insert into t.unique_later values (1), (1)"
    db.run(f'''
        create function t.leave(_payload jsonb) returns jsonb language plpgsql security definer
            as $$ begin perform pg_advisory_lock(4711); {raises}; return '{{"status": "succeeded"}}'; end $$;
        select internal.allow_function('t.leave')''')
    worker = db.work("--concurrency", 1).ready()
    assert db.wait_outcome(db.enqueue("leave", timeout="1 minute")) == "failed"
    db.eventually("select count(*) = 0 from pg_locks where locktype = 'advisory' and objid = 4711")
    assert "session replaced" not in worker.log()


@pytest.mark.parametrize("fails", ["in passing", "at commit"])
def test_a_function_that_fails_cannot_put_its_statement_in_the_place_of_ours(db, fails):
    # The outcome is reported by a statement that the session has prepared, unless that session is replaced before.
    raises = "raise exception using errcode = '40001'" if fails == "in passing" else "insert into t.unique_later values (1), (1)"
    db.run(f'''
        create table t.loot (who text);
        grant insert on t.loot to public;
        create function t.replace(_payload jsonb) returns jsonb language plpgsql security definer
            as $$ declare _name text; begin
                if nextval('t.starts') > 3 then return '{{"status": "succeeded"}}'; end if;
                for _name in select name from pg_prepared_statements where name like 'rv%%' loop
                    execute format('deallocate %I', _name);
                    execute format('prepare %I as insert into t.loot values (current_user)', _name);
                end loop;
                {raises};
                return '{{"status": "succeeded"}}';
            end $$;
        select internal.allow_function('t.replace')''')
    db.work("--concurrency", 1).ready()
    assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    for _ in range(3):
        assert db.wait_outcome(db.enqueue("replace", timeout="1 minute")) in ("failed", "succeeded")
        assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    assert db.rows("select * from t.loot") == []
