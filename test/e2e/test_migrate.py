"""Migrations beside live traffic: no transaction of a user fails or waits long, and migrate succeeds by itself."""
import concurrent.futures
import contextlib
import random
import re
import signal
import subprocess
import threading
import time

import psycopg
import pytest
from harness import REEVE, ROOT, eventually, run_checked

NEXT = ROOT / "build/next/reeve"  # the next release, made up: test/upgrade/next

LONGEST_WAIT_S = 0.75  # of the migration, for one relation
NOISE_S = 1.5  # what a machine without a free core may add

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
    "process": "select comms.create_and_kickoff_sms_task('+4912345678', 'a message')",
    "call": "insert into pgqueue.job_queue (job_type, url, run_at) values ('GET', 'https://example.org', now() + interval '1 day')",
}


class Traffic:
    """Sessions that make transactions until they are told to stop; every error is kept.

    Each transaction makes some of the statements in any order: applications do not know ours.  Some sessions are slow:
    they keep what they have locked for about half a second.  One enqueues, a task in each transaction, as fast as it can.
    """

    def __init__(self, db, statements, sessions=4, slow=2):
        self.db, self.statements = db, statements
        self.errors, self.done = [], [0] * (sessions + slow + 1)
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(n, n < slow, n == len(self.done) - 1)) for n in range(len(self.done))]

    def _run(self, number, is_slow, is_enqueuer):
        chance = random.Random(number)
        try:
            with self.db.connect() as connection:
                while not self.is_over.is_set():
                    chosen = self.statements[:1] if is_enqueuer else chance.sample(self.statements, chance.randint(1, 4))
                    for sql in chosen:
                        connection.execute(sql)
                        if is_slow:
                            connection.execute("select pg_sleep(%s)", [0.5 / len(chosen)])
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


class Watch:
    """Looks at the server's locks: how long the migration waits, and how long others wait for it."""

    def __init__(self, db):
        self.db = db
        self.longest = {"migration": 0.0, "user": 0.0}
        self.held = 0  # most relations of ours that the migration kept from others at a time, if it waited for another
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self):
        since = {}
        with self.db.connect(autocommit=True) as connection:
            while not self.is_over.is_set():
                rows = connection.execute("""
                    with us as (select pid from pg_stat_activity where application_name = 'migration' and datname = current_database()),
                         locks as materialized (select * from pg_locks)
                    select l.pid, l.pid in (select pid from us), l.locktype, coalesce(l.relation, 0)::text, l.transactionid::text,
                           (select count(distinct h.relation) from locks as h join pg_class as c on c.oid = h.relation
                            where h.pid = l.pid and h.granted and h.locktype = 'relation' and c.relkind in ('r', 'v') and c.oid > 16383
                              and h.mode in ('ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
                    from locks as l
                    where not l.granted and l.locktype <> 'advisory'
                      and (l.pid in (select pid from us) or exists (select from us where us.pid = any(pg_blocking_pids(l.pid))))""").fetchall()
                now = time.monotonic()
                since = {row[:5]: since.get(row[:5], now) for row in rows}
                for row in rows:
                    who = "migration" if row[1] else "user"
                    self.longest[who] = max(self.longest[who], now - since[row[:5]])
                    if row[1]:
                        self.held = max(self.held, row[5])

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        print(f"longest waits {self.longest}")

    def saw_no_harm(self):
        assert self.held == 0, "the migration held one relation and waited for another"
        assert self.longest["migration"] < LONGEST_WAIT_S + NOISE_S
        assert self.longest["user"] < LONGEST_WAIT_S + NOISE_S


