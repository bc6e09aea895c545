"""Whatever dies, and wherever: nothing is lost, nothing is done twice."""
import os
import random
import signal
import threading
import time

from harness import eventually

import psycopg
import pytest

# Where the program can be made to die on the path of a database function.  The second hit
# of the first group needs connections to be lost, which the test does.
START = ["db.connected", "schema.checked", "listen.done"]
WORK = ["claim.sent", "claim.committed", "execute.sent", "execute.committed", "finish.sent"]
LONG = ["renew.sent", "renew.committed"]
STOP = ["release.sent", "term.received"]
CELLS = [(name, hit) for name in START + WORK + LONG + STOP for hit in (1, 2)] + [("term.drained", 1)]


@pytest.mark.parametrize("name, hit", CELLS)
def test_killed_worker_loses_no_task(db, name, hit):
    tasks = db.enqueue_many("write_effect", 20)
    bad = [db.enqueue("fail_at_commit", priority=-1) for _ in range(2)]
    tasks.append(db.enqueue("serialize_once"))
    if name in LONG + STOP:
        # Long runs, so that there is something to renew and to give back; once only.
        tasks += [db.enqueue("slow", priority=-2, seconds=6, times=2) for _ in range(2)]
    victim = db.work("--lease", 2, "--stop-grace", 0.1, failpoints=f"{name}=kill@{hit}")
    if name in START and hit == 2:
        db.wait_asleep()
        assert db.terminate("reeve listen" if name == "listen.done" else "reeve control") == 1
    if name in STOP:
        db.eventually("select t.count_of('t.starts') = 2")
        victim.term()
        if (name, hit) == ("term.received", 2):
            victim.wait_line("stopping")
            victim.term()
    if name == "term.drained":
        db.wait_drained()
        victim.term()
    assert victim.wait() == -signal.SIGKILL, victim.log()

    healthy = db.work("--lease", 2).ready()
    db.wait_drained()
    assert healthy.stop() == 0
    db.assert_effects_once(tasks)
    for task in bad:
        assert (db.outcome(task), len(db.errors(task)), db.effects(task)) == ("failed", 1, 0)
    assert db.value("select count(*) from queues.task_completed") == len(tasks) + len(bad)
    assert db.count_of("overlaps") == 0
    db.assert_healthy(drained=True)


def test_a_run_is_not_started_again_while_its_backend_lives(db):
    task = db.enqueue("slow", seconds=2, times=1)
    victim = db.work("--lease", 1, "--concurrency", 1).ready()
    db.eventually("select t.count_of('t.starts') = 1")
    backend = db.value("select pid from pg_stat_activity where datname = current_database()"
                       " and application_name = 'reeve work' and state = 'active'")
    os.kill(backend, signal.SIGSTOP)
    try:
        victim.kill()
        healthy = db.work("--lease", 1, "--poll-interval", 0.1).ready()
        # Its lease is long over, and the other worker looks for such leases and does other work.
        db.eventually("select expires_at < clock_timestamp() - interval '2 seconds' from queues.running where task_id = %s", task)
        marker = db.enqueue("noop")
        assert db.wait_outcome(marker) == "succeeded"
        assert (db.count_of("starts"), db.leases(task)) == (1, 1)
    finally:
        os.kill(backend, signal.SIGCONT)
    db.wait_drained()
    assert healthy.stop() == 0
    db.assert_effects_once([task])
    assert db.count_of("overlaps") == 0
    db.assert_healthy(drained=True)


def test_a_frozen_worker_that_comes_back_changes_nothing(db):
    tasks = db.enqueue_many("write_effect", 20)
    frozen = db.work("--lease", 1, "--concurrency", 1, failpoints="claim.committed=freeze@1")
    db.eventually("select count(*) > 0 from queues.running")
    healthy = db.work("--lease", 1).ready()
    db.wait_drained()
    frozen.signal(signal.SIGCONT)
    marker = db.enqueue("noop")
    assert db.wait_outcome(marker) == "succeeded"
    assert frozen.stop() == 0
    assert healthy.stop() == 0
    db.assert_effects_once(tasks)
    db.assert_healthy(drained=True)


def test_a_task_that_kills_its_workers_is_quarantined(db):
    good = db.enqueue_many("write_effect", 30)
    poison = db.enqueue("slow", priority=-1, max_crashes=2, seconds=60)
    for n in (1, 2):
        victim = db.work("--lease", 1, "--concurrency", 1, failpoints="execute.sent=kill@1")
        assert victim.wait() == -signal.SIGKILL
        assert db.leases(poison) == n
        if db.value("select current_setting('server_version_num')::integer") < 140000:
            db.terminate("reeve work")  # before 14 a server does not notice that its client is gone
        db.eventually("select expires_at < clock_timestamp() and not exists (select 1 from pg_stat_activity"
                      " where datname = current_database() and application_name = 'reeve work')"
                      " from queues.running where task_id = %s", poison)
    healthy = db.work("--lease", 1)
    db.wait_drained()
    assert healthy.stop() == 0
    assert db.outcome(poison) == "quarantined"
    assert db.errors(poison) == ["quarantined: 2 of its leases died"]
    told = [line for line in healthy.log().splitlines() if "quarantined" in line]
    assert len(told) == 1, healthy.log()
    assert 'level=error msg="task quarantined"' in told[0] and f"task_id={poison} lease_no=2 " in told[0]
    assert f"task {poison} (db_function) is quarantined: 2 of its leases died" in told[0]
    db.assert_effects_once(good)
    assert db.value("select max(lease_no) from queues.task_lease where task_id = any(%s)", good) == 1
    db.assert_healthy(drained=True)


