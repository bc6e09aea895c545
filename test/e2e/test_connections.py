"""Connections come and go, and not all of them are direct."""
import os
import socket
import subprocess

from harness import as_postgres, clean_environment, eventually, free_port, reeve

import pytest


def test_a_worker_survives_a_restart_of_its_server(own_db):
    db = own_db
    tasks = db.enqueue_many("write_effect", 200)
    long = db.enqueue("slow", seconds=20, times=1)
    # A claim whose answer is lost in the restart is free again when its lease has run out.
    worker = db.work("--lease", 15).ready()
    db.eventually("select t.count_of('t.starts') = 1")
    leases = db.leases(long)
    db.forget_connection()
    db.server.restart()
    tasks += db.enqueue_many("write_effect", 200)
    db.wait_drained(deadline=60)
    assert worker.stop() == 0
    db.assert_effects_once([long, *tasks])
    # It lives and still holds the lease, so it asked again; nothing had to run out.
    assert db.leases(long) == leases
    db.assert_healthy(drained=True)


def test_without_a_database_the_exit_code_is_5(db):
    for url in ("host=/nowhere", f"host=127.0.0.1 port={free_port()} dbname=x", "host=no-such-host.invalid",
                db.server.conninfo("no_such_database")):
        worker = db.work(url=url)
        assert worker.wait() == 5, worker.log()
    assert reeve("task", "list", "--database-url", "host=/nowhere").returncode == 5


def test_without_the_schema_the_exit_code_is_4(empty_db):
    worker = empty_db.work()
    assert worker.wait() == 4
    assert "reeve install" in worker.log()


def test_another_schema_version_is_refused_with_4(db):
    db.run("alter table queues.migration disable trigger user")
    db.run("insert into queues.migration (version, name, checksum) values (9999, 'later', 'x')")
    worker = db.work()
    assert worker.wait() == 4
    assert "9999" in worker.log()
    assert db.value("select count(*) from queues.worker_started where version <> 'sql'") == 0


def test_a_copied_database_is_refused_until_it_is_adopted(db):
    copy = db.server.make_database(template="ours")
    try:
        copy.run("delete from internal.installation where database_name = current_database()")
        task = copy.enqueue("write_effect")
        worker = copy.work()
        assert worker.wait() == 7
        assert "reeve adopt" in worker.log()
        assert copy.leases(task) == 0
        assert copy.reeve("adopt", input="no\n").returncode == 2
        assert copy.reeve("adopt", "--yes").returncode == 0
        copy.work_until_empty()
        copy.assert_effects_once([task])
        copy.finish()
    finally:
        copy.drop()


def test_a_worker_meant_for_another_installation_is_refused(db):
    ours = db.value("select installation_id from internal.installation order by adopted_at desc limit 1")
    assert db.work(env={"REEVE_INSTALLATION": "00000000-0000-4000-8000-00000000abcd"}).wait() == 7
    db.work_until_empty(env={"REEVE_INSTALLATION": str(ours)})


@pytest.mark.parametrize("args, code", [
    (["--concurrency", "none"], 3), (["--concurrency", "0"], 3), (["--lease", "0.5"], 3), (["--lease", "-1"], 3),
    (["--poll-interval", "0"], 3), (["--queue", "Bad Name"], 3), (["--queue", "a:0"], 3), (["--types", "A;drop"], 3),
    (["--log-level", "loud"], 3), (["--log-format", "xml"], 3), (["--queue-concurrency", "a"], 3),
    (["--no-such-option"], 2), (["--lease"], 2), (["operand"], 2), (["--until-empty=yes"], 2),
])
def test_bad_options_of_the_worker_are_named(args, code):
    done = reeve("work", *args)
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("reeve: ")


@pytest.mark.parametrize("name, value", [("REEVE_CONCURRENCY", "many"), ("REEVE_LEASE", "soon"), ("WORKER_CONCURRENCY", "x"),
                                         ("REEVE_LOG_LEVEL", "loud"), ("WORKER_POLL_INTERVAL_SECONDS", "0"),
                                         ("REEVE_QUEUE_CONCURRENCY", "a:b")])
