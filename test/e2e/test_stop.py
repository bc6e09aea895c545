"""A worker that is told to stop gives back what it has not begun, and loses nothing."""
import signal

import pytest


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_worker_stops_in_order_and_says_so(db, number):
    worker = db.work().ready()
    worker.signal(number)
    assert worker.wait() == 0
    assert db.rows("select reason from queues.worker_stopped") == [("stopped",)]
    assert db.value("select count(*) from queues.worker_started as s join queues.worker_stopped using (worker_id)") == 1


def test_running_work_finishes_within_the_grace(db):
    task = db.enqueue("slow", seconds=1)
    after = db.enqueue("write_effect")
    worker = db.work("--concurrency", 1).ready()
    db.eventually("select t.count_of('t.starts') > 0")
    assert worker.stop() == 0
    db.assert_effects_once([task])
    assert (db.leases(task), db.count_of("starts")) == (1, 1)
    # Nothing new was begun.
    assert db.outcome(after) is None
    assert db.value("select count(*) from queues.running") == 0
    db.work_until_empty()
    db.assert_effects_once([after])


def test_what_waits_is_given_back_at_once_and_runs_elsewhere(db):
    db.enqueue_many("noop", 1500)  # so that the worker learns to keep a batch at hand
    first = db.work("--concurrency", 1).ready()
    db.wait_drained()
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        with db.connect() as enqueuer:
            enqueuer.execute("select queues.enqueue('db_function', '{\"db_function\": \"t.wait_for_row\"}', _priority => -1)")
            enqueuer.execute("select queues.enqueue_many('db_function', array_agg('{\"db_function\": \"t.write_effect\"}'::jsonb))"
                             " from generate_series(1, 200)")
        db.eventually("select t.count_of('t.starts') > 0")
        held = db.value("select count(*) from queues.running")
        assert held > 1
        first.term()
        first.wait_line("stopping")
        # While its run goes on, the others are free again; their leases would have lasted a minute.
        db.eventually("select count(*) > 0 from queues.task_lease_ended where how = 'released'")
        second = db.work("--concurrency", 2).ready()
        db.eventually("select not exists (select 1 from queues.ready)")
        assert first.process.poll() is None
    assert first.wait() == 0
    db.wait_drained()
    assert second.stop() == 0
    assert db.value("select count(*) from t.effect") == 201
    assert db.value("select count(distinct task_id) from t.effect") == 201
    assert db.value("select count(*) from queues.task_lease_ended where how <> 'released'") == 0
    db.assert_healthy(drained=True)


def test_a_run_past_the_grace_is_cancelled_and_given_back(db):
    tasks = [db.enqueue("slow", seconds=60, times=2) for _ in range(2)]
    worker = db.work("--stop-grace", 0.3).ready()
    db.eventually("select t.count_of('t.starts') = 2")
    assert worker.stop() == 0
    assert "grace is over" in worker.log()
    for task in tasks:
        assert db.rows("select how from queues.task_lease_ended where task_id = %s", task) == [("released",)]
        assert (db.outcome(task), db.errors(task)) == (None, [])
    # An interruption is not a death.
    assert db.value("select count(*) from queues.ready where coalesce(crash_count, 0) > 0") == 0
    db.work_until_empty()
    db.assert_effects_once(tasks)
    db.assert_healthy(drained=True)


def test_a_batch_past_the_grace_is_given_back_whole(db):
    db.enqueue_many("noop", 1500)
    worker = db.work("--concurrency", 1, "--stop-grace", 0.3).ready()
    db.wait_drained()
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        with db.connect() as enqueuer:
            enqueuer.execute("select queues.enqueue_many('db_function', array_agg(jsonb_build_object('db_function',"
                             " case when n = 3 then 't.wait_for_row' else 't.write_effect' end))) from generate_series(1, 100) as n")
        db.eventually("select t.count_of('t.starts') > 0")
        assert worker.stop() == 0
    assert db.value("select count(*) from queues.running") == 0
    assert db.value("select count(*) from queues.task_lease_ended where how <> 'released'") == 0
    db.work_until_empty()
    assert db.value("select count(*) from t.effect") == db.value("select count(distinct task_id) from t.effect") == 100


def test_a_second_signal_does_not_wait_for_the_grace(db):
    task = db.enqueue("slow", seconds=120, times=1)
    worker = db.work("--stop-grace", 120).ready()
    db.eventually("select t.count_of('t.starts') > 0")
    worker.term()
    worker.wait_line("stopping")
    worker.term()
    assert worker.wait() == 0
    assert db.rows("select how from queues.task_lease_ended where task_id = %s", task) == [("released",)]
    db.work_until_empty()
    db.assert_effects_once([task])


def test_a_worker_without_its_database_stops_in_order(own_db):
    worker = own_db.work().ready()
    own_db.server.kill()
    own_db.forget_connection()
    worker.wait_line("connection lost")
    assert worker.stop() == 0
    own_db.server.start()


def test_a_worker_that_stopped_may_claim_nothing_any_more(db):
    worker = db.work().ready()
    assert worker.stop() == 0
    task = db.enqueue("noop")
    state = db.rows("select count(*) from queues.task_lease where task_id = %s", task)
    assert state == [(0,)]
    assert db.value("select count(*) from queues.worker_state where state = 'live'") == 0
