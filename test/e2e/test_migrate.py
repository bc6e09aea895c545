"""Migrations beside live traffic: no transaction of a user fails, and migrate succeeds by itself."""
import hashlib
import random
import subprocess
import threading

import psycopg
import pytest
from harness import REEVE, ROOT, eventually

# What an application does in one transaction, one statement after the other.
FACES = {
    "task": "select queues.enqueue('db_function', '{\"db_function\": \"t.noop\"}')",
    "tasks": "select queues.enqueue_many('noop', array['{}', '{}', '{}']::jsonb[])",
    "command": "insert into worker.tasks (command, payload) values ('nothing', jsonb_build_object('n', (random() * 5)::integer))",
    "merge": "select worker.enqueue('nothing', '{\"n\": 1}')",
    "job": "insert into pgqueue.job_queue (job_type, url) values ('FUNC', 't.nothing_for_a_job')",
    "hook": "insert into t.hooked (n) values (1)",
    "look": "select count(*) from queues.task_state where task_id = 1",
    "jobs": "select count(*) from pgqueue.job_queue where job_id = 1",
    "commands": "select count(*) from worker.tasks where id = 1",
}


class Traffic:
    """Sessions that make transactions until they are told to stop; every error is kept."""

    def __init__(self, db, statements, sessions=4, is_in_order=False):
        self.db, self.statements, self.is_in_order = db, statements, is_in_order
        self.errors, self.done = [], [0] * sessions
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(n,)) for n in range(sessions)]

    def _run(self, number):
        chance = random.Random(number)
        try:
            with self.db.connect() as connection:
                while not self.is_over.is_set():
                    # In any order, as a rule: applications do not know ours.
                    chosen = chance.sample(self.statements, chance.randint(1, 4))
                    for sql in sorted(chosen, key=self.statements.index) if self.is_in_order else chosen:
                        connection.execute(sql)
                    connection.commit()
                    self.done[number] += 1
        except psycopg.Error as error:
            self.errors.append(error)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def flows(self):
        """Each session has made three more transactions, or an error is there to be seen."""
        before = list(self.done)
        eventually(lambda: self.errors or all(n > b + 2 for n, b in zip(self.done, before)), "traffic flows")
        assert self.errors == []


@pytest.fixture
def busy_db(db):
    """A database with one of everything to talk to, and PostgreSQL's own patience with deadlocks."""
    db.run(f"alter database {db.name} set deadlock_timeout = '1s'")
    db.run("create procedure t.nothing(payload jsonb) language plpgsql as 'begin end'")
    db.run("grant execute on procedure t.nothing(jsonb) to worker_service_user")
    db.run("select worker.register_command('nothing', 't.nothing', 'default')")
    db.run("create function t.nothing_for_a_job() returns void language sql security definer set search_path = pg_catalog, pg_temp as ''")
    db.run("select internal.allow_function('t.nothing_for_a_job', 'job')")
    db.run("create table t.hooked (id bigint generated always as identity primary key, n integer)")
    db.run("select pgqueue.create_webhook('hooked', 't.hooked', '{INSERT}', 'https://example.org/hook')")
    return db


def catalogue(db):
    """Who wrote each row of the catalogue that describes us, by transaction."""
    return db.rows("""
        select 'function', p.oid, p.xmin::text from pg_proc as p where pg_get_userbyid(p.proowner) like 'queues\\_%%'
        union all select 'relation', c.oid, c.relacl::text from pg_class as c where pg_get_userbyid(c.relowner) like 'queues\\_%%'
        union all select 'rule', r.oid, r.xmin::text from pg_rewrite as r join pg_class as c on c.oid = r.ev_class
                  where pg_get_userbyid(c.relowner) like 'queues\\_%%'
        union all select 'trigger', t.oid, t.xmin::text from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
                  where pg_get_userbyid(c.relowner) like 'queues\\_%%'
        order by 1, 2""")


def test_migrations_beside_all_kinds_of_traffic_abort_nobody(busy_db):
    db = busy_db
    worker = db.work(user="worker_service_user").ready()
    with Traffic(db, list(FACES.values())) as traffic:
        traffic.flows()
        for _ in range(8):
            done = db.reeve("migrate")
            assert done.returncode == 0, done.stderr
            traffic.flows()
    assert traffic.errors == []
    assert "level=error" not in worker.log(), worker.log()
    assert db.value("select count(*) from queues.error where source = 'engine'") == 0


