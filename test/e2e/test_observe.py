"""Figures and health over HTTP: a real worker, a real exporter, and what they say when things go wrong."""
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from forwarder import Forwarder
from harness import REEVE, Worker, clean_environment, eventually
from pages import Pages

OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"


def watched(db, *args, **kwargs):
    worker = db.work("--listen", "127.0.0.1:0", *args, **kwargs).ready()
    return worker, Pages(worker)


def exporter(db, user="postgres", url=None, **env):
    program = Worker([REEVE, "metrics", "--listen", "127.0.0.1:0", "--database-url", url or db.conninfo(user)], clean_environment(**env))
    db.workers.append(program)
    return program, Pages(program)


def facts(db, worker):
    """The completions that a worker has recorded."""
    worker_id = re.search(r"worker_id=(\S+)", worker.log()).group(1)
    rows = db.rows("select t.queue, t.task_type::text, c.outcome, count(*) from queues.task_completed as c"
                   " join queues.task as t using (task_id) join queues.task_lease as l using (task_id, lease_no)"
                   " join queues.holder as h using (holder_id) where h.worker_id = %s group by 1, 2, 3", worker_id)
    return {row[:3]: row[3] for row in rows}


# --- pages ---


def test_a_worker_exports_what_it_did(db):
    worker, pages = watched(db)
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready")
    assert [pages.status(path) for path in ("/livez", "/progressz")] == [200, 200]
    db.enqueue_many("noop", 20)
    db.wait_drained()
    eventually(lambda: pages.completed() == {("default", "db_function", "succeeded"): 20}, "all completions are exported")
    figures = pages.metrics()
    assert figures["reeve_up"] == 1
    assert figures['reeve_task_wait_seconds_count{queue="default"}'] == 20
    assert figures['reeve_task_run_seconds_count{type="db_function"}'] == 20
    assert figures["reeve_claimed_tasks_sum"] == 20
    assert figures['reeve_tasks_started_total{queue="default",type="db_function"}'] >= 20
    assert figures['reeve_held_tasks{state="running"}'] == 0
    assert 'reeve_queue_ready{queue="default"}' not in figures, "figures of the whole database come from one place"


def test_counters_that_alerts_read_begin_at_zero(sender):
    """A rate needs a first value: in a series that begins with the first failure, nobody would see that failure."""
    pages = Pages(sender.work("--listen", "127.0.0.1:0").ready())
    for task in (sender.db.enqueue("noop"), sender.mail()):
        assert sender.db.wait_outcome(task) == "succeeded"
    eventually(lambda: sum(pages.completed().values()) == 2, "both are counted")
    figures = pages.metrics()
    assert figures['reeve_tasks_completed_total{queue="default",type="db_function",outcome="failed"}'] == 0
    assert figures['reeve_leases_lost_total{queue="default"}'] == 0
    queue = sender.db.value("select default_queue from queues.registered_task_type where task_type = 'email'")
    assert figures[f'reeve_handler_failures_total{{queue="{queue}",type="email"}}'] == 0


def test_the_format_follows_the_accept_header(db):
    _, pages = watched(db)
    db.wait_outcome(db.enqueue("noop"))
    eventually(lambda: pages.completed() != {}, "the completion is exported")
    status, text, headers = pages.request("/metrics", Accept=OPENMETRICS)
    assert status == 200 and headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    assert text.endswith("# EOF\n")
    assert re.search(r'reeve_task_run_seconds_bucket\{type="db_function",le="[0-9.]+"\} 1 # \{task_id="\d+"\} ', text)
    assert "# TYPE reeve_tasks_completed counter\n" in text
    status, text, headers = pages.request("/metrics")
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "# EOF" not in text and "task_id" not in text


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool")
def test_promtool_accepts_the_figures(sender):
    """Names, help, kinds and units follow the rules of Prometheus, in the pages of a worker and of the exporter."""
    worker = sender.work("--listen", "127.0.0.1:0", "--lease", "1s").ready()
    _, whole = exporter(sender.db)
    sender.mail()
    for function in ("noop", "boom"):
        sender.db.enqueue(function)
    sender.db.enqueue("die", max_crashes=1)
    sender.db.wait_drained()
    pages = Pages(worker)
    eventually(lambda: quarantined(pages.completed()) == 1, "all ends are counted")
    eventually(lambda: "reeve_refresh_age_seconds" in whole.metrics(), "the figures of the database are there")
    for page in (pages, whole):
        text = page.request("/metrics")[1]
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
        assert (done.returncode, done.stdout + done.stderr) == (0, ""), done.stdout + done.stderr


