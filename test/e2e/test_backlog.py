"""A backlog of quick tasks: claims are what the worker waits for, so a work connection with nothing to do claims too."""
import itertools

import pytest


def backlog(db, count):
    db.run(f"select count(*) from queues.enqueue_many('noop', array_fill('{{}}'::jsonb, array[{count}]))")


def who_claimed(db):
    """The roles of the connections that took leases and are still there."""
    return {r[0] for r in db.rows("select distinct a.application_name from queues.task_lease as l join queues.holder as h"
                                  " using (holder_id) join pg_stat_activity as a on a.pid = h.backend_pid")}


def assert_all_done(db, count):
    assert db.value("select count(*) from queues.task_completed where outcome = 'succeeded'") == count
    db.assert_healthy(drained=True)


def test_two_connections_claim_from_a_backlog(db):
    # On a busy machine a connection may have nothing to do only after a while.
    worker = db.work("--concurrency", 2).ready()
    for rounds in itertools.count(1):
        backlog(db, 20_000)
        db.wait_drained()
        if who_claimed(db) == {"reeve control", "reeve work"}:
            break
        assert rounds < 50
    assert db.value("select count(*) from queues.task_lease_ended where how <> 'released'") == 0
    assert worker.stop() == 0
    assert_all_done(db, 20_000 * rounds)


def test_only_the_connection_with_the_lock_claims_for_a_single_instance(db):
    backlog(db, 20_000)
    db.work("--concurrency", 2, "--single-instance").ready()
    db.wait_drained()
    assert who_claimed(db) == {"reeve control"}
    assert_all_done(db, 20_000)


def test_a_connection_that_is_lost_while_it_claims_loses_no_task(db):
    backlog(db, 60_000)
    db.work("--concurrency", 2, "--lease", 2).ready()
    # Once: until such a connection claims again, the rest may be done.
    db.eventually("select coalesce(bool_or(pg_terminate_backend(pid)), false) from pg_stat_activity"
                  " where datname = current_database() and application_name = 'reeve work' and state = 'active'"
                  " and query like '%%claim_batch%%'")
    db.wait_drained()
    assert_all_done(db, 60_000)


@pytest.mark.parametrize("setting, value", [("default_transaction_isolation", "serializable"), ("default_transaction_read_only", "on")])
def test_settings_that_functions_leave_behind_spoil_no_claim(db, setting, value):
    for _ in range(4):
        db.enqueue("spoil", setting=setting, value=value, priority=-1)
    backlog(db, 20_000)
    db.work("--concurrency", 2).ready()
    db.wait_drained()
    assert_all_done(db, 20_004)


def test_a_stop_in_a_backlog_gives_back_what_both_claims_brought(db):
    backlog(db, 60_000)
    worker = db.work("--concurrency", 2).ready()
    db.eventually("select exists (select 1 from pg_stat_activity where datname = current_database()"
                  " and application_name = 'reeve work' and state = 'active' and query like '%%claim_batch%%')")
    assert worker.stop() == 0
    assert db.value("select count(*) from queues.running") == 0
    assert db.value("select (select count(*) from queues.ready) + (select count(*) from queues.task_completed)") == 60_000
    db.assert_healthy()
