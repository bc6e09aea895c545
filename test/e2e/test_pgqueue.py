"""What the documentation of PGQueue promises, one test for each statement, in its order.

The secrets are in the vault of the database, the worker has only the key.  Two statements do not hold
and are tested as what holds instead: arguments of a trigger are texts, since PostgreSQL knows no named
ones there, and a job is signed when it is sent, so nothing can go out with the signature of other bytes.
"""
import json
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import psycopg
import pytest
from harness import eventually
from jobs import ALGORITHMS, EDGE, KEY, SERVICE_ROLE, TOKEN, VAULT_KEY, Jobs, mac


@pytest.fixture(scope="module")
def the_desk(make_desk, the_provider):
    for desk in make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_VAULT_KEY": VAULT_KEY}, secrets=(TOKEN, SERVICE_ROLE, KEY)):
        for name, value in (("consumer_edge_base", the_provider.url + EDGE), ("service_role", SERVICE_ROLE), ("hmac_secret", KEY)):
            desk.db.run("select vault.create_secret(%s, %s)", value, name)
        # Some tests give a secret another name for a while, which one that is sealed then would not survive.
        desk.db.eventually("select not exists (select 1 from vault.secrets where secret not like 'reeve:v1:%%')")
        desk.db.run("create function public.add_up(a integer, b integer default 10) returns integer language sql as 'select a + b'")
        desk.db.run("create function t.greet(_name text, _loud boolean default false) returns text language plpgsql as"
                    " $$ begin if _name = '' then raise exception 'nobody to greet'; end if;"
                    " return 'hello ' || case when _loud then upper(_name) else _name end; end $$")
        desk.db.run("select internal.allow_function('public.add_up', 'job'), internal.allow_function('t.greet', 'job')")
        yield desk


@pytest.fixture
def jobs(desk):
    """Jobs that other tests left behind make no requests any more."""
    desk.db.run("select pgqueue.cancel_job(job_id) from pgqueue.job_queue where job_status in ('new', 'failed', 'processing')")
    desk.db.eventually("select not exists (select 1 from queues.running)")
    desk.provider.reset()
    return Jobs(desk)


@pytest.fixture
def table(jobs):
    """A table of the test's own."""
    jobs.db.run("create table if not exists t.my_table (id integer primary key, v text)")
    yield "t.my_table"
    jobs.db.run("drop table t.my_table")


def edge(jobs, **columns):
    """The request that an edge function got."""
    job = jobs.insert(url="/hello-world", **columns)
    return eventually(lambda: jobs.sent(job), "the edge function was called")[0]


def only(jobs):
    """The one request since the provider was reset."""
    return eventually(jobs.provider.requests, "one request")[0]


def several(jobs, count):
    """So many requests since the provider was reset."""
    def all_of_them():
        requests = jobs.provider.requests()
        return requests if len(requests) == count else None
    return eventually(all_of_them, f"{count} requests")


def trigger(jobs, event, *arguments, table="t.my_table"):
    texts = ", ".join("'" + a.replace("'", "''") + "'" for a in arguments)
    jobs.db.run(f"create trigger {event}_trigger after {event} on {table} for each row execute function pgqueue.trigger_webhook({texts})")


def wait_of(jobs, job):
    """Seconds between the end of its last failed run and the next."""
    return jobs.db.value("select extract(epoch from t.scheduled_at - c.completed_at)::float from pgqueue.job_run as k"
                         " join queues.task as t on t.task_id = k.task_id"
                         " join pgqueue.job_run as b on b.job_id = k.job_id and b.job_run = k.job_run - 1"
                         " join queues.task_completed as c on c.task_id = b.task_id where k.job_id = %s order by k.job_run desc limit 1", job)


# --- features ---


def test_jobs_are_scheduled_to_run_at_a_time(jobs):
    at = jobs.db.value("select clock_timestamp() + interval '1.5 seconds'")
    job = jobs.deliver(run_at=at)
    assert jobs.job(job, "last_at") >= at


