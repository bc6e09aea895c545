"""Sleeping workers: they hear of new work at once, and nobody waits in a lock for long."""
import re
from pathlib import Path

import pytest

from harness import eventually

HOLDER = """select min(l.pid) from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
    where l.locktype = 'advisory' and l.classid = 20545 and l.objid = 2 and l.mode = 'ExclusiveLock' and l.granted
      and a.application_name = 'reeve gate' and a.datname = current_database()"""
FOLLOWERS = """select count(*) from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
    where l.locktype = 'advisory' and l.classid = 20545 and l.objid = 4 and l.mode = 'ShareLock' and l.granted
      and a.application_name = 'reeve gate' and a.datname = current_database()"""
QUESTIONS = """select coalesce(jsonb_object_agg(a.pid, a.query_start), '{}') from pg_stat_activity as a
    where a.application_name = 'reeve gate' and a.datname = current_database()"""


class ServerLog:
    """What the server logs from now on."""

    def __init__(self, server):
        self.path = Path(f"{server.dir}/log")
        self.start = self.path.stat().st_size

    def waits(self):
        text = self.path.read_bytes()[self.start:].decode(errors="replace")
        return re.findall(r".*(?:still waiting|lock timeout).*", text)


class Ear:
    """Hears all that workers are notified of."""

    def __init__(self, db):
        self.heard = []
        self.connection = db.connect(autocommit=True)
        self.connection.add_notify_handler(lambda note: self.heard.append(note.payload))
        self.connection.execute("listen worker_tasks")
        self.connection.execute("listen worker_control")

    def wait(self, *payloads):
        """Until all of them were heard, in this order."""
        def listen():
            self.connection.execute("select true")
            return [p for p in self.heard if p in payloads] == list(payloads)
        eventually(listen, f"notifications: {payloads}")
        self.heard.clear()


@pytest.fixture
def sleepers(db):
    """Three workers with a queue each, asleep; the first holds the gate.  Only notifications can wake them soon."""
    db.run(f"alter database {db.name} set log_lock_waits = on")
    db.log = ServerLog(db.server)
    workers = []
    for number in range(3):
        db.run("select queues.create_queue(%s)", f"q{number}")
        workers.append(db.work("--queue", f"q{number}", "--poll-interval", 3600).ready())
        workers[-1].queue = f"q{number}"
        db.eventually(HOLDER)
        db.eventually(f"select ({FOLLOWERS}) = %s", number)
    return workers


def assert_all_notified(db, queues):
    ear = Ear(db)
    for queue in queues:
        task = db.enqueue("write_effect", queue=queue)
        ear.wait(queue)
        assert db.wait_outcome(task) == "succeeded"


def wait_for_questions(db, rounds=3):
    """Each worker that follows has asked several times: that is longer than the server's patience with locks."""
    followers = db.value(FOLLOWERS)
    for _ in range(rounds):
        before = db.value(QUESTIONS)
        eventually(lambda: sum(at != before.get(pid) for pid, at in db.value(QUESTIONS).items()) >= followers, "all have asked")


def test_sleeping_workers_are_all_notified_and_wait_in_no_lock(db, sleepers):
    wait_for_questions(db)
    assert_all_notified(db, ["q0", "q1", "q2", "q2", "q1", "q0"])
    wait_for_questions(db, 1)
    assert db.value("select count(*) from pg_locks where locktype = 'advisory' and not granted") == 0
    assert db.log.waits() == []
    assert [w.stop() for w in sleepers] == [0, 0, 0]


def test_another_worker_takes_the_gate_of_a_killed_one(db, sleepers):
    before = db.value(HOLDER)
    sleepers.pop(0).kill()
    db.eventually(f"select ({HOLDER}) <> %s", before)
    db.eventually(f"select ({FOLLOWERS}) = 1")
    assert_all_notified(db, ["q1", "q2"])
    assert db.log.waits() == []


def test_a_worker_that_stops_hands_the_gate_over(db, sleepers):
    before = db.value(HOLDER)
    ear = Ear(db)
    assert sleepers.pop(0).stop() == 0
    ear.wait("gate left", "gate taken")
    db.eventually(f"select ({HOLDER}) <> %s", before)
    assert_all_notified(db, ["q1", "q2"])
    assert db.log.waits() == []


def test_a_busy_worker_keeps_the_gate_for_the_others(db, sleepers):
    before = db.value(HOLDER)
    db.enqueue_many("noop", 3000, queue="q0")
    assert_all_notified(db, ["q1", "q2"])
    db.wait_drained()
    assert db.value(HOLDER) == before
    assert db.value(FOLLOWERS) == 2


def test_an_enqueuer_that_stays_open_costs_no_long_wait(db):
    db.run(f"alter database {db.name} set log_lock_waits = on")
    log = ServerLog(db.server)
    with db.connect() as enqueuer:
        enqueuer.execute("select queues.enqueue('db_function', '{\"db_function\": \"t.noop\"}')")
        workers = [db.work("--poll-interval", 3600).ready() for _ in range(2)]
        db.eventually(f"select ({FOLLOWERS}) = 2")
        wait_for_questions(db)
        assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
        assert db.value(f"select ({HOLDER}) is null")
    db.eventually(HOLDER)
    db.eventually(f"select ({FOLLOWERS}) = 1")
    db.wait_drained()
    assert log.waits() == []
    assert [w.stop() for w in workers] == [0, 0]