def test_a_bad_value_in_the_environment_is_named(name, value):
    done = reeve("work", env=clean_environment(**{name: value}))
    assert done.returncode == 3
    assert name in done.stderr


class Bouncer:
    """A real pgbouncer before the server."""

    def __init__(self, server, mode):
        self.port = free_port()
        self.file = f"{server.dir}/pgbouncer-{self.port}.ini"
        with open(self.file, "w", encoding="utf-8") as ini:
            ini.write(f"""[databases]
* = host={server.dir} port={server.port} user=worker_service_user
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 20
max_client_conn = 100
ignore_startup_parameters = extra_float_digits
logfile = {server.dir}/pgbouncer-{self.port}.log
""")
        os.chmod(self.file, 0o644)
        self.process = subprocess.Popen(as_postgres(["pgbouncer", "-q", self.file]), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, cwd="/")
        eventually(self.answers, "pgbouncer answers")

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def url(self, db):
        return f"host=127.0.0.1 port={self.port} user=worker_service_user dbname={db.name}"

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture(params=["transaction", "session"])
def bouncer(request, server):
    bouncer = Bouncer(server, request.param)
    bouncer.mode = request.param
    yield bouncer
    bouncer.stop()


def test_work_behind_a_pooling_proxy_is_right_in_every_mode(db, bouncer):
    tasks = db.enqueue_many("write_effect", 300)
    failed = db.enqueue("fail_at_commit")
    slow = db.enqueue("slow", seconds=60, timeout="1 second")
    worker = db.work("--poll-interval", 0.5, "--lease", 5, url=bouncer.url(db)).ready()
    worker.wait_line("polling only" if bouncer.mode == "transaction" else "notifications arrive through the proxy")
    db.wait_drained()
    later = db.enqueue("write_effect")
    assert db.wait_outcome(later) == "succeeded"
    assert worker.stop() == 0
    db.assert_effects_once([later, *tasks])
    assert db.outcome(failed) == "failed" and len(db.errors(failed)) == 1
    assert db.errors(slow) == ["timed out after 1 s"]
    assert worker.log().count("polling only") == (1 if bouncer.mode == "transaction" else 0)
    db.assert_healthy(drained=True)
    db.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
           " and usename = 'worker_service_user'")


def test_an_idle_worker_is_woken_by_a_notification(db):
    db.work("--poll-interval", 60).ready()
    db.wait_asleep()
    for _ in range(3):
        task = db.enqueue("write_effect")
        assert db.wait_outcome(task, deadline=20) == "succeeded"


def test_without_notifications_the_poll_interval_bounds_the_wait(db):
    db.run("select internal.set_config('notify', '\"off\"')")
    db.work("--poll-interval", 1).ready()
    db.wait_asleep()
    task = db.enqueue("write_effect")
    assert db.wait_outcome(task) == "succeeded"


def test_a_worker_that_lost_its_listener_is_woken_again(db):
    db.work("--poll-interval", 60).ready()
    db.wait_asleep()
    for application in ("reeve listen", "reeve gate", "reeve control"):
        old = db.rows("select pid from pg_stat_activity where datname = current_database() and application_name = %s", application)
        assert db.terminate(application) == 1
        db.eventually("select exists (select 1 from pg_stat_activity where datname = current_database()"
                      " and application_name = %s and pid <> %s and state = 'idle' and query <> '')", application, old[0][0])
        db.wait_asleep()
        task = db.enqueue("write_effect")
        assert db.wait_outcome(task, deadline=20) == "succeeded"


def test_a_dead_host_is_skipped(db):
    task = db.enqueue("write_effect")
    url = f"host=127.0.0.1,127.0.0.1 port={free_port()},{db.server.port} user=postgres dbname={db.name}"
    db.work_until_empty(url=url)
    db.assert_effects_once([task])


def test_a_name_and_a_uri_with_several_hosts_work(db):
    task = db.enqueue("write_effect")
    url = f"postgresql://postgres@127.0.0.1:{free_port()},localhost:{db.server.port}/{db.name}"
    db.work_until_empty(url=url)
    db.assert_effects_once([task])
