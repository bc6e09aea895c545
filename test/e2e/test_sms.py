"""Text messages through a Twilio-compatible API, which knows no key: doubt is real."""
import urllib.parse

from channels import SMS, TWILIO_SID, TWILIO_TOKEN
from harness import eventually

import pytest

KEY = f"{SMS['to_number']}|{SMS['body']}"


def form(request):
    return {k: v[0] for k, v in urllib.parse.parse_qs(request["body"], strict_parsing=True).items()}


def test_a_message_is_sent_once_and_its_handlers_are_told(desk, provider):
    task = desk.sms(extra={"order": 17})
    desk.done(task)
    assert desk.end(task) == ("succeeded", [], [])
    request, = provider.requests()
    assert (request["method"], request["path"]) == ("POST", f"/2010-04-01/Accounts/{TWILIO_SID}/Messages.json")
    assert request["headers"]["content-type"] == "application/x-www-form-urlencoded"
    assert form(request) == {"To": SMS["to_number"], "Body": SMS["body"], "From": "+15005550006"}
    sid = provider.ledger()["effects"][0]["ids"][0]
    result = {"message_id": sid, "status": "queued", "provider": "twilio"}
    assert desk.result(task) == result
    payload = desk.db.value("select payload from queues.task where task_id = %s", task)
    assert desk.handled(task) == [payload, {"original_payload": payload, "worker_payload": result}]
    assert desk.dispatches(task) == [(1, "sms", desk.uuid(task))]


def test_the_payload_may_name_the_sender(desk, provider):
    desk.done(desk.sms(from_number="+15005550009"))
    assert form(provider.requests()[0])["From"] == "+15005550009"


def test_a_messaging_service_sends_in_place_of_a_number(desk, provider):
    task = desk.sms(from_number="MG0123456789abcdef0123456789abcdef")
    desk.done(task)
    sent = form(provider.requests()[0])
    assert sent["MessagingServiceSid"] == "MG0123456789abcdef0123456789abcdef" and "From" not in sent
    assert desk.result(task)["status"] == "accepted"


def test_every_character_arrives_as_it_was_written(desk, provider):
    body = "Grüße & 100 % + mehr = 日本 🚚\nzweite Zeile?;#/"
    task = desk.sms(body=body)
    assert desk.done(task) == "succeeded"
    assert form(provider.requests()[0])["Body"] == body


@pytest.mark.parametrize("number, error", [
    ("12345", "twilio API error (status 400): 21211: The 'To' number 12345 is not a valid phone number."),
    ("+15005550001", "twilio API error (status 400): 21211: The 'To' number +15005550001 is not a valid phone number."),
])
def test_a_number_that_is_refused_keeps_its_reason(desk, provider, number, error):
    task = desk.sms(to_number=number)
    desk.done(task)
    assert desk.failed(task) == (error, "refused")
    assert desk.handled(task, "error")[0]["error"] == error
    assert provider.effects() == {}


@pytest.mark.parametrize("status, error_class", [(429, "rate_limited"), (500, "server"), (503, "server"), (401, "refused"), (404, "refused")])
def test_the_status_of_a_refusal_tells_its_class(desk, provider, status, error_class):
    provider.script("refuse", status=status, body={"code": 20429, "message": "Too Many Requests", "status": status,
                                                   "more_info": "https://www.twilio.com/docs/errors/20429"})
    task = desk.sms()
    desk.done(task)
    assert desk.failed(task) == (f"twilio API error (status {status}): 20429: Too Many Requests", error_class)


@pytest.mark.parametrize("status, body", [(502, "<html>Bad Gateway</html>"), (500, ""), (400, "{"), (400, "[1]"), (302, "")])
def test_a_refusal_in_another_shape_keeps_its_status(desk, provider, status, body):
    provider.script("refuse", status=status, body=body)
    task = desk.sms()
    desk.done(task)
    assert desk.failed(task)[0] == f"twilio API error (status {status})"
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("do, effects", [(("reset", "after"), 1), (("close", "before"), 0), (("hang", "after"), 1)])
@pytest.mark.parametrize("policy, outcome", [("retry", "failed"), ("fail", "in_doubt")])
def test_a_message_without_an_answer_is_in_doubt_and_asked_for_once(desk, provider, do, effects, policy, outcome):
    provider.script(do[0], when=do[1], times=None)
    task = desk.sms(timeout="1 second", on_in_doubt=policy)
    desk.done(task)
    end = desk.end(task)
    assert (end[0], end[2]) == (outcome, ["in_doubt"])
    assert desk.handled(task, "error")[0]["in_doubt"] is True
    # Without a key a second request would be a second message.
    assert len(provider.requests()) == 1
    assert list(provider.effects().values()) == [1] * effects


