"""Attacks on the dashboard: none gets through, and the server still answers."""
import re
import socket
import time
import uuid
from urllib.parse import quote

import pytest
from harness import eventually
from viewer import Dashboard


def answers(dashboard):
    try:
        return dashboard.viewer().get("/livez").text == "ok\n"
    except OSError:
        return False  # It has not seen yet that a crowd of visitors is gone.


@pytest.fixture
def dashboard(db):
    dashboard = Dashboard(db)
    yield dashboard
    eventually(lambda: answers(dashboard), "it still answers")
    assert dashboard.program.stop() == 0


def raw(dashboard, request, timeout=20):
    """Sends bytes, and returns all that comes back until the server closes or is silent."""
    with socket.create_connection(("127.0.0.1", dashboard.port), timeout=timeout) as connection:
        connection.sendall(request)
        connection.settimeout(3)
        answer = b""
        try:
            while part := connection.recv(65536):
                answer += part
        except TimeoutError:
            pass
        return answer


def statuses(answer):
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def head(dashboard, line, *headers, host=True):
    lines = [line] + ([f"Host: 127.0.0.1:{dashboard.port}"] if host else []) + list(headers)
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


SECOND = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize("headers, body", [
    (["Content-Length: 5", "Content-Length: 6"], b"a=b&c"),
    (["Content-Length: 5, 6"], b"a=b&c"),
    (["Content-Length: +5"], b"a=b&c"),
    (["Content-Length: -1"], b""),
    (["Content-Length: 0x5"], b"a=b&c"),
    (["Content-Length: 99999999999999999999"], b""),
    (["Content-Length: 5", "Transfer-Encoding: chunked"], b"0\r\n\r\n" + SECOND),
    (["Transfer-Encoding: chunked"], b"5\r\na=b&c\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chunked, identity"], b"0\r\n\r\n" + SECOND),
    (["Transfer-Encoding: xchunked"], b"0\r\n\r\n" + SECOND),
    (["Transfer-Encoding : chunked", "Content-Length: 5"], b"0\r\n\r\n" + SECOND),
    ([" Transfer-Encoding: chunked", "Content-Length: 5"], b"0\r\n\r\n" + SECOND),
    (["X: y\r\n Content-Length: 5"], SECOND),
    (["Content-Length\t: 5"], b"a=b&c" + SECOND),
])
def test_a_request_with_two_ends_is_refused_and_nothing_after_it_is_read(dashboard, headers, body):
    answer = statuses(raw(dashboard, head(dashboard, "POST /login HTTP/1.1", *headers) + body))
    assert len(set(answer)) <= 1 and all(400 <= code < 500 for code in answer), answer  # libmicrohttpd writes the head of its own refusal twice


@pytest.mark.parametrize("request_line", [
    "GET /../../etc/passwd HTTP/1.1", "GET /assets/../../../etc/passwd HTTP/1.1", "GET /assets/%2e%2e/%2e%2e/etc/passwd HTTP/1.1",
    "GET //evil.example/ HTTP/1.1", "GET /assets/..\\..\\etc\\passwd HTTP/1.1", "GET /assets/reeve.css%00.html HTTP/1.1",
    "GET http://evil.example/ HTTP/1.1", "GET evil.example:80 HTTP/1.1", "GET * HTTP/1.1", "CONNECT evil.example:443 HTTP/1.1",
    "TRACE / HTTP/1.1", "PUT / HTTP/1.1", "DELETE /tasks HTTP/1.1", "PATCH / HTTP/1.1", "OPTIONS * HTTP/1.1", "GARBAGE", "GET / HTTP/9.9", "GET /",
    "GET /\x01 HTTP/1.1", "GET /tasks?\x80 HTTP/1.1", "GET / / HTTP/1.1",
])
def test_a_strange_target_finds_no_file_and_no_page(dashboard, request_line):
    answer = raw(dashboard, head(dashboard, request_line))
    assert b"root:" not in answer
    assert all(code >= 300 for code in statuses(answer)), answer


def test_a_host_that_is_not_ours_is_answered_with_nothing_of_ours(dashboard):
    """DNS rebinding: the browser of a viewer asks us under the name of the attacker."""
    viewer = dashboard.by_token()
    cookie = "; ".join(f"{name}={value}" for name, value in viewer.cookies.items())
    for hosts in (["evil.example"], [f"127.0.0.1:{dashboard.port}", "evil.example"], [f"127.0.0.1:{dashboard.port}.evil.example"],
                  [f"evil.example#127.0.0.1:{dashboard.port}"], [""], []):
        answer = raw(dashboard, head(dashboard, "GET /tasks HTTP/1.1", *[f"Host: {host}" for host in hosts], f"Cookie: {cookie}", "Connection: close", host=False))
        assert set(statuses(answer)) in ({400}, {421}) and b"Task" not in answer.partition(b"<main")[2].partition(b"</main")[0], (hosts, answer)


