"""HTTP jobs: an insert into pgqueue.job_queue is delivered, retried, signed and logged."""
import base64
import hashlib
import hmac
import json
import signal

import psycopg
import pytest
from harness import clean_environment, eventually, free_port
from jobs import ALGORITHMS, EDGE, KEY, SERVICE_ROLE, TOKEN, VAULT_KEY, Jobs, mac, set_secret


@pytest.fixture(scope="module")
def the_desk(make_desk, the_provider):
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_SECRET_CONSUMER_EDGE_BASE": the_provider.url + EDGE,
                              "REEVE_SECRET_SERVICE_ROLE": SERVICE_ROLE, "REEVE_SECRET_ORDER_KEY": KEY,
                              "REEVE_SECRET_HOOK": "whsec_dGVzdCBzZWNyZXQ= whsec_c2Vjb25kIHNlY3JldA=="},
                         secrets=(TOKEN, SERVICE_ROLE, KEY), signers=("order_key", "hook"))


@pytest.fixture
def jobs(desk):
    return Jobs(desk)


# --- requests ---


def test_a_job_is_executed_right_after_inserting_it(jobs):
    job = jobs.deliver(payload={"data": "value"}, headers={"X-Custom-Header": "value", "X-Number": 7, "X-Bool": True})
    (request,) = jobs.sent(job)
    assert (request["method"], request["body"]) == ("POST", '{"data": "value"}')
    headers = request["headers"]
    assert headers["content-type"] == "application/json"
    assert (headers["x-custom-header"], headers["x-number"], headers["x-bool"]) == ("value", "7", "true")
    assert headers["user-agent"].startswith("reeve/")
    assert "authorization" not in headers
    status, content, answered, last_at, retries = jobs.job(job, "response_status", "response_content", "response_headers", "last_at",
                                                           "retry_count")
    assert (status, json.loads(content)["method"], answered["x-provider"], retries) == (200, "POST", "reeve-test", 0)
    assert last_at is not None


def test_a_job_of_the_future_is_not_touched(jobs):
    job = jobs.insert(run_at="2099-01-01")
    jobs.deliver()
    assert (jobs.job(job, "job_status"), jobs.sent(job)) == ("new", [])


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_get_and_delete_have_no_body(jobs, method):
    before = len(jobs.provider.requests())
    jobs.deliver(f"/echo?only={method}", job_type=method, payload={"a": 1})
    request = jobs.provider.requests()[before:][0]
    assert (request["method"], request["body"], request["headers"].get("content-length")) == (method, "", None)
    assert request["headers"]["content-type"] == "application/json"
    assert ("idempotency-key" in request["headers"]) == (method == "DELETE")


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_put_and_patch_send_the_payload(jobs, method):
    (request,) = jobs.sent(jobs.deliver(job_type=method, payload=[1, "ü"]))
    assert (request["method"], request["body"]) == (method, '[1, "ü"]')


def test_headers_of_the_job_win_over_automatic_ones(jobs):
    job = jobs.deliver(headers={"content-TYPE": "text/plain", "user-agent": "mine"}, payload={})
    (request,) = jobs.sent(job)
    assert (request["headers"]["content-type"], request["headers"]["user-agent"]) == ("text/plain", "mine")


def edge(jobs, **columns):
    """The request that an edge function got."""
    job = jobs.insert(url="/hello-world", **columns)
    return eventually(lambda: jobs.sent(job), "the edge function was called")[0]


def test_an_edge_function_gets_the_service_role_from_the_vault(jobs):
    request = edge(jobs)
    assert (request["path"], request["headers"]["authorization"]) == (EDGE + "/hello-world", "Bearer " + SERVICE_ROLE)


def test_an_edge_function_gets_the_token_of_the_job(jobs):
    assert edge(jobs, job_jwt=TOKEN)["headers"]["authorization"] == "Bearer " + TOKEN


def test_an_edge_function_gets_the_token_of_the_session(jobs):
    with jobs.db.connect() as connection:
        connection.execute("select set_config('request.headers', %s, true)", [json.dumps({"authorization": "Bearer " + TOKEN})])
        job = connection.execute("insert into pgqueue.job_queue (url, job_jwt) values ('/hello-world', 'from_session')"
                                 " returning job_id").fetchone()[0]
    assert eventually(lambda: jobs.sent(job), "called")[0]["headers"]["authorization"] == "Bearer " + TOKEN


def test_a_full_url_never_gets_a_token(jobs):
    (request,) = jobs.sent(jobs.deliver(job_jwt=TOKEN))
    assert "authorization" not in request["headers"]


