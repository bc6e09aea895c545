"""Reeve: no-op tasks that the worker completes itself, or no-op database functions."""
import os
import subprocess
from pathlib import Path

from harness.process import Process, end_all
from harness.wait import until
from peers.base import Peer, Skip

PROGRAM = os.environ.get("REEVE_BIN") or Path(__file__).resolve().parents[2] / "build/reeve"

SCHEMA = """
create schema bench;
create function bench.noop(_payload jsonb) returns jsonb language sql immutable
    as $$ select '{"status": "succeeded"}'::jsonb $$;
select internal.allow_function('bench.noop');
"""
PAYLOADS = {"noop": "{}", "db_function": '{"db_function": "bench.noop"}'}
TIMED = {"noop": "jsonb_build_object('at', extract(epoch from clock_timestamp()))",
         "db_function": "jsonb_build_object('db_function', 'bench.noop', 'at', extract(epoch from clock_timestamp()))"}
# The engine notes when a function is about to be called; a no-op runs nothing, so its end stands for it.
BEGAN = {"noop": "completed_at", "db_function": "started_at"}
LATENCY = """select (extract(epoch from c.{}) - (t.payload->>'at')::numeric) * 1000
             from queues.task_completed as c join queues.task as t using (task_id) order by task_id"""
LEFT = """select format('%s wait (%s of them for later), %s run, %s ended otherwise; last error: %s',
                        (select count(*) from queues.ready), (select count(*) from queues.ready where available_at > now()),
                        (select count(*) from queues.running),
                        (select count(*) from queues.task_completed where outcome <> 'succeeded'),
                        (select left(error_message, 100) from queues.error order by created_at desc limit 1))"""


class Reeve(Peer):
    kind = "reeve"
    table = "queues.ready"
    claims = r"queues\.\w*claim"

    def __init__(self, bench, task="noop", concurrency=2, processes=1, label=None):
        super().__init__(bench)
        self.task, self.concurrency, self.processes = task, concurrency, processes
        self.name = f"Reeve {task}" + (f", {label}" if label else "")
        payload = PAYLOADS[task]
        self.one = f"select queues.enqueue('{task}', '{payload}');"
        self.hundred = self.many(100)
        self.timed = f"select queues.enqueue('{task}', {TIMED[task]});"

    def prepare(self, database):
        subprocess.run([PROGRAM, "install", "--database-url", self.server.conninfo(database)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
        self.server.sql(database, SCHEMA)

    def after_copy(self, database):
        # A copy does no work before somebody says that it may.
        self.server.sql(database, "select queues.adopt_database()")
        known = "select exists (select 1 from queues.registered_task_type where task_type = %s)"
        if not self.server.value(database, known, [self.task]):
            self.server.drop(database)
            raise Skip(f"task type {self.task} is not registered")

    def many(self, count):
        return (f"select count(*) from queues.enqueue_many('{self.task}',"
                f" array_fill('{PAYLOADS[self.task]}'::jsonb, array[{count}]));")

    def fill(self, database, count, options=""):
        """In calls of at most 100,000; options are further arguments of enqueue_many."""
        for start in range(0, count, 100_000):
            self.server.sql(database, f"select count(*) from queues.enqueue_many('{self.task}', array_fill("
                            f"'{PAYLOADS[self.task]}'::jsonb, array[{min(100_000, count - start)}]){options})")

    def worker(self, database, *more):
        return Process([PROGRAM, "work", "--log-level", "warn", "--database-url", self.server.conninfo(database),
                        "--concurrency", self.concurrency, *more])

    def drain(self, database, count, limit=300):
        """From the start of the first process to the end of the last."""
        before = self.completed(database)
        workers = [self.worker(database, "--until-empty") for _ in range(self.processes)]
        try:
            for worker in workers:
                worker.wait(limit)
        finally:
            end_all(workers)
        done = self.completed(database) - before
        if done != count:
            raise RuntimeError(f"{done} of {count} tasks succeeded; {self.server.value(database, LEFT)}")
        return max(w.ended for w in workers) - min(w.started for w in workers), workers

    def completed(self, database):
        return self.server.value(database, "select count(*) from queues.task_completed where outcome = 'succeeded'")

    def check(self, database):
        """The invariants of facts and working set hold after what was measured."""
        found = self.server.sql(database, "select invariant, violations from queues.check(true)")
        if found:
            raise RuntimeError(f"invariants are violated: {found}")

    def start(self, database):
        return Running(self, database)


class Running:
    """A worker that runs until stop(); what it did is read from the facts."""

    def __init__(self, peer, database):
        self.peer, self.database = peer, database
        self.processes = [peer.worker(database) for _ in range(peer.processes)]
        # Work connections, and control, listen, gate.
        expected = peer.processes * (peer.concurrency + 3)
        until(lambda: peer.server.clients(database) >= expected, 20, "the worker is connected", or_else=None)

    def catch_up(self, _count, limit=20):
        """Let it do what was offered, but not for longer."""
        query = "select not exists (select 1 from queues.ready) and not exists (select 1 from queues.running)"
        until(lambda: self.peer.server.value(self.database, query), limit, "all is done", or_else=None)

    def stop(self):
        for process in self.processes:
            process.stop(60)

    def kill(self):
        end_all(self.processes)

    def per_second(self):
        return dict(self.peer.server.sql(self.database, "select floor(extract(epoch from completed_at))::bigint,"
                                         " count(*) from queues.task_completed group by 1"))

    def latencies(self):
        return [float(row[0]) for row in self.peer.server.sql(self.database, LATENCY.format(BEGAN[self.peer.task]))]
