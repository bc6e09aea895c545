"""Plain HTTP tasks, and the client that all channels share: TLS, limits, the environment."""
import json
import os
import re
import socket
import threading

from channels import RESEND_KEY
from harness import eventually

import pytest

TOKEN = "token-canary-Zx82mQ"


@pytest.fixture(scope="module")
def patience(the_desk, the_provider):
    """Two calls that take their time, begun with the first test and looked at by the last ones."""
    rule = the_provider.script("hang", when="body", path="/echo")
    stalled = the_desk.http(timeout="60 seconds")
    eventually(lambda: the_provider.hits(rule) == 1, "the answer has begun")
    # A listener whose queue is full answers nothing at all.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        clients = [socket.socket() for _ in range(4)]
        for client in clients:
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
        unanswered = the_desk.http(url=f"http://127.0.0.1:{port}/", timeout="60 seconds")
        yield {"stalled": stalled, "unanswered": unanswered}
        for client in clients:
            client.close()


@pytest.fixture(scope="module")
def the_desk(make_desk):
    """The tasks of these tests may call any port of this machine."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1"})


# --- requests and answers ---


def test_an_answer_is_the_result(patience, desk, provider):
    task = desk.http("/echo?a=1&b=%20", headers={"X-Mine": "yes"})
    desk.done(task)
    assert desk.end(task) == ("succeeded", [], [])
    result = desk.result(task)
    assert set(result) == {"status", "headers", "body", "truncated", "took_ms"}
    assert (result["status"], result["truncated"], result["headers"]["x-provider"]) == (200, False, "reeve-test")
    assert all(name == name.lower() for name in result["headers"])
    echo = json.loads(result["body"])
    assert (echo["method"], echo["query"], echo["headers"]["x-mine"], echo["body"]) == ("GET", "a=1&b=%20", "yes", "")
    assert desk.handled(task, "success")[0]["worker_payload"] == result


def test_a_request_can_stand_in_the_task_itself(desk, provider):
    task = desk.enqueue("http", {"request": {"url": provider.url + "/echo", "method": "DELETE"}})
    assert desk.done(task) == "succeeded"
    assert provider.requests()[0]["method"] == "DELETE"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])
def test_every_method_is_sent(desk, provider, method):
    task = desk.http(method=method)
    assert desk.done(task) == "succeeded"
    assert provider.requests()[0]["method"] == method


@pytest.mark.parametrize("body, bytes_sent, content_type", [
    ({"b": 1, "a": [True, None, "ü\"\\\n"]}, None, "application/json"), ([1, 2], "[1, 2]", "application/json"), (7, "7", "application/json"),
    ("as it is: {ü}\r\n", "as it is: {ü}\r\n", None), ("", "", None),
])
def test_a_body_is_sent_as_its_text(desk, provider, body, bytes_sent, content_type):
    task = desk.http(method="POST", body=body)
    desk.done(task)
    request, = provider.requests()
    assert request["headers"].get("content-type") == content_type
    if bytes_sent is None:
        assert json.loads(request["body"]) == body
        assert request["body"] == desk.db.value("select (payload->'send'->'body')::text from queues.task where task_id = %s", task)
    else:
        assert request["body"] == bytes_sent


def test_a_type_that_is_given_is_kept(desk, provider):
    desk.done(desk.http(method="PUT", body={"a": 1}, headers={"content-type": "application/vnd.x+json"}))
    assert provider.requests()[0]["head"].lower().count("content-type") == 1
    assert provider.requests()[0]["headers"]["content-type"] == "application/vnd.x+json"


@pytest.mark.parametrize("status, error_class", [
    (201, None), (204, None), (299, None), (300, "refused"), (302, "refused"), (304, "refused"), (400, "refused"), (404, "refused"),
    (410, "refused"), (408, "server"), (425, "server"), (429, "rate_limited"), (500, "server"), (503, "server"), (599, "server")])
def test_the_status_decides(desk, provider, status, error_class):
    task = desk.http(f"/status/{status}")
    desk.done(task)
    if error_class is None:
        assert desk.end(task) == ("succeeded", [], [])
    else:
        assert desk.failed(task) == (f"http status {status}", error_class)
        error, = desk.handled(task, "error")
        assert (error["error"], error["worker_payload"]["status"]) == (f"http status {status}", status)
    assert desk.result(task)["status"] == status


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(desk, provider, status):
    provider.script("redirect", status=status, location=provider.url + "/status/200", path="/echo")
    task = desk.http(headers={"Authorization": "Bearer x"})
    desk.done(task)
    assert desk.failed(task)[0] == f"http status {status}"
    assert [r["path"] for r in provider.requests()] == ["/echo"]
    assert desk.result(task)["headers"]["location"].endswith("/status/200")


def test_connections_are_kept(desk, provider):
    for _ in range(5):
        desk.done(desk.http())
    assert len({r["connection"] for r in provider.requests()}) == 1


def test_http_2_is_spoken_where_it_is_offered(sender, nginx, certificates):
    tasks = [sender.http(url=f"{nginx.tls_url}/echo", method=method, body={"n": 1} if method == "POST" else None)
             for method in ("GET", "POST", "DELETE") for _ in range(5)]
    sender.work_off(env={"REEVE_ALLOW_HOSTS": f"localhost:{nginx.tls_port}", "REEVE_CA_FILE": f"{certificates}/ca.pem"})
    for task in tasks:
        assert sender.end(task) == ("succeeded", [], [])
        assert json.loads(sender.result(task)["body"])["headers"]["x-protocol"] == "HTTP/2.0"


@pytest.mark.parametrize("method, repeats", [("POST", False), ("PATCH", False), ("GET", True), ("PUT", True), ("DELETE", True)])
def test_only_what_does_no_harm_twice_is_sent_twice(desk, provider, method, repeats):
    """A kept connection that dies under a request: the library would quietly send it again."""
    desk.done(desk.http("/status/200"))
    provider.script("close", when="after", path="/echo")
    task = desk.http(method=method)
    outcome = desk.done(task)
    sent = len([r for r in provider.requests() if r["path"] == "/echo"])
    if repeats:
        assert (outcome, sent) in (("succeeded", 2), ("failed", 1))
    else:
        assert (outcome, sent, desk.end(task)[2]) == ("failed", 1, ["in_doubt"])


# --- secrets and headers ---


@pytest.fixture(scope="module")
def the_secret_desk(make_desk, tmp_path_factory):
    folder = tmp_path_factory.mktemp("credentials")
    (folder / "REEVE_SECRET_FILED_TOKEN").write_text(TOKEN + "-filed\n")
    (folder / "filed.token").write_text("not this one\n")
    for desk in make_desk(env={"REEVE_SECRET_PARTNER_KEY": TOKEN, "CREDENTIALS_DIRECTORY": folder}, secrets=[TOKEN]):
        desk.allow("partner-key", "filed.token", "unknown")
        yield desk


@pytest.fixture
def secret_desk(the_secret_desk, provider):
    return the_secret_desk


def test_secrets_are_put_in_by_their_names(secret_desk, provider):
    task = secret_desk.http("/status/200", secret_headers={"Authorization": {"secret": "partner-key", "prefix": "Bearer "},
                                                           "X-Filed": {"secret": "filed.token"}})
    secret_desk.done(task)
    assert secret_desk.end(task) == ("succeeded", [], [])
    headers = provider.requests()[0]["headers"]
    assert (headers["authorization"], headers["x-filed"]) == (f"Bearer {TOKEN}", f"{TOKEN}-filed")


@pytest.mark.parametrize("name, error_class", [("unknown", "payload"), ("../filed.token", "policy"), ("", "policy"), ("RESEND_API_KEY", "policy"),
                                               ("REEVE_VAULT_KEY", "policy"), ("service_role", "policy"), ("consumer_edge_base", "policy")])
def test_a_secret_that_is_not_known_sends_nothing(secret_desk, provider, name, error_class):
    task = secret_desk.http(secret_headers={"Authorization": {"secret": name}})
    secret_desk.done(task)
    assert secret_desk.failed(task)[1] == error_class
    assert provider.requests() == []


def test_an_answer_that_repeats_a_secret_does_not_leak_it(secret_desk, provider):
    task = secret_desk.http("/echo", secret_headers={"Authorization": {"secret": "partner-key", "prefix": "Bearer "}})
    secret_desk.done(task)
    assert secret_desk.db.outcome(task) == "succeeded"


def test_a_missing_url_is_named(desk):
    task = desk.send("http", {"method": "GET"})
    desk.done(task)
    assert desk.failed(task) == ('http payload: missing "url"', "payload")


# --- the environment ---


def test_the_environment_changes_nothing(sender, provider, certificates, tmp_path):
    calls = []
    trap = socket.create_server(("127.0.0.1", 0))

    def watch():
        while True:
            try:
                connection, _ = trap.accept()
            except OSError:
                return
            calls.append(connection)

    threading.Thread(target=watch, daemon=True).start()
    proxy = f"http://127.0.0.1:{trap.getsockname()[1]}"
    (tmp_path / ".netrc").write_text("default login ann password netrc-canary\n")
    (tmp_path / ".curlrc").write_text(f"proxy = {proxy}\n")
    names = ("http_proxy", "https_proxy", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "all_proxy")
    task = sender.http()
    secure = sender.http(url=f"https://localhost:{provider.port('https')}/echo")
    untrusted = sender.http(url=f"https://localhost:{provider.port('self_signed')}/echo")
    mail = sender.mail()
    sender.work_off(env={**{name: proxy for name in names}, "HOME": str(tmp_path), "NETRC": str(tmp_path / ".netrc"),
                                 "SSLKEYLOGFILE": str(tmp_path / "keys"), "CURL_HOME": str(tmp_path), "CURL_SSL_BACKEND": "nonsense",
                                 "CURL_CA_BUNDLE": f"{certificates}/self_signed.pem", "REEVE_CA_FILE": f"{certificates}/ca.pem",
                                 "REEVE_ALLOW_HOSTS": "127.0.0.1,localhost"})
    trap.close()
    assert [sender.db.outcome(t) for t in (task, secure, untrusted, mail)] == ["succeeded", "succeeded", "failed", "succeeded"]
    assert calls == []
    assert "authorization" not in json.loads(sender.result(task)["body"])["headers"]
    assert not (tmp_path / "keys").exists()


# --- TLS ---


@pytest.fixture(scope="module")
def the_tls_desk(make_desk, certificates):
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": "localhost,127.0.0.1", "REEVE_CA_FILE": f"{certificates}/ca.pem"})


@pytest.fixture
def tls_desk(the_tls_desk, provider):
    return the_tls_desk


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_good_certificate_is_accepted(tls_desk, provider, host):
    task = tls_desk.http(url=f"https://{host}:{provider.port('https')}/echo")
    assert tls_desk.done(task) == "succeeded"
    assert provider.requests()[0]["listener"] == "https"


@pytest.mark.parametrize("listener", ["expired", "wrong_name", "no_name", "self_signed", "old_tls"])
def test_a_bad_certificate_or_an_old_protocol_sends_nothing(tls_desk, provider, listener):
    task = tls_desk.http(url=f"https://localhost:{provider.port(listener)}/echo", headers={"Authorization": "Bearer x"})
    tls_desk.done(task)
    assert tls_desk.failed(task)[1] == "network"
    assert provider.requests() == []


def test_plain_http_on_a_tls_port_and_the_reverse_are_failures(tls_desk, provider):
    wrong = [tls_desk.http(url=f"https://localhost:{provider.port()}/echo", timeout="1 second"),
             tls_desk.http(url=f"http://localhost:{provider.port('https')}/echo", timeout="1 second")]
    for task in wrong:
        assert tls_desk.done(task) == "failed"
    assert provider.requests() == []


def test_an_authority_that_is_not_known_is_not_trusted(sender, provider):
    task = sender.http(url=f"https://localhost:{provider.port('https')}/echo")
    mail = sender.mail()
    sender.work_off(env={"REEVE_ALLOW_HOSTS": "localhost", "REEVE_RESEND_URL": f"https://localhost:{provider.port('https')}"})
    assert [sender.failed(t)[1] for t in (task, mail)] == ["network", "network"]
    assert provider.requests() == []


def test_a_file_of_authorities_that_is_not_there_stops_the_start(sender):
    worker = sender.work(env={"REEVE_CA_FILE": "/nowhere/ca.pem"})
    assert worker.wait() == 3
    assert "REEVE_CA_FILE" in worker.log()


# --- servers that give much, or little ---


def test_huge_answers_do_not_make_the_worker_grow(sender, provider):
    def peak(worker):
        with open(f"/proc/{worker.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1))

    worker = sender.work().ready()
    for _ in range(20):
        sender.http()
    sender.db.wait_drained()
    before = peak(worker)
    provider.script("huge", times=None, path="/echo")
    tasks = [sender.http() for _ in range(60)]
    sender.db.wait_drained()
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    # What the sanitizer frees it keeps for a while.
    assert peak(worker) - before < (256 if "ASAN_OPTIONS" in os.environ else 32) * 1024
    assert worker.stop() == 0


def test_a_body_that_comes_to_a_stop_is_not_waited_for_to_the_end(the_desk, patience):
    task = patience["stalled"]
    assert the_desk.done(task) == "succeeded"
    assert the_desk.result(task)["truncated"] is True
    assert the_desk.result(task)["took_ms"] < 30_000


def test_a_peer_that_does_not_take_the_call_is_given_up(the_desk, patience):
    task = patience["unanswered"]
    the_desk.done(task)
    assert the_desk.failed(task)[1] == "network"
    assert the_desk.db.value("select completed_at - started_at < interval '30 seconds' from queues.task_completed where task_id = %s", task)


def test_a_refusal_of_the_provider_and_of_the_policy_are_told_apart(sender, provider):
    provider.script("refuse", status=403, body={"statusCode": 403, "name": "invalid_api_key", "message": f"not {RESEND_KEY[:5]}"})
    mail = sender.mail()
    http = sender.http()
    sender.work_off(env={"REEVE_ALLOW_HOSTS": None})
    assert [sender.failed(t)[1] for t in (mail, http)] == ["refused", "policy"]
