"""Commands under the worker: hooks, merging, trees, one instance at a time, and what a front end hears."""
import json
import signal
import threading

import pytest

from harness import eventually
from test_connections import bouncer  # noqa: F401: a fixture


def enqueue(db, command, payload=None, **more):
    names = "".join(f", p_{name} => %s" for name in more)
    return db.value(f"select worker.enqueue(%s, %s::jsonb{names})", command, json.dumps(payload or {}), *more.values())


def state(db, task):
    return db.value("select state from worker.tasks where id = %s", task)


def wait_state(db, task, wanted):
    db.eventually("select state = %s from worker.tasks where id = %s", wanted, task)


def notes(db, what="handler"):
    return [r[0] for r in db.rows("select payload from t.note where what = %s order by n", what)]


# --- running ---

def test_a_command_is_carried_out_at_once(db):
    db.work().ready()
    db.wait_asleep()
    task = enqueue(db, "remember", {"n": 1, "info": {"rows": 3}})
    wait_state(db, task, "completed")
    assert notes(db) == [{"n": 1, "info": {"rows": 3}, "command": "remember"}]
    assert db.value("select info from worker.tasks where id = %s", task) == {"rows": 3}


def test_effects_of_the_before_hook_are_seen_while_the_handler_runs(db):
    with db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        db.work().ready()
        task = enqueue(db, "hooked", {"wait_for_row": True})
        db.eventually("select t.count_of('t.starts') = 1")
        assert (len(notes(db, "before")), len(notes(db)), state(db, task)) == (1, 0, "processing")
        assert db.value("select worker_pid = (select pid from pg_stat_activity where application_name = 'reeve work'"
                        " and wait_event_type = 'Lock') from worker.tasks where id = %s", task)
        blocker.rollback()
    wait_state(db, task, "completed")
    assert (len(notes(db, "before")), len(notes(db)), len(notes(db, "after"))) == (1, 1, 1)


def test_a_command_that_takes_too_long_fails_and_its_after_hook_runs(db):
    db.run("update worker.command_registry set timeout = '300 ms' where command = 'hooked'")
    task = enqueue(db, "hooked", {"seconds": 30})
    db.work_until_empty()
    assert (state(db, task), db.errors(task)) == ("failed", ["timed out after 0.3 s"])
    assert (len(notes(db)), len(notes(db, "after"))) == (0, 1)


def test_commands_that_deadlock_are_repeated_whole(db):
    db.run("update worker.command_registry set timeout = '1 minute' where command = 'cross'")  # each in its own transaction
    tasks = [enqueue(db, "cross", {"first": 1, "second": 2}), enqueue(db, "cross", {"first": 2, "second": 1})]
    db.work("--concurrency", 2).ready()
    db.wait_drained()
    db.assert_effects_once(tasks)
    assert db.value("select count(*) from queues.task_lease_ended where how = 'retry'") == 1


def test_a_command_can_be_cancelled_before_it_runs(db):
    task = enqueue(db, "remember")
    assert db.value("select queues.cancel_task(%s, 'not needed')", task) == "cancelled"
    db.work_until_empty()
    assert (notes(db), db.value("select error from worker.tasks where id = %s", task)) == ([], "not needed")


@pytest.mark.parametrize("hurdle", ["seconds", "wait_for_row"])
def test_a_command_can_be_cancelled_while_its_handler_runs(db, hurdle):
    with db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        worker = db.work("--concurrency", 1).ready()
        task = enqueue(db, "hooked", {hurdle: 60, "children": [{}]})
        db.eventually("select t.count_of('t.starts') = 1")
        assert db.value("select queues.cancel_task(%s, 'enough')", task) == "requested"
        wait_state(db, task, "failed")
        blocker.rollback()
    assert db.value("select error from worker.tasks where id = %s", task) == "enough"
    assert (notes(db), notes(db, "after"), db.leases(task)) == ([], [], 1)
    # Nothing else is hit by it.
    for n in range(20):
        wait_state(db, enqueue(db, "remember", {"n": n}), "completed")
    assert worker.stop() == 0
    db.assert_healthy(drained=True)