def test_a_job_can_reply_with_a_new_job(jobs):
    jobs.provider.script("answer", path="/echo", status=201, contains="first", body={"url": jobs.provider.url + "/echo", "payload": {"n": "second"}})
    job = jobs.deliver(payload={"n": "first"}, status="redirected")
    jobs.db.eventually("select exists (select 1 from pgqueue.job_queue where parent_job_id = %s and job_status = 'completed'"
                       " and payload = '{\"n\": \"second\"}')", job)


def test_the_queue_executes_functions_with_parameters(jobs):
    job = jobs.deliver(url="t.greet", job_type="FUNC", payload={"_name": "ann", "_loud": True})
    assert jobs.job(job, "response_content") == "hello ANN"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_requests_have_headers_payloads_and_methods(jobs, method):
    jobs.deliver(job_type=method, payload={"a": 1}, headers={"X-Custom": "yes"})
    request = only(jobs)
    assert (request["method"], request["headers"]["x-custom"], request["body"]) == (method, "yes", '{"a": 1}' if method == "POST" else "")


def test_a_token_comes_with_the_job(jobs):
    assert edge(jobs, job_jwt=TOKEN)["headers"]["authorization"] == "Bearer " + TOKEN


def test_a_token_comes_from_the_vault(jobs):
    assert edge(jobs)["headers"]["authorization"] == "Bearer " + SERVICE_ROLE


def test_a_token_comes_from_the_session(jobs):
    with jobs.db.connect() as connection:
        connection.execute("select set_config('request.headers', %s, true)", [json.dumps({"authorization": "Bearer " + TOKEN})])
        job = connection.execute("insert into pgqueue.job_queue (url, job_jwt) values ('/hello-world', 'from_session')"
                                 " returning job_id").fetchone()[0]
    assert eventually(lambda: jobs.sent(job), "called")[0]["headers"]["authorization"] == "Bearer " + TOKEN


# --- installation ---


def test_no_extension_is_needed(jobs):
    assert jobs.db.rows("select extname from pg_extension where extname in ('pg_net', 'pg_cron', 'http')") == []
    jobs.deliver()


@pytest.mark.parametrize("function", ["run_scheduled_jobs", "process_tasks_subminute"])
def test_the_functions_of_the_schedules_exist_and_return_at_once(jobs, function):
    assert jobs.db.value(f"select pgqueue.{function}()") == ""
    # No lock is left, and nobody waits for another.
    with jobs.db.connect() as first, jobs.db.connect() as second:
        for connection in (first, second):
            connection.execute("set statement_timeout = '5s'")
            connection.execute(f"select pgqueue.{function}()")


# --- configuration ---


def test_consumer_edge_base_is_what_edge_functions_are_below(jobs):
    assert edge(jobs)["path"] == EDGE + "/hello-world"


def test_service_role_is_the_key_of_edge_functions(jobs):
    assert edge(jobs, payload={"n": 1})["headers"]["authorization"] == "Bearer " + SERVICE_ROLE


def test_signing_keys_are_secrets_of_the_vault(jobs):
    (request,) = jobs.sent(jobs.deliver(payload={"a": 1}, signing_vault="hmac_secret"))
    assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), b'{"a": 1}', "sha256", "hex")


# --- structure of the queue ---


def test_job_owner_is_any_text_and_may_be_left_out(jobs):
    assert jobs.job(jobs.deliver(job_owner="anything at all"), "job_owner") == "anything at all"
    assert jobs.job(jobs.deliver(), "job_owner") is None


def test_run_at_is_now_unless_given(jobs):
    assert jobs.db.value("with job as (insert into pgqueue.job_queue (url) values (%s) returning run_at) select run_at = now() from job",
                         jobs.provider.url + "/echo")


def test_job_type_is_post_unless_given(jobs):
    job = jobs.deliver(payload={})
    assert (jobs.job(job, "job_type"), jobs.sent(job)[0]["method"]) == ("POST", "POST")


def test_a_url_with_a_leading_slash_is_an_edge_function(jobs):
    assert edge(jobs)["path"].endswith("/hello-world")