def test_only_reads_of_known_paths_are_answered(db):
    _, pages = watched(db)
    status, text, _ = pages.request("/nothing")
    assert status == 404 and "/metrics" in text
    status, text, headers = pages.request("/livez", method="HEAD")
    assert (status, text) == (200, "") and headers["Content-Length"] == "3"
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        status, _, headers = pages.request("/metrics", method=method, body=b"x" * 100)
        assert status == 405 and headers["Allow"] == "GET, HEAD"
    status, text, headers = pages.request("/metrics", body=b"a read has no body")
    assert (status, text, headers["Connection"].lower()) == (400, "A read has no body.\n", "close")
    status, _, _ = pages.request("/" + "x" * 100000)
    assert status in (414, 431, 413)


def test_a_connection_serves_several_requests(db):
    _, pages = watched(db)
    connection = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=30)
    for _ in range(5):
        connection.request("GET", "/livez")
        assert connection.getresponse().read() == b"ok\n"
    connection.close()


def test_visitors_cannot_stop_the_work(db):
    """More silent visitors than the server accepts, and one that sends its request byte by byte."""
    worker, pages = watched(db)
    visitors = [socket.create_connection(("127.0.0.1", pages.port)) for _ in range(60)]
    visitors[0].sendall(b"GET /live")
    assert db.wait_outcome(db.enqueue("noop")) == "succeeded"
    for visitor in visitors:
        visitor.close()
    eventually(lambda: pages.status("/livez") == 200, "new visitors are welcome")
    assert "slow callback" not in worker.log()


