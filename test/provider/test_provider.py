"""The provider is a part that other tests trust, so it is tested itself: over HTTP, from outside."""
import base64
import http.client
import json
import socket
import ssl
import threading
import time
import urllib.parse
import warnings

import pytest

from client import Provider

MAIL = {"from": "Shop <shop@example.com>", "to": ["ann@example.com"], "subject": "Hello", "html": "<p>Hello</p>"}
SID = "AC00000000000000000000000000000001"
MESSAGES = f"/2010-04-01/Accounts/{SID}/Messages.json"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    with Provider("--certificates", tmp_path_factory.mktemp("certificates")) as provider:
        yield provider


@pytest.fixture
def provider(shared):
    shared.reset()
    return shared


def mail(provider, body=None, key="key-1", token="re_test", **headers):
    lines = {"Content-Type": "application/json", **headers}
    if token:
        lines["Authorization"] = f"Bearer {token}"
    if key is not None:
        lines["Idempotency-Key"] = key
    status, headers, answer = provider.ask("POST", "/emails", body or MAIL, lines)
    return status, json.loads(answer)


def text(provider, sid=SID, login=f"{SID}:twilio_test", **form):
    headers = {"Content-Type": "application/x-www-form-urlencoded",
               "Authorization": "Basic " + base64.b64encode(login.encode()).decode()}
    form = {"To": "+4915112345678", "From": "+15005550006", "Body": "Hello", **form}
    raw = urllib.parse.urlencode({k: v for k, v in form.items() if v is not None}).encode()
    status, _, answer = provider.ask("POST", f"/2010-04-01/Accounts/{sid}/Messages.json", headers=headers, raw=raw)
    return status, json.loads(answer)


def raw_answer(provider, request, listener="http", wait=10):
    """Everything that comes back for these bytes, until the other side ends."""
    with socket.create_connection(("127.0.0.1", provider.port(listener)), timeout=wait) as connection:
        connection.sendall(request)
        parts = []
        while True:
            part = connection.recv(65536)
            if not part:
                return b"".join(parts)
            parts.append(part)


def eventually(condition, deadline=10):
    end = time.monotonic() + deadline
    while not condition():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.01)


GET = b"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n"

# --- Resend ---


def test_a_mail_is_accepted_once_and_stands_in_the_ledger(provider):
    status, answer = mail(provider)
    assert status == 200 and len(answer["id"]) == 36
    assert provider.effects() == {"key-1": 1}
    request, = provider.requests()
    assert (request["api"], request["key"], request["status"], request["effect"]) == ("resend", "key-1", 200, True)
    assert json.loads(request["body"]) == MAIL
    assert request["headers"]["authorization"] == "Bearer re_test"


def test_the_same_key_and_body_give_the_same_answer_and_no_second_mail(provider):
    first = mail(provider)
    assert mail(provider) == first
    assert provider.effects() == {"key-1": 1}
    assert provider.counts()["requests"] == {"resend": 2}


def test_the_same_key_with_another_body_is_a_conflict(provider):
    mail(provider)
    status, answer = mail(provider, {**MAIL, "subject": "Other"})
    assert (status, answer["statusCode"], answer["name"]) == (409, 409, "invalid_idempotent_request")
    assert provider.effects() == {"key-1": 1}


def test_a_key_is_forgotten_after_a_day(provider):
    first = mail(provider)
    provider.later(23 * 3600)
    assert mail(provider) == first
    provider.later(2 * 3600)
    assert mail(provider) != first
    assert provider.effects() == {"key-1": 2}


def test_a_key_that_is_being_worked_on_is_a_conflict_of_its_own(provider):
    rule = provider.script("wait", seconds=2, path="/emails")
    first = threading.Thread(target=mail, args=[provider])
    first.start()
    eventually(lambda: provider.hits(rule) > 0)
    status, answer = mail(provider)
    assert (status, answer["name"]) == (409, "concurrent_idempotent_requests")
    first.join()
    assert mail(provider)[0] == 200
    assert provider.effects() == {"key-1": 1}