def test_a_cancelled_child_is_interrupted_and_its_siblings_are_not(db):
    with db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        db.work("--concurrency", 3).ready()
        task = enqueue(db, "remember", {"children": [{"seconds": 60}, {"wait_for_row": True}]})
        db.eventually("select t.count_of('t.starts') = 2")
        slow, waiting = [r[0] for r in db.rows("select id from worker.tasks where parent_id = %s order by id", task)]
        db.run("select queues.cancel_task(%s)", slow)
        wait_state(db, slow, "failed")
        assert (state(db, waiting), state(db, task)) == ("processing", "waiting")
        blocker.rollback()
    wait_state(db, task, "failed")
    assert (state(db, waiting), db.value("select error from worker.tasks where id = %s", task)) == (
        "completed", "One or more child tasks failed")


def test_a_cancelled_parent_lets_its_running_children_finish(db):
    with db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        db.work("--concurrency", 2, "--lease", 2).ready()
        task = enqueue(db, "remember", {"children": [{"wait_for_row": True}]})
        db.eventually("select t.count_of('t.starts') = 1")
        child = db.value("select id from worker.tasks where parent_id = %s", task)
        assert db.value("select queues.cancel_task(%s)", task) == "cancelled"
        other = enqueue(db, "remember", {"seconds": 3})  # time for some looks at the leases
        wait_state(db, other, "completed")
        assert state(db, child) == "processing"
        blocker.rollback()
    wait_state(db, child, "completed")
    assert state(db, task) == "failed"


def test_a_serialization_failure_is_repeated_whole(db):
    db.run("create procedure t.clash(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$ begin"
           " insert into t.note (task_id, what, payload) values (worker.current_task_id(), 'handler', payload);"
           " if nextval('t.starts') < 3 then raise exception using errcode = '40001', message = 'clash'; end if; end $$")
    db.run("select worker.register_command('clash', 't.clash', 'default', 't.before_hook')")
    task = enqueue(db, "clash")
    db.work().ready()
    wait_state(db, task, "completed")
    assert (len(notes(db)), db.value("select count(*) from queues.task_lease_ended where how = 'retry'")) == (1, 2)


def test_changes_of_the_registries_are_noticed_without_a_restart(db):
    db.work("--poll-interval", 30).ready()
    db.wait_asleep()
    db.run("insert into worker.queue_registry (queue) values ('brand_new')")
    db.run("select worker.register_command('brand_new', 't.remember', 'brand_new')")
    wait_state(db, enqueue(db, "brand_new", {"n": 1}), "completed")
    db.run("update worker.command_registry set before_procedure = 't.before_hook' where command = 'brand_new'")
    wait_state(db, enqueue(db, "brand_new", {"n": 2}), "completed")
    assert [p["n"] for p in notes(db, "before")] == [2]


@pytest.mark.parametrize("name", ["prepare.sent", "prepare.committed", "execute.sent", "execute.committed"])
def test_killed_worker_loses_no_command(db, name):
    task = enqueue(db, "hooked", {"n": 1, "children": [{"n": 2}, {"n": 3}]})
    victim = db.work("--lease", 2, failpoints=f"{name}=kill@1")
    assert victim.wait() == -signal.SIGKILL, victim.log()
    db.work("--lease", 2).ready()
    wait_state(db, task, "completed")
    assert sorted(p["n"] for p in notes(db)) == [1, 2, 3]
    assert (len(notes(db, "after")), len(notes(db, "before")) in (1, 2)) == (1, True)


# --- merging ---

