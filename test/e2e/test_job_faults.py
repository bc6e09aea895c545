"""HTTP jobs meet real servers: nginx, TLS that cannot be trusted, answers that never end, hosts that die."""
import hashlib
import hmac
import json
import signal
import threading
import time
from itertools import takewhile

import psycopg
import pytest
from certificates import BAD
from harness import eventually, free_port
from jobs import KEY, VAULT_KEY, Jobs, mac, set_secret
from servers import Nginx

ALLOWED = "127.0.0.1,localhost"


@pytest.fixture(scope="module")
def the_desk(make_desk, certificates):
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": ALLOWED, "REEVE_CA_FILE": f"{certificates}/ca.pem", "REEVE_SECRET_ORDER_KEY": KEY},
                         secrets=(KEY,), signers=("order_key",))


@pytest.fixture
def jobs(desk):
    return Jobs(desk)


def failure(jobs, job):
    """Status and text of its first failed run; then it is cancelled."""
    row = jobs.db.rows("select response_status::int, response_content, response_headers from pgqueue.failed_log where job_id = %s order by id", job)[0]
    jobs.db.run("select pgqueue.cancel_job(%s)", job)
    return row


# --- nginx ---


def test_a_job_passes_nginx_with_tls_and_http_2_and_its_signature_holds(jobs, nginx):
    job = jobs.deliver(url=f"{nginx.tls_url}/echo", payload={"ü": "x\\y", "n": 1.5}, signing_vault="order_key")
    (request,) = jobs.sent(job)
    assert request["headers"]["x-protocol"] == "HTTP/2.0"
    assert request["body"] == '{"n": 1.5, "ü": "x\\\\y"}'
    assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), request["body"].encode(), "sha256", "hex")
    assert jobs.job(job, "response_headers")["server"].startswith("nginx")


def test_what_nginx_refuses_is_recorded_as_it_came(jobs, nginx):
    status, content, headers = failure(jobs, jobs.deliver(url=f"{nginx.url}/objects/x", job_type="GET", status="failed"))
    assert status == 403 and "403 Forbidden" in content and headers["content-type"].startswith("text/html")


def test_a_job_outlives_a_receiver_that_is_not_there(jobs, certificates):
    """nginx stops, and another one comes in its place."""
    with Nginx(certificates, jobs.provider.url) as first:
        url, port = f"{first.tls_url}/echo", first.tls_port
        jobs.deliver(url=url)
    job = jobs.deliver(url=url, status="failed", payload={"n": 1})
    assert jobs.job(job, "response_status") == 0
    assert "refused" in jobs.job(job, "response_content") or "connect" in jobs.job(job, "response_content")
    with Nginx(certificates, jobs.provider.url, tls_port=port):
        jobs.hurry(job)
        jobs.wait(job, "completed")
    assert len(jobs.sent(job)) == 1


def test_a_receiver_that_is_frozen_is_given_up_after_the_timeout(jobs, certificates):
    with Nginx(certificates, jobs.provider.url) as own:
        own.signal_workers(signal.SIGSTOP)
        job = jobs.insert(url=f"{own.tls_url}/echo", timeout="1 second", payload={})
        jobs.wait(job, "failed")
        status, content = jobs.job(job, "response_status", "response_content")
        assert status == 0 and content
        own.signal_workers(signal.SIGCONT)
        jobs.hurry(job)
        jobs.wait(job, "completed")


# --- TLS that cannot be trusted ---


@pytest.mark.parametrize("listener", [*BAD, "old_tls"])
def test_a_bad_certificate_or_an_old_protocol_is_a_failed_run_and_nothing_is_sent(jobs, listener):
    job = jobs.deliver(url=f"https://localhost:{jobs.provider.port(listener)}/echo", status="failed", payload={"secret": KEY},
                       signing_vault="order_key")
    status, content, headers = failure(jobs, job)
    assert (status, headers) == (0, None) and content and KEY not in content
    assert jobs.sent(job) == []