def test_an_edge_function_needs_its_base(jobs):
    base = jobs.db.value("select id from vault.secrets where name = 'consumer_edge_base'")
    jobs.db.run("update vault.secrets set name = 'put_away' where id = %s", base)
    try:
        job = jobs.deliver(url="/hello-world", status="failed")
        assert jobs.job(job, "response_content") == 'secret "consumer_edge_base" not found'
        jobs.db.run("select pgqueue.cancel_job(%s)", job)
    finally:
        # What was sealed under a name is opened under no other.
        jobs.db.run("update vault.secrets set name = 'consumer_edge_base' where id = %s", base)


def test_an_edge_function_without_a_token_needs_service_role(jobs):
    role = jobs.db.value("select id from vault.secrets where name = 'service_role'")
    jobs.db.run("update vault.secrets set name = 'put_away' where id = %s", role)
    try:
        job = jobs.deliver(url="/hello-world", status="failed")
        assert jobs.job(job, "response_content") == 'secret "service_role" not found'
        jobs.db.run("select pgqueue.cancel_job(%s)", job)
        assert edge(jobs, job_jwt=TOKEN)["headers"]["authorization"] == "Bearer " + TOKEN
    finally:
        jobs.db.run("update vault.secrets set name = 'service_role' where id = %s", role)


def test_a_full_url_is_called_with_its_path_and_query(jobs):
    (request,) = jobs.sent(jobs.deliver("/echo?query=value&x=%20y", payload={}))
    assert (request["path"], request["query"]) == ("/echo", "query=value&x=%20y")


def test_a_function_is_named_with_its_schema(jobs):
    assert jobs.job(jobs.deliver(url="t.greet", job_type="FUNC", payload={"_name": "bob"}), "response_content") == "hello bob"


def test_a_function_without_a_schema_is_one_of_public(jobs):
    assert jobs.job(jobs.deliver(url="add_up", job_type="FUNC", payload={"a": 32}), "response_content") == "42"


def test_the_payload_is_the_body_as_json(jobs):
    (request,) = jobs.sent(jobs.deliver(payload={"list": [1, None, "ü"]}))
    assert json.loads(request["body"]) == {"list": [1, None, "ü"]}


def test_the_payload_is_the_parameters_of_a_function(jobs):
    assert jobs.job(jobs.deliver(url="public.add_up", job_type="FUNC", payload={"b": 1, "a": 2}), "response_content") == "3"


def test_headers_are_sent_and_content_type_is_set(jobs):
    (request,) = jobs.sent(jobs.deliver(payload={}, headers={"X-One": "1", "X-Two": "2"}))
    headers = request["headers"]
    assert (headers["x-one"], headers["x-two"], headers["content-type"]) == ("1", "2", "application/json")


def test_authorization_is_set_for_edge_functions_only(jobs):
    assert "authorization" in edge(jobs)["headers"]
    assert "authorization" not in jobs.sent(jobs.deliver(payload={}, job_jwt=TOKEN))[0]["headers"]


def test_signing_columns_set_a_header_too(jobs):
    (request,) = jobs.sent(jobs.deliver(payload={}, headers={"X-One": "1"}, signing_secret=KEY.encode()))
    assert request["headers"]["x-one"] == "1" and request["headers"]["x-hmac-signature"]


def test_retry_limit_is_10_unless_given(jobs):
    assert jobs.job(jobs.deliver(), "retry_limit") == 10


# --- signatures ---


def test_signing_secret_is_bytes_and_is_not_read_back(jobs):
    secret = b"\x00\xff" + KEY.encode()
    job = jobs.deliver(payload={"a": 1}, signing_secret=secret)
    assert jobs.sent(job)[0]["headers"]["x-hmac-signature"] == mac(secret, b'{"a": 1}', "sha256", "hex")
    assert jobs.job(job, "signing_secret") is None
    assert jobs.db.value("select count(*) from pgqueue.job_secret where job_id = %s", job) == 0