@pytest.mark.parametrize("wrong, status, name", [
    ({"token": None}, 401, "missing_api_key"),
    ({"token": "re_other"}, 403, "invalid_api_key"),
    ({"key": "k" * 257}, 400, "invalid_idempotency_key"),
    ({"body": {**MAIL, "to": ["nobody"]}}, 422, "validation_error"),
    ({"body": {**MAIL, "from": "nobody"}}, 422, "invalid_from_address"),
    ({"body": {**MAIL, "subject": ""}}, 422, "missing_required_field"),
    ({"body": {**MAIL, "html": ""}}, 422, "missing_required_field"),
    ({"body": [1]}, 422, "validation_error"),
])
def test_a_wrong_mail_is_refused_in_the_real_shape_and_its_key_stays_free(provider, wrong, status, name):
    answer = mail(provider, **wrong)
    assert answer[0] == status
    assert answer[1] == {"statusCode": status, "name": name, "message": answer[1]["message"]}
    assert provider.effects() == {}
    assert mail(provider)[0] == 200


def test_other_paths_and_methods_are_refused(provider):
    assert provider.ask("GET", "/emails")[0] == 405
    assert provider.ask("POST", "/emails/batch", {})[0] == 404
    assert provider.ask("GET", "/nothing")[0] == 404


# --- Twilio ---


def test_a_text_message_is_accepted_in_the_real_shape(provider):
    status, answer = text(provider, Body="Grüße & more")
    assert (status, answer["status"], answer["body"], answer["to"]) == (201, "queued", "Grüße & more", "+4915112345678")
    assert answer["sid"].startswith("SM") and len(answer["sid"]) == 34
    assert provider.effects() == {"+4915112345678|Grüße & more": 1}


def test_there_is_no_key_so_the_same_text_twice_is_two_messages(provider):
    assert text(provider)[1]["sid"] != text(provider)[1]["sid"]
    assert provider.effects() == {"+4915112345678|Hello": 2}


def test_a_messaging_service_may_send(provider):
    status, answer = text(provider, From=None, MessagingServiceSid="MG1")
    assert (status, answer["status"], answer["messaging_service_sid"]) == (201, "accepted", "MG1")


@pytest.mark.parametrize("wrong, status, code", [
    ({"login": f"{SID}:wrong"}, 401, 20003),
    ({"sid": "AC2"}, 404, 20404),
    ({"To": "12345"}, 400, 21211),
    ({"To": "+15005550001"}, 400, 21211),
    ({"To": None}, 400, 21604),
    ({"From": None}, 400, 21603),
    ({"Body": ""}, 400, 21602),
    ({"Body": "x" * 1601}, 400, 21617),
])
def test_a_wrong_text_message_is_refused_in_the_real_shape(provider, wrong, status, code):
    answer = text(provider, **wrong)
    assert answer == (status, {"code": code, "message": answer[1]["message"], "status": status,
                               "more_info": f"https://www.twilio.com/docs/errors/{code}"})
    assert provider.effects() == {}


# --- files ---


def signed(provider, file_id, api_key="files_test"):
    status, _, body = provider.ask("POST", "/signed_delete_url", {"file_id": file_id}, {"X-File-Service-Api-Key": api_key})
    return status, json.loads(body)


def delete(provider, url):
    parts = urllib.parse.urlsplit(url)
    return provider.ask("DELETE", f"{parts.path}?{parts.query}")[0]


def test_a_signed_address_deletes_its_object_once(provider):
    status, answer = signed(provider, 987)
    assert status == 200 and answer["url"].startswith(provider.url + "/objects/files/987?signature=")
    assert [delete(provider, answer["url"]), delete(provider, answer["url"])] == [204, 404]
    assert provider.effects(api="store") == {"/objects/files/987": 1}


def test_a_signature_is_for_one_object_and_one_time(provider):
    url = signed(provider, 987)[1]["url"]
    assert delete(provider, url.replace("987", "988")) == 403
    assert delete(provider, url.split("?")[0]) == 403
    provider.later(3600)
    assert delete(provider, url) == 403
    assert provider.effects() == {}


def test_the_files_service_wants_its_key_and_knows_its_files(provider):
    assert signed(provider, 987, "wrong")[0] == 403
    provider.files(**{"1": {"missing": True}, "2": {"path": "/objects/a/b"}, "3": {"url": "gopher://x/"}})
    assert signed(provider, 1)[0] == 404
    assert "/objects/a/b?" in signed(provider, 2)[1]["url"]
    assert signed(provider, 3)[1] == {"url": "gopher://x/"}
    provider.settings(store_url="http://store.example.com")
    assert signed(provider, 4)[1]["url"].startswith("http://store.example.com/objects/files/4?")


# --- plain ---


def test_echo_gives_the_request_back(provider):
    status, headers, body = provider.ask("PUT", "/echo?a=1", headers={"X-Mine": "yes"}, raw=b"text")
    answer = json.loads(body)
    assert (status, headers["x-provider"]) == (200, "reeve-test")
    assert (answer["method"], answer["query"], answer["headers"]["x-mine"], answer["body"]) == ("PUT", "a=1", "yes", "text")