def test_a_url_that_the_policy_forbids_is_not_called(jobs):
    for url in ("http://10.0.0.1/", "http://169.254.169.254/latest/meta-data", "https://[::1]/", "http://2130706433/", "http://0x7f.1:1/",
                "https://[::ffff:10.0.0.1]/", "http://localhost:25/", "https://user:pass@127.0.0.2/"):
        job = jobs.deliver(url=url, status="failed")
        status, content = jobs.job(job, "response_status", "response_content")
        assert status == 0 and ("refused" in content or "could not" in content), (url, content)
        jobs.db.run("select pgqueue.cancel_job(%s)", job)


# --- answers ---


def test_every_status_means_what_the_documents_say(jobs):
    wanted = {200: "completed", 202: "completed", 301: "other", 307: "other", 400: "failed", 404: "failed", 429: "failed",
              500: "server_error", 503: "server_error", 599: "server_error", 600: "other", 999: "other"}
    made = {code: jobs.insert(f"/status/{code}") for code in wanted}
    for code, job in made.items():
        jobs.wait(job, wanted[code])
        assert jobs.job(job, "response_status") == code
        jobs.db.run("select pgqueue.cancel_job(%s)", job)


def test_x_job_finished_completes_a_job(jobs):
    jobs.provider.script("refuse", path="/echo", status=404, headers={"X-JOB-Finished": ""})
    assert jobs.job(jobs.deliver(), "response_status") == 404


def test_retry_after_is_respected(jobs):
    jobs.provider.script("refuse", path="/echo", status=429, headers={"Retry-After": "7"})
    job = jobs.deliver(status="failed")
    assert jobs.db.value("select round(extract(epoch from t.scheduled_at - c.completed_at)) from pgqueue.job_run as k"
                         " join queues.task as t on t.task_id = k.task_id, pgqueue.job_run as b join queues.task_completed as c"
                         " on c.task_id = b.task_id where k.job_id = %s and b.job_id = %s and k.job_run = 2 and b.job_run = 1",
                         job, job) == 7
    jobs.hurry(job)
    jobs.wait(job, "completed")
    assert len(jobs.sent(job)) == 2
    assert len({r["headers"]["idempotency-key"] for r in jobs.sent(job)}) == 1


def test_the_failure_log_keeps_all_failed_retries(jobs):
    job = jobs.insert("/status/404", retry_limit=3)
    for run in range(1, 4):
        jobs.db.eventually("select exists (select 1 from pgqueue.failed_log where job_id = %s and job_run = %s)", job, run)
        jobs.hurry(job)
    jobs.wait(job, "too_many")
    assert jobs.job(job, "retry_count") == 4
    assert jobs.db.rows("select job_run, response_status::int from pgqueue.failed_log where job_id = %s order by id", job) == [
        (n, 404) for n in (1, 2, 3, 4)]


def test_an_answer_may_ask_for_follow_up_jobs(jobs):
    jobs.provider.script("answer", path="/echo", status=201, contains="first",
                         body=[{"url": jobs.provider.url + "/echo", "payload": {"next": n}} for n in (1, 2, 3)])
    job = jobs.deliver(payload={"n": "first"}, status="redirected")
    jobs.db.eventually("select count(*) = 3 from pgqueue.job_queue where parent_job_id = %s and job_status = 'completed'", job)


def test_a_slow_answer_is_waited_for_and_never_sent_again(sender):
    sender.work("--lease", "1", env={"REEVE_ALLOW_HOSTS": "127.0.0.1"}).ready()
    jobs = Jobs(sender)
    jobs.provider.script("wait", path="/echo", seconds=3.5)
    job = jobs.deliver(payload={})
    assert len(jobs.sent(job)) == 1


def test_a_crash_between_send_and_record_sends_again_with_the_same_key(sender):
    jobs = Jobs(sender)
    env = {"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_SECRET_HOOK": "whsec_dGVzdCBzZWNyZXQ="}
    sender.allow("hook")
    worker = sender.work("--lease", "2", failpoints="call.answered=kill@1", env=env)
    job = jobs.insert(payload={}, signing_vault="hook", signing_style="STANDARD_WEBHOOKS")
    assert worker.wait() == -signal.SIGKILL
    sender.work("--lease", "2", env=env).ready()
    jobs.wait(job, "completed")
    first, second = jobs.sent(job)
    for name in ("idempotency-key", "webhook-id"):
        assert first["headers"][name] == second["headers"][name]


# --- functions ---