def test_signing_vault_names_a_secret_whose_text_becomes_bytes(jobs):
    jobs.db.run("select vault.create_secret('schlüssel', 'umlaut')")
    (request,) = jobs.sent(jobs.deliver(payload={}, signing_vault="umlaut"))
    assert request["headers"]["x-hmac-signature"] == mac("schlüssel".encode(), b"{}", "sha256", "hex")


def test_signing_header_is_x_hmac_signature_unless_given(jobs):
    job = jobs.deliver(payload={}, signing_vault="hmac_secret")
    assert jobs.job(job, "signing_header") == "X-HMAC-Signature" and "x-hmac-signature" in jobs.sent(job)[0]["headers"]
    other = jobs.sent(jobs.deliver(payload={}, signing_vault="hmac_secret", signing_header="X-Other"))[0]["headers"]
    assert "x-other" in other and "x-hmac-signature" not in other


@pytest.mark.parametrize("style, prefix", [("HMAC", ""), ("HMAC_WITH_PREFIX", "sha256=")])
def test_signing_style_says_whether_the_algorithm_comes_first(jobs, style, prefix):
    (request,) = jobs.sent(jobs.deliver(payload={}, signing_vault="hmac_secret", signing_style=style))
    assert request["headers"]["x-hmac-signature"] == prefix + mac(KEY.encode(), b"{}", "sha256", "hex")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_signing_alg_is_one_of_six_and_sha256_unless_given(jobs, algorithm):
    job = jobs.deliver(payload={}, signing_vault="hmac_secret", **({} if algorithm == "sha256" else {"signing_alg": algorithm}))
    assert jobs.sent(job)[0]["headers"]["x-hmac-signature"] == mac(KEY.encode(), b"{}", algorithm, "hex")


@pytest.mark.parametrize("encoding", ["hex", "base64"])
def test_signing_enc_is_hex_unless_given(jobs, encoding):
    job = jobs.deliver(payload={}, signing_vault="hmac_secret", **({} if encoding == "hex" else {"signing_enc": encoding}))
    assert jobs.sent(job)[0]["headers"]["x-hmac-signature"] == mac(KEY.encode(), b"{}", "sha256", encoding)


def test_the_signature_is_over_the_text_of_the_payload(jobs):
    payload = {"z": 1, "a": {"text": "ü\n\"\\"}}
    (request,) = jobs.sent(jobs.deliver(payload=payload, signing_vault="hmac_secret"))
    text = jobs.db.value("select %s::jsonb::text", json.dumps(payload))
    assert request["body"] == text
    assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), text.encode(), "sha256", "hex")


def test_a_payload_cannot_be_changed_under_its_signature(jobs):
    job = jobs.insert(run_at="2099-01-01", payload={}, signing_vault="hmac_secret")
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        jobs.db.run("update pgqueue.job_queue set payload = '{\"a\": 1}' where job_id = %s", job)
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


# --- webhooks ---


def test_a_trigger_calls_a_url_whenever_something_happens(jobs, table):
    trigger(jobs, "insert", jobs.provider.url + "/echo")
    trigger(jobs, "update", jobs.provider.url + "/echo")
    trigger(jobs, "delete", jobs.provider.url + "/echo")
    jobs.db.run(f"insert into {table} values (1, 'a')")
    jobs.db.run(f"update {table} set v = 'b'")
    jobs.db.run(f"delete from {table}")
    bodies = [json.loads(r["body"]) for r in several(jobs, 3)]
    assert sorted(b["type"] for b in bodies) == ["DELETE", "INSERT", "UPDATE"]


def test_url_is_the_only_argument_that_is_required(jobs, table):
    trigger(jobs, "insert")
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="url argument is required"):
        jobs.db.run(f"insert into {table} values (1, 'a')")


def test_headers_of_a_trigger_may_be_content_type_and_authorization(jobs, table):
    trigger(jobs, "insert", jobs.provider.url + "/status/200", '{"Content-Type": "application/cloudevents+json", "Authorization": "Basic eDp5"}')
    jobs.db.run(f"insert into {table} values (1, 'a')")
    headers = only(jobs)["headers"]
    assert (headers["content-type"], headers["authorization"]) == ("application/cloudevents+json", "Basic eDp5")