@pytest.mark.parametrize("status", [200, 204, 301, 404, 429, 500, 599, 999])
def test_any_status_can_be_had(provider, status):
    assert provider.ask("GET", f"/status/{status}")[0] == status


def test_requests_of_one_connection_are_answered_in_turn(provider):
    answer = raw_answer(provider, GET + GET + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    assert answer.count(b"HTTP/1.1 200 OK") == 3
    assert len({r["connection"] for r in provider.requests()}) == 1


def test_a_chunked_body_is_understood(provider):
    answer = raw_answer(provider, b"POST /echo HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                                  b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n")
    assert b'"body": "abcde"' in answer


# --- misbehaviour ---


def test_a_rule_is_used_as_often_as_it_says_for_the_requests_it_names(provider):
    rule = provider.script("refuse", path="/emails", key="key-2", skip=1, times=2, status=429, headers={"Retry-After": "7"},
                           body={"statusCode": 429, "name": "rate_limit_exceeded", "message": "slow down"})
    assert mail(provider)[0] == 200
    assert [mail(provider, key="key-2")[0] for _ in range(4)] == [200, 429, 429, 200]
    assert provider.hits(rule) == 2
    assert provider.effects() == {"key-1": 1, "key-2": 1}


def test_a_rule_without_end_lasts_until_it_is_taken_away(provider):
    provider.script("refuse", path="/status/*", times=None, status=503, body="no")
    assert [provider.ask("GET", "/status/200")[0] for _ in range(3)] == [503] * 3
    provider.forget_script()
    assert provider.ask("GET", "/status/200")[0] == 200


def test_a_refusal_keeps_its_headers_and_body(provider):
    provider.script("refuse", status=422, headers={"X-A": "b"}, body="plain words", content_type="text/odd")
    status, headers, body = provider.ask("GET", "/echo")
    assert (status, headers["x-a"], headers["content-type"], body) == (422, "b", "text/odd", b"plain words")


@pytest.mark.parametrize("do", ["reset", "close"])
@pytest.mark.parametrize("when, effects", [("before", 0), ("after", 1)])
def test_a_connection_can_end_before_and_after_the_effect(provider, do, when, effects):
    provider.script(do, when=when)
    with pytest.raises(http.client.RemoteDisconnected if do == "close" else ConnectionResetError):
        mail(provider)
    assert sum(provider.effects().values()) == effects
    assert mail(provider)[0] == 200
    assert provider.effects() == {"key-1": 1}


def test_a_connection_can_be_reset_in_the_middle_of_the_body(provider):
    provider.script("reset", when="body")
    with socket.create_connection(("127.0.0.1", provider.port()), timeout=10) as connection:
        connection.sendall(GET)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
        with pytest.raises(ConnectionResetError):
            while connection.recv(65536):
                pass


@pytest.mark.parametrize("when, effects", [("before", 0), ("after", 1)])
def test_no_answer_before_and_after_the_effect(provider, when, effects):
    rule = provider.script("hang", when=when)
    with socket.create_connection(("127.0.0.1", provider.port()), timeout=10) as connection:
        connection.sendall(GET)
        eventually(lambda: provider.hits(rule) > 0)
        assert sum(provider.effects().values()) == effects
        assert provider.ask("GET", "/echo")[0] == 200
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):
            connection.recv(1)


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_comes_byte_by_byte(provider, part):
    provider.script("drip", part=part, seconds=0.001)
    with socket.create_connection(("127.0.0.1", provider.port()), timeout=10) as connection:
        connection.sendall(GET)
        pieces = []
        while True:
            pieces.append(connection.recv(65536))
            if not pieces[-1]:
                break
    assert b"".join(pieces).endswith(b"}")
    assert len(pieces) > 20


@pytest.mark.parametrize("framing", ["chunked", "length", "close"])
def test_a_body_without_end_is_sent_until_the_client_leaves(provider, framing):
    provider.script("huge", framing=framing)
    with socket.create_connection(("127.0.0.1", provider.port()), timeout=10) as connection:
        connection.sendall(GET)
        got = 0
        while got < 5_000_000:
            got += len(connection.recv(1 << 20))
    eventually(lambda: not provider.requests()[0]["is_open"])
    assert provider.requests()[0]["sent"] >= 4_000_000


def test_a_large_body_has_exactly_the_size_asked_for(provider):
    provider.script("huge", framing="length", bytes=3_000_000)
    assert len(provider.ask("GET", "/echo")[2]) == 3_000_000
    provider.script("huge", bytes=3_000_000)
    assert len(provider.ask("GET", "/echo")[2]) == 3_000_000


