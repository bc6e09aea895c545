"""A session keeps a snapshot open while jobs are offered: vacuum cannot remove what is done.

Peers get half of the time, which is in their favour: they slow down the longer it takes.
"""
from contextlib import contextmanager

from harness.load import feeder
from peers.classic import Classic
from peers.graphile import Graphile
from peers.reeve import Reeve
from workloads import Case

ROUNDS = 1
STATEMENTS = 100  # per second; each adds rate / 100 jobs


def title(rate, what):
    return f"Pinned snapshot, {rate:,}/s offered: {what}"


def cases(bench):
    runs = [(2000, Reeve(bench, "noop")), (2000, Reeve(bench, "db_function")), (2000, Graphile(bench)),
            (2000, Graphile(bench, fast=True)), (2000, Classic(bench)), (5000, Reeve(bench, "noop")),
            (5000, Graphile(bench, fast=True))]
    for rate, peer in runs:
        yield Case(f"pinned at {rate}/s: {peer.name}", lambda peer=peer, rate=rate: pinned(bench, peer, rate))


@contextmanager
def pin(server, database, table):
    """A transaction that sees the table as it is now, until the end of the block."""
    with server.connect(database) as connection:
        connection.execute("begin isolation level repeatable read")
        connection.execute(f"select 1 from {table} limit 1")
        yield
        connection.execute("rollback")


def pinned(bench, peer, rate):
    seconds = max(4, bench.pin_seconds / (1 if peer.kind == "reeve" else 2))
    window = max(1, int(min(10, seconds / 4)))
    with bench.database(peer) as database:
        bench.server.settle(database)
        clock = ClaimClock(bench.server, database, peer.claims)
        with bench.server.measure(database) as costs:
            worker = peer.start(database)
            try:
                with pin(bench.server, database, peer.table):
                    feed = feeder(bench.server, database, peer.many(rate // STATEMENTS).rstrip(";"), STATEMENTS, seconds)
                    try:
                        start = feed.hear("start", 30)["start"]
                        clock.note_at(start, [0, window, seconds - window, seconds])
                        sent = feed.hear("sent", seconds + 60)
                        feed.wait(30)
                    finally:
                        feed.kill()
                worker.stop()
            finally:
                worker.kill()
        done = worker.per_second()
    return report(bench, peer, rate, done, start, sent, int(seconds), window, clock, costs, worker.processes)


def report(bench, peer, rate, done, start, sent, seconds, window, clock, costs, processes):
    first_second = int(start) + 1
    series = [(i, done.get(first_second + i, 0)) for i in range(seconds - 1)]
    first = sum(n for _, n in series[:window]) / window
    last = sum(n for _, n in series[-window:]) / window
    offered = sent["sent"] * rate / STATEMENTS / (sent["end"] - start)
    columns = costs.per_task(sum(done.values()), processes)
    results = bench.results
    results.add(title(rate, "first 10 s"), peer.name, first)
    results.add(title(rate, "last 10 s"), peer.name, last, **columns)
    results.add(title(rate, "really offered"), peer.name, offered)
    growth = clock.growth()
    if growth:
        results.add(title(rate, "claim time, last 10 s to first"), peer.name, growth, unit="times")
        results.add(title(rate, "claim time in the last 10 s"), peer.name, clock.last_ms(), unit="ms per call")
    results.series.setdefault(f"{rate}", {})[peer.name] = series
    return f"{first:,.0f} -> {last:,.0f} /s" + (f", claim time x {growth:.2f}" if growth else "")


class ClaimClock:
    """Time of claiming statements, from pg_stat_statements, in the first and the last window."""

    QUERY = """select coalesce(sum(total_exec_time), 0), coalesce(sum(calls), 0) from pg_stat_statements
               where dbid = (select oid from pg_database where datname = %s) and query ~* %s"""

    def __init__(self, server, database, pattern):
        self.server, self.params, self.notes = server, [database, pattern], []
        self.works = server.has_statements
        if self.works:
            server.admin.execute(f'alter database "{database}" set pg_stat_statements.track = \'top\'')

    def note_at(self, start, moments):
        """Note the counters so many seconds after the start."""
        for moment in moments:
            self.server.pause_until(start + moment)
            if self.works:
                self.notes.append([float(v) for v in self.server.admin.execute(self.QUERY, self.params).fetchone()])

    def means(self):
        """Milliseconds per call in the first and the last window."""
        (a, b, c, d) = self.notes
        return (b[0] - a[0]) / max(b[1] - a[1], 1), (d[0] - c[0]) / max(d[1] - c[1], 1)

    def growth(self):
        """None: not known."""
        if not self.works or self.means()[0] <= 0:
            return None
        return self.means()[1] / self.means()[0]

    def last_ms(self):
        return self.means()[1]
