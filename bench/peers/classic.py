"""The classic table with FOR UPDATE SKIP LOCKED, driven by pgbench: by one, or delete by 100."""
import threading
import time

from harness.load import Pgbench
from harness.wait import until
from peers.base import Peer

SCHEMA = """
create table job (id bigint generated always as identity primary key, payload jsonb not null);
create table latency (ms numeric);
"""
TAKE = ("delete from job where id {those} (select id from job order by id for update skip locked limit {by})"
        " returning id")
# A consumer that waits a millisecond when it found nothing, and notes the delay of timed jobs.
CONSUMER = """
with d as (delete from job where id = (select id from job order by id for update skip locked limit 1)
           returning payload),
     l as (insert into latency select (extract(epoch from clock_timestamp()) - (payload->>'at')::numeric) * 1000
           from d where payload ? 'at')
select count(*) as n from d \\gset
\\if :n = 0
\\sleep 1 ms
\\endif
"""


class Classic(Peer):
    kind = "classic"
    table = "job"
    claims = r"skip locked"
    one = "insert into job (payload) values ('{}');"
    timed = "insert into job (payload) values (jsonb_build_object('at', extract(epoch from clock_timestamp())));"

    def __init__(self, bench, by=1):
        super().__init__(bench)
        self.by = by
        self.name = "classic SKIP LOCKED, by 1" if by == 1 else f"classic SKIP LOCKED, delete by {by}"
        self.hundred = self.many(100)

    def many(self, count):
        return f"insert into job (payload) select '{{}}' from generate_series(1, {count});"

    def prepare(self, database):
        self.server.sql(database, SCHEMA)

    def fill(self, database, count):
        self.server.sql(database, self.many(count))

    def drain(self, database, count, limit=300):
        clients = 8 if self.by == 1 else 2
        take = TAKE.format(those="=" if self.by == 1 else "= any(array", by=self.by)
        take = take.replace(" returning", ") returning") if self.by > 1 else take
        process = Pgbench(self.server, database, take + ";", clients,
                          transactions=max(1, count // (clients * self.by)))
        try:
            report = process.finish()
        finally:
            process.kill()
        done = count - self.server.value(database, "select count(*) from job")
        if done < count * 0.95:
            raise RuntimeError(f"{done} of {count} jobs were done")
        return report["transactions"] / report["tps"] * count / done, [process]

    def start(self, database):
        return Running(self, database)


class Running:
    """Two consumers; deletions per second are read from the statistics of the table."""

    def __init__(self, peer, database):
        self.peer, self.database = peer, database
        self.processes = [Pgbench(peer.server, database, CONSUMER, 2, seconds=3600)]
        self.samples = {}
        self._over = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)
        self._sampler.start()

    def _sample(self):
        query = "select coalesce(sum(n_tup_del), 0)::bigint from pg_stat_user_tables where relname = 'job'"
        with self.peer.server.connect(self.database) as connection:
            before = 0
            while not self._over.wait(1 - time.time() % 1):
                now = connection.execute(query).fetchone()[0]
                self.samples[int(time.time()) - 1] = now - before
                before = now

    def catch_up(self, _count, limit=20):
        """Let it do what was offered, but not for longer."""
        query = "select not exists (select 1 from job)"
        until(lambda: self.peer.server.value(self.database, query), limit, "the table is empty", or_else=None)

    def stop(self):
        """It has no end of its own that is near: killed by its pid."""
        self._over.set()
        self._sampler.join(10)
        self.kill()

    def kill(self):
        self._over.set()
        for process in self.processes:
            process.kill()

    def per_second(self):
        return self.samples

    def latencies(self):
        return [float(row[0]) for row in self.peer.server.sql(self.database, "select ms from latency")]