def test_headers_without_end_are_sent_until_the_client_leaves(provider):
    provider.script("headers")
    with socket.create_connection(("127.0.0.1", provider.port()), timeout=10) as connection:
        connection.sendall(GET)
        got = b""
        while len(got) < 300_000:
            got += connection.recv(65536)
    assert b"\r\n\r\n" not in got and b"X-Filler-200: " in got


def test_garbage_and_wrong_types_are_sent_as_they_are(provider):
    provider.script("garbage", sample="nul")
    assert b"\x00" in provider.ask("GET", "/echo")[2]
    provider.script("garbage", base64=base64.b64encode(b"\xff\x00").decode(), status=500)
    status, _, body = provider.ask("GET", "/echo")
    assert (status, body) == (500, b"\xff\x00")
    provider.script("type", content_type="image/png")
    assert provider.ask("GET", "/echo")[1]["content-type"] == "image/png"
    provider.script("raw", text="200 is all I say")
    assert raw_answer(provider, GET) == b"200 is all I say"


def test_a_redirect_has_no_effect(provider):
    provider.script("redirect", location="http://127.0.0.1:1/elsewhere", status=307)
    status, headers, _ = provider.ask("GET", "/echo")
    assert (status, headers["location"]) == (307, "http://127.0.0.1:1/elsewhere")
    assert provider.effects() == {}


def test_a_delay_holds_every_answer(provider):
    provider.settings(delay=0.2)
    start = time.monotonic()
    threads = [threading.Thread(target=mail, args=[provider], kwargs={"key": f"k{n}"}) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - start >= 0.2
    assert len(provider.effects()) == 20


def test_an_effect_happens_though_the_client_has_gone(provider):
    rule = provider.script("wait", seconds=0.3)
    with socket.create_connection(("127.0.0.1", provider.port()), timeout=10) as connection:
        connection.sendall(GET)
        eventually(lambda: provider.hits(rule) > 0)
    eventually(provider.effects)
    assert sum(provider.effects().values()) == 1


def test_wrong_rules_and_settings_are_refused(provider):
    for path, value in [("/_script", {"do": "dance"}), ("/_script", {"do": "hang", "when": "never"}),
                        ("/_settings", {"delays": 1}), ("/_nothing", {})]:
        status, _, body = provider.ask("POST", path, value)
        assert status == 400 and b"error" in body


def test_connections_are_counted_by_the_address_that_was_called(provider):
    provider.ask("GET", "/echo")
    socket.create_connection(("127.0.0.1", provider.port()), timeout=10).close()
    eventually(lambda: provider.counts()["connections"].get("127.0.0.1", 0) >= 2)


# --- TLS ---


def tls(provider, listener, ciphers=None, name="localhost", **changes):
    context = ssl.create_default_context(cafile=provider.ready["ca"])
    if ciphers:
        context.set_ciphers(ciphers)
    for attribute, value in changes.items():
        setattr(context, attribute, value)
    with socket.create_connection(("127.0.0.1", provider.port(listener)), timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname=name) as connection:
            connection.sendall(GET)
            return connection.recv(65536)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "mail.example.com", "api.resend.com"])
def test_the_good_certificate_is_good_for_its_names(provider, name):
    assert tls(provider, "https", name=name).startswith(b"HTTP/1.1 200 OK")
    assert provider.requests()[0]["listener"] == "https"


@pytest.mark.parametrize("listener, reason", [
    ("expired", "certificate has expired"), ("wrong_name", "Hostname mismatch"), ("self_signed", "self-signed certificate")])
def test_each_bad_certificate_is_bad_in_its_own_way(provider, listener, reason):
    with pytest.raises(ssl.SSLCertVerificationError, match=reason):
        tls(provider, listener)
    assert provider.requests() == []


def test_an_old_protocol_is_all_that_one_listener_speaks(provider):
    with pytest.raises(ssl.SSLError):
        tls(provider, "old_tls", minimum_version=ssl.TLSVersion.TLSv1_2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert tls(provider, "old_tls", "ALL:@SECLEVEL=0", minimum_version=ssl.TLSVersion.TLSv1).startswith(b"HTTP/1.1 200")


def test_it_listens_on_a_unix_socket_too(tmp_path):
    with Provider("--unix", tmp_path / "socket") as provider:
        assert provider.ask("GET", "/echo")[0] == 200
        assert provider.requests()[0]["listener"] == "unix"