def test_a_repair_beside_traffic_aborts_nobody(busy_db):
    """A trigger of the hottest table, a view and a function are not as they should be."""
    db = busy_db
    worker = db.work(user="worker_service_user").ready()
    for _ in range(3):
        db.run("drop trigger facts_are_append_only on queues.task")
        definition = db.value("select pg_get_viewdef('queues.queue_state'::regclass)").rstrip(";")
        db.run(f"create or replace view queues.queue_state as select * from ({definition}) as x")
        db.run("comment on function queues.claim_next(uuid, text, bigint, timestamptz, text[], interval, text) is 'odd'")
        db.run("revoke execute on function queues.schema_version() from worker_service_user")
        with Traffic(db, list(FACES.values())) as traffic:
            traffic.flows()
            done = db.reeve("migrate")
            assert done.returncode == 0, done.stderr
            traffic.flows()
        assert traffic.errors == []
        assert db.value("select count(*) from pg_trigger where tgname = 'facts_are_append_only' and tgrelid = 'queues.task'::regclass") == 1
        assert db.value("select pg_get_viewdef('queues.queue_state'::regclass)").rstrip(";") == definition
        assert db.value("select has_function_privilege('worker_service_user', 'queues.schema_version()', 'execute')")
    assert "level=error" not in worker.log(), worker.log()


def test_a_change_of_hot_tables_beside_traffic_aborts_nobody(empty_db):
    """An old schema, whose next migrations need hot tables for themselves."""
    db = empty_db
    script = "".join((ROOT / "sql" / name).read_text() for name in ("preflight.sql", "roles.sql", "schemas.sql"))
    script += "set local role queues_owner;\n"
    for path in sorted((ROOT / "sql/migrations").glob("*.sql"))[:6]:
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        script += path.read_text() + (f"insert into queues.migration (version, name, checksum)"
                                      f" values ({int(path.name[:4])}, '{path.stem}', '{checksum}');\n")
    db.run(f"alter database {db.name} set deadlock_timeout = '1s'")
    done = subprocess.run(["psql", "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-d", db.conninfo(), "-f", "-"], input=script, text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    # It has no functions yet; what they would write is written by hand, in their order.
    new = "nextval('queues.task_task_id_seq')"
    statements = [
        f"insert into queues.task (task_id, task_type, payload, queue, enqueued_at) overriding system value values ({new}, 'noop', '{{}}', 'odd', now())",
        f"insert into queues.ready (queue_id, priority, available_at, task_id, type_id) values (99, 0, now(), {new}, 99)",
        f"insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id) values ({new}, now(), now(), 1, 1)",
        f"insert into queues.task_completed (task_id, completed_at, outcome) values ({new}, now(), 'succeeded')",
        f"insert into queues.error (task_id, error_message, source, created_at) values ({new}, 'x', 'engine', now())",
        "select count(*) from queues.task where task_id = 0",
    ]
    with Traffic(db, statements, is_in_order=True) as traffic:
        traffic.flows()
        done = db.reeve("migrate")
        assert done.returncode == 0, done.stderr
        traffic.flows()
    assert traffic.errors == []


def test_a_migration_with_nothing_to_do_waits_for_nobody_and_writes_nothing(busy_db):
    db = busy_db
    before = catalogue(db)
    with db.connect() as other:
        for sql in FACES.values():  # A transaction of all kinds stays open.
            other.execute(sql)
        done = db.reeve("migrate")
        assert done.returncode == 0 and "0 migrations applied" in done.stdout, done.stderr
        assert "try" not in done.stderr
    assert catalogue(db) == before


def test_a_migration_waits_in_short_steps_for_a_transaction_that_stays_open(busy_db):
    db = busy_db
    db.run("drop trigger facts_are_append_only on queues.task")
    with db.connect() as other:
        other.execute(FACES["task"])
        migrate = subprocess.Popen([REEVE, "migrate", "--database-url", db.conninfo()], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            lines = [migrate.stderr.readline() for _ in range(2)]
            assert all("in use" in line for line in lines), lines
            # Between its tries, and behind them, others go on.
            with db.connect() as third:
                third.execute(FACES["task"])
            other.commit()
            assert migrate.wait(60) == 0, migrate.stderr.read()
        finally:
            migrate.kill()
            migrate.communicate()
    assert db.value("select count(*) from pg_trigger where tgname = 'facts_are_append_only' and tgrelid = 'queues.task'::regclass") == 1


def test_every_table_has_its_place_in_the_order_of_the_traffic(db):
    """A migration locks what it changes in this order; a new table is to be added to it."""
    order = (ROOT / "src/cli/cmd_schema.c").read_text()
    tables = [r[0] for r in db.rows(
        "select format('%s.%s', n.nspname, c.relname) from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname in ('queues', 'worker', 'pgqueue', 'vault', 'comms', 'files') and c.relkind = 'r'"
        " and c.oid <> 'queues.migration'::regclass")]
    assert len(tables) > 40
    assert [t for t in tables if f'"{t}"' not in order] == []