def test_jwt_of_a_trigger_is_for_an_edge_function(jobs, table):
    trigger(jobs, "insert", "_url=/hello-world", "_jwt=" + TOKEN)
    jobs.db.run(f"insert into {table} values (1, 'a')")
    assert only(jobs)["headers"]["authorization"] == "Bearer " + TOKEN


def test_jwt_from_session_copies_the_authorization_of_the_session(jobs, table):
    trigger(jobs, "insert", "_url=/hello-world", "_jwt=from_session")
    with jobs.db.connect() as connection:
        connection.execute("select set_config('request.headers', %s, true)", [json.dumps({"authorization": "Bearer " + TOKEN})])
        connection.execute(f"insert into {table} values (1, 'a')")
    assert only(jobs)["headers"]["authorization"] == "Bearer " + TOKEN


def test_signing_secret_of_a_trigger_signs(jobs, table):
    trigger(jobs, "insert", jobs.provider.url + "/echo", "signing_secret=" + KEY)
    jobs.db.run(f"insert into {table} values (1, 'a')")
    request = only(jobs)
    assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), request["body"].encode(), "sha256", "hex")


def test_signing_vault_of_a_trigger_signs(jobs, table):
    trigger(jobs, "insert", jobs.provider.url + "/echo", "_signing_vault=hmac_secret")
    jobs.db.run(f"insert into {table} values (1, 'a')")
    request = only(jobs)
    assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), request["body"].encode(), "sha256", "hex")


def test_header_style_algorithm_and_encoding_of_a_trigger_are_as_those_of_a_job(jobs, table):
    trigger(jobs, "insert", jobs.provider.url + "/echo", "", "", "", "hmac_secret", "X-Signed", "HMAC_WITH_PREFIX", "sha512", "base64")
    jobs.db.run(f"insert into {table} values (1, 'a')")
    request = only(jobs)
    assert request["headers"]["x-signed"] == "sha512=" + mac(KEY.encode(), request["body"].encode(), "sha512", "base64")


@pytest.mark.parametrize("event, old, new", [("INSERT", None, {"id": 1, "v": "a"}), ("UPDATE", {"id": 1, "v": "a"}, {"id": 1, "v": "b"}),
                                             ("DELETE", {"id": 1, "v": "a"}, None)])
def test_the_payload_of_a_trigger_has_the_documented_form(jobs, table, event, old, new):
    if event != "INSERT":
        jobs.db.run(f"insert into {table} values (1, 'a')")
    trigger(jobs, event, jobs.provider.url + "/echo")
    jobs.db.run({"INSERT": f"insert into {table} values (1, 'a')", "UPDATE": f"update {table} set v = 'b'", "DELETE": f"delete from {table}"}[event])
    assert json.loads(only(jobs)["body"]) == {"type": event, "table": "my_table", "schema": "t", "old_record": old, "record": new}


def test_the_first_example_has_its_header_and_its_signature(jobs, table):
    """Once as arguments of the trigger, once as named parameters."""
    trigger(jobs, "insert", "_url=" + jobs.provider.url + "/echo", '_headers={"X-Webhook-Event": "new_record"}', "_signing_secret=my-secret-key")
    jobs.db.run("select pgqueue.create_webhook(_name => 'example', _table => 't.my_table', _events => '{INSERT}', _url => %s,"
                " _headers => '{\"X-Webhook-Event\": \"new_record\"}'::jsonb, _signing_secret => 'my-secret-key'::bytea)", jobs.provider.url + "/echo")
    jobs.db.run(f"insert into {table} values (1, 'a')")
    for request in several(jobs, 2):
        assert request["headers"]["x-webhook-event"] == "new_record"
        assert request["headers"]["x-hmac-signature"] == mac(b"my-secret-key", request["body"].encode(), "sha256", "hex")
    jobs.db.run("select pgqueue.drop_webhook('example')")


