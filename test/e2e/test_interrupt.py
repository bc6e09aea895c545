"""Ctrl-C ends every command that takes long in order: what it made is gone, what it began is taken back or can be continued.
And such a command says what it is doing."""
import signal
import subprocess

import psycopg
import pytest
from harness import REEVE, clean_environment, eventually
from terminal import Terminal

SCHEMA_LOCK = "select pg_advisory_lock(20545, 3)"


@pytest.fixture
def empty(server):
    """A database without our schema."""
    database = server.make_database(template="template0")
    try:
        yield database
    finally:
        database.drop()


def start(db, *args):
    return subprocess.Popen([REEVE, *map(str, args), "--database-url", db.conninfo()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=clean_environment())


def interrupt(program):
    """The exit code, and what was said on stderr."""
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=120)
    return program.returncode, errors


def waits(db, condition):
    db.eventually("select exists (select 1 from pg_locks as l join pg_database as d on d.oid = l.database"
                  f" where d.datname = current_database() and not l.granted and {condition})")


def tables(db):
    return db.value("select count(*) from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
                    " where n.nspname in ('queues', 'internal') and c.relkind = 'r'")


@pytest.mark.parametrize("args", [["install"], ["migrate", "--install"]])
def test_an_install_that_is_interrupted_changes_nothing(empty, args):
    with psycopg.connect(empty.conninfo(), autocommit=True) as other:
        other.execute(SCHEMA_LOCK)
        program = start(empty, *args)
        waits(empty, "l.locktype = 'advisory'")
        code, errors = interrupt(program)
    assert (code, errors) == (130, "reeve: interrupted; nothing was changed\n")
    assert tables(empty) == 0
    assert empty.reeve("install").returncode == 0 and tables(empty) > 0


def test_a_migration_that_is_interrupted_can_be_continued(db):
    with psycopg.connect(db.conninfo(), autocommit=True) as other:
        other.execute(SCHEMA_LOCK)
        program = start(db, "migrate")
        waits(db, "l.locktype = 'advisory'")
        code, errors = interrupt(program)
    assert code == 130 and errors.endswith("reeve: interrupted; reeve migrate goes on where it stopped\n"), errors
    done = db.reeve("migrate")
    assert done.returncode == 0, done.stderr


def test_an_uninstall_that_is_interrupted_changes_nothing(db):
    before = tables(db)
    with psycopg.connect(db.conninfo(), autocommit=True) as other:
        other.execute(SCHEMA_LOCK)
        program = start(db, "uninstall", "--yes")
        waits(db, "l.locktype = 'advisory'")
        assert interrupt(program) == (130, "reeve: interrupted; nothing was changed\n")
    assert tables(db) == before


def test_a_repair_that_is_interrupted_changes_nothing(db):
    task = db.enqueue("noop", at="2100-01-01")
    db.run("delete from queues.ready")
    with psycopg.connect(db.conninfo()) as other:
        other.execute("lock table queues.ready in access exclusive mode")
        program = start(db, "doctor", "--repair")
        waits(db, "l.locktype = 'relation'")
        code, errors = interrupt(program)
    assert code == 130, errors
    assert db.value("select count(*) from queues.ready") == 0
    assert db.reeve("doctor", "--repair").returncode in (0, 1)
    assert db.value("select task_id from queues.ready") == task


def scratch(db):
    """The scratch databases of reeve bench."""
    return [row[0] for row in db.rows("select datname from pg_database where datname like 'reeve_bench_%'")]


@pytest.mark.parametrize("when", ["installs", "works"])
def test_a_bench_that_is_interrupted_leaves_nothing(db, when):
    program = start(db, "bench", "--tasks", 100000)
    mine = f"reeve_bench_{program.pid}"
    # It installs first, and measures then; its worker is the second who connects.
    eventually(lambda: mine in scratch(db), "there is a scratch database")
    db.eventually("select exists (select 1 from pg_stat_activity where datname = %s and (%s = 'installs' or application_name ~ 'work|control|claim'))", mine, when)
    code, errors = interrupt(program)
    assert code == 130 and errors.endswith("reeve: interrupted; the scratch database is removed\n"), errors
    assert mine not in scratch(db)
    db.eventually("select not exists (select 1 from pg_stat_activity where datname = %s)", mine)


def test_a_bench_measures_and_leaves_nothing(db):
    program = start(db, "bench", "--tasks", 1000)
    out, errors = program.communicate(timeout=600)
    assert program.returncode == 0, errors
    assert "0 duplicates" in out and "100000 scheduled tasks" in out
    assert f"reeve_bench_{program.pid}" not in scratch(db)


def test_what_takes_longer_than_a_second_says_what_it_does(empty):
    with psycopg.connect(empty.conninfo(), autocommit=True) as other:
        other.execute(SCHEMA_LOCK)
        terminal = Terminal("install", "--database-url", empty.conninfo())
        terminal.read_until("installing the schema, 2 s")
    code, _ = terminal.end()
    assert code == 0
    # The line is gone before the answer comes.
    assert "\r\x1b[KReeve is installed." in terminal.raw or "\x1b[K" in terminal.raw.split("Reeve is installed.")[0].rsplit(" s", 1)[1], terminal.raw
