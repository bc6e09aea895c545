"""A private PostgreSQL server, databases made from a template, and the program itself.

Nothing here sleeps and hopes: eventually() asks until the answer is right, with a deadline
that is generous, because a slow machine is not a bug.
"""
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
REEVE = os.path.abspath(os.environ.get("REEVE_BIN") or ROOT / "build/reeve")
REEVE_FAILPOINTS = os.path.abspath(os.environ.get("REEVE_FAILPOINT_BIN") or ROOT / "build/failpoints/reeve")
DEADLINE = 90  # seconds; only ever waited out by a test that fails
SANITIZER_EXIT = 99
FALLS = [-number for number in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)]
OURS = ("REEVE_", "PG", "WORKER_", "LOG_", "DATABASE_URL", "RESEND_", "TWILIO_", "SMTP_", "FILE_SERVICE_", "CREDENTIALS_",
        "SSL_", "CURL_", "OTEL_", "TRACEPARENT", "http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")


def clean_environment(**more):
    """The environment, without variables that would configure the program."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
    env.update({k: str(v) for k, v in more.items()})
    return env


def eventually(condition, what="condition", deadline=DEADLINE):
    """Call until the answer is true, and return it."""
    end = time.monotonic() + deadline
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"not within {deadline} s: {what}; last answer: {answer!r}")
        time.sleep(0.02)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def children_of(parent):
    """The children of a process, from /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # It has just ended.
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def as_postgres(command):
    """PostgreSQL's programs refuse to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else list(command)


def run_checked(command, **kwargs):
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", **kwargs)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done


def assert_sound(code, log):
    """The program did not crash: no signal of a broken program, no failed assertion, no report of a sanitizer (scripts/sanitized)."""
    assert code not in (SANITIZER_EXIT, *FALLS), log
    for word in ("Sanitizer", "runtime error:", "Assertion"):
        assert word not in log, log


def reeve(*args, env=None, input=None, timeout=60, binary=REEVE):
    """Run a command of the program to its end."""
    done = subprocess.run([binary, *map(str, args)], capture_output=True, text=True, timeout=timeout, input=input,
                          stdin=subprocess.DEVNULL if input is None else None, env=env or clean_environment())
    assert_sound(done.returncode, done.stderr)
    return done


class Server:
    """A private PostgreSQL server, removed at the end.

    has_spare: while one test runs, the database of the next one is made, which takes a while.
    version: of PostgreSQL; default: PG, or the system's.
    """

    pg_bin = ROOT / "scripts/pg_bin"

    def __init__(self, has_spare=False, version=None):
        self.maker = concurrent.futures.ThreadPoolExecutor(1) if has_spare else None
        self.spare = None
        self.bin = subprocess.run([self.pg_bin, version or os.environ.get("PG", "")], capture_output=True, text=True,
                                  check=True).stdout.strip()
        self.dir = tempfile.mkdtemp(prefix="reeve-e2e-", dir="/tmp")
        if os.getuid() == 0:
            shutil.chown(self.dir, "postgres")
        self.data = f"{self.dir}/data"
        self.port = free_port()
        self.names = itertools.count(1)

    def __enter__(self):
        try:
            run_checked(as_postgres([f"{self.bin}/initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                                     "--locale=C", "--no-sync"]))
            with open(f"{self.data}/postgresql.conf", "a", encoding="utf-8") as conf:
                conf.write(f"unix_socket_directories = '{self.dir}'\nport = {self.port}\nlisten_addresses = '127.0.0.1'\n"
                           "fsync = off\nmax_connections = 200\ndeadlock_timeout = 100ms\nshared_buffers = 64MB\n")
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.maker is not None:
            self.maker.shutdown()
        subprocess.run(as_postgres([f"{self.bin}/pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop"]),
                       capture_output=True, cwd="/")
        shutil.rmtree(self.dir, ignore_errors=True)

    def start(self, before=()):
        """before: a prefix of the command."""
        run_checked(as_postgres([*before, f"{self.bin}/pg_ctl", "-D", self.data, "-l", f"{self.dir}/log", "-w", "-t", "60", "start"]))

    def stop(self):
        run_checked(as_postgres([f"{self.bin}/pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop"]))

    def restart(self):
        self.stop()
        self.start()

    def kill(self):
        """SIGKILL to the postmaster; returns when its last child is gone."""
        pid = int(Path(f"{self.data}/postmaster.pid").read_text().split("\n", 1)[0])
        children = children_of(pid)
        os.kill(pid, signal.SIGKILL)
        eventually(lambda: not any(os.path.exists(f"/proc/{p}") for p in [pid, *children]), "all backends are gone")

    def conninfo(self, database="postgres", user="postgres"):
        return f"host={self.dir} port={self.port} user={user} dbname={database}"

    def tcp(self, database="postgres", user="postgres"):
        return f"host=127.0.0.1 port={self.port} user={user} dbname={database}"

    def run_sql(self, sql, database="postgres"):
        with psycopg.connect(self.conninfo(database), autocommit=True) as connection:
            connection.execute(sql)

    def make_template(self):
        self.run_sql("create database ours")
        done = reeve("install", "--database-url", self.conninfo("ours"))
        assert done.returncode == 0, done.stderr
        for helpers in ("helpers.sql", "helpers_channels.sql"):
            self.run_sql((HERE / helpers).read_text(), "ours")
        self.run_sql("revoke create on schema public from public", "ours")  # on servers up to 14 the doctor reports this right

    def make_database(self, template="ours"):
        if template != "ours" or self.maker is None:
            return Database(self, self._create(template))
        made = self.spare or self.maker.submit(self._create, template)
        self.spare = self.maker.submit(self._create, template)
        return Database(self, made.result())

    def _create(self, template):
        name = f"test_{next(self.names)}"
        # From 15 on, a database is by default copied through the log, which takes several times the processor time.
        strategy = "strategy file_copy" if int(Path(f"{self.data}/PG_VERSION").read_text()) >= 15 else ""
        self.run_sql(f"create database {name} template {template} {strategy}")
        if template == "ours":
            self.run_sql("select queues.adopt_database()", name)
        return name


class Database:
    """One database, its programs, and queries about it."""

    def __init__(self, server, name):
        self.server = server
        self.name = name
        self.workers = []
        self.is_damaged = False  # the test broke it on purpose
        self._connection = None

    def conninfo(self, user="postgres"):
        return self.server.conninfo(self.name, user)

    def connect(self, user="postgres", **kwargs):
        return psycopg.connect(self.conninfo(user), **kwargs)

    @property
    def connection(self):
        if self._connection is None or self._connection.closed:
            self._connection = self.connect(autocommit=True)
        return self._connection

    def forget_connection(self):
        """Its server is gone; the next query connects again."""
        if self._connection is not None:
            self._connection.close()

    def run(self, sql, *params):
        return self.connection.execute(sql, params or None)

    def rows(self, sql, *params):
        return self.run(sql, *params).fetchall()

    def value(self, sql, *params):
        return self.run(sql, *params).fetchone()[0]

    def eventually(self, sql, *params, deadline=DEADLINE):
        """Wait until a query returns a true value; after a lost connection it is repeated."""
        def ask():
            try:
                rows = self.rows(sql, *params)
                return rows[0][0] if rows else None
            except psycopg.OperationalError:
                self._connection = None
                return None
        return eventually(ask, sql, deadline)

    # --- tasks ---

    def enqueue(self, function, queue=None, priority=None, at=None, timeout=None, max_crashes=None, **payload):
        return self.value(
            "select queues.enqueue('db_function', %s::jsonb, coalesce(%s::timestamptz, now()), %s, %s,"
            " _timeout => %s::interval, _max_crashes => %s)",
            json.dumps({"db_function": f"t.{function}" if "." not in function else function, **payload}), at, queue, priority,
            timeout, max_crashes)

    def enqueue_many(self, function, count, queue=None):
        return [r[0] for r in self.rows(
            "select queues.enqueue_many('db_function', (select array_agg(jsonb_build_object('db_function', 't.' || %s::text,"
            " 'n', n)) from generate_series(1, %s) as n), _queue => %s)", function, count, queue)]

    def outcome(self, task_id):
        rows = self.rows("select outcome from queues.task_completed where task_id = %s", task_id)
        return rows[0][0] if rows else None

    def wait_outcome(self, task_id, deadline=DEADLINE):
        return self.eventually("select max(outcome) from queues.task_completed where task_id = %s", task_id, deadline=deadline)

    def wait_drained(self, deadline=DEADLINE):
        """Wait until no task is open."""
        self.eventually("select not exists (select 1 from queues.ready) and not exists (select 1 from queues.running)",
                        deadline=deadline)

    def wait_asleep(self):
        """Wait until a worker listens and sleeps: it holds the lock that makes enqueuers notify."""
        self.eventually("select exists (select 1 from pg_locks where locktype = 'advisory' and classid = 20545 and objid = 2"
                        " and mode = 'ExclusiveLock' and granted and database = (select oid from pg_database"
                        " where datname = current_database()))")

    def errors(self, task_id):
        return [r[0] for r in self.rows("select error_message from queues.error where task_id = %s order by error_id", task_id)]

    def leases(self, task_id):
        return self.value("select count(*) from queues.task_lease where task_id = %s", task_id)

    def effects(self, task_id):
        return self.value("select count(*) from t.effect where task_id = %s", task_id)

    def count_of(self, sequence):
        return self.value("select t.count_of(%s::text::regclass)", f"t.{sequence}")

    def assert_effects_once(self, ids):
        """Each task succeeded, and its effect exists exactly once."""
        bad = self.rows(
            "select i, c.outcome, count(e.task_id) from unnest(%s::bigint[]) as i"
            " left join queues.task_completed as c on c.task_id = i left join t.effect as e on e.task_id = i"
            " group by i, c.outcome having c.outcome is distinct from 'succeeded' or count(e.task_id) <> 1", list(ids))
        assert bad == []

    def assert_healthy(self, drained=False):
        found = self.rows("select * from queues.check(%s)", drained)
        assert found == [], found

    # --- programs ---

    def run_program(self, *args, program, **kwargs):
        """Start a worker whose tasks a program carries out; program: its command."""
        return self.work(*args, "--", *program, command="run", **kwargs)

    def work(self, *args, user="postgres", failpoints=None, url=None, env=None, before=(), command="work", reeve=None):
        """Start a worker.  The end of the test stops it and checks its log.  before: a prefix of its command.  reeve: another program."""
        more = dict(env or {})
        if failpoints:
            more["REEVE_FAILPOINTS"] = failpoints
        worker = Worker([*before, reeve or (REEVE_FAILPOINTS if failpoints else REEVE), command, "--database-url", url or self.conninfo(user),
                         *map(str, args)], clean_environment(**more))
        self.workers.append(worker)
        return worker

    def work_until_empty(self, *args, **kwargs):
        worker = self.work("--until-empty", *args, **kwargs)
        assert worker.wait() == 0, worker.log()
        return worker

    def reeve(self, *args, user="postgres", **kwargs):
        return reeve(*args, "--database-url", self.conninfo(user), **kwargs)

    def json(self, *args):
        done = self.reeve(*args, "-o", "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def terminate(self, application):
        """End backends of the program by the role of their connection."""
        return self.value("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                          " where datname = current_database() and application_name = %s", application)

    def end_workers(self):
        for worker in self.workers:
            worker.end()

    def finish(self):
        self.end_workers()
        if not self.is_damaged:
            self.assert_healthy()

    def drop(self):
        for worker in self.workers:
            worker.kill()
        if self._connection is not None:
            self._connection.close()
        try:
            self.server.run_sql(f"drop database if exists {self.name} with (force)")
        except psycopg.Error:
            pass  # the backend ended with its server


class Worker:
    """The program as a child process; its log is read while it runs."""

    def __init__(self, command, env):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        text=True, env=env)
        self.lines = []
        self.was_killed = False
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))

    def longest_stall_ms(self):
        """The slowest callback that the worker has logged."""
        return max([0] + [int(n) for n in re.findall(r"slow callback.*took_ms=(\d+)", self.log())])

    def log(self):
        return "\n".join(self.lines)

    def wait_line(self, text, deadline=DEADLINE, count=1):
        return eventually(lambda: sum(text in line for line in list(self.lines)) >= count, f"log says {text!r}:\n{self.log()}",
                          deadline)

    def ready(self):
        self.wait_line("worker ready")
        return self

    def signal(self, number):
        self.process.send_signal(number)

    def term(self):
        self.signal(signal.SIGTERM)

    def wait(self, deadline=DEADLINE):
        """Its exit code."""
        code = self.process.wait(deadline)
        self.reader.join(deadline)
        return code

    def stop(self):
        self.term()
        return self.wait()

    def kill(self):
        self.was_killed = True
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)

    def end(self):
        """The end of a test: a running worker is stopped, and none has crashed."""
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.term()
            assert self.wait() == 0, self.log()
        assert_sound(self.wait(), self.log())