def test_duplicates_are_merged_while_they_wait_and_not_while_they_run(db):
    with db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        first = enqueue(db, "merged", {"ids": [1], "n": 1, "wait_for_row": True})
        assert enqueue(db, "merged", {"ids": [2], "n": 2}) == first
        db.work().ready()
        db.eventually("select t.count_of('t.starts') = 1")
        with db.connect() as client:
            second, third = client.execute("select worker.enqueue('merged', '{\"ids\": [3], \"n\": 3}'),"
                                           " worker.enqueue('merged', '{\"ids\": [4], \"n\": 4}')").fetchone()
        assert second == third != first
        wait_state(db, second, "completed")
        assert state(db, first) == "processing"
        blocker.rollback()
    wait_state(db, first, "completed")
    assert sorted((p["ids"], p["n"]) for p in notes(db)) == [([1, 2], 3), ([3, 4], 7)]


def test_a_client_that_merged_and_stays_open_delays_nobody(db):
    enqueue(db, "merged", {"ids": [1]})
    with db.connect() as client:
        client.execute("select worker.enqueue('merged', '{\"ids\": [9]}')")
        enqueue(db, "merged", {"ids": [2]})
        db.work().ready()
        db.eventually("select count(*) = 1 from t.note")
        assert notes(db)[0]["ids"] == [1, 2]
        client.commit()
    db.eventually("select count(*) = 2 from t.note")
    assert notes(db)[1]["ids"] == [9]


