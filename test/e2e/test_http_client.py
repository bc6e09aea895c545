"""Plain HTTP tasks, and the client that all channels share: policy, TLS, limits, hostile servers."""
import base64
import json
import os
import re
import socket
import subprocess
import threading

from channels import RESEND_KEY
from harness import eventually, free_port

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


@pytest.mark.parametrize("headers", [
    {"X-A": "b\r\nX-Injected: yes"}, {"X-A": "b\nX-Injected: yes"}, {"X-A\r\nX-Injected": "yes"}, {"X A": "b"}, {"": "b"}, {"X:A": "b"},
    {"Host": "elsewhere.example.com"}, {"Content-Length": "5"}, {"Transfer-Encoding": "chunked"}, {"X-A": 7}, {"X-ü": "b"}])
def test_a_header_that_is_none_sends_nothing(desk, provider, headers):
    task = desk.http(headers=headers)
    desk.done(task)
    assert desk.failed(task)[1] == "payload"
    assert provider.requests() == []


@pytest.mark.parametrize("path", ["/echo\r\nX-Injected: yes", "/echo HTTP/1.1\r\nX: y\r\n\r\n", "/echo\n", "/echo\t"])
def test_a_url_with_control_characters_sends_nothing(desk, provider, path):
    task = desk.http(path)
    desk.done(task)
    assert desk.failed(task)[1] in ("payload", "policy", "network")
    assert provider.requests() == []


@pytest.mark.parametrize("request_", [{"method": "BREW"}, {"method": "get"}, {"method": "GET\r\nX: y"}, {"headers": []}, {"headers": "x"}])
def test_a_request_that_is_none_sends_nothing(desk, provider, request_):
    task = desk.send("http", {"url": provider.url + "/echo", **request_})
    desk.done(task)
    assert desk.failed(task)[1] == "payload"
    assert provider.requests() == []


def test_a_missing_url_is_named(desk):
    task = desk.send("http", {"method": "GET"})
    desk.done(task)
    assert desk.failed(task) == ('http payload: missing "url"', "payload")


# --- where we may connect to ---