def test_the_second_example_calls_an_edge_function_with_service_role_and_no_signature(jobs, table):
    jobs.db.run(f"insert into {table} values (1, 'a')")
    trigger(jobs, "update", "_url=/my_edge_function")
    jobs.db.run(f"update {table} set v = 'b'")
    request = only(jobs)
    assert (request["path"], request["headers"]["authorization"]) == (EDGE + "/my_edge_function", "Bearer " + SERVICE_ROLE)
    assert "x-hmac-signature" not in request["headers"]


# --- statuses ---


def test_new_is_the_first_status_of_every_job(jobs):
    job = jobs.insert(run_at="2099-01-01")
    assert jobs.job(job, "job_status") == "new"
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


def test_failed_is_a_job_that_will_be_tried_again(jobs):
    jobs.provider.script("refuse", path="/echo", status=404)
    job = jobs.deliver(status="failed")
    jobs.hurry(job)
    jobs.wait(job, "completed")


def test_processing_is_a_job_that_is_under_way(jobs):
    jobs.provider.script("wait", path="/echo", seconds=1)
    job = jobs.insert()
    jobs.wait(job, "processing")
    jobs.wait(job, "completed")


@pytest.mark.parametrize("status", [200, 202, 204, 299])
def test_completed_is_a_job_that_was_answered_with_2xx(jobs, status):
    assert jobs.job(jobs.deliver(f"/status/{status}"), "response_status") == status


def test_redirected_is_a_201_with_a_new_job_and_its_response_is_kept(jobs):
    follow_up = {"url": jobs.provider.url + "/echo"}
    jobs.provider.script("answer", path="/echo", status=201, contains="first", body=follow_up)
    job = jobs.deliver(payload={"n": "first"}, status="redirected")
    status, content, headers = jobs.job(job, "response_status", "response_content", "response_headers")
    assert (status, json.loads(content), headers["content-type"]) == (201, follow_up, "application/json")
    assert jobs.db.value("select count(*) from pgqueue.job_queue where parent_job_id = %s", job) == 1


def test_server_error_is_final(jobs):
    job = jobs.deliver("/status/500", status="server_error")
    assert jobs.db.value("select count(*) from queues.ready join pgqueue.job_run using (task_id) where job_id = %s", job) == 0


def test_too_many_is_a_job_that_used_up_its_retry_limit(jobs):
    job = jobs.insert("/status/404", retry_limit=1)
    jobs.wait(job, "failed")
    jobs.hurry(job)
    jobs.wait(job, "too_many")
    assert len(jobs.provider.requests()) == 2
    assert jobs.db.value("select count(*) from queues.ready join pgqueue.job_run using (task_id) where job_id = %s", job) == 0


@pytest.mark.parametrize("status", [302, 600])
def test_other_is_a_status_code_that_nobody_expects(jobs, status):
    assert jobs.job(jobs.deliver(f"/status/{status}", status="other"), "response_status") == status


# --- errors and retries ---


def test_a_429_is_tried_again_when_it_says(jobs):
    jobs.provider.script("refuse", path="/echo", status=429, headers={"Retry-After": "120"})
    job = jobs.deliver(status="failed")
    assert wait_of(jobs, job) == 120
    jobs.db.run("select pgqueue.cancel_job(%s)", job)
    date = datetime.now(timezone.utc) + timedelta(hours=1)
    jobs.provider.script("refuse", path="/echo", status=429, headers={"Retry-After": format_datetime(date, usegmt=True)})
    job = jobs.deliver(status="failed")
    assert jobs.job(job, "run_at").replace(microsecond=0) == date.replace(microsecond=0)
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


def test_a_429_that_says_nothing_is_tried_again_after_ten_minutes(jobs):
    job = jobs.deliver("/status/429", status="failed")
    assert wait_of(jobs, job) == 600
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422])
def test_a_4xx_is_tried_again(jobs, status):
    job = jobs.deliver(f"/status/{status}", status="failed")
    assert wait_of(jobs, job) == 5
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