def test_a_func_job_runs_after_the_commit_and_harms_nobody(jobs):
    jobs.db.run("create function t.job_effect(_what text) returns text language plpgsql security definer set search_path = pg_catalog as"
                " $$ begin if _what = 'bad' then raise exception 'no'; end if; return 'did ' || _what; end $$")
    jobs.db.run("select internal.allow_function('t.job_effect', 'job')")
    good = jobs.insert(url="t.job_effect", job_type="FUNC", payload={"_what": "good"})
    bad = jobs.insert(url="t.job_effect", job_type="FUNC", payload={"_what": "bad"})
    jobs.wait(good, "completed")
    jobs.wait(bad, "failed")
    assert jobs.job(good, "response_content") == "did good"
    assert jobs.job(bad, "response_status", "response_content") == (0, "no")


# --- signatures, verified from the bytes that the receiver got ---


PAYLOADS = ({"a": 1}, {"path": "C:\\101", "text": "line\nbreak", "quote": "\"'"}, {"ü": "ø😀"}, [], "x", {"n": 1e2})


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_signature_is_over_the_bytes_that_were_sent(jobs, algorithm):
    made = []
    for encoding in ("hex", "base64"):
        for style in ("HMAC", "HMAC_WITH_PREFIX"):
            for payload in PAYLOADS:
                job = jobs.insert(payload=psycopg.types.json.Jsonb(payload), signing_secret=KEY.encode(), signing_alg=algorithm,
                                  signing_enc=encoding, signing_style=style)
                made.append((job, encoding, style))
    for job, encoding, style in made:
        jobs.wait(job, "completed")
        (request,) = jobs.sent(job)
        wanted = mac(KEY.encode(), request["body"].encode(), algorithm, encoding)
        assert request["headers"]["x-hmac-signature"] == (wanted if style == "HMAC" else f"{algorithm}={wanted}")


def test_a_named_secret_signs_under_a_custom_header_that_wins(jobs):
    job = jobs.deliver(payload={"a": 1}, signing_vault="order_key", signing_header="X-Mine", headers={"x-mine": "forged"})
    (request,) = jobs.sent(job)
    assert request["headers"]["x-mine"] == mac(KEY.encode(), b'{"a": 1}', "sha256", "hex")


def test_an_empty_body_is_signed_too(jobs):
    job = jobs.deliver(job_type="DELETE", payload={"a": 1}, signing_vault="order_key")
    assert jobs.sent(job)[0]["headers"]["x-hmac-signature"] == mac(KEY.encode(), b"", "sha256", "hex")


