"""Texts of strangers that would be more than texts where they are put: in a statement, a header, an envelope, a mail."""
import json

import psycopg
import pytest
from channels import parsed


@pytest.fixture(scope="module")
def the_desk(make_desk):
    """The tasks of these tests may call any port of this machine."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1"})


# --- statements ---

MADE = "create table public.made_by_a_stranger()"
TEXTS = [f"'; {MADE}; --", f"x'); {MADE}; --", f'"; {MADE}; --', f'x"(); {MADE}; select t.noop', f"$$; {MADE}; --", f"$1; {MADE}",
         f"\\'; {MADE}; --", f'{{"a","b"}}\'; {MADE}; --', f"x\n; {MADE};\n--", "%s%n%1$s", "{a,\"b", "' or true --", "x' || t.noop('{}') || '"]
PLACES = [["task", "list", "--type"], ["task", "list", "--queue"], ["task", "list", "--outcome"], ["task", "show"], ["task", "cancel"],
          ["enqueue"], ["enqueue", "noop", "--queue"], ["enqueue", "noop", "--at"], ["enqueue", "--command"], ["enqueue", "db_function"],
          ["queue", "pause"], ["function", "allow"], ["function", "revoke"], ["secret", "remove"], ["job", "list"], ["job", "show"],
          ["process", "show"], ["webhook", "pause"]]


@pytest.fixture
def untouched(db):
    """What a stranger's statement would have changed is as it was."""
    allowed = db.rows("select function_name from internal.allowed_function order by 1")
    yield db
    assert db.value("select to_regclass('public.made_by_a_stranger')") is None
    assert db.rows("select function_name from internal.allowed_function order by 1") == allowed


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_no_text_of_a_command_becomes_a_part_of_a_statement(untouched, place):
    for text in TEXTS:
        done = untouched.reeve(*place, text)
        assert done.returncode in (0, 2, 3, 8, 9), (text, done.stderr)
        assert "syntax error at" not in done.stderr, (text, done.stderr)  # it was read as a statement


def test_no_text_of_a_task_becomes_a_part_of_a_statement(untouched):
    for text in TEXTS:
        for payload in ({"db_function": text}, {"db_function": f"t.{text}"}, {"db_function": "t.noop", "before_handler": text}):
            with pytest.raises(psycopg.Error):
                untouched.run("select queues.enqueue('db_function', %s::jsonb)", json.dumps(payload))
        untouched.enqueue("noop", text=text, **{text: text})
    untouched.work_until_empty()
    assert untouched.value("select count(*) from queues.task_completed where outcome = 'succeeded'") == len(TEXTS)


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