@pytest.fixture(scope="module")
def the_strict_desk(make_desk, certificates):
    """A worker without any exception for tasks."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": None})


@pytest.fixture
def strict_desk(the_strict_desk, provider):
    return the_strict_desk


LOOPBACK = ["127.0.0.1", "127.255.255.254", "localhost", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "0.0.0.0",
            "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
            "[::ffff:0:127.0.0.1]", "[0:0:0:0:0:0:0:1]"]
SPECIAL = ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.169.254", "192.0.0.1", "192.0.2.1", "192.88.99.1",
           "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[fe80::1]", "[fec0::1]", "[fc00::1]",
           "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]", "[3fff::1]", "[2001::1]", "[100::1]", "[5f00::1]", "[64:ff9b:1::1]"]


@pytest.mark.parametrize("host", LOOPBACK + SPECIAL)
def test_an_address_that_is_not_public_is_refused(strict_desk, provider, host):
    task = strict_desk.http(url=f"https://{host}/")
    strict_desk.done(task)
    error, error_class = strict_desk.failed(task)
    assert error_class == "policy", error
    assert re.fullmatch(r'outbound request refused: address of "[^"]*" is not public \(REEVE_ALLOW_NETWORKS\)', error), error


def test_this_machine_is_refused_by_its_own_addresses(strict_desk):
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    for address in addresses:
        task = strict_desk.http(url=f"https://{address if ':' not in address else f'[{address}]'}/")
        strict_desk.done(task)
        assert strict_desk.failed(task)[1] == "policy"


@pytest.mark.parametrize("url, setting", [
    ("http://93.184.216.34/", 'plain http to "93.184.216.34" (REEVE_ALLOW_HTTP_HOSTS)'),
    ("https://93.184.216.34:3000/", "port 3000 (REEVE_ALLOW_PORTS)"),
    ("https://93.184.216.34:22/", "port 22 (REEVE_ALLOW_PORTS)"),
    ("https://ann:secret-pw@93.184.216.34/", 'user name in the url of "93.184.216.34"'),
])
def test_a_refusal_names_what_would_allow_it(strict_desk, url, setting):
    task = strict_desk.http(url=url)
    strict_desk.done(task)
    assert strict_desk.failed(task) == (f"outbound request refused: {setting}", "policy")


@pytest.mark.parametrize("url", ["ftp://93.184.216.34/", "file:///etc/passwd", "gopher://93.184.216.34/", "dict://93.184.216.34/", "https://",
                                 "//93.184.216.34/", "javascript:alert(1)", "https://exa mple.com/", "https://ex%00ample.com/",
                                 "https://-x.example.com/", "smtp://93.184.216.34/", "unix:///tmp/x", "https://[::1/", "https://a@b@c/", "x"])
def test_a_url_of_another_kind_is_refused(strict_desk, url):
    task = strict_desk.http(url=url)
    strict_desk.done(task)
    error, error_class = strict_desk.failed(task)
    assert (error_class, error.startswith("outbound request refused: ")) == ("policy", True), error


def test_a_refusal_is_a_warning_once_per_host(sender):
    for _ in range(3):
        sender.http(url="https://10.1.2.3/")
    worker = sender.work_off(env={"REEVE_ALLOW_HOSTS": None})
    lines = [line for line in worker.lines if "level=warn" in line and "REEVE_ALLOW_NETWORKS" in line]
    assert len(lines) == 1 and "10.1.2.3" in lines[0]


def test_a_name_that_does_not_exist_is_a_network_error(strict_desk):
    task = strict_desk.http(url="https://no-such-name.invalid/")
    strict_desk.done(task)
    error, error_class = strict_desk.failed(task)
    assert error_class == "network" and "no-such-name.invalid" in error


@pytest.mark.parametrize("missing", [None, "REEVE_ALLOW_HTTP_HOSTS", "REEVE_ALLOW_NETWORKS", "REEVE_ALLOW_PORTS"])
def test_the_three_exceptions_are_needed_together(sender, provider, missing):
    env = {"REEVE_ALLOW_HOSTS": None, "REEVE_ALLOW_HTTP_HOSTS": "127.0.0.1", "REEVE_ALLOW_NETWORKS": "127.0.0.0/30, fd00::/8",
           "REEVE_ALLOW_PORTS": str(provider.port())}
    task = sender.http()
    sender.work_off(env={**env, missing: None} if missing else env)
    if missing is None:
        assert sender.db.outcome(task) == "succeeded"
    else:
        error, error_class = sender.failed(task)
        assert error_class == "policy" and missing in error
        assert provider.requests() == []


def test_an_exception_for_a_host_is_exact(sender, provider):
    port = provider.port()
    tasks = {url: sender.http(url=url) for url in (f"http://127.0.0.1:{port}/echo", f"http://127.0.0.2:{port}/echo",
                                                   f"http://localhost:{port}/echo", f"http://127.0.0.1:{free_port()}/echo")}
    sender.work_off(env={"REEVE_ALLOW_HOSTS": f"127.0.0.1:{port}"})
    outcomes = [sender.db.outcome(task) for task in tasks.values()]
    assert outcomes == ["succeeded", "failed", "failed", "failed"]
    assert all(sender.failed(task)[1] == "policy" for task in list(tasks.values())[1:])


@pytest.mark.parametrize("variable, value", [("REEVE_ALLOW_NETWORKS", "10.0.0.0/99"), ("REEVE_ALLOW_NETWORKS", "nonsense"),
                                             ("REEVE_ALLOW_PORTS", "http")])
def test_an_exception_that_cannot_be_read_stops_the_start(sender, variable, value):
    worker = sender.work(env={variable: value})
    assert worker.wait() == 3
    assert variable in worker.log()


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


# --- hostile servers ---


def raw(text):
    return {"do": "raw", "base64": base64.b64encode(text.encode("latin-1")).decode()}


def head(*lines, body=""):
    return "HTTP/1.1 200 OK\r\n" + "".join(line + "\r\n" for line in lines) + "\r\n" + body


@pytest.mark.parametrize("wish, end", [
    # What is sent, and what it may be read as: a class of error, or a status.
    (raw("no HTTP at all\r\n\r\n"), ["in_doubt", "network"]),
    (raw("HTTP/0.9 hello"), ["in_doubt", "network"]),
    (raw(""), ["in_doubt"]),
    (raw("HTTP/1.1 200 OK"), ["in_doubt"]),
    (raw("HTTP/1.1 200 OK\r\nContent-Length: 5"), [200, "in_doubt"]),
    (raw(head("Content-Length: 100", body="short")), [200]),
    (raw(head("Content-Length: 3", body="longer than that")), [200]),
    (raw(head("Content-Length: -5", body="x")), [200, "in_doubt", "network"]),
    (raw(head("Content-Length: 5", "Content-Length: 7", body="hello")), [200, "in_doubt", "network"]),
    (raw(head("Transfer-Encoding: chunked", body="zz\r\nhello\r\n0\r\n\r\n")), [200]),
    (raw(head("Transfer-Encoding: chunked", body="FFFFFFFFFFFFFFFFFF\r\nhello\r\n")), [200]),
    (raw(head("X-Nul: a\x00b", "Content-Length: 2", body="hi")), [200, "in_doubt", "network"]),
    (raw(head("X-Long: " + "x" * 40000, "Content-Length: 2", body="hi")), [200]),
    (raw(head(*["X: y"] * 2000, "Content-Length: 2", body="hi")), [200, "in_doubt"]),
    (raw("HTTP/1.1 100 Continue\r\n\r\n" * 20000 + head("Content-Length: 2", body="hi")), [200, "in_doubt"]),
    (raw("HTTP/1.1 99999 Odd\r\n\r\n"), ["in_doubt", "network", 99999]),
    (raw("HTTP/1.1 000 Odd\r\n\r\n"), ["in_doubt", "network", 0]),
    ({"do": "headers"}, ["in_doubt"]),
    ({"do": "headers", "count": 100000, "length": 5}, ["in_doubt"]),
    ({"do": "garbage", "sample": "bomb", "headers": {"Content-Encoding": "gzip"}}, [200]),
    ({"do": "garbage", "sample": "binary"}, [200]),
    ({"do": "garbage", "sample": "utf8"}, [200]),
    ({"do": "garbage", "sample": "nul"}, [200]),
    ({"do": "garbage", "sample": "deep"}, [200]),
    ({"do": "huge"}, [200]),
    ({"do": "huge", "framing": "length"}, [200]),
    ({"do": "huge", "framing": "close"}, [200]),
    ({"do": "reset", "when": "body"}, [200]),
    ({"do": "close", "when": "body"}, [200]),
], ids=str)
def test_whatever_a_server_sends_there_is_an_outcome(desk, provider, wish, end):
    provider.script(**wish, path="/echo")
    task = desk.http(timeout="5 seconds", method="POST", body="x")
    desk.done(task)
    outcome, errors, classes = desk.end(task)
    result = desk.result(task)
    assert (result["status"] if result else classes[-1]) in end, (outcome, errors, classes)
    assert desk.kinds(task) == ["before", "success" if outcome == "succeeded" else "error"]
    assert all(error.isprintable() for error in errors)
    # It is alive, and the next request is not confused by what is left of this one.
    good = desk.http("/status/200")
    assert desk.done(good) == "succeeded"
    assert json.loads(desk.result(good)["body"]) == {"status": 200}


def test_a_large_body_is_cut_and_says_so(desk, provider):
    provider.script("huge", bytes=3_000_000, framing="length", path="/echo")
    task = desk.http()
    desk.done(task)
    result = desk.result(task)
    assert (result["status"], result["truncated"]) == (200, True)
    assert 30_000 < len(result["body"]) <= 65_536
    provider.script("huge", bytes=20_000, framing="length", path="/echo")
    task = desk.http()
    desk.done(task)
    result = desk.result(task)
    assert (len(result["body"]), result["truncated"]) == (20_000, False)


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


def test_slow_and_silent_servers_are_given_up_and_hold_nobody_else(sender, provider):
    """Hanging before headers, in the body, byte by byte: each ends by its own limit, the others go on."""
    provider.script("hang", when="before", contains="silent", times=None)
    provider.script("hang", when="body", contains="stops", times=None)
    provider.script("drip", part="head", seconds=0.3, contains="drips-head", times=None)
    provider.script("drip", part="body", seconds=0.3, contains="drips-body", times=None)
    worker = sender.work("--channel-concurrency", 64, "--per-host", 48).ready()
    slow = {word: [sender.http(method="POST", body=word, timeout="3 seconds") for _ in range(5)]
            for word in ("silent", "stops", "drips-head", "drips-body")}
    eventually(lambda: len(provider.requests()) >= 20, "all are under way")
    quick = [sender.http("/status/200") for _ in range(30)]
    for task in quick:
        assert sender.db.wait_outcome(task) == "succeeded"
    assert all(sender.db.outcome(task) is None for tasks in slow.values() for task in tasks)
    for word, tasks in slow.items():
        for task in tasks:
            outcome = sender.db.wait_outcome(task)
            if word in ("silent", "drips-head"):
                assert (outcome, sender.end(task)[2]) == ("failed", ["in_doubt"])
            else:
                assert outcome == "succeeded" and sender.result(task)["truncated"] is True
    took = sender.db.value("select max(completed_at - started_at) < interval '10 seconds' from queues.task_completed")
    assert took
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