def test_plain_http_on_a_tls_port_and_the_reverse_are_failed_runs(jobs):
    for url in (f"https://localhost:{jobs.provider.port()}/echo", f"http://localhost:{jobs.provider.port('https')}/echo"):
        job = jobs.insert(url=url, timeout="2 seconds")
        jobs.wait(job, "failed")
        assert failure(jobs, job)[0] == 0


# --- answers that do not end ---


@pytest.mark.parametrize("do, options", [("hang", {"when": "before"}), ("hang", {"when": "after"}), ("drip", {"seconds": 0.3, "part": "head"})])
def test_an_answer_that_takes_too_long_is_a_failed_run(jobs, do, options):
    jobs.provider.script(do, path="/echo", **options)
    job = jobs.insert(timeout="1 second", payload={})
    jobs.wait(job, "failed")
    status, content, _ = failure(jobs, job)
    assert status == 0 and content


def test_a_reset_after_the_effect_sends_again_with_the_same_key(jobs):
    jobs.provider.script("reset", path="/echo", when="after")
    job = jobs.deliver(status="failed", payload={"n": 1})
    jobs.hurry(job)
    jobs.wait(job, "completed")
    assert len({r["headers"]["idempotency-key"] for r in jobs.sent(job)}) == 1 and len(jobs.sent(job)) == 2


def test_a_redirect_is_not_followed(jobs):
    jobs.provider.script("redirect", path="/echo", location=jobs.provider.url + "/elsewhere", status=308)
    job = jobs.deliver(status="other", payload={})
    assert jobs.job(job, "response_status") == 308
    assert jobs.job(job, "response_headers")["location"].endswith("/elsewhere")
    assert all(r["path"] != "/elsewhere" for r in jobs.provider.requests())


def test_one_bad_job_never_holds_up_others(jobs):
    """Each fault of this file at once, and good jobs among them."""
    faults = [("hang", {"when": "before"}), ("reset", {"when": "before"}), ("raw", {"text": "no http\r\n\r\n"}), ("headers", {"count": None}),
              ("garbage", {"sample": "binary"}), ("refuse", {"status": 500}), ("close", {"when": "body"})]
    for n, (do, options) in enumerate(faults):
        jobs.provider.script(do, path="/echo", contains=f"bad {n}", times=None, **options)
    bad = [jobs.insert(payload={"n": f"bad {n}"}, timeout="20 seconds") for n in range(len(faults))]
    good = [jobs.insert(payload={"n": f"good {n}"}) for n in range(50)]
    for job in good:
        jobs.wait(job, "completed")
    for job in bad:
        jobs.db.run("select pgqueue.cancel_job(%s)", job)
    jobs.provider.reset()


# --- leases that were superseded ---


def test_a_late_good_answer_of_a_superseded_lease_is_evidence_and_the_job_ends_once(sender):
    """The first worker sends, is frozen until its lease is over, and wakes when a second one has sent too."""
    jobs = Jobs(sender)
    jobs.provider.script("wait", path="/echo", seconds=1)
    first = sender.work("--lease", "1", env={"REEVE_ALLOW_HOSTS": ALLOWED}).ready()
    job = jobs.insert(payload={"n": 1})
    eventually(lambda: jobs.sent(job), "the first worker has sent")
    first.signal(signal.SIGSTOP)
    try:
        sender.work("--lease", "5", env={"REEVE_ALLOW_HOSTS": ALLOWED}).ready()
        jobs.wait(job, "completed")
        assert len(jobs.sent(job)) == 2
    finally:
        first.signal(signal.SIGCONT)
    jobs.db.eventually("select exists (select 1 from queues.late_result as l join pgqueue.job_run as k using (task_id) where k.job_id = %s)", job)
    assert jobs.db.value("select count(*) from pgqueue.job_ended where job_id = %s", job) == 1
    assert jobs.db.value("select count(*) from pgqueue.job_run where job_id = %s", job) == 1
    assert jobs.db.value("select count(*) from pgqueue.failed_log where job_id = %s", job) == 0
    assert len({r["headers"]["idempotency-key"] for r in jobs.sent(job)}) == 1


