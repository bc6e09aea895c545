"""The private server: databases made from templates, and what a piece of work cost it."""
import os
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg

TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """Reached through PGHOST, PGPORT and PGUSER, as scripts/with_postgres sets them."""

    def __init__(self):
        self.host = os.environ["PGHOST"]
        self.port = os.environ.get("PGPORT", "5432")
        self.user = os.environ.get("PGUSER", "postgres")
        self.bin = os.environ.get("PG_BIN", "/usr/bin")
        self.postmaster = int(Path(os.environ["PG_DIR"], "data/postmaster.pid").read_text().split()[0])
        self.admin = self.connect("postgres")
        self.made = 0
        self.has_statements = "pg_stat_statements" in self.value("postgres", "show shared_preload_libraries")
        if self.has_statements:
            self.admin.execute("create extension if not exists pg_stat_statements")

    def conninfo(self, database):
        return f"host={self.host} port={self.port} user={self.user} dbname={database}"

    def url(self, database):
        return f"postgresql:///{database}?host={self.host}&port={self.port}&user={self.user}"

    def connect(self, database):
        return psycopg.connect(self.conninfo(database), autocommit=True)

    def sql(self, database, text, params=None):
        """Run one statement; its rows, or nothing."""
        with self.connect(database) as connection:
            cursor = connection.execute(text, params)
            return cursor.fetchall() if cursor.description else []

    def value(self, database, text, params=None):
        return self.sql(database, text, params)[0][0]

    # Databases

    def create(self, name, template="template1"):
        self.admin.execute(f'drop database if exists "{name}" with (force)')
        self.admin.execute(f'create database "{name}" template "{template}"')

    def copy(self, template):
        """A new database like the template."""
        self.made += 1
        name = f"bench_{self.made}"
        self.create(name, template)
        return name

    def drop(self, name):
        self.admin.execute(f'drop database if exists "{name}" with (force)')

    def settle(self, database):
        """The same state for all before the clock starts: vacuumed, analyzed, checkpointed."""
        self.sql(database, "vacuum analyze")
        self.admin.execute("checkpoint")

    # Costs

    def wal(self):
        return int(self.admin.execute("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchone()[0])

    def commits(self, database):
        query = "select xact_commit from pg_stat_database where datname = %s"
        return self.admin.execute(query, [database]).fetchone()[0]

    def clients(self, database):
        query = "select count(*) from pg_stat_activity where datname = %s and backend_type = 'client backend'"
        return self.admin.execute(query, [database]).fetchone()[0]

    def cpu(self):
        """Seconds of all server processes: those that live, and those that the postmaster buried."""
        children = Path(f"/proc/{self.postmaster}/task/{self.postmaster}/children")
        for _ in range(50):
            before = children.read_text().split()
            total = sum(_stat(self.postmaster)[11:15]) + sum(sum(_stat(int(child))[11:13]) for child in before)
            if children.read_text().split() == before:
                break  # nobody ended in between, and was counted twice or not at all
        return total / TICKS

    def wait_for_no_clients(self, database, deadline=10):
        """Sessions add their counts to the statistics when they end."""
        end = time.monotonic() + deadline
        while self.clients(database) and time.monotonic() < end:
            time.sleep(0.01)

    @staticmethod
    def pause(seconds):
        """Part of a workload: let so much time pass."""
        time.sleep(seconds)

    def pause_until(self, moment):
        self.pause(max(0.0, moment - time.time()))

    @contextmanager
    def measure(self, database):
        """What the block cost the server; read it from the yielded Costs afterwards."""
        costs = Costs(self, database)
        try:
            yield costs
        finally:
            costs.end()


class Costs:
    """WAL, commits, server CPU and connections of a block of work."""

    def __init__(self, server, database):
        self.server, self.database = server, database
        self.connections = 0
        self._over = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)
        self.wal, self.commits, self.cpu = server.wal(), server.commits(database), server.cpu()
        self._sampler.start()

    def _sample(self):
        query = "select count(*) from pg_stat_activity where datname = %s and backend_type = 'client backend'"
        with self.server.connect("postgres") as connection:
            while not self._over.wait(0.1):
                self.connections = max(self.connections, connection.execute(query, [self.database]).fetchone()[0])

    def end(self):
        self._over.set()
        self._sampler.join(10)
        self.server.wait_for_no_clients(self.database)
        self.wal = self.server.wal() - self.wal
        self.cpu = self.server.cpu() - self.cpu
        self.commits = self.server.commits(self.database) - self.commits

    def per_task(self, count, processes=()):
        """As columns of the table; processes are the workers that did it."""
        count = max(count, 1)
        columns = {"wal": self.wal / count, "commits": self.commits / count,
                   "server_cpu": self.cpu * 1e6 / count, "connections": self.connections}
        if processes:
            columns["worker_cpu"] = sum(p.cpu for p in processes) * 1e6 / count
            columns["rss"] = max(p.peak_mb for p in processes)
        return columns


def _stat(pid):
    """The numbers of /proc/PID/stat from the third field on; zeros if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return [0] * 50
    return [int(f) if f.lstrip("-").isdigit() else 0 for f in fields]
