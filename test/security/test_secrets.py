"""Secrets go where a record says and nowhere else, and no fact repeats them, whatever a peer answers."""
import base64
import json
import urllib.parse

import pytest
from channels import RESEND_KEY, TWILIO_SID, TWILIO_TOKEN
from harness import eventually
from jobs import EDGE, KEY, SERVICE_ROLE, TOKEN, Jobs
from smtp import ScriptedSmtp

PASSWORD = "smtp/canary+W d6kTz"
HEADER = 'canary "header" / Fw3\\n9'


def spellings(secret, user=None):
    """What a server might write of it."""
    around = [secret, f"Bearer {secret}", f"x{secret}x", f"{user or 'u'}:{secret}", f"\0{user or 'u'}\0{secret}"]
    return [secret, json.dumps(secret)[1:-1], urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret), secret.encode().hex(),
            *(base64.b64encode(text.encode()).decode() for text in around), *(base64.urlsafe_b64encode(text.encode()).decode() for text in around)]


def essence(spelling):
    """A part of it that is in no other text: near its end, where the secret is."""
    return spelling[-16:-4]


def assert_unknown(sender, secret, user=None):
    """No fact has the secret in any spelling."""
    text = "\n".join(sender.facts().values())
    for spelling in spellings(secret, user):
        assert essence(spelling) not in text, f"{spelling!r} was kept"


@pytest.fixture(scope="module")
def the_desk(make_desk, the_provider):
    for desk in make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_SECRET_CONSUMER_EDGE_BASE": the_provider.url + EDGE,
                               "REEVE_SECRET_SERVICE_ROLE": SERVICE_ROLE, "REEVE_SECRET_PARTNER": HEADER,
                               "REEVE_VAULT_KEY": "ab" * 32},
                          secrets=(TOKEN, SERVICE_ROLE, KEY, HEADER)):
        desk.allow("partner")
        desk.db.run("select vault.create_secret(%s, 'signer')", KEY)
        yield desk


# --- what peers repeat ---


@pytest.mark.parametrize("status", [200, 201, 404, 500])
@pytest.mark.parametrize("secret, columns", [
    (TOKEN, {"url": "/repeats", "job_jwt": TOKEN}), (SERVICE_ROLE, {"url": "/repeats"}), (KEY, {"path": "/repeats", "signing_vault": "signer"}),
    (KEY, {"path": "/repeats", "signing_secret": KEY.encode()})], ids=["job_jwt", "service_role", "signing_vault", "signing_secret"])
def test_no_job_keeps_a_secret_that_its_peer_repeats(desk, secret, columns, status):
    jobs = Jobs(desk)
    said = spellings(secret)
    jobs.provider.script("refuse", path="*", status=status, body={"said": said}, headers={"X-Said": secret, "X-Base": said[5]})
    job = jobs.insert(payload={}, retry_limit=0, **columns)
    desk.db.eventually("select exists (select 1 from pgqueue.job_ended where job_id = %s)", job)
    assert "***" in jobs.job(job, "response_content")
    assert_unknown(desk, secret)


@pytest.mark.parametrize("status", [200, 422])
def test_no_request_of_a_task_keeps_one(desk, status):
    said = spellings(HEADER)
    desk.provider.script("refuse", path="/repeats", status=status, body={"said": said}, headers={"X-Base": said[5]})
    task = desk.http("/repeats", method="POST", body=1, secret_headers={"X-Key": {"secret": "partner"}})
    desk.done(task)
    assert_unknown(desk, HEADER)


@pytest.mark.parametrize("short", [1, 3, 4, 9, len(TOKEN) - 1])
def test_a_secret_at_the_place_where_an_answer_is_cut_is_not_kept_in_part(desk, short):
    jobs = Jobs(desk)
    desk.provider.script("refuse", path="*", status=200, body="+" * (65536 - short) + TOKEN * 3)
    kept = jobs.job(jobs.deliver(url="/repeats", job_jwt=TOKEN), "response_content")
    assert kept.lstrip("+") == (TOKEN[:short] if short < 4 else "***")


@pytest.mark.parametrize("status", [200, 401, 500])
def test_no_e_mail_keeps_the_key_of_its_provider(desk, status):
    said = " ".join(spellings(RESEND_KEY))
    for part in said.split(" "):
        desk.provider.script("refuse", path="/emails", status=status, body={"id": part, "name": part[:100], "message": "no " + part})
        desk.done(desk.mail())
        desk.calm(desk.mail)
    assert_unknown(desk, RESEND_KEY)


@pytest.mark.parametrize("status", [201, 401, 500])
def test_no_text_message_keeps_the_token_of_its_provider(desk, status):
    for part in spellings(TWILIO_TOKEN, TWILIO_SID):
        desk.provider.script("refuse", path="/2010-04-01/*", status=status, body={"sid": part, "code": 1, "status": part, "message": "no " + part})
        desk.done(desk.sms())
        desk.calm(desk.sms)
    assert_unknown(desk, TWILIO_TOKEN, TWILIO_SID)