# --- hosts ---


def test_retries_do_not_crowd_out_what_is_new(sender):
    """Of eight places of a host, two are for jobs that failed before."""
    jobs = Jobs(sender)
    jobs.provider.script("refuse", path="/echo", contains="old", status=404, times=30)
    rule = jobs.provider.script("hang", path="/echo", contains="old", times=None)
    sender.work("--per-host", "8", "--stop-grace", 1, env={"REEVE_ALLOW_HOSTS": ALLOWED}).ready()
    jobs.db.run("insert into pgqueue.job_queue (url, payload) select %s, '{\"n\": \"old\"}' from generate_series(1, 30)", jobs.provider.url + "/echo")
    jobs.db.eventually("select count(*) = 30 from pgqueue.failed_log")
    jobs.db.run("update pgqueue.job_queue set run_at = now() where job_status = 'failed'")
    eventually(lambda: jobs.provider.hits(rule) == 2, "two retries are under way")
    new = [jobs.insert(payload={"n": "new"}) for _ in range(20)]
    for job in new:
        jobs.wait(job, "completed")
    # Each good answer has given them one place more, but never all.
    assert jobs.provider.hits(rule) == 6


def test_a_closed_host_is_tried_with_one_job_and_closed_for_longer(sender):
    """Ten failures close it for 30 s; the trial fails, and it is closed for 60 s."""
    jobs = Jobs(sender)
    worker = sender.work("--per-host", "4", env={"REEVE_ALLOW_HOSTS": ALLOWED}).ready()
    dead = f"http://127.0.0.1:{free_port()}/"
    jobs.db.run("insert into pgqueue.job_queue (url) select %s from generate_series(1, 60)", dead)
    worker.wait_line("host fails, its calls wait")
    jobs.db.eventually("select not exists (select 1 from queues.running)")
    closed = jobs.db.value("select count(*) from pgqueue.failed_log")
    assert closed < 20
    # Meanwhile others are served.
    for _ in range(5):
        jobs.deliver()
    worker.wait_line("seconds=60", deadline=60)
    jobs.db.eventually("select not exists (select 1 from queues.running)")
    assert jobs.db.value("select count(*) from pgqueue.failed_log") == closed + 1
    jobs.deliver()


# --- many ---