def test_a_task_that_kills_its_backend_is_quarantined(db):
    good = db.enqueue_many("write_effect", 200)
    poison = db.enqueue("die", max_crashes=2)
    good += db.enqueue_many("write_effect", 200)
    worker = db.work("--lease", 1)
    db.wait_drained()
    assert worker.stop() == 0
    assert db.outcome(poison) == "quarantined"
    # Four starts a lease at most; a slow restart may have it given back in between.
    assert db.count_of("starts") <= 4 * db.leases(poison)
    db.assert_effects_once(good)
    db.assert_healthy(drained=True)


class Client(threading.Thread):
    """Enqueues in real transactions and keeps a ledger: n -> unknown, ok or rolled back."""

    def __init__(self, conninfo, base, seed):
        super().__init__(daemon=True)
        self.conninfo, self.base = conninfo, base
        self.random = random.Random(seed)
        self.ledger = {}
        self.enough = threading.Event()

    def run(self):
        n = self.base
        while not self.enough.is_set():
            try:
                with psycopg.connect(self.conninfo) as connection:
                    while not self.enough.is_set():
                        n += 1
                        self.ledger[n] = "unknown"
                        connection.execute("select queues.enqueue('db_function', jsonb_build_object("
                                           "'db_function', 't.write_effect', 'n', %s::integer))", [n])
                        if self.random.random() < 0.1:
                            self.ledger[n] = "rolled back"
                            connection.rollback()
                        else:
                            connection.commit()
                            self.ledger[n] = "ok"
                        self.enough.wait(0.004)
            except psycopg.Error:
                self.enough.wait(0.05)

    @property
    def acknowledged(self):
        return sum(state == "ok" for state in list(self.ledger.values()))


def assert_ledgers(db, clients):
    """Every acknowledged enqueue exists and took effect once; no rolled-back one exists."""
    tasks = {}
    for n, task in db.rows("select (payload->>'n')::integer, task_id from queues.task"):
        assert n not in tasks
        tasks[n] = task
    effects = [r[0] for r in db.rows("select n from t.effect")]
    assert len(effects) == len(set(effects))
    for client in clients:
        assert client.acknowledged > 0
        lost = [n for n, state in client.ledger.items() if state == "ok" and n not in tasks]
        invented = [n for n, state in client.ledger.items() if state == "rolled back" and n in tasks]
        assert (lost, invented) == ([], [])
    db.assert_effects_once(tasks.values())
    assert len(effects) == len(tasks)


def start_clients(db, count, seed=20250101):
    print("seed", seed)
    clients = [Client(db.conninfo(), i * 1000000, seed + i) for i in range(count)]
    for client in clients:
        client.start()
    return clients


def stop_clients(clients):
    for client in clients:
        client.enough.set()
    for client in clients:
        client.join()


def test_a_server_killed_under_load_loses_no_acknowledged_task(own_db):
    db = own_db
    clients = start_clients(db, 3)
    workers = [db.work("--lease", 2).ready() for _ in range(2)]
    for _ in range(3):
        goal = sum(c.acknowledged for c in clients) + 100
        eventually(lambda: sum(c.acknowledged for c in clients) >= goal, "clients are acknowledged")
        done = db.value("select count(*) from queues.task_completed")
        db.eventually("select count(*) > %s from queues.task_completed", done)
        db.server.kill()
        db.forget_connection()
        db.server.start()
    goal = sum(c.acknowledged for c in clients) + 50
    eventually(lambda: sum(c.acknowledged for c in clients) >= goal, "clients are acknowledged")
    stop_clients(clients)
    db.wait_drained(deadline=60)
    assert [w.stop() for w in workers] == [0, 0]
    assert_ledgers(db, clients)
    db.assert_healthy(drained=True)


def test_backends_terminated_at_random_lose_nothing(db):
    chance = random.Random(7)
    clients = start_clients(db, 2)
    workers = [db.work("--lease", 2).ready() for _ in range(2)]
    end = time.monotonic() + 8
    pause = threading.Event()
    while time.monotonic() < end:
        pids = [r[0] for r in db.rows("select pid from pg_stat_activity where datname = current_database()"
                                      " and application_name like 'reeve %'")]
        if pids:
            db.run("select pg_terminate_backend(%s)", chance.choice(pids))
        pause.wait(0.3)
    stop_clients(clients)
    db.wait_drained(deadline=60)
    assert [w.stop() for w in workers] == [0, 0]
    assert_ledgers(db, clients)
    # What a live worker lost with a connection it asks for again; only an unanswered claim dies.
    assert db.value("select count(*) from queues.task_completed where outcome <> 'succeeded'") == 0
    db.assert_healthy(drained=True)