@pytest.mark.parametrize("stage", ["auth", "rcpt", "dot"])
def test_no_mail_keeps_the_password_of_its_server(sender, stage):
    with ScriptedSmtp() as server:
        sender.secrets += (PASSWORD,)
        sender.work(env={"RESEND_API_KEY": None, "SMTP_URL": f"smtp://ann:{urllib.parse.quote(PASSWORD, safe='')}@127.0.0.1:{server.port}"}).ready()
        for part in spellings(PASSWORD, "ann"):
            if "\n" in part:
                continue
            server.script(**{stage: "550 5.7.8 not with " + part})
            sender.done(sender.mail())
    assert_unknown(sender, PASSWORD, "ann")


# --- where secrets go ---


def test_a_task_without_a_right_is_not_made(desk):
    """What an enqueuer may not say is refused at once, and nothing leaves."""
    role = "secret_enqueuer"
    desk.db.run(f"do $$ begin create role {role} in role queues_enqueuer; exception when duplicate_object then null; end $$")
    for name in ("REEVE_VAULT_KEY", "REEVE_DATABASE_URL", "signer", "service_role", "consumer_edge_base"):
        request = {"url": desk.provider.url + "/echo", "secret_headers": {"X": {"secret": name}}}
        with desk.db.connect() as connection, pytest.raises(Exception, match="secret"):
            connection.execute(f"set role {role}")
            connection.execute("select queues.enqueue('http', %s::jsonb)", [json.dumps({"request": request})])
    assert desk.provider.requests() == []


def test_an_edge_function_is_judged_by_the_outbound_policy(sender):
    sender.secrets += (SERVICE_ROLE,)
    sender.work(env={"REEVE_ALLOW_HOSTS": None, "REEVE_SECRET_CONSUMER_EDGE_BASE": sender.provider.url, "REEVE_SECRET_SERVICE_ROLE": SERVICE_ROLE}).ready()
    jobs = Jobs(sender)
    job = jobs.deliver(url="/echo", status="failed")
    assert jobs.job(job, "response_content").startswith("outbound request refused:")
    assert sender.provider.requests() == []


@pytest.mark.parametrize("base", ["http://127.0.0.1", "http://127.0.0.1:1/x"])
def test_no_request_of_a_task_switches_the_policy_off(sender, base):
    """A handler that names a base, a job or an edge function in its request gets none of them."""
    sender.secrets += (SERVICE_ROLE,)
    sender.work(env={"REEVE_SECRET_CONSUMER_EDGE_BASE": base, "REEVE_SECRET_SERVICE_ROLE": SERVICE_ROLE}).ready()
    for url in ("@169.254.169.254/x", f"@{sender.provider.url[7:]}/echo", "/echo", "http://169.254.169.254/latest"):
        task = sender.http(url=url, job=True, edge=True, token=True)
        sender.done(task)
        assert sender.failed(task)[1] == "policy"
        task = sender.http(url=url, base="consumer_edge_base")
        sender.done(task)
        assert sender.failed(task) == ('http payload: "base" cannot be chosen', "payload")
    assert sender.provider.requests() == []


# --- the key of a call ---


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"])
def test_a_request_of_a_task_carries_its_key(desk, method):
    task = desk.http("/status/200", method=method, body={"a": 1})
    desk.done(task)
    (request,) = desk.provider.requests()
    key = desk.dispatches(task)[0][2]
    assert request["headers"].get("idempotency-key") == (None if method in ("GET", "HEAD") else key)


# --- answers that ask for jobs ---


@pytest.mark.parametrize("what, rule, why", [
    ("long", {"status": 201, "body": json.dumps({"url": "https://example.com/", "payload": "x" * 70000})}, "longer than is kept"),
    ("cut", {"status": 201, "body": '{"url": "https://example.com/"'}, "cannot be read"),
    ("mark", {"status": 201, "body": "\ufeff" + '{"url": "https://example.com/", "run_at": "2099-01-01"}'}, None)])
def test_a_follow_up_that_cannot_be_read_says_so(desk, what, rule, why):
    jobs = Jobs(desk)
    desk.provider.script("refuse", path="/asks", **rule)
    job = jobs.insert("/asks", payload={})
    eventually(lambda: jobs.job(job, "job_status") in ("completed", "redirected"), "answered")
    errors = [r[0] for r in desk.db.rows("select e.error_message from pgqueue.job_run as k join queues.error as e using (task_id) where k.job_id = %s", job)]
    if why is None:
        assert (jobs.job(job, "job_status"), errors) == ("redirected", [])
    else:
        assert jobs.job(job, "job_status") == "completed"
        (error,) = errors
        assert error.startswith("no follow-up job: ") and why in error