def test_standard_webhooks_with_two_secrets(jobs):
    job = jobs.deliver(payload={"a": "ü"}, signing_vault="hook", signing_style="STANDARD_WEBHOOKS")
    (request,) = jobs.sent(job)
    headers = request["headers"]
    assert headers["webhook-id"] == str(jobs.job(job, "job_uuid"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{request['body']}".encode()
    assert headers["webhook-signature"] == " ".join(
        "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode() for key in (b"test secret", b"second secret"))


def test_a_secret_that_is_missing_is_a_failed_run_that_names_it(jobs):
    job = jobs.deliver(status="failed", signing_vault="no_such_secret", payload={})
    assert jobs.job(job, "response_status", "response_content") == (0, 'secret "no_such_secret" not found')
    assert jobs.sent(job) == []


# --- many ---


def test_each_of_many_jobs_is_sent_once_by_three_workers(sender):
    jobs = Jobs(sender)
    jobs.db.run("insert into pgqueue.job_queue (url, payload) select %s, jsonb_build_object('n', n) from generate_series(1, 2000) as n",
                jobs.provider.url + "/echo")
    workers = [sender.work("--channel-concurrency", "50", env={"REEVE_ALLOW_HOSTS": "127.0.0.1"}) for _ in range(3)]
    jobs.db.wait_drained(deadline=120)
    for worker in workers:
        worker.ready()
    assert jobs.db.rows("select job_status::text, count(*) from pgqueue.job_queue group by 1") == [("completed", 2000)]
    assert len(jobs.effects()) == 2000
    assert set(jobs.effects().values()) == {1}


# --- the vault ---

@pytest.fixture
def vault(sender):
    sender.secrets += (KEY, SERVICE_ROLE)
    sender.work(env={"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_VAULT_KEY": VAULT_KEY, "REEVE_POLL_INTERVAL": "1"}).ready()
    return Jobs(sender)


def signature(jobs, job):
    return jobs.sent(job)[-1]["headers"]["x-hmac-signature"]


def test_a_secret_is_added_used_and_rotated(vault):
    jobs = vault
    job = jobs.deliver(signing_vault="late", payload={}, status="failed")
    assert jobs.job(job, "response_content") == 'secret "late" not found'
    set_secret(jobs.db, "late", KEY)
    jobs.hurry(job)
    jobs.wait(job, "completed")
    assert signature(jobs, job) == mac(KEY.encode(), b"{}", "sha256", "hex")
    jobs.provider.script("refuse", path="/echo", status=404)
    job = jobs.deliver(signing_vault="late", payload={}, status="failed")
    set_secret(jobs.db, "late", "another value")
    jobs.hurry(job)
    jobs.wait(job, "completed")
    assert signature(jobs, job) == mac(b"another value", b"{}", "sha256", "hex")
    assert jobs.db.json("secret", "list")[0]["is_sealed"] is True
    assert KEY not in jobs.db.value("select string_agg(s::text, '') from vault.secrets as s")
    assert jobs.db.reeve("secret", "remove", "late").returncode == 0
    assert jobs.db.value("select count(*) from vault.secrets") == 0


def test_a_secret_written_by_sql_is_sealed_by_a_worker(vault):
    jobs = vault
    jobs.db.run("select vault.create_secret(%s, 'plain_one')", KEY)
    jobs.db.eventually("select secret like 'reeve:v1:%%' from vault.secrets where name = %s", "plain_one")
    job = jobs.deliver(signing_vault="plain_one", payload={})
    assert signature(jobs, job) == mac(KEY.encode(), b"{}", "sha256", "hex")


def test_without_its_key_a_secret_is_neither_set_nor_opened(sender):
    done = sender.db.reeve("secret", "set", "x", input="y")
    assert (done.returncode, "openssl rand -hex 32" in done.stderr) == (3, True)
    assert sender.db.reeve("secret", "set", "x", input="", env=clean_environment(REEVE_VAULT_KEY=VAULT_KEY)).returncode == 2
    assert sender.db.reeve("secret", "set", "x", input="y", env=clean_environment(REEVE_VAULT_KEY="short")).returncode == 3
    set_secret(sender.db, "x", KEY)
    sender.work(env={"REEVE_ALLOW_HOSTS": "127.0.0.1"}).ready()
    jobs = Jobs(sender)
    job = jobs.deliver(signing_vault="x", payload={}, status="failed")
    assert jobs.job(job, "response_content") == 'secret "x" is sealed, and the worker has no REEVE_VAULT_KEY'


def test_the_vault_of_supabase_is_used_where_it_exists(empty_db):
    empty_db.run("create schema vault")
    empty_db.run("create table vault.secrets (id uuid default gen_random_uuid(), name text, description text, secret text, updated_at timestamptz)")
    empty_db.run("create view vault.decrypted_secrets as select s.*, 'opened ' || s.name as decrypted_secret from vault.secrets as s")
    empty_db.run("insert into vault.secrets (name, secret) values ('theirs', 'x')")
    done = empty_db.reeve("install")
    assert done.returncode == 0, done.stderr
    assert empty_db.value("select internal.vault_values(array['theirs'])") == {"theirs": "opened theirs"}
    assert empty_db.value("select pg_get_userbyid(relowner) from pg_class where oid = 'vault.secrets'::regclass") == "postgres"
    # Asked for by a role that may not read it, there is nothing.
    assert empty_db.value("select has_table_privilege('queues_owner', 'vault.decrypted_secrets', 'select')") is False


def test_jobs_are_looked_at_and_acted_on_from_the_shell(jobs):
    good, bad = jobs.deliver(payload={"a": 1}), jobs.deliver("/status/500", status="server_error")
    assert {j["job_id"]: j["job_status"] for j in jobs.db.json("job", "list")}[good] == "completed"
    assert bad in [j["job_id"] for j in jobs.db.json("job", "list", "--status", "server_error")]
    assert [(r["run"], r["answer"]) for r in jobs.db.json("job", "show", bad)["runs"]] == [(1, 500)]
    assert '"a": 1' in jobs.db.reeve("job", "show", good).stdout
    assert jobs.db.reeve("job", "show", 999999).returncode == 9
    assert jobs.db.json("job", "replay", jobs.provider.url + "/status/500", "yesterday")[0]["jobs"] >= 1
    jobs.db.eventually("select count(*) = 2 from pgqueue.failed_log where job_id = %s", bad)
    later = jobs.insert(run_at="2099-01-01")
    assert jobs.db.json("job", "cancel", later) == [{"answer": "cancelled"}]
    assert jobs.db.reeve("job", "retry", later).returncode == 0
    jobs.wait(later, "completed")


# --- webhooks ---


def test_a_changed_row_reaches_its_receiver_signed(jobs):
    jobs.db.run("create table t.orders (id integer primary key, v text)")
    jobs.db.run("select pgqueue.create_webhook('orders', 't.orders', '{INSERT,UPDATE}', %s, _signing_vault => 'order_key')",
                jobs.provider.url + "/echo")
    jobs.db.run("insert into t.orders select n, 'ü' from generate_series(1, 3) as n")
    jobs.db.run("update t.orders set v = 'y' where id = 2")
    # Retries of other tests' jobs may arrive meanwhile.
    requests = eventually(lambda: r if len(r := [r for r in jobs.provider.requests() if '"orders"' in r["body"]]) == 4 else None, "four requests")
    for request in requests:
        assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), request["body"].encode(), "sha256", "hex")
    assert sorted((b["type"], b["record"]["id"], b["old_record"] is None) for b in (json.loads(r["body"]) for r in requests)) == [
        ("INSERT", 1, True), ("INSERT", 2, True), ("INSERT", 3, True), ("UPDATE", 2, False)]
    jobs.provider.reset()
    jobs.db.run("insert into t.orders select n, 'many' from generate_series(100, 1099) as n")
    eventually(lambda: len(jobs.effects("webhook_id is not null")) == 1000, "a large statement is delivered too", 60)
    assert [w["name"] for w in jobs.db.json("webhook", "list")] == ["orders"]
    assert jobs.db.reeve("webhook", "pause", "orders").returncode == 0
    jobs.db.run("insert into t.orders values (5000, 'quiet')")
    assert jobs.db.value("select count(*) from pgqueue.job where payload->'record'->>'id' = '5000'") == 0
    assert jobs.db.reeve("webhook", "resume", "orders").returncode == 0
    jobs.wait(jobs.db.json("webhook", "test", "orders")[0]["job_id"], "completed")
    assert jobs.db.reeve("webhook", "test", "nope").returncode == 8


def test_a_rolled_back_change_sends_nothing(jobs):
    jobs.db.run("create table t.undone (id integer)")
    jobs.db.run("create trigger w after insert on t.undone for each row execute function pgqueue.trigger_webhook(%s)" % repr(jobs.provider.url + "/echo"))
    with jobs.db.connect() as connection:
        connection.execute("insert into t.undone values (1)")
        connection.rollback()
    jobs.deliver()
    assert all("undone" not in r["body"] for r in jobs.provider.requests())


# --- one host must not hurt the others ---


def test_a_slow_host_holds_no_more_than_its_places(sender):
    """Twenty slow calls of one host; those of another pass."""
    jobs = Jobs(sender)
    slow, fast = sender.provider.url + "/echo?slow", sender.provider.url.replace("127.0.0.1", "localhost") + "/echo?fast"
    rule = jobs.provider.script("hang", path="/echo", contains="slow", times=None)
    jobs.db.run("insert into pgqueue.job_queue (url, payload) select %s, '{\"n\": \"slow\"}' from generate_series(1, 20)", slow)
    jobs.db.run("insert into pgqueue.job_queue (url, payload) select %s, '{\"n\": \"fast\"}' from generate_series(1, 200)", fast)
    sender.work("--per-host", "3", "--stop-grace", 1, env={"REEVE_ALLOW_HOSTS": "127.0.0.1,localhost"}).ready()
    jobs.db.eventually("select count(*) = 200 from pgqueue.job_queue where job_status = 'completed'")
    assert jobs.provider.hits(rule) == 3
    assert jobs.db.rows("select job_status::text, count(*) from pgqueue.job_queue where url = %s group by 1 order by 1", slow) == [
        ("new", 17), ("processing", 3)]


def test_a_host_that_fails_is_closed_and_tried_again_later(sender):
    jobs = Jobs(sender)
    worker = sender.work("--per-host", "5", env={"REEVE_ALLOW_HOSTS": "127.0.0.1,localhost"}).ready()
    dead = f"http://127.0.0.1:{free_port()}/"
    jobs.db.run("insert into pgqueue.job_queue (url) select %s from generate_series(1, 100)", dead)
    worker.wait_line("host fails, its calls wait")
    jobs.deliver()
    failed, waiting = jobs.db.rows("select count(*) filter (where retry_count > 0), count(*) filter (where job_status = 'new')"
                                   " from pgqueue.job_queue where url = %s", dead)[0]
    assert failed < 25 and waiting > 75
