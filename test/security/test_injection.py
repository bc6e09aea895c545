"""Texts of strangers that would be more than texts where they are put: in a statement, a header, an envelope, a mail."""
import pytest
from channels import parsed


@pytest.fixture(scope="module")
def the_desk(make_desk):
    """The tasks of these tests may call any port of this machine."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1"})


# --- requests ---


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


# --- mails and text messages ---


@pytest.mark.parametrize("field", ["from_address", "to_address", "subject", "reply_to"])
@pytest.mark.parametrize("bad", ["a@example.com\r\nBcc: b@example.com", "a@example.com\nX", "a@example.com\rX"])
def test_a_line_break_in_an_address_or_subject_is_refused(desk, provider, field, bad):
    task = desk.mail(**{field: bad})
    desk.done(task)
    error, error_class = desk.failed(task)
    assert error_class == "payload" and field in error and "Bcc" not in error
    assert desk.kinds(task) == ["before", "error"]
    assert provider.requests() == []


@pytest.mark.parametrize("key", ["line\r\nX-Injected: yes", "line\nbreak"])
def test_a_line_break_in_the_key_is_refused(desk, provider, key):
    task = desk.mail(idempotency_key=key)
    desk.done(task)
    assert desk.failed(task)[1] == "payload"
    assert provider.requests() == []


@pytest.mark.parametrize("field, bad", [("to_number", "+4915112345678\r\nX: y"), ("from_number", "+1\n")])
def test_a_line_break_in_a_number_is_refused(desk, provider, field, bad):
    task = desk.sms(**{field: bad})
    desk.done(task)
    assert desk.failed(task)[1] == "payload"
    assert provider.requests() == []


@pytest.mark.parametrize("field, bad", [
    ("to_address", "a@example.com>\r\nRCPT TO:<b@example.com"), ("to_address", "a@example.com\n"), ("from_address", "a@example.com\rx"),
    ("subject", "hello\r\nBcc: b@example.com"), ("reply_to", "a@example.com\nX-Injected: yes"), ("to_address", "no address"),
    ("to_address", "a@example.com> SIZE=1 <b@example.com x"), ("from_address", "<>"),
])
def test_what_would_break_out_of_the_envelope_or_a_header_is_not_sent(mail_desk, shared_scripted, field, bad):
    task = mail_desk.mail(**{field: bad})
    mail_desk.done(task)
    assert mail_desk.failed(task)[1] == "payload"
    assert shared_scripted.commands() == []


def test_a_body_cannot_end_the_message_early(mail_desk, shared_scripted):
    html = "<p>one</p>\r\n.\r\nMAIL FROM:<evil@example.com>\r\n\n.\n\r.\r"
    task = mail_desk.mail(html=html, text="\r\n.\r\nQUIT\r\n")
    assert mail_desk.done(task) == "succeeded"
    message, = shared_scripted.accepted
    assert [c.split(":")[0] for c in shared_scripted.commands() if c.startswith("MAIL")] == ["MAIL FROM"]
    assert "evil@example.com" in list(parsed(message).iter_parts())[1].get_content()