def test_no_text_of_a_request_becomes_a_header(dashboard):
    viewer = dashboard.by_token()
    for back in ("/x%0d%0aSet-Cookie: a=b", "//evil.example", "/\\evil.example", "https://evil.example/", "javascript:alert(1)", "/\r\nSet-Cookie: a=b", "/\u2028"):
        answer = viewer.post("/queues/default/pause", token=viewer.token(), key=str(uuid.uuid4()), back=back)
        assert answer.location.startswith("/") and not answer.location.startswith("//") and "\\" not in answer.location
        assert "a=b" not in (answer.headers["Set-Cookie"] or "") and "evil" not in (answer.location or ""), back
        viewer.act("/queues/default/resume")
    answer = raw(dashboard, head(dashboard, "GET /tasks?a=%0d%0aSet-Cookie:%20x=y HTTP/1.1", "Connection: close"))
    assert b"\nSet-Cookie: x=y" not in answer


def test_forged_cookies_are_no_sessions(dashboard):
    viewer = dashboard.by_token()
    (name, good), = viewer.cookies.items()
    assert viewer.get("/tasks").status == 200
    for cookie in (good[:-1] + ("0" if good[-1] != "0" else "1"), good + "0", good[:-1], good.upper(), good.replace(".", ""), "." * 97, "", "a" * 8000,
                   f"{good}; {name}={good}", "\x00", "%00", "'; drop table queues.task; --"):
        try:
            assert viewer.get("/tasks", Cookie=f"{name}={cookie}").status in (303, 400, 431), cookie
        except (ValueError, OSError):
            pass  # http.client sends no control characters; the server closes the connection
    assert viewer.get("/tasks", Cookie=f"a=b; {name}={good}; c=d").status == 200


FORMS = [
    b"token=%", b"token=%g0", b"token=%0", b"token=%00", b"token=%ff", b"token=%c0%80", b"token=%ed%a0%80", b"token=\xff\xfe", b"token=a\x00b", b"&" * 5000,
    b"=" * 5000, b"token=a&token=b", b"%74oken=a&token=b", b"&".join(b"f%d=1" % i for i in range(100)), b"", b"\x00", b"token", b"key=" + b"0" * 100000,
]


@pytest.mark.parametrize("form", FORMS)
def test_a_broken_form_does_nothing(dashboard, db, form):
    viewer = dashboard.by_token()
    cookie = "; ".join(f"{name}={value}" for name, value in viewer.cookies.items())
    for path in ("/queues/default/pause", "/login", "/logout", "/bulk/preview"):
        answer = raw(dashboard, head(dashboard, f"POST {path} HTTP/1.1", f"Content-Length: {len(form)}", f"Cookie: {cookie}", "Connection: close",
                                     "Content-Type: application/x-www-form-urlencoded") + form)
        assert statuses(answer) and 300 <= statuses(answer)[0] < 500, answer
    assert viewer.get("/tasks").status == 200, "the session lives"
    assert db.value("select count(*) from queues.audit where action in ('pause_queue', 'preview_bulk')") == 0


def test_what_is_too_large_is_refused(dashboard):
    viewer = dashboard.by_token()
    assert statuses(raw(dashboard, head(dashboard, "GET /" + "a" * 60000 + " HTTP/1.1")))[:1] in ([], [414], [400], [431], [413])
    assert statuses(raw(dashboard, head(dashboard, "GET / HTTP/1.1", "X: " + "a" * 60000)))[:1] in ([], [400], [431], [413])
    assert statuses(raw(dashboard, head(dashboard, "GET / HTTP/1.1", *[f"X{i}: 1" for i in range(5000)])))[:1] in ([], [400], [431], [413])
    assert statuses(raw(dashboard, head(dashboard, "POST /login HTTP/1.1", "Content-Length: 100000000")))[:1] == [413]
    assert statuses(raw(dashboard, head(dashboard, "GET / HTTP/1.1", "Content-Length: 5") + b"hello")) == [400]
    assert viewer.get("/tasks?" + "&".join(f"a{i}=1" for i in range(200))).status == 400
    assert viewer.get("/tasks/" + "9" * 5000).status in (400, 404)
    assert viewer.get("/queues/" + "x" * 5000).status in (400, 404)


