"""What a measured system offers to the workloads."""
from harness.load import pgbench


class Skip(Exception):
    """This system does not have what the workload needs."""


class Peer:
    """One system in one configuration.

    name        as in the table
    kind        systems of one kind share their template database
    one         SQL that adds one job (None: its API is not SQL)
    hundred     SQL that adds a hundred
    timed       SQL that adds one job which carries the time of its enqueue
    table       a table that the pinned session reads
    claims      regular expression of the statements that claim
    """

    kind = name = one = hundred = timed = table = claims = None

    def __init__(self, bench):
        self.bench = bench
        self.server = bench.server

    def fresh(self):
        """A new database with the system's schema and no jobs."""
        database = self.server.copy(self.bench.template(self))
        self.after_copy(database)
        return database

    def prepare(self, database):
        """Make the schema, once, in the template."""
        raise NotImplementedError

    def after_copy(self, database):
        pass

    def fill(self, database, count):
        """Add jobs as fast as possible; not measured."""
        raise NotImplementedError

    def drain(self, database, count):
        """Do them all.  Returns seconds and the worker processes."""
        raise NotImplementedError

    def start(self, database):
        """A running worker: an object with catch_up(), stop(), kill(), processes, per_second(), latencies()."""
        raise Skip("has no worker of its own")

    def enqueue(self, database, by, clients, seconds):
        """Jobs per second when added by so many, from so many clients."""
        script = self.one if by == 1 else self.hundred
        return pgbench(self.server, database, script, clients, seconds=seconds)["tps"] * by

    def feed_timed(self, database, rate, seconds):
        """Offer single jobs that carry their time, at exponential distances; returns their number."""
        report = pgbench(self.server, database, self.timed, 8 if rate > 200 else 2, seconds=seconds, rate=rate)
        return report["transactions"]

    def many(self, count):
        """SQL that adds so many jobs in one statement."""
        raise Skip("has no SQL for many at once")
