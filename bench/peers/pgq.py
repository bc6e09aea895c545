"""PgQ: events in batches between ticks; the ticker is called in a loop by the consumer."""
import json
import sys
from pathlib import Path

from harness.process import Talker
from peers.base import Peer
from peers.node import Running

CONSUMER = Path(__file__).resolve().parent / "pgq_consumer.py"


class Reader(Running):
    """A consumer; it ends only when nothing is left, so it needs no time to catch up."""

    def catch_up(self, count, limit=20):
        pass


class PgQ(Peer):
    kind = "pgq"
    name = "PgQ, batches"
    one = "select pgq.insert_event('bench', 'noop', '{}');"
    timed = "select pgq.insert_event('bench', 'noop', extract(epoch from clock_timestamp())::text);"

    def __init__(self, bench):
        super().__init__(bench)
        self.hundred = self.many(100)

    def many(self, count):
        return f"select count(pgq.insert_event('bench', 'noop', '{{}}')) from generate_series(1, {count});"

    def prepare(self, database):
        self.server.sql(database, "create extension pgq")
        self.server.sql(database, "select pgq.create_queue('bench'), pgq.register_consumer('bench', 'bench')")
        self.server.sql(database, "select pgq.set_queue_config('bench', 'ticker_max_lag', '1 ms'),"
                                  " pgq.set_queue_config('bench', 'ticker_idle_period', '1 minute')")

    def fill(self, database, count):
        """A tick after every thousand, so that batches have a usual size."""
        with self.server.connect(database) as connection:
            for start in range(0, count, 1000):
                connection.execute(self.many(min(1000, count - start)))
                connection.execute("select pgq.ticker('bench')")

    def consumer(self, mode, database):
        return Talker([sys.executable, CONSUMER, json.dumps({"mode": mode, "conninfo": self.server.conninfo(database)})])

    def start(self, database):
        return Reader([self.consumer("work", database)])

    def drain(self, database, count, limit=300):
        process = self.consumer("drain", database)
        try:
            report = process.hear("total", limit)
            process.wait(30)
        finally:
            process.kill()
        if report["total"] != count:
            raise RuntimeError(f"{report['total']} of {count} events were read")
        return report["end"] - report["start"], [process]