def test_parallel_inserts_and_workers_lose_and_repeat_nothing(sender):
    jobs = Jobs(sender)
    for _ in range(2):
        sender.work("--per-host", "32", env={"REEVE_ALLOW_HOSTS": ALLOWED}).ready()

    def insert(session):
        with jobs.db.connect(autocommit=True) as connection:
            for n in range(25):
                connection.execute("insert into pgqueue.job_queue (url, payload) select %s, jsonb_build_object('s', %s, 'n', %s, 'i', i)"
                                   " from generate_series(1, 4) as i", (jobs.provider.url + "/echo", session, n))
    threads = [threading.Thread(target=insert, args=(s,)) for s in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    jobs.db.wait_drained(deadline=120)
    assert jobs.db.rows("select job_status::text, count(*) from pgqueue.job_queue group by 1") == [("completed", 800)]
    assert len({r["body"] for r in jobs.provider.requests()}) == 800
    assert set(jobs.effects().values()) == {1}


def test_bulk_inserts_of_every_kind_are_jobs(sender):
    """insert ... select, copy, and values with returning."""
    db = sender.db
    with db.connect() as connection:
        connection.execute("insert into pgqueue.job_queue (url, payload) select 'https://example.org/' || n, jsonb_build_object('n', n)"
                           " from generate_series(1, 10000) as n")
        with connection.cursor().copy("copy pgqueue.job_queue (url, payload, headers, job_type) from stdin") as copy:
            for n in range(5000):
                copy.write_row((f"https://example.com/{n}", json.dumps({"n": n}), '{"X-N": 1}', "PUT"))
        rows = connection.execute("insert into pgqueue.job_queue (url) select 'https://example.net/' from generate_series(1, 100)"
                                  " returning job_id, job_status::text, retry_limit, signing_header").fetchall()
    assert len({r[0] for r in rows}) == 100 and {r[1:] for r in rows} == {("new", 10, "X-HMAC-Signature")}
    assert db.value("select count(*) from queues.ready") == 15100
    assert db.value("select count(*) from pgqueue.job_queue where job_type = 'PUT' and headers = '{\"X-N\": 1}'") == 5000
    db.run("select queues.cancel_task(task_id) from queues.ready")


def test_a_statement_of_many_rows_is_told_row_by_row(sender):
    """10,000 rows updated, some with other keys: as many jobs, pairs right, one notification."""
    db = sender.db
    db.run("create table t.many (id integer primary key deferrable, v text, n integer)")
    db.run("insert into t.many select n, 'a' || n, n from generate_series(1, 10000) as n")
    db.run("select pgqueue.create_webhook('many', 't.many', '{UPDATE}', 'https://example.org/hook')")
    with psycopg.connect(db.conninfo(), autocommit=True) as ear, db.connect() as connection:
        ear.execute("listen worker_tasks")
        # Somebody who sleeps, so that enqueuers have to tell.
        with psycopg.connect(db.conninfo(), autocommit=True) as sleeper:
            sleeper.execute("select pg_advisory_lock(20545, 2)")
            connection.execute("update t.many set v = v || 'b', id = case when id % 100 = 0 then -id else id end")
            connection.commit()
            # One more, of our own, comes after everything that was told before.
            connection.execute("notify worker_tasks, 'that is all'")
            connection.commit()
            heard = list(takewhile(lambda text: text != "that is all", (n.payload for n in ear.notifies())))
        assert heard == ["http"]
    sender.db.run("call worker.process_tasks()")
    assert db.value("select count(*) from pgqueue.job") == 10000
    assert db.value("select count(*) from pgqueue.job where payload->'record'->>'n' = payload->'old_record'->>'n'"
                    " and payload->'record'->>'v' = payload->'old_record'->>'v' || 'b'"
                    " and abs((payload->'record'->>'id')::int) = (payload->'old_record'->>'id')::int") == 10000
    assert db.value("select count(*) from pgqueue.job where payload->'record'->'id' <> payload->'old_record'->'id'") == 100
    db.run("select queues.cancel_task(task_id) from queues.ready")


def test_schedules_that_still_call_the_old_functions_harm_nobody(jobs):
    """run_scheduled_jobs and process_tasks_subminute, from many sessions at once."""
    job = jobs.insert(run_at="2099-01-01")

    def call():
        with jobs.db.connect(autocommit=True) as connection:
            for _ in range(60):
                connection.execute("select pgqueue.run_scheduled_jobs(), pgqueue.process_tasks_subminute()")
    threads = [threading.Thread(target=call) for _ in range(8)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    good = [jobs.insert() for _ in range(10)]
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 60  # nothing sleeps in them
    for one in good:
        jobs.wait(one, "completed")
        assert len(jobs.sent(one)) == 1
    assert (jobs.job(job, "job_status"), jobs.sent(job)) == ("new", [])
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


# --- requests of plain tasks use the vault too ---


def test_a_request_of_a_task_finds_its_secret_in_the_vault(sender):
    sender.secrets += (KEY,)
    set_secret(sender.db, "partner", KEY)
    sender.allow("partner")
    sender.work(env={"REEVE_ALLOW_HOSTS": ALLOWED, "REEVE_VAULT_KEY": VAULT_KEY}).ready()
    task = sender.http("/status/200", method="POST", body={"a": 1}, secret_headers={"Authorization": {"secret": "partner", "prefix": "Bearer "}},
                       sign={"secret": "partner"})
    assert sender.done(task) == "succeeded"
    (request,) = sender.provider.requests()
    assert request["headers"]["authorization"] == "Bearer " + KEY
    wanted = hmac.new(KEY.encode(), request["body"].encode(), hashlib.sha256)
    assert request["headers"]["x-hmac-signature"] == wanted.hexdigest()