def test_a_4xx_with_x_job_finished_is_completed(jobs):
    jobs.provider.script("refuse", path="/echo", status=400, headers={"x-job-finished": "true"})
    assert jobs.job(jobs.deliver(), "response_status") == 400


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_5xx_is_not_tried_again(jobs, status):
    assert jobs.job(jobs.deliver(f"/status/{status}", status="server_error"), "retry_count") == 1


def test_waits_grow_exponentially(jobs):
    job, waits = jobs.insert("/status/404"), []
    for run in range(1, 5):
        jobs.db.eventually("select exists (select 1 from pgqueue.failed_log where job_id = %s and job_run = %s)", job, run)
        waits.append(wait_of(jobs, job))
        jobs.hurry(job)
    assert waits == [5, 9, 17, 32]
    jobs.db.run("select pgqueue.cancel_job(%s)", job)


# --- the log ---


def test_every_attempt_is_written_down_good_or_bad(jobs):
    jobs.provider.script("refuse", path="/echo", status=404)
    job = jobs.deliver(status="failed")
    jobs.hurry(job)
    jobs.wait(job, "completed")
    assert jobs.db.rows("select k.job_run, c.outcome from pgqueue.job_run as k join queues.task_completed as c using (task_id)"
                        " where k.job_id = %s order by 1", job) == [(1, "failed"), (2, "succeeded")]


def test_the_response_of_the_last_attempt_is_kept_in_the_job(jobs):
    jobs.provider.script("refuse", path="/echo", status=429, headers={"Retry-After": "7", "x-more": "yes"}, body="slow down")
    job = jobs.deliver(status="failed")
    status, content, headers = jobs.job(job, "response_status", "response_content", "response_headers")
    assert (status, content, headers["retry-after"], headers["x-more"]) == (429, "slow down", "7", "yes")
    jobs.provider.script("refuse", path="/echo", status=410, headers={"X-Job-Finished": "1"}, body="gone")
    jobs.hurry(job)
    jobs.wait(job, "completed")
    status, content, headers = jobs.job(job, "response_status", "response_content", "response_headers")
    assert (status, content, headers["x-job-finished"]) == (410, "gone", "1")


def test_the_failure_log_keeps_each_failure_with_4xx_and_without_an_answer(jobs):
    jobs.provider.script("refuse", path="/echo", status=404, body="not here")
    jobs.provider.script("reset", path="/echo", when="before")
    job = jobs.deliver(status="failed", payload={})
    jobs.hurry(job)
    jobs.db.eventually("select count(*) = 2 from pgqueue.failed_log where job_id = %s", job)
    jobs.hurry(job)
    jobs.wait(job, "completed")
    rows = jobs.db.rows("select job_run, response_status::int, response_content from pgqueue.failed_log where job_id = %s order by id", job)
    assert [r[:2] for r in rows] == [(1, 404), (2, 0)] and rows[0][2] == "not here" and rows[1][2]


# --- examples ---


def test_the_example_of_a_simple_job_is_executed_right_after_the_insert(jobs):
    with jobs.db.connect() as connection:
        job = connection.execute("""
            INSERT INTO pgqueue.job_queue (
                job_type, url, payload, headers
            ) VALUES (
                'POST',
                %s,
                '{"data": "value"}'::jsonb,
                '{"X-Custom-Header": "value"}'::jsonb
            ) returning job_id""", [jobs.provider.url + "/echo"]).fetchone()[0]
    jobs.wait(job, "completed")
    (request,) = jobs.sent(job)
    assert (json.loads(request["body"]), request["headers"]["x-custom-header"]) == ({"data": "value"}, "value")


def test_the_example_of_a_trigger_signs_with_a_secret_of_the_vault(jobs, table):
    trigger(jobs, "insert", "_url=" + jobs.provider.url + "/echo", "_signing_vault=hmac_secret")
    jobs.db.run(f"insert into {table} values (1, 'a')")
    request = only(jobs)
    assert request["headers"]["x-hmac-signature"] == mac(KEY.encode(), request["body"].encode(), "sha256", "hex")