def test_visitors_who_ask_without_end_get_a_part_of_the_time(db):
    """Requests one behind the other on several connections: the loop of the worker still has time for its work."""
    worker, pages = watched(db)
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready")
    request = b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text;q=1e300,text/plain;q=nan\r\n\r\n"
    enough, answers = threading.Event(), [0] * 4

    def ask(n):
        while not enough.is_set():
            with socket.create_connection(("127.0.0.1", pages.port), timeout=60) as visitor:
                visitor.sendall(request * 20)
                while not enough.is_set() and (data := visitor.recv(1 << 16)):
                    found = data.count(b"HTTP/1.1 200")
                    answers[n] += found
                    visitor.sendall(request * found)

    def used():
        fields = Path(f"/proc/{worker.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    askers = [threading.Thread(target=ask, args=(n,), daemon=True) for n in range(4)]
    began, before = time.monotonic(), used()
    for asker in askers:
        asker.start()
    eventually(lambda: sum(answers) > 500, "500 pages")
    share = (used() - before) / (time.monotonic() - began)
    assert db.wait_outcome(db.enqueue("noop")) == "succeeded"
    enough.set()
    assert share < 0.5, "a server that does what it is asked is busy all the time"


def test_a_large_page_is_sent_whole(db):
    db.run("insert into queues.queue (queue) select 'made_' || n from generate_series(1, 4900) as n")
    _, pages = exporter(db)
    eventually(lambda: 'reeve_queue_ready{queue="made_4900"}' in pages.metrics(), "all queues are shown")
    with socket.socket() as visitor:
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that the page needs many writes
        visitor.settimeout(60)
        visitor.connect(("127.0.0.1", pages.port))
        visitor.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text\r\nConnection: close\r\n\r\n")
        page = b"".join(iter(lambda: visitor.recv(1 << 20), b""))
    assert len(page) > 1e6 and page.endswith(b"# EOF\n")


def test_an_address_that_cannot_be_used_is_refused(db):
    for address, words in (("nowhere", "is not HOST:PORT"), ("example.org:1", "is not a numeric address"),
                           ("127.0.0.1:99999", "is not HOST:PORT"), ("203.0.113.1:9464", "cannot listen")):
        worker = db.work("--listen", address)
        assert worker.wait() == 3
        assert words in worker.log()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        worker = db.work("--listen", f"127.0.0.1:{taken.getsockname()[1]}")
        assert worker.wait() == 3 and "cannot listen" in worker.log()


# --- health ---


def test_a_frozen_worker_is_silent(db):
    worker, pages = watched(db)
    assert pages.status("/livez") == 200
    worker.signal(signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        pages.request("/livez", timeout=1)
    worker.signal(signal.SIGCONT)
    assert pages.status("/livez") == 200


def test_a_worker_is_not_ready_without_its_database(own_db):
    db, own_server = own_db, own_db.server
    worker, pages = watched(db)
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready")
    own_server.stop()
    eventually(lambda: pages.request("/readyz")[:2] == (503, "not connected to the database\n"), "the worker is not ready")
    assert pages.status("/livez") == 200
    assert pages.metrics()["reeve_up"] == 0
    db.forget_connection()
    own_server.start()
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready again")
    worker.wait_line('msg="connected again" after_s=')
    worker.wait_line('msg="all work connections are back" after_s=')


class SilentNetwork(Forwarder):
    """While it is silent, no answer arrives, and no connection is closed."""

    def __init__(self, target):
        self.speaks = threading.Event()
        self.speaks.set()
        super().__init__(target)

    def change(self, kind, body, state):
        self.speaks.wait()
        return [body]


def test_a_worker_is_not_ready_behind_a_silent_network(db):
    network = SilentNetwork(f"{db.server.dir}/.s.PGSQL.{db.server.port}")
    _, pages = watched(db, url=f"host=127.0.0.1 port={network.port} user=postgres dbname={db.name}")
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready")
    network.speaks.clear()
    eventually(lambda: pages.status("/readyz") == 503, "the worker is not ready")
    assert "the database has not answered a probe for" in pages.request("/readyz")[1]
    network.speaks.set()
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready again")
    network.close()


def test_a_worker_whose_claims_bring_nothing_is_stalled(db):
    _, pages = watched(db, "--stall-after", "2s")
    db.value("select queues.pause_queue('default')")
    task = db.enqueue("noop")
    with db.connect() as holder:
        # Claims pass over rows that another session has locked.
        holder.execute("select 1 from queues.ready where task_id = %s for update", (task,))
        db.value("select queues.resume_queue('default')")
        eventually(lambda: pages.status("/progressz") == 503, "the worker is stalled")
        assert pages.request("/progressz")[1].endswith(": claims bring no task\n")
        assert pages.status("/readyz") == 200
        holder.rollback()
    db.wait_outcome(task)
    eventually(lambda: pages.status("/progressz") == 200, "the worker goes on")


def test_a_busy_worker_says_what_it_is_busy_with(db):
    worker, pages = watched(db, "--stall-after", "2s", "--concurrency", 1)
    db.enqueue("wait_for_row")
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        db.eventually("select t.count_of('t.starts') > 0 or exists (select 1 from queues.running)")
        db.enqueue("noop")
        eventually(lambda: pages.status("/progressz") == 503, "the worker is stalled")
        text = pages.request("/progressz")[1]
        assert re.fullmatch(r"a task has been due for \d+ s and none was started for \d+ s: 1 of 1 work connections are busy,"
                            r" the first one for \d+ s\n", text), text
        assert pages.metrics()["reeve_stalled_seconds"] > 2
        holder.rollback()
    eventually(lambda: pages.status("/progressz") == 200, "the worker goes on")


def test_a_paused_queue_is_no_stall(db):
    _, pages = watched(db, "--stall-after", "1s")
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready")
    db.value("select queues.pause_queue('default')")
    db.enqueue("noop")
    begun = pages.metrics()["reeve_probe_seconds_count"]
    eventually(lambda: pages.metrics()["reeve_probe_seconds_count"] > begun + 4, "a few seconds of probes")
    assert pages.status("/progressz") == 200
    assert pages.metrics()["reeve_overdue_seconds"] == 0
    db.value("select queues.resume_queue('default')")
    db.wait_drained()


# --- figures of the whole database ---


@pytest.mark.parametrize("role", ["queues_observer", "worker_service_user"])
def test_one_program_exports_the_whole_database(db, role):
    db.run(f"create role exporter_{db.name} login; grant {role} to exporter_{db.name}")
    db.value("select queues.create_queue('slow_lane')")
    db.value("select queues.pause_queue('slow_lane')")
    db.enqueue("noop", queue="slow_lane", at="2020-01-01")
    db.enqueue("noop", at="2200-01-01")
    program, pages = exporter(db, f"exporter_{db.name}")
    eventually(lambda: pages.status("/readyz") == 200, program.log())
    figures = pages.metrics()
    assert figures["reeve_up"] == 1
    assert figures['reeve_queue_ready{queue="slow_lane"}'] == 1
    assert figures['reeve_queue_paused{queue="slow_lane"}'] == 1
    assert figures['reeve_queue_paused{queue="default"}'] == 0
    assert figures['reeve_queue_scheduled{queue="default"}'] == 1
    assert figures['reeve_queue_oldest_ready_seconds{queue="slow_lane"}'] > 1e6
    assert figures["reeve_unserved_types"] == 1
    assert figures["reeve_in_doubt"] == figures["reeve_quarantined"] == figures["reeve_processes_at_dead_end"] == 0
    watched(db)
    eventually(lambda: pages.metrics()['reeve_workers{state="live"}'] == 1, "the worker is seen")
    assert pages.status("/livez") == 200
    db.end_workers()
    db.run(f"drop owned by exporter_{db.name}; drop role exporter_{db.name}")


def test_the_exporter_answers_while_the_database_is_down(own_db):
    program, pages = exporter(own_db)
    eventually(lambda: pages.metrics()["reeve_up"] == 1, "the exporter is up")
    own_db.server.stop()
    eventually(lambda: pages.metrics()["reeve_up"] == 0, "the exporter says that the database is down")
    assert pages.status("/readyz") == 503 and pages.status("/livez") == 200
    assert 'reeve_queue_ready{queue="default"}' in pages.metrics(), "the last figures stay, with their age"
    own_db.forget_connection()
    own_db.server.start()
    eventually(lambda: pages.metrics()["reeve_up"] == 1, "the exporter is up again")
    program.wait_line('msg="connected again" after_s=')


def test_systemd_learns_of_the_exporter(db, tmp_path):
    """As contrib/reeve-metrics.service needs it: ready at once, and alive while its loop turns."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(90)
        program, _ = exporter(db, NOTIFY_SOCKET=tmp_path / "notify")
        heard = [systemd.recv(100) for _ in range(3)]
        assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        program.signal(signal.SIGTERM)
        assert program.wait() == 0
        while (word := systemd.recv(100)) == b"WATCHDOG=1":
            pass
        assert word == b"STOPPING=1"


def test_a_quarantined_task_counts_until_it_is_repeated(db):
    _, pages = exporter(db)
    task = db.enqueue("die", max_crashes=1)
    worker, mine = watched(db, "--lease", "1s")
    assert db.wait_outcome(task) == "quarantined"
    eventually(lambda: pages.metrics()["reeve_quarantined"] == 1, "the task is counted")
    db.value("select queues.retry_task(%s, now() + interval '1 day')", task)
    eventually(lambda: pages.metrics()["reeve_quarantined"] == 0, "the task was repeated")


# --- counters and facts ---


def quarantined(completed):
    return sum(number for (_, _, outcome), number in completed.items() if outcome == "quarantined")


def ran(completed):
    """Without quarantines: the claim that takes the last lease back records them, and its worker counts them."""
    return {key: number for key, number in completed.items() if key[2] != "quarantined"}


def test_counters_equal_the_facts_after_chaos(sender):
    """Workers die all the time, in runs and in calls.  What a live worker exports is what it recorded; a dead one lost only what
    came after its last scrape."""
    db = sender.db
    dice = random.Random(18)
    functions = ["noop", "write_effect", "boom", "serialize_once"]
    living, dead = [], []

    def another():
        worker = sender.work("--listen", "127.0.0.1:0", "--lease", "2s").ready()
        living.append((worker, Pages(worker)))
    for _ in range(3):
        another()
    for round_no in range(6):
        for function in functions:
            db.enqueue_many(function, 40)
        for _ in range(5):
            sender.mail()
        db.enqueue("die", max_crashes=1)
        victim = living.pop(dice.randrange(len(living)))
        db.eventually("select count(*) >= %s from queues.task_completed", 160 * round_no + 40)
        scraped = victim[1].completed()
        victim[0].kill()
        dead.append((victim[0], scraped))
        another()
    db.wait_drained()
    for worker, pages in living:
        eventually(lambda: ran(pages.completed()) == ran(facts(db, worker)), "the counters of a live worker equal its facts")
    for worker, scraped in dead:
        recorded = facts(db, worker)
        assert all(number <= recorded.get(key, 0) for key, number in ran(scraped).items()), (scraped, recorded)
    assert sum(sum(facts(db, worker).values()) for worker, _ in living + dead) == db.value(
        "select count(*) from queues.task_completed where lease_no is not null")
    assert db.value("select count(*) from queues.task_completed where outcome = 'quarantined'") == 6
    assert sum(quarantined(pages.completed()) for _, pages in living) + sum(quarantined(scraped) for _, scraped in dead) <= 6


def test_a_quarantine_by_a_claim_is_counted_and_logged_once(db):
    """Only the claim that takes the last lease back knows of it; its worker counts it, whoever had the lease."""
    living = [watched(db, "--lease", "1s") for _ in range(2)]
    tasks = [db.enqueue("die", max_crashes=crashes) for crashes in (1, 1, 2)]
    for task in tasks:
        assert db.wait_outcome(task) == "quarantined"
    eventually(lambda: sum(quarantined(pages.completed()) for _, pages in living) == 3, "each is counted by one worker")
    for task in tasks:
        told = [line for worker, _ in living for line in worker.log().splitlines() if f"task_id={task} " in line and "quarantined" in line]
        assert len(told) == 1, told
        assert 'level=error msg="task quarantined"' in told[0] and " task_type=db_function queue=default " in told[0], told
        assert "outcome=quarantined error_class=QU001" in told[0] and "name=t.die" in told[0], told


def test_counters_equal_the_facts_of_calls(sender):
    """Calls end in many ways; the recorded outcome is exported, not the reported one."""
    worker = sender.work("--listen", "127.0.0.1:0").ready()
    pages = Pages(worker)
    for _ in range(5):
        sender.mail()
    sender.db.wait_drained()
    eventually(lambda: pages.completed() == facts(sender.db, worker), "the counters equal the facts")
    assert sum(pages.completed().values()) == 5
    assert any(name.startswith('reeve_call_seconds_count{channel="email",outcome=') for name in pages.metrics())


# --- throughput ---


def roll_up(db):
    """Adds up the minutes that are over, or leaves a mark for the next call."""
    return db.value("select internal.roll_up()")


def test_an_open_transaction_keeps_its_minutes_open(db):
    with db.connect() as open_session:
        open_session.execute("select 1")  # a transaction without a number: it may still record something
        db.run("update internal.roll_up_state set rolled_until = date_trunc('minute', now()) - interval '5 minutes', mark_at = null")
        roll_up(db)
        roll_up(db)
        assert db.value("select rolled_until < now() - interval '4 minutes' from internal.roll_up_state")
        open_session.rollback()
    eventually(lambda: roll_up(db) is not None and db.value("select rolled_until > now() - interval '2 minutes'"
                                                            " from internal.roll_up_state"), "the minutes are over")


def test_throughput_equals_the_facts_while_workers_die(db):
    for round_no in range(3):
        worker = db.work("--lease", "2s").ready()
        db.enqueue_many("noop", 50)
        db.enqueue_many("boom", 10)
        db.eventually("select count(*) > %s from queues.task_completed", 20 * (round_no + 1))
        worker.kill()
        roll_up(db)
    db.work("--lease", "2s").ready()
    db.wait_drained()
    db.is_damaged = True
    # The facts are moved into the past, so that their minute is over, without waiting for it.
    db.run("set session_replication_role = replica")
    db.run("update queues.task_completed set completed_at = completed_at - interval '10 minutes'")
    db.run("update queues.task_lease set leased_at = leased_at - interval '10 minutes'")
    db.run("set session_replication_role = origin")
    db.run("delete from queues.throughput")
    db.run("update internal.roll_up_state set rolled_until = date_trunc('minute', now()) - interval '20 minutes', mark_at = null")
    eventually(lambda: roll_up(db) is not None and db.value("select rolled_until > now() - interval '5 minutes'"
                                                            " from internal.roll_up_state"), "the minutes are added up")
    assert db.rows("select sum(started), sum(succeeded), sum(failed), sum(other) from queues.throughput") == db.rows(
        "select (select count(*) from queues.task_lease), count(*) filter (where outcome = 'succeeded'),"
        " count(*) filter (where outcome in ('failed', 'quarantined')), 0 from queues.task_completed")


# --- log ---


def test_a_failure_is_logged_with_its_function_and_error(db):
    worker = db.work().ready()
    task = db.enqueue("boom", text="first line\nsecond line")
    assert db.wait_outcome(task) == "failed"
    worker.wait_line(f'level=warn msg="task failed" task_id={task} ')
    line = next(line for line in worker.lines if "task failed" in line)
    assert "outcome=failed" in line and 'error="function t.boom failed: boom: ..."' in line and "name=t.boom" in line, line
    assert "error_class=P0001" in line
    assert "first line" not in worker.log() and "second line" not in worker.log()  # values of a payload


def test_the_keys_of_a_json_line_are_stable(db):
    worker = db.work("--log-format", "json").ready()
    task = db.enqueue("boom")
    db.wait_outcome(task)
    worker.wait_line('"message":"task failed"')
    line = json.loads(next(line for line in worker.lines if "task failed" in line))
    assert set(line) == {"timestamp", "level", "service", "message", "fields"}
    assert line["level"] == "warn" and line["fields"]["task_id"] == str(task)
    assert set(line["fields"]) == {"task_id", "lease_no", "task_type", "queue", "outcome", "error_class", "error", "name"}


def test_ends_that_need_no_log_line_are_not_looked_up(own_db):
    """A second look at each end would cost as much as a small function."""
    db = own_db
    db.run("alter system set track_functions = 'all'")
    db.run("select pg_reload_conf()")
    db.run("select count(*) from queues.enqueue_many('db_function', array_fill('{\"db_function\": \"t.noop\"}'::jsonb, array[200]))")
    db.work_until_empty()
    calls = "select coalesce(max(calls), 0) from pg_stat_user_functions where funcname = %s"
    eventually(lambda: db.value(calls, "run_batch") > 0, "the server has counted")
    assert db.value(calls, "ended_as") == 0
    db.enqueue("boom")
    db.work_until_empty()
    eventually(lambda: db.value(calls, "ended_as") == 1, "a failure is looked up")