def test_hostile_arguments_are_only_arguments(dashboard, db):
    viewer = dashboard.by_token()
    evil = ["'", "' or '1'='1", "$1", "1); drop table queues.task; --", "\\", "%25", "<script>alert(1)</script>", "{\"a\": 1}", "\U0001f600", "-1", "1e999", "9" * 400]
    for path, names in {"/tasks": ("state", "outcome", "type", "queue", "since", "until", "error", "cursor"), "/search": ("q",),
                        "/processes": ("state", "supervisor", "cursor"), "/jobs": ("status", "url", "cursor"), "/audit": ("cursor",)}.items():
        for name in names:
            for value in evil:
                answer = viewer.get(f"{path}?{name}={quote(value)}")
                assert answer.status in (200, 400, 404, 409), (path, name, value, answer.status, answer.text[-600:])
                assert "<script>alert" not in answer.text
    assert db.value("select to_regclass('queues.task') is not null")


def test_slow_visitors_are_cut_and_others_are_served(dashboard):
    """Slow loris: many connections that never finish their request, and one that sends a byte now and then."""
    slow = [socket.create_connection(("127.0.0.1", dashboard.port)) for _ in range(200)]
    try:
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
        assert dashboard.viewer().get("/livez").status == 200
        began = time.monotonic()
        drip = slow[0]

        def is_cut():
            try:
                drip.sendall(b"a")
                drip.settimeout(0.2)
                return drip.recv(1) == b""
            except TimeoutError:
                return False
            except OSError:
                return True
        eventually(is_cut, "the one that drips is cut", 60)
        assert time.monotonic() - began < 60
    finally:
        for connection in slow:
            connection.close()
    eventually(lambda: dashboard.viewer().get("/livez").status == 200, "everybody is served")


def test_one_address_does_not_take_all_connections(dashboard):
    crowd = []
    try:
        for _ in range(300):
            crowd.append(socket.create_connection(("127.0.0.1", dashboard.port)))
        # Another address of this machine is still served.
        with socket.create_connection(("127.0.0.1", dashboard.port), source_address=("127.0.0.7", 0), timeout=20) as other:
            other.sendall(SECOND)
            assert b"200 OK" in other.recv(1000)
    finally:
        for connection in crowd:
            connection.close()


def test_guesses_of_the_token_do_not_help(dashboard):
    viewer = dashboard.viewer()
    codes = [viewer.get(f"/login?secret={i:064x}").status for i in range(8)]
    assert set(codes) == {403, 429} and codes[-1] == 429 and not viewer.cookies
    assert dashboard.by_token().get("/").status == 200, "and do not keep out who has it: any page can make a browser of this machine guess"


def test_strangers_and_many_forms_take_no_memory(dashboard):
    """A body is held in memory until it is whole, so who is not logged in has little room, and all together have a bound."""
    viewer = dashboard.by_token()
    token, cookie = viewer.token(), "; ".join(f"{name}={value}" for name, value in viewer.cookies.items())
    assert statuses(raw(dashboard, head(dashboard, "POST /login HTTP/1.1", "Content-Length: 20000"))) == [413]
    assert statuses(raw(dashboard, head(dashboard, "POST /bulk/preview HTTP/1.1", "Content-Length: 20000", "Cookie: " + cookie[:-1]))) == [413]
    assert viewer.post("/queues/default/pause", token=token, key=str(uuid.uuid4()), **{"for": "1h", "more": "x" * 1000000}).status == 303
    large = head(dashboard, "POST /queues/default/pause HTTP/1.1", "Content-Length: 1100000", f"Cookie: {cookie}")
    crowd = []
    try:
        for _ in range(40):
            crowd.append(socket.create_connection(("127.0.0.1", dashboard.port), timeout=20))
            crowd[-1].sendall(large)
        assert statuses(crowd[-1].recv(1000)) == [503]
        assert dashboard.viewer().post("/login", secret="guess").status == 403, "small forms have room"
    finally:
        for connection in crowd:
            connection.close()
    eventually(lambda: viewer.post("/queues/default/resume", token=token, key=str(uuid.uuid4()), more="x" * 1000000).status == 303, "their room is free again")


def test_every_answer_has_its_guards(dashboard):
    viewer = dashboard.by_token()
    for path in ("/", "/tasks", "/tasks/1", "/nothing", "/login", "/api/tasks", "/api/nothing", "/tasks?a=%"):
        headers = viewer.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, path
        assert (headers["X-Frame-Options"], headers["X-Content-Type-Options"], headers["Referrer-Policy"], headers["Cache-Control"]) == (
            "DENY", "nosniff", "no-referrer", "no-store"), path
        assert "Server" not in headers