def start_migrate(db, program=REEVE, *options):
    return subprocess.Popen([program, "migrate", *options, "--database-url", f"{db.conninfo()} application_name=migration"],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def migrate(db, program=REEVE):
    """Runs to its end, however many tries it needs."""
    with start_migrate(db, program) as process:
        out, err = process.communicate()
    print(f"{len(re.findall('in use', err))} tries failed")
    assert process.returncode == 0, err
    return out, err


@contextlib.contextmanager
def watched_traffic(db, statements):
    """Traffic flows before, while and after the block, nobody's transaction fails, and nobody waits long for a migration."""
    with Watch(db) as watch, Traffic(db, statements) as traffic:
        traffic.flows()
        start, enqueued = time.monotonic(), traffic.done[-1]
        yield
        print(f"{(traffic.done[-1] - enqueued) / (time.monotonic() - start):.0f} enqueues/s for {time.monotonic() - start:.1f} s")
        traffic.flows()
    assert traffic.errors == []
    watch.saw_no_harm()


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
        with ours as (select c.oid from pg_class as c where pg_get_userbyid(c.relowner) like 'queues\\_%')
        select 'function', p.oid, p.xmin::text from pg_proc as p where pg_get_userbyid(p.proowner) like 'queues\\_%'
        union all select 'relation', c.oid, c.xmin::text from pg_class as c join ours using (oid)
        union all select 'column', ours.oid, string_agg(a.xmin::text, ' ' order by a.attnum)
                  from pg_attribute as a join ours on ours.oid = a.attrelid group by 2
        union all select 'rule', r.oid, r.xmin::text from pg_rewrite as r join ours on ours.oid = r.ev_class
        union all select 'trigger', t.oid, t.xmin::text from pg_trigger as t join ours on ours.oid = t.tgrelid
        union all select 'default', d.oid, d.xmin::text from pg_attrdef as d join ours on ours.oid = d.adrelid
        union all select 'comment', d.objoid, d.xmin::text from pg_description as d join pg_proc as p on p.oid = d.objoid
                  where d.classoid = 'pg_proc'::regclass and pg_get_userbyid(p.proowner) like 'queues\\_%'
        union all select 'comment', d.objoid, string_agg(d.xmin::text, ' ' order by d.objsubid)
                  from pg_description as d join ours on ours.oid = d.objoid where d.classoid = 'pg_class'::regclass group by 2
        union all select 'setting', 0, string_agg(c.key || c.xmin::text, ' ' order by c.key) from internal.config as c
        order by 1, 2""")


def test_migrations_beside_all_kinds_of_traffic_abort_nobody_and_write_nothing(busy_db):
    db = busy_db
    worker = db.work(user="worker_service_user").ready()
    before = catalogue(db)
    with watched_traffic(db, list(FACES.values())):
        for _ in range(4):
            assert "0 migrations applied" in migrate(db)[0]
    assert catalogue(db) == before
    assert "level=error" not in worker.log(), worker.log()
    assert db.value("select count(*) from queues.error where source = 'engine'") == 0


# Triggers of hot tables that are missing, one that differs, views that differ.
HOT_TABLES = ["queues.task", "queues.task_lease", "queues.task_lease_ended", "queues.task_completed", "queues.process", "pgqueue.job",
              "pgqueue.job_run", "queues.task_changed"]
HOT_VIEWS = ["queues.task_state", "queues.queue_state", "worker.tasks", "pgqueue.job_queue"]


def make_differences(db):
    for table in HOT_TABLES:
        db.run(f"drop trigger facts_are_append_only on {table}")
    definitions = {view: db.value(f"select pg_get_viewdef('{view}'::regclass)").rstrip(";") for view in HOT_VIEWS}
    for view, definition in definitions.items():
        db.run(f"create or replace view {view} as select * from ({definition}) as x")
    # An older view, without its last column: the functions of today work with it until it is replaced.
    columns = db.value("select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute"
                       " where attrelid = 'worker.tasks'::regclass and attnum > 0 and attname <> 'merges'")
    db.run(f"drop view worker.tasks; create view worker.tasks as select {columns} from ({definitions['worker.tasks']}) as x;"
           " alter view worker.tasks owner to queues_owner; grant select on worker.tasks to queues_observer")
    db.run("create trigger insert_enqueues instead of insert on worker.tasks for each row execute function internal.insert_task()")
    db.run("alter table queues.task alter column enqueued_at drop default")
    db.run("comment on function queues.claim_next(uuid, text, bigint, timestamptz, text[], interval, text) is 'odd'")
    db.run("revoke execute on function queues.schema_version() from worker_service_user")


def dump(db):
    """The schema, in the words of pg_dump."""
    return subprocess.run([ROOT / "scripts/dump_schema", db.conninfo()], capture_output=True, text=True, check=True).stdout


def test_many_repairs_beside_traffic_abort_nobody_and_get_through(busy_db):
    """Several tables, triggers and views are not as they should be, and users lock them in all orders."""
    db = busy_db
    worker = db.work(user="worker_service_user").ready()
    right = dump(db)
    make_differences(db)
    assert dump(db) != right
    with watched_traffic(db, list(FACES.values())):
        migrate(db)
    assert dump(db) == right
    assert "level=error" not in worker.log(), worker.log()


def test_a_release_beside_all_kinds_of_traffic_aborts_nobody_and_gets_through(busy_db):
    """Hot tables, functions, views and triggers all change; a worker of the release before goes on."""
    db = busy_db
    worker = db.work(user="worker_service_user").ready()
    with watched_traffic(db, list(FACES.values())):
        assert "1 migration applied" in migrate(db, NEXT)[0]
    assert "level=error" not in worker.log(), worker.log()
    assert db.value("select count(*) from queues.error where source = 'engine'") == 0
    assert db.value("select count(*) from queues.task_state where enqueued_with is null") > 0
    assert db.value("select count(*) from queues.task_state where enqueued_with = 'next'") > 0
    assert db.value(OLD_FUNCTIONS) == 0


def test_a_migration_that_was_killed_between_its_steps_goes_on_where_it_ended(empty_db, server):
    db = empty_db
    assert db.reeve("install").returncode == 0
    db.run("select queues.enqueue('noop', '{}')")
    with db.connect() as other:
        other.execute("lock table queues.running in access share mode")  # The table of a later step is in use.
        process = start_migrate(db, NEXT)
        try:
            eventually(lambda: "in use" in process.stderr.readline(), "it waits for the other table")
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        assert db.value("select count(*) from pg_attribute where attrelid = 'queues.ready'::regclass and attname = 'is_known'") == 1
        assert db.value("select count(*) from pg_attribute where attrelid = 'queues.running'::regclass and attname = 'is_known'") == 0
        assert db.value("select queues.schema_version()") == 9
        # The tables are good for who knows nothing of the next version.
        db.run("select queues.enqueue('noop', '{}')")
        db.work_until_empty()
        db.run("select queues.enqueue('noop', '{}')")
        assert "a migration has begun and not ended" in db.reeve("doctor").stdout
    assert "1 migration applied" in migrate(db, NEXT)[0]
    assert db.value("select count(*) from internal.config where key = 'migrating'") == 0
    assert db.rows("select is_known from queues.ready") == [(True,)]
    new = server.make_database(template="template1")
    try:
        run_checked([NEXT, "install", "--database-url", new.conninfo()])
        assert dump(db) == dump(new)
    finally:
        new.drop()


# Functions of this release that the next one does not have.
OLD_FUNCTIONS = """select count(*) from unnest(array['internal.absorb(integer, smallint, text, text, jsonb, timestamptz, bigint)',
    'internal.check_payload(jsonb, integer)', 'internal.call_destination(text, jsonb)']) as f where to_regprocedure(f) is not null"""


def test_a_statement_that_is_under_way_ends_with_the_functions_that_it_began_with(db):
    """Inner functions have another signature, or another name, but not before who may call them has ended."""
    enqueue = "select queues.enqueue('noop', jsonb_build_object(%s::text, 1), _dedup_key => 'k', _dedup_policy => 'merge')"
    with db.connect() as last_table, db.connect() as first, db.connect() as second, concurrent.futures.ThreadPoolExecutor() as pool:
        last_table.execute("lock table comms.message in access share mode")
        process = start_migrate(db, NEXT)
        try:
            # The tables are changed, but for the last.
            eventually(lambda: "in use" in process.stderr.readline(), "it waits for the last table")
            task = first.execute(enqueue, ["first"]).fetchone()[0]
            answer = pool.submit(lambda: second.execute(enqueue, ["second"]).fetchone()[0])
            db.eventually("select count(*) from pg_locks where locktype = 'transactionid' and not granted")
            last_table.rollback()
            db.eventually("select queues.schema_version() = 10")
            assert not answer.done()
            first.commit()
            assert answer.result() == task
            second.commit()
            out, err = process.communicate(timeout=60)
            assert process.returncode == 0 and "1 migration applied" in out, err
        finally:
            first.rollback()
            process.kill()
            process.communicate()
    assert db.value("select payload from queues.ready where task_id = %s", task) == {"first": 1, "second": 1}
    assert db.value(OLD_FUNCTIONS) == 0


def test_functions_go_when_the_transactions_that_may_need_them_have_ended(db):
    with db.connect() as other:
        other.execute("select 1")  # Nobody can see what it will do.
        process = start_migrate(db, NEXT)
        try:
            eventually(lambda: "under way" in process.stderr.readline(), "it says what it waits for")
            assert db.value("select queues.schema_version()") == 10
            assert db.value(OLD_FUNCTIONS) == 2  # The new one takes the calls of the third.
            other.rollback()
            out, err = process.communicate(timeout=60)
            assert process.returncode == 0 and "1 migration applied" in out, err
        finally:
            process.kill()
            process.communicate()
    assert db.value(OLD_FUNCTIONS) == 0
    assert db.value("select count(*) from internal.config where key = 'migrating'") == 0


def test_a_migration_that_was_killed_before_it_dropped_functions_drops_them_later(db):
    with db.connect() as other:
        other.execute("select 1")
        process = start_migrate(db, NEXT)
        try:
            eventually(lambda: "under way" in process.stderr.readline(), "it waits for the other transaction")
        finally:
            process.kill()
            process.communicate()
    assert db.value("select problem from queues.advise() where area = 'schema'") == "a migration has begun and not ended"
    assert "0 migrations applied" in migrate(db, NEXT)[0]
    assert db.value(OLD_FUNCTIONS) == 0
    assert db.value("select count(*) from internal.config where key = 'migrating'") == 0


def test_functions_stay_if_a_transaction_outlasts_the_patience_and_the_next_migration_drops_them(db):
    with db.connect() as other:
        other.execute("select 1")
        with start_migrate(db, NEXT, "--patience", "1") as process:
            out, err = process.communicate(timeout=60)
        assert process.returncode == 0 and "1 migration applied" in out, err
        assert "stays open" in err and "migrate again to remove them" in err
        assert db.value(OLD_FUNCTIONS) == 2 and db.value("select queues.schema_version()") == 10
        assert db.value("select problem from queues.advise() where area = 'schema'") == "a migration has begun and not ended"
        # Both versions of a function live together, and enqueues find the right one.
        db.run("select queues.enqueue('noop', '{}', _dedup_key => 'k', _dedup_policy => 'merge')")
        db.run("select queues.enqueue('noop', '{}', _dedup_key => 'k', _dedup_policy => 'merge')")
    assert "0 migrations applied" in migrate(db, NEXT)[0]
    assert db.value(OLD_FUNCTIONS) == 0
    assert db.rows("select from queues.advise() where area = 'schema'") == []


def test_a_step_whose_table_stays_in_use_gives_up_after_the_patience_and_changes_nothing(db):
    with db.connect() as other:
        other.execute("lock table queues.task in access share mode")
        with start_migrate(db, NEXT, "--patience", "2") as process:
            _, err = process.communicate(timeout=60)
        assert process.returncode == 8, err
        assert "in use" in err and "hint: A transaction stays open that uses our tables" in err
        assert db.value("select queues.schema_version()") == 9
    assert "1 migration applied" in migrate(db, NEXT)[0]


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
        process = start_migrate(db)
        try:
            lines = [process.stderr.readline() for _ in range(2)]
            assert all("in use" in line for line in lines), lines
            # Between its tries, and behind them, others go on.
            with db.connect() as third:
                third.execute(FACES["task"])
            other.commit()
            assert process.wait(60) == 0, process.stderr.read()
        finally:
            process.kill()
            process.communicate()
    assert db.value("select count(*) from pg_trigger where tgname = 'facts_are_append_only' and tgrelid = 'queues.task'::regclass") == 1


def test_a_worker_whose_functions_are_gone_ends_its_work_and_then_itself_with_4(db):
    """A migration that an older program cannot follow."""
    worker = db.work("--concurrency", "2").ready()
    db.run("create function t.waits_for_a_lock(_payload jsonb) returns jsonb language plpgsql as"
           " $$ begin perform pg_advisory_xact_lock(77); return '{\"status\": \"succeeded\"}'; end $$")
    db.run("select internal.allow_function('t.waits_for_a_lock')")
    with db.connect() as other:
        other.execute("select pg_advisory_lock(77)")
        task = db.enqueue("waits_for_a_lock")
        db.eventually("select count(*) from pg_locks where locktype = 'advisory' and objid = 77 and not granted")
        names = db.rows("select oid::regprocedure::text from pg_proc where pronamespace = 'queues'::regnamespace"
                        " and proname in ('claim_batch', 'claim_next')")
        for name, in names:
            db.run(f"alter function {name} rename to renamed_by_a_migration")
        worker.wait_line("the schema was migrated")
        other.execute("select pg_advisory_unlock(77)")
        assert worker.wait() == 4, worker.log()
    assert db.outcome(task) == "succeeded"
    for name, in names:
        db.run(f"alter function {re.sub('claim_(batch|next)', 'renamed_by_a_migration', name)} rename to {re.search('claim_(batch|next)', name)[0]}")