def test_a_kept_connection_that_has_ended_makes_no_second_message(desk, provider):
    """A request on a connection that the server has just closed is not sent twice behind our back."""
    assert desk.done(desk.sms()) == "succeeded"
    for n in range(5):
        provider.script("close", when="after", contains=f"body-{n}")
        task = desk.sms(body=f"body-{n}")
        desk.done(task)
        assert desk.failed(task)[1] == "in_doubt"
        assert desk.done(desk.sms(body=f"next-{n}")) == "succeeded"
    assert set(provider.effects().values()) == {1}


@pytest.mark.parametrize("field", ["to_number", "body"])
def test_a_missing_field_is_named(desk, provider, field):
    task = desk.sms(**{field: None})
    desk.done(task)
    assert desk.failed(task) == (f'sms payload: missing "{field}"', "payload")
    assert provider.requests() == []


def test_a_wrong_token_is_a_refusal(sender, provider):
    sender.secrets.append("twilio-canary-wrong-R5")
    task = sender.sms()
    sender.work_off(env={"TWILIO_AUTH_TOKEN": "twilio-canary-wrong-R5"})
    assert sender.failed(task) == ("twilio API error (status 401): 20003: Authenticate", "refused")


def test_without_credentials_nothing_is_claimed_and_nothing_lost(sender, provider):
    task = sender.sms()
    worker = sender.work(env={"TWILIO_AUTH_TOKEN": None}).ready()
    assert sender.db.wait_outcome(sender.mail()) == "succeeded"
    worker.wait_line("TWILIO_AUTH_TOKEN")
    assert sender.db.leases(task) == 0
    doctor = sender.db.reeve("doctor")
    assert "TWILIO_AUTH_TOKEN" in doctor.stdout + doctor.stderr
    assert worker.stop() == 0
    sender.work_off()
    assert sender.db.outcome(task) == "succeeded"


def test_the_token_can_come_from_a_file(sender, provider, tmp_path):
    (tmp_path / "token").write_text(TWILIO_TOKEN + "\n")
    task = sender.sms()
    sender.work_off(env={"TWILIO_AUTH_TOKEN": None, "TWILIO_AUTH_TOKEN_FILE": tmp_path / "token"})
    assert sender.db.outcome(task) == "succeeded"


def test_the_log_provider_sends_nothing_and_shows_two_digits(sender, provider):
    tasks = [sender.sms(message_id=5), sender.sms(to_number="+15005550001", message_id=6)]
    worker = sender.work_off(env={"REEVE_SMS_PROVIDER": "log"})
    assert sender.result(tasks[0]) == {"message_id": "sms_5", "status": "sent"}
    assert sender.failed(tasks[1])[0] == "simulated failure"
    assert provider.requests() == []
    line, = [line for line in worker.lines if "not sent" in line and "to_ends=78" in line]
    assert "5678" not in line and SMS["body"] not in worker.log()


def test_no_more_messages_than_the_rate_allows(sender, provider):
    for n in range(6):
        sender.sms(body=f"message {n}")
    sender.work_off(env={"REEVE_SMS_RATE": "2"})
    times = [r["at"] for r in provider.requests()]
    assert len(times) == 6 and times[-1] - times[0] >= 4 / 2 - 0.3


def test_a_message_slower_than_its_lease_is_sent_once(sender, provider):
    rule = provider.script("wait", seconds=3)
    task = sender.sms()
    workers = [sender.work("--lease", 1, "--poll-interval", 0.2).ready() for _ in range(2)]
    eventually(lambda: provider.hits(rule) == 1, "under way")
    assert sender.db.wait_outcome(task) == "succeeded"
    assert (sender.db.leases(task), provider.effects()) == (1, {KEY: 1})
    assert [w.stop() for w in workers] == [0, 0]