def test_nothing_is_lost_or_doubled_when_many_merge_beside_workers(db):
    workers = [db.work("--concurrency", 2).ready() for _ in range(2)]

    def send(first):
        with db.connect(autocommit=first % 2 == 0) as client:
            for n in range(100):
                client.execute("select worker.enqueue('merged', jsonb_build_object('ids', jsonb_build_array(%s::integer), 'n', 1))",
                               [first * 1000 + n])
                if n % 10 == 9:
                    client.commit()
    threads = [threading.Thread(target=send, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db.eventually("select sum((payload->>'n')::integer) = 600 from t.note")
    assert db.rows("select i, count(*) from t.note, jsonb_array_elements(payload->'ids') as i group by i having count(*) <> 1") == []
    db.wait_drained()
    assert [w.stop() for w in workers] == [0, 0]
    db.assert_healthy(drained=True)


# --- trees ---

def test_a_tree_runs_to_its_end(db):
    db.work("--poll-interval", 30).ready()
    db.wait_asleep()
    task = enqueue(db, "hooked", {"info": {"own": 1}, "children": [
        {"info": {"rows": 1}, "children": [{"info": {"rows": 10}}, {"info": {"rows": 20}}]}, {"info": {"rows": 5}}]})
    wait_state(db, task, "completed")
    # Own keys win over the sum of the children's, in every generation.
    assert db.value("select info from worker.tasks where id = %s", task) == {"own": 1, "rows": 6}
    assert len(notes(db, "after")) == 1


def test_serial_children_run_in_order_and_a_failure_fails_the_parent(db):
    task = enqueue(db, "remember", {"mode": "serial", "children": [{"n": 1}, {"n": 2, "raise": "no"}, {"n": 3}]})
    db.work_until_empty("--concurrency", 4)
    assert (state(db, task), db.value("select error from worker.tasks where id = %s", task)) == (
        "failed", "One or more child tasks failed")
    assert [p["n"] for p in notes(db) if "n" in p] == [1, 3]


def test_two_last_children_at_the_same_moment_never_leave_their_parent_waiting(db):
    db.run("update worker.command_registry set timeout = '1 minute' where command = 'remember'")  # each child in its own transaction
    db.run("select worker.enqueue('remember', '{\"children\": [{}, {}]}') from generate_series(1, 200)")
    workers = [db.work("--concurrency", 2).ready() for _ in range(2)]
    db.wait_drained()
    assert [w.stop() for w in workers] == [0, 0]
    assert db.rows("select state, count(*) from worker.tasks group by 1") == [("completed", 600)]
    assert db.value("select worker.rescue_waiting_parents()") == 0
    db.assert_healthy(drained=True)


def test_a_queue_runs_one_tree_at_a_time_and_its_children_side_by_side(db):
    db.run("create or replace procedure t.remember(payload jsonb, inout info jsonb) language plpgsql security definer"
           " set search_path = pg_catalog, pg_temp as $$ begin"
           " insert into t.note (task_id, what, payload) values (worker.current_task_id(), 'handler', payload);"
           " perform worker.spawn('branch', '{}', worker.current_task_id()) from generate_series(1, (payload->>'n')::integer);"
           " perform pg_sleep(0.05); end $$")
    trees = [enqueue(db, "tree", {"n": 4}) for _ in range(3)]
    db.work("--concurrency", 4).ready()
    for tree in trees:
        wait_state(db, tree, "completed")
    spans = db.rows("select t.id, min(c.started_at), max(c.completed_at) from worker.tasks as t join queues.task as x"
                    " on x.task_id = t.id or x.parent_id = t.id join queues.task_completed as c on c.task_id = x.task_id"
                    " where t.parent_id is null group by t.id order by 2")
    for one, next_one in zip(spans, spans[1:]):
        assert next_one[1] >= one[2], "the next tree begins when this one has ended"
    assert db.value("select max(n) from (select (select count(*) from queues.task_completed as b join queues.task as u using (task_id)"
                    " where u.parent_id is not null and b.started_at <= a.started_at and b.completed_at > a.started_at) as n"
                    " from queues.task_completed as a join queues.task as x using (task_id) where x.parent_id is not null) as m") == 2
    assert len(notes(db, "after")) == 3


# --- inside a transaction ---

def test_process_tasks_inside_a_transaction_leaves_nothing(db):
    other = enqueue(db, "remember", {"n": 0})
    with db.connect() as client:
        client.execute("insert into worker.tasks (command, payload) values ('hooked', '{\"n\": 1}')")
        client.execute("call worker.process_tasks()")
        assert client.execute("select state from worker.tasks where command = 'hooked'").fetchone() == ("completed",)
        assert client.execute("select count(*) from t.note").fetchone() == (3,)
        client.rollback()
    assert (notes(db), state(db, other)) == ([], "pending")


@pytest.mark.parametrize("prepare", [False, True])
def test_process_tasks_as_a_single_statement_takes_the_whole_queue(db, prepare):
    enqueue(db, "remember", {"n": 1})
    with db.connect(autocommit=True) as client:
        client.execute("call worker.process_tasks(p_queue => 'default')", prepare=prepare)
    assert [p["n"] for p in notes(db)] == [1]
    enqueue(db, "remember", {"n": 2})
    with db.connect() as client:  # without any write before
        client.execute("call worker.process_tasks()", prepare=prepare)
        assert client.execute("select count(*) from t.note").fetchone() == (2,)
        client.rollback()
    assert [p["n"] for p in notes(db)] == [1]


# --- control ---

def test_a_second_instance_says_who_works_and_ends(db):
    first = db.work("--single-instance").ready()
    second = db.work("--single-instance")
    assert second.wait() == 6, second.log()
    pid = db.value("select pid from pg_stat_activity where datname = current_database() and application_name = 'reeve control'")
    assert "another instance is at work" in second.log() and f"pid={pid}" in second.log()
    assert "reeve control" in second.log()
    third = db.work().ready()  # without the option any number work together
    assert third.stop() == 0
    first.kill()
    fourth = db.work("--single-instance").ready()
    wait_state(db, enqueue(db, "remember"), "completed")
    assert fourth.stop() == 0
    assert db.value("select bool_and(single_instance) from queues.worker_started where worker_name like '%%:%%' and pid = %s", pid)


def test_the_option_can_come_from_the_environment(db):
    db.work("--single-instance").ready()
    assert db.work(env={"REEVE_SINGLE_INSTANCE": "on"}).wait() == 6
    assert db.work("--until-empty", env={"REEVE_SINGLE_INSTANCE": "off"}).wait() == 0
    assert db.work("--until-empty", env={"REEVE_SINGLE_INSTANCE": "maybe"}).wait() == 3


def test_an_instance_that_lost_its_lock_gets_it_back(db):
    worker = db.work("--single-instance").ready()
    assert db.terminate("reeve control") == 1
    worker.wait_line("this is the only instance", count=2)
    wait_state(db, enqueue(db, "remember"), "completed")
    assert worker.stop() == 0


def test_an_instance_whose_lock_was_taken_finishes_what_runs_and_ends(db):
    with db.connect(autocommit=True) as thief, db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        worker = db.work("--single-instance", "--concurrency", 1).ready()
        task = enqueue(db, "remember", {"wait_for_row": True})
        db.eventually("select t.count_of('t.starts') = 1")
        late = enqueue(db, "remember")
        # Wait for the lock in one session, so that it is taken the moment it is free.
        taken = threading.Thread(target=lambda: thief.execute("select pg_advisory_lock(20545, 1)"))
        taken.start()
        db.eventually("select exists (select 1 from pg_locks where classid = 20545 and objid = 1 and not granted)")
        assert db.terminate("reeve control") == 1
        taken.join()
        worker.wait_line("another instance is at work")
        blocker.rollback()
        assert worker.wait() == 6, worker.log()
    assert (state(db, task), state(db, late)) == ("completed", "pending")


def test_one_instance_at_a_time_needs_sessions_of_its_own(db, bouncer):  # noqa: F811
    worker = db.work("--single-instance", "--poll-interval", 0.5, url=bouncer.url(db))
    if bouncer.mode == "transaction":
        assert worker.wait() == 3, worker.log()
        assert db.value("select count(*) from pg_locks where classid = 20545 and objid = 1") == 0
    else:
        worker.wait_line("this is the only instance")
        wait_state(db, enqueue(db, "remember"), "completed")
        assert db.work("--single-instance").wait() == 6
        assert worker.stop() == 0
    db.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
           " and usename = 'worker_service_user'")


@pytest.mark.parametrize("user", ["worker_service_user", "postgres", "some_login"])
def test_tasks_of_a_dead_instance_go_on_at_once_before_new_ones(db, user):
    # Whoever logs in: the worker itself, a superuser, or a login that may become the worker and has none of its rights.
    db.run("do $$ begin create role some_login login noinherit in role worker_service_user;"
           " exception when duplicate_object then null; end $$")
    db.run("update worker.command_registry set queue = 'trees' where command = 'remember'")
    task = enqueue(db, "remember", {"n": 1, "seconds": 60})
    victim = db.work("--single-instance", "--lease", 3600, user=user).ready()
    db.eventually("select t.count_of('t.starts') = 1")
    backend = db.value("select worker_pid from worker.tasks where id = %s", task)
    urgent = enqueue(db, "remember", {"n": 2}, priority=-5)
    victim.kill()
    # Without the option nothing is ended: the backend still runs, and looks alive.
    assert db.value("select worker.reset_abandoned_processing_tasks()") == 0
    db.run("create or replace procedure t.remember(payload jsonb, inout info jsonb) language plpgsql security definer"
           " set search_path = pg_catalog, pg_temp as $$ begin"
           " insert into t.note (task_id, what, payload) values (worker.current_task_id(), 'handler', payload); end $$")
    heir = db.work("--single-instance", "--lease", 3600, user=user).ready()
    heir.wait_line("tasks of an earlier worker are free again")
    for t in (task, urgent):
        wait_state(db, t, "completed")
    assert [p["n"] for p in notes(db)] == [1, 2]
    assert not db.rows("select 1 from pg_stat_activity where pid = %s", backend)
    assert db.value("select how from queues.task_lease_ended where task_id = %s", task) == "abandoned"


def test_a_pause_ends_by_itself_and_outlives_a_restart(db):
    db.run("select worker.pause(2)")
    paused_until = db.value("select max(paused_until) from queues.queue")
    task = enqueue(db, "remember", {"n": 1})
    first = db.work("--poll-interval", 30).ready()
    assert first.stop() == 0
    db.work("--poll-interval", 30).ready()
    wait_state(db, task, "completed")
    assert db.value("select process_start_at from worker.tasks where id = %s", task) >= paused_until
    db.run("select worker.pause(interval '1 hour')")
    task = enqueue(db, "remember", {"n": 2})
    by_hand = db.connect(autocommit=True)
    by_hand.execute("call worker.process_tasks(p_batch_size => 1)")
    by_hand.close()
    assert state(db, task) == "completed"
    task = enqueue(db, "remember", {"n": 3})
    db.run("select worker.resume()")
    wait_state(db, task, "completed")


def test_a_pause_without_a_time_lasts_until_it_is_ended(db):
    db.run("select worker.pause()")
    task = enqueue(db, "remember")
    db.work("--poll-interval", 0.5).ready()
    db.wait_asleep()
    assert state(db, task) == "pending"
    db.run("select worker.resume()")
    wait_state(db, task, "completed")


def test_old_commands_are_cleaned_up_by_a_command(db):
    enqueue(db, "remember", {"children": [{}]})
    db.work_until_empty()
    db.run("alter table queues.task_completed disable trigger user")
    db.run("update queues.task_completed set completed_at = completed_at - interval '8 days'")
    db.run("alter table queues.task_completed enable trigger user")
    for _ in range(2):
        cleanup = db.value("select worker.enqueue_task_cleanup()")
        db.work_until_empty()
        assert state(db, cleanup) == "completed"
    assert db.value("select count(*) from worker.tasks where command = 'remember'") == 0


# --- what a front end hears ---

class Ear:
    """A session that listens; what it hears is read whenever it is asked."""

    def __init__(self, db, *channels):
        self.connection = db.connect(autocommit=True)
        self.heard = []
        self.connection.add_notify_handler(lambda note: self.heard.append((note.channel, note.payload)))
        for channel in channels:
            self.connection.execute(f"listen {channel}")

    def wait(self, condition):
        def ask():
            self.connection.execute("select 1")
            return condition(self.heard)
        eventually(ask, f"heard enough; so far: {self.heard}")
        self.connection.close()
        return self.heard


def test_listeners_are_told_of_status_and_progress(db):
    ear = Ear(db, "worker_status")
    task = enqueue(db, "hooked", {"report": {"rows": 10}, "children": [{"report": {"rows": 1}}, {"report": {"rows": 2}}]})
    db.work().ready()
    wait_state(db, task, "completed")
    messages = [json.loads(m) for _, m in ear.wait(lambda heard: len(heard) >= 5)]
    assert messages[0] == {"type": "is_hooked", "status": True}
    assert messages[1] == {"type": "progress", "id": task, "command": "hooked", "info": {"rows": 10}}
    assert sorted(m["info"]["rows"] for m in messages[2:4]) == [1, 2] and {m["command"] for m in messages[2:4]} == {"remember"}
    assert messages[4:] == [{"type": "is_hooked", "status": False}], "a parent ends with its children"


def test_many_reports_of_one_run_are_told_once(db):
    ear = Ear(db, "worker_status")
    db.run("create procedure t.chatter(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$"
           " begin for n in 1 .. 100 loop perform worker.report_progress(jsonb_build_object('rows', n, 'last', n)); end loop; end $$")
    db.run("select worker.register_command('chatter', 't.chatter', 'default', p_status_type => 'is_chatting')")
    task = enqueue(db, "chatter")
    db.work().ready()
    wait_state(db, task, "completed")
    messages = [json.loads(m) for _, m in ear.wait(lambda heard: len(heard) >= 3)]
    assert messages == [{"type": "is_chatting", "status": True},
                        {"type": "progress", "id": task, "command": "chatter", "info": {"rows": 100, "last": 100}},
                        {"type": "is_chatting", "status": False}]


def test_listeners_are_told_of_changes_if_asked_for(db):
    db.run("select internal.set_config('notify_task_changes', 'true')")
    ear = Ear(db, "worker_task_changed")
    task = enqueue(db, "remember", {"children": [{}]})
    db.work().ready()
    wait_state(db, task, "completed")
    child = db.value("select id from worker.tasks where parent_id = %s", task)
    messages = [json.loads(m) for _, m in ear.wait(lambda heard: len(heard) >= 7)]
    assert all(m in ({"id": task, "parent_id": None}, {"id": child, "parent_id": task}) for m in messages)
    told = [m["id"] for m in messages]
    assert told[0] == task and told[-1] == task
    assert told.count(task) == 4, "pending, processing, waiting, completed"
    assert told.count(child) == 3, "pending, processing, completed"


def test_control_and_queue_changes_are_told(db):
    ear = Ear(db, "worker_control", "worker_queue_change")
    db.run("select worker.pause(60)")
    db.run("select worker.resume()")
    db.run("update worker.command_registry set description = 'x' where command = 'tree'")
    heard = ear.wait(lambda heard: ("worker_queue_change", "trees") in heard and ("worker_control", "resume") in heard)
    assert ("worker_control", "pause:60") in heard


def test_the_first_load_shows_the_whole_picture(db):
    with db.connect() as blocker:
        blocker.execute("select 1 from t.lock_row where id = 1 for update")
        db.work().ready()
        task = enqueue(db, "hooked", {"wait_for_row": True})
        db.eventually("select t.count_of('t.starts') = 1")
        status = db.value("select worker.current_status()")
        assert status["status"] == {"is_hooked": True}
        assert status["commands"]["hooked"]["counts"] == {"processing": 1}
        assert [t["id"] for t in status["trees"]] == [task]
        blocker.rollback()
    wait_state(db, task, "completed")
    assert db.value("select worker.current_status()")["status"] == {"is_hooked": False}


def test_commands_are_enqueued_from_the_shell(db):
    done = db.reeve("enqueue", "--command", "remember", '{"n": 1}', "--priority", "3")
    assert done.returncode == 0, done.stderr
    task = int(done.stdout)
    assert db.rows("select command, priority, payload->'n' from worker.tasks where id = %s", task) == [("remember", 3, 1)]
    assert db.reeve("enqueue", "command", "--command", "remember").returncode == 0
    assert db.reeve("enqueue").returncode == 2
    assert db.reeve("enqueue", "--command", "remember", "--queue", "email").returncode == 2
    assert db.reeve("enqueue", "email", "{}", "--command", "remember").returncode == 2
    unknown = db.reeve("enqueue", "--command", "nothing")
    assert unknown.returncode == 8 and "register_command" in unknown.stderr


@pytest.mark.parametrize("beside", ["idle", "paused", "full"])
def test_a_test_transaction_runs_what_it_merged_into_a_task_of_others(db, beside):
    db.run("""create table t.kept (payload jsonb);
              create procedure t.keep(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
              as $$ begin insert into t.kept values (payload); end $$;
              insert into worker.queue_registry (queue, default_concurrency) values ('serial', 1);
              select worker.register_command('keep', 't.keep', 'serial', p_dedup_keys => '{}', p_merge_rules => '{"n": "union"}')""")
    if beside == "full":
        db.run("""select queues.start_worker('6f0e1b4e-0000-4000-8000-000000000001', 'other', '0', queues.schema_version());
                  select worker.enqueue('keep', '{"n": [0]}')""")
        db.run("select * from queues.claim('6f0e1b4e-0000-4000-8000-000000000001', '{serial}')")
    theirs = db.value("select worker.enqueue('keep', '{\"n\": [1]}')")
    if beside == "paused":
        db.run("select queues.pause_queue('serial')")
    with db.connect() as mine:
        assert mine.execute("select worker.enqueue('keep', '{\"n\": [2]}')").fetchone()[0] == theirs
        mine.execute("select worker.enqueue('keep', '{\"n\": [3]}')")
        mine.execute("call worker.process_tasks()")
        assert mine.execute("select payload->'n' from t.kept").fetchall() == [([2, 3],)]
        mine.rollback()
    # Nothing of it stays, and what others wait for is as it was.
    assert db.value("select count(*) from t.kept") == 0
    assert db.rows("select payload->'n' from worker.tasks where id = %s", theirs) == [([1],)]
