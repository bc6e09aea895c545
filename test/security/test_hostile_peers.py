"""Providers, receivers and mail servers that answer anything but what they should: there is always an outcome, it can be
recorded, and the worker goes on."""
import base64
import json

import pytest
from channels import SMS
from harness import eventually
from jobs import Jobs


@pytest.fixture(scope="module")
def the_desk(make_desk):
    """The tasks of these tests may call any port of this machine."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": "127.0.0.1"})


@pytest.fixture
def jobs(desk):
    return Jobs(desk)


# --- servers of HTTP ---


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


# --- providers of e-mail and text messages, the files service ---


@pytest.mark.parametrize("sample", ["empty", "json", "array", "number_id", "html", "nul", "utf8", "escaped_nul", "surrogate", "deep", "binary"])
def test_an_accepted_mail_without_a_readable_id_succeeds_and_says_so(desk, provider, sample):
    provider.script("garbage", sample=sample, path="/emails")
    task = desk.mail()
    desk.done(task)
    assert desk.end(task)[:2] == ("succeeded", ["resend answer has no id"])
    assert desk.result(task) == {"id": None, "provider": "resend"}
    assert desk.kinds(task) == ["before", "success"]
    assert provider.effects() == {desk.uuid(task): 1}


@pytest.mark.parametrize("do", [{"do": "huge", "framing": "chunked"}, {"do": "huge", "framing": "close"}, {"do": "huge", "framing": "length"}])
def test_a_body_without_end_is_cut_and_the_status_counts(desk, provider, do):
    provider.script(**do)
    task = desk.mail()
    desk.done(task)
    assert desk.end(task)[:2] == ("succeeded", ["resend answer has no id"])
    request, = provider.requests()
    eventually(lambda: not provider.requests()[0]["is_open"], "we hung up")
    assert request["sent"] < 32 * 1024 * 1024


@pytest.mark.parametrize("sample", ["nul", "escaped_nul", "utf8", "surrogate", "escapes", "binary", "deep"])
def test_foreign_bytes_in_a_refusal_never_make_it_unrecordable(desk, provider, sample):
    provider.script("garbage", sample=sample, status=500, path="/emails")
    task = desk.mail()
    desk.done(task)
    error, error_class = desk.failed(task)
    assert error.startswith("resend API error (status 500)") and error_class == "server"
    assert error.isprintable() and len(error.encode()) <= 1024
    assert desk.kinds(task) == ["before", "error"]


def test_a_very_long_refusal_is_cut(desk, provider):
    provider.script("refuse", status=422, body={"statusCode": 422, "name": "n" * 5000, "message": "ä" * 5000})
    task = desk.mail()
    desk.done(task)
    error, _ = desk.failed(task)
    assert error.startswith("resend API error (status 422): nnn") and len(error.encode()) < 1024


@pytest.mark.parametrize("sample", ["empty", "json", "nul", "escaped_nul", "utf8", "surrogate", "binary", "deep", "array"])
def test_an_accepted_message_succeeds_whatever_the_answer_says(desk, provider, sample):
    provider.script("garbage", sample=sample)
    task = desk.sms()
    assert desk.done(task) == "succeeded"
    result = desk.result(task)
    assert (result["message_id"], result["provider"]) == (None, "twilio")
    assert desk.kinds(task) == ["before", "success"]
    assert provider.effects() == {f"{SMS['to_number']}|{SMS['body']}": 1}


@pytest.mark.parametrize("body", [{}, {"url": None}, {"url": 7}, {"url": ""}, {"url": ["https://x"]}, [], "", "{", "\x00\xff"])
def test_an_answer_without_an_address_is_a_failure(desk, provider, body):
    provider.script("answer", body=body, path="/signed_delete_url")
    task = desk.delete()
    desk.done(task)
    assert desk.failed(task)[0] == "files service answer has no url"
    assert all(r["method"] != "DELETE" for r in provider.requests())


# --- receivers of jobs ---


@pytest.mark.parametrize("do, options", [("reset", {"when": "before"}), ("close", {"when": "before"}), ("raw", {"text": "HTTP/1.1 abc\r\n\r\n"}),
                                         ("headers", {"count": None, "length": 100})])
def test_no_answer_is_a_failed_run_with_status_0(jobs, do, options):
    jobs.provider.script(do, path="/echo", **options)
    status, content = jobs.job(jobs.deliver(status="failed", payload={}), "response_status", "response_content")
    assert status == 0 and content


@pytest.mark.parametrize("sample", ["nul", "utf8", "surrogate", "binary", "escapes", "deep"])
def test_odd_bodies_are_kept_cleaned(jobs, sample):
    jobs.provider.script("garbage", path="/echo", sample=sample)
    status, content = jobs.job(jobs.deliver(), "response_status", "response_content")
    assert status == 200 and len(content.encode()) <= 65536


def test_a_large_body_is_cut(jobs):
    jobs.provider.script("huge", path="/echo", bytes=5 << 20, framing="length")
    status, content = jobs.job(jobs.deliver(), "response_status", "response_content")
    assert (status, len(content)) == (200, 65536)


@pytest.mark.parametrize("framing", ["chunked", "close"])
def test_an_endless_answer_is_cut_and_counts(jobs, framing):
    jobs.provider.script("huge", path="/echo", framing=framing)
    job = jobs.deliver(payload={})
    status, content = jobs.job(job, "response_status", "response_content")
    assert (status, len(content.encode())) == (200, 65536)


@pytest.mark.parametrize("do", ["hang", "reset", "close"])
def test_an_answer_whose_body_breaks_off_counts_by_its_status(jobs, do):
    jobs.provider.script(do, path="/echo", when="body")
    job = jobs.insert(timeout="2 seconds", payload={})
    jobs.wait(job, "completed")
    assert jobs.job(job, "response_status") == 200 and len(jobs.sent(job)) == 1


# --- mail servers ---


@pytest.mark.parametrize("reply", [
    b"250-" + b"x" * 1_000_000 + b"\r\n250 fine\r\n",
    b"\xff\xfe\x00\x01\r\n",
    b"hello?\r\n",
    b"250 fine\r\n250 fine\r\n250 fine\r\n354 go\r\n250 queued\r\n",
    b"550 5.1.1 \xff\xfe\x1b[2J \x00 odd bytes\r\n",
], ids=["long line", "bytes", "no code", "pipelined", "escapes"])
def test_odd_replies_never_make_an_outcome_unrecordable(mail_desk, shared_scripted, reply):
    shared_scripted.script(rcpt=reply)
    task = mail_desk.mail(timeout="2 seconds")
    outcome = mail_desk.done(task)
    assert outcome in ("failed", "succeeded", "in_doubt")
    for error in mail_desk.end(task)[1]:
        assert error.isprintable() and len(error) < 1024
    assert mail_desk.kinds(task) == ["before", "success" if outcome == "succeeded" else "error"]
