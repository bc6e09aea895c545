"""A primary and its standby, and a load of every kind of work that survives the change from one to the other."""
import json
import os
import signal
import threading
import time

import channels
from harness import Database, Server, as_postgres, children_of, eventually, run_checked

import psycopg


class Standby(Server):
    """A streaming copy of a primary.  It waits for nobody when it is promoted.

    The primary is stopped while its files are copied: the servers of scripts/pg_bin have no pg_basebackup.
    """

    def __init__(self, primary):
        super().__init__()
        self.primary = primary

    def __enter__(self):
        try:
            self.primary.stop()
            run_checked(as_postgres(["cp", "-a", self.primary.data, self.data]))
            self.primary.start()
            run_checked(as_postgres(["touch", f"{self.data}/standby.signal"]))
            with open(f"{self.data}/postgresql.conf", "a", encoding="utf-8") as conf:
                conf.write(f"unix_socket_directories = '{self.dir}'\nport = {self.port}\nsynchronous_standby_names = ''\n"
                           f"primary_conninfo = '{self.primary.tcp()} application_name=standby'\n")
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def promote(self):
        run_checked(as_postgres([f"{self.bin}/pg_ctl", "-D", self.data, "-w", "-t", "60", "promote"]))


class Pair:
    """Primary and standby with our schema.  mode: "sync", a commit waits for the standby, or "async"."""

    def __init__(self, mode):
        self.mode = mode
        self.primary = Server()
        self.standby = None
        self.old = None  # the database before the change
        self.new = None  # and after it

    def __enter__(self):
        self.primary.__enter__()
        try:
            self.primary.make_template()
            self.standby = Standby(self.primary)
            self.standby.__enter__()
            self.wait_streaming()
            if self.mode == "sync":
                self.primary.run_sql("alter system set synchronous_standby_names = '*'")
                self.primary.run_sql("select pg_reload_conf()")
                eventually(lambda: self.senders("sync_state = 'sync'"), "the standby is synchronous")
            self.old = Database(self.primary, "ours")
            self.new = Database(self.standby, "ours")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for database in (self.old, self.new):
            for worker in database.workers if database is not None else ():
                worker.kill()
            if database is not None:
                database.forget_connection()
        if self.standby is not None:
            self.standby.__exit__()
        self.primary.__exit__()

    def senders(self, which="true"):
        with psycopg.connect(self.primary.conninfo(), autocommit=True) as connection:
            return connection.execute(f"select pid from pg_stat_replication where application_name = 'standby' and {which}").fetchall()

    def wait_streaming(self):
        eventually(lambda: self.senders("state = 'streaming'"), "the standby streams")

    def wait_caught_up(self):
        with psycopg.connect(self.primary.conninfo(), autocommit=True) as connection:
            end = connection.execute("select pg_current_wal_lsn()").fetchone()[0]
        eventually(lambda: self.senders(f"flush_lsn >= '{end}'"), "the standby has what there is")

    def url(self, user="postgres", first="standby", **more):
        """A connection string with both hosts; first: the one that is named first."""
        servers = [self.standby, self.primary] if first == "standby" else [self.primary, self.standby]
        extra = "".join(f" {key}={value}" for key, value in more.items())
        return f"host=127.0.0.1,127.0.0.1 port={servers[0].port},{servers[1].port} user={user} dbname=ours{extra}"

    def cut(self):
        """From now on no commit reaches the standby."""
        for sender, in self.senders():
            os.kill(sender, signal.SIGSTOP)

    def signal_primary(self, number):
        """A signal to all of its processes at once.  Returns them."""
        with open(f"{self.primary.data}/postmaster.pid", encoding="ascii") as file:
            postmaster = int(file.readline())
        everybody = [postmaster, *children_of(postmaster)]
        for pid in everybody:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return everybody

    def crash(self):
        """kill -9 of the whole primary, as the loss of its machine would be."""
        everybody = self.signal_primary(signal.SIGKILL)
        eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in everybody), "the primary is gone")

    def fail_over(self):
        """Returns the seconds in which no server accepted writes."""
        began = time.monotonic()
        self.crash()
        self.standby.promote()
        return time.monotonic() - began


class Load:
    """Clients that enqueue work of every kind, one each, and remember the acknowledged tasks.  Keys count from `first`."""

    FACES = ("function", "command", "http", "email", "job")

    def __init__(self, pair, provider, first=1):
        self.pair, self.provider, self.first = pair, provider, first
        self.acked = {face: [] for face in self.FACES}  # keys, in order
        self.lost = 0  # enqueues whose commit was not answered
        self.is_over = threading.Event()
        self.problems = []
        self.threads = [threading.Thread(target=self._run, args=(face,), daemon=True) for face in self.FACES]

    def start(self):
        for thread in self.threads:
            thread.start()
        return self

    def stop(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()
        assert self.problems == []

    def wait_more(self, count, deadline=60):
        """Wait until each kind has this many more acknowledged tasks."""
        before = {face: len(keys) for face, keys in self.acked.items()}
        eventually(lambda: self.problems or all(len(self.acked[face]) >= before[face] + count for face in self.FACES),
                   "every face goes on", deadline)
        assert self.problems == []

    def _run(self, face):
        enqueue = getattr(self, f"_{face}")
        n = self.first - 1
        connection = None
        while not self.is_over.is_set():
            n += 1
            try:
                if connection is None:
                    connection = psycopg.connect(self.pair.url() + " target_session_attrs=read-write connect_timeout=5",
                                                 autocommit=True)
                enqueue(connection, n)
                self.acked[face].append(n)
            except psycopg.OperationalError:
                self.lost += connection is not None
                connection = None
                self.is_over.wait(0.05)
            except psycopg.Error as error:
                self.problems.append(f"{face}: {error}")
                return
            self.is_over.wait(0.01)

    def _function(self, connection, n):
        connection.execute("select queues.enqueue('db_function', %s::jsonb)",
                           [json.dumps({"db_function": "t.write_effect", "n": n})])

    def _command(self, connection, n):
        connection.execute("select worker.enqueue('remember', %s::jsonb)", [json.dumps({"n": n})])

    def _http(self, connection, n):
        request = {"method": "POST", "url": self.provider.url + "/echo", "body": {"n": n}, "headers": {"Idempotency-Key": f"http-{n}"}}
        connection.execute("select queues.enqueue('http', %s::jsonb)", [json.dumps({"request": request, "n": n})])

    def _email(self, connection, n):
        connection.execute("select queues.enqueue('email', %s::jsonb)",
                           [json.dumps({**channels.HANDLERS, "send": {**channels.MAIL, "subject": f"Order {n}"}, "n": n})])

    def _job(self, connection, n):
        connection.execute("insert into pgqueue.job_queue (url, payload) values (%s, %s::jsonb)",
                           [self.provider.url + "/echo", json.dumps({"n": n})])
