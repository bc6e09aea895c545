"""E-mail through a Resend-compatible API: one mail per logical send, and every answer is understood."""
import json
import signal

from channels import HANDLERS, MAIL, RESEND_KEY
from harness import eventually

import pytest


def test_a_mail_is_sent_once_and_its_handlers_are_told(desk, provider):
    task = desk.mail(text="Thank you", reply_to="help@example.com", extra={"order": 17})
    desk.done(task)
    assert desk.end(task) == ("succeeded", [], [])

    request, = provider.requests()
    key = desk.uuid(task)
    assert (request["method"], request["path"], request["key"], request["status"]) == ("POST", "/emails", key, 200)
    assert request["headers"]["authorization"] == f"Bearer {RESEND_KEY}"
    assert request["headers"]["content-type"] == "application/json"
    assert json.loads(request["body"]) == {"from": MAIL["from_address"], "to": [MAIL["to_address"]], "subject": MAIL["subject"],
                                           "html": MAIL["html"], "text": "Thank you", "reply_to": "help@example.com"}
    assert provider.effects() == {key: 1}

    result = {"id": provider.ledger()["effects"][0]["ids"][0], "provider": "resend"}
    assert desk.result(task) == result
    payload = desk.db.value("select payload from queues.task where task_id = %s", task)
    before, success = desk.handled(task)
    assert before == payload and before["order"] == 17
    assert success == {"original_payload": payload, "worker_payload": result}
    assert desk.dispatches(task) == [(1, "email", key)]


def test_optional_fields_are_left_out(desk, provider):
    task = desk.mail()
    desk.done(task)
    assert desk.db.outcome(task) == "succeeded"
    assert set(json.loads(provider.requests()[0]["body"])) == {"from", "to", "subject", "html"}


def test_every_character_arrives_as_it_was_written(desk, provider):
    fields = {"subject": 'Grüße "quoted" \\ 日本 🚚', "html": "<p>" + "ünïcödé\n\t<br/> & 'x' \U0001f600" * 5000 + "</p>",
              "from_address": "Laden Ü <laden@example.com>"}
    task = desk.mail(**fields)
    desk.done(task)
    assert desk.db.outcome(task) == "succeeded"
    body = json.loads(provider.requests()[0]["body"])
    assert (body["subject"], body["html"], body["from"]) == (fields["subject"], fields["html"], fields["from_address"])


@pytest.mark.parametrize("where", ["before", "task", "payload"])
def test_the_key_comes_from_the_first_that_names_one(desk, provider, where):
    extra = {"idempotency_key": "of-the-payload"}
    task = desk.mail(idempotency_key="of-the-handler" if where == "before" else None,
                       key="of-the-task" if where != "payload" else None, extra=extra)
    desk.done(task)
    key = {"before": "of-the-handler", "task": "of-the-task", "payload": "of-the-payload"}[where]
    assert provider.effects() == {key: 1}
    assert desk.dispatches(task) == [(1, "email", key)]


# --- what an answer means ---


def test_the_type_of_an_answer_does_not_matter(desk, provider):
    provider.script("type", content_type="image/png", path="/emails")
    task = desk.mail()
    desk.done(task)
    assert desk.end(task) == ("succeeded", [], [])


@pytest.mark.parametrize("status, name, message, error_class", [
    (422, "validation_error", "Invalid `to` field.", "refused"),
    (403, "invalid_api_key", "API key is invalid", "refused"),
    (409, "invalid_idempotent_request", "Same idempotency key used with a different request payload", "refused"),
    (429, "rate_limit_exceeded", "Too many requests", "rate_limited"),
    (408, "timeout", "Took too long", "server"),
    (500, "application_error", "An unexpected error occurred", "server"),
    (503, "unavailable", "Later, please", "server"),
])
def test_a_refusal_keeps_its_reason(desk, provider, status, name, message, error_class):
    provider.script("refuse", status=status, body={"statusCode": status, "name": name, "message": message},
                    headers={"Retry-After": "7"})
    task = desk.mail()
    desk.done(task)
    text = f"resend API error (status {status}): {name}: {message}"
    assert desk.failed(task) == (text, error_class)
    error, = desk.handled(task, "error")
    assert (error["error"], error["error_class"]) == (text, error_class)
    assert "in_doubt" not in error and error["original_payload"]["send"]["subject"] == MAIL["subject"]
    assert provider.effects() == {}
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("status, body", [
    (502, "<html>Bad Gateway</html>"), (500, ""), (400, "{"), (404, '{"error": "other shape"}'), (422, '{"name": 7, "message": []}'),
    (418, '["name", "message"]'), (302, ""), (304, ""),
])
def test_a_refusal_in_another_shape_keeps_its_status(desk, provider, status, body):
    provider.script("refuse", status=status, body=body)
    task = desk.mail()
    desk.done(task)
    assert desk.failed(task)[0] == f"resend API error (status {status})"
    assert len(provider.requests()) == 1


def test_a_redirect_is_not_followed_and_the_key_goes_nowhere(desk, provider):
    provider.script("redirect", location=f"{provider.url}/echo", status=307, path="/emails")
    task = desk.mail()
    desk.done(task)
    assert desk.failed(task) == ("resend API error (status 307)", "refused")
    assert [r["path"] for r in provider.requests()] == ["/emails"]


def test_a_second_attempt_with_the_same_key_after_a_refusal_is_one_mail(sender, provider):
    provider.script("refuse", status=422, body={"statusCode": 422, "name": "validation_error", "message": "Invalid `to` field."})
    first = sender.mail(key="logical-send-1")
    sender.work_off()
    second = sender.mail(key="logical-send-1")
    third = sender.mail(key="logical-send-1")
    sender.work_off("--channel-concurrency", 1)
    assert [sender.db.outcome(task) for task in (first, second, third)] == ["failed", "succeeded", "succeeded"]
    assert sender.result(second) == sender.result(third)
    assert provider.effects() == {"logical-send-1": 1}


def test_the_same_key_for_another_mail_is_refused_by_the_provider(sender, provider):
    first = sender.mail(key="logical-send-1")
    second = sender.mail(key="logical-send-1", subject="Another one")
    sender.work_off("--channel-concurrency", 1)
    assert sender.db.outcome(first) == "succeeded"
    assert sender.failed(second) == ("resend API error (status 409): invalid_idempotent_request:"
                                     " Same idempotency key used with a different request payload", "refused")


# --- no answer ---


def test_a_provider_that_is_not_there_is_a_network_error(sender, provider):
    task = sender.mail()
    sender.work_off(env={"REEVE_RESEND_URL": "http://127.0.0.1:1"})
    error, error_class = sender.failed(task)
    assert error_class == "network" and "127.0.0.1" in error
    assert "in_doubt" not in sender.handled(task, "error")[0]


@pytest.mark.parametrize("do, effects", [(("reset", "before"), 0), (("reset", "after"), 1), (("close", "before"), 0),
                                         (("close", "after"), 1), (("hang", "before"), 0), (("hang", "after"), 1)])
@pytest.mark.parametrize("policy, outcome", [("retry", "failed"), ("fail", "in_doubt")])
def test_a_mail_that_was_sent_without_an_answer_is_in_doubt(desk, provider, do, effects, policy, outcome):
    provider.script(do[0], when=do[1], times=None)
    task = desk.mail(timeout="1 second", on_in_doubt=policy)
    desk.done(task)
    end = desk.end(task)
    assert (end[0], end[2]) == (outcome, ["in_doubt"])
    error, = desk.handled(task, "error")
    assert (error["in_doubt"], error["error_class"]) == (True, "in_doubt")
    # The provider remembers the key, so however often it was asked there is one mail at most.
    assert list(provider.effects().values()) == [1] * effects
    assert {r["key"] for r in provider.requests()} == {desk.uuid(task)}


def test_a_lost_answer_and_a_second_try_with_the_same_key_are_one_mail(sender, provider):
    provider.script("reset", when="after", times=None)
    first = sender.mail(key="logical-send-1")
    sender.work_off()
    provider.forget_script()
    second = sender.mail(key="logical-send-1")
    sender.work_off()
    assert [sender.db.outcome(first), sender.db.outcome(second)] == ["failed", "succeeded"]
    assert provider.effects() == {"logical-send-1": 1}


def test_a_first_call_that_is_still_running_is_a_conflict(desk, provider):
    rule = provider.script("wait", seconds=1.5, path="/emails")
    first = desk.mail(key="logical-send-1")
    eventually(lambda: provider.hits(rule) == 1, "the first is being worked on")
    second = desk.mail(key="logical-send-1")
    assert desk.db.wait_outcome(second) == "failed"
    assert "concurrent_idempotent_requests" in desk.failed(second)[0]
    assert desk.db.wait_outcome(first) == "succeeded"
    assert provider.effects() == {"logical-send-1": 1}


def test_a_status_is_an_answer_though_its_body_breaks_off(desk, provider):
    provider.script("reset", when="body", path="/emails")
    task = desk.mail()
    desk.done(task)
    assert desk.end(task)[:2] == ("succeeded", ["resend answer has no id"])
    assert provider.effects() == {desk.uuid(task): 1}


# --- what is not sent ---


@pytest.mark.parametrize("field", ["from_address", "to_address", "subject", "html"])
def test_a_missing_field_is_named(desk, provider, field):
    task = desk.mail(**{field: None})
    desk.done(task)
    assert desk.failed(task) == (f'email payload: missing "{field}"', "payload")
    assert provider.requests() == []


@pytest.mark.parametrize("payload, error", [
    ({"raise": "no stock"}, "before handler t.prepare_oddly failed: no stock"),
    ({"answer": {"status": "postponed"}}, "before handler t.prepare_oddly returned status: postponed"),
    ({"answer": {"error": "out of stock"}}, "before handler t.prepare_oddly returned status: error: out of stock"),
    ({"answer": {"status": "succeeded"}}, "before handler t.prepare_oddly did not return payload"),
    ({"answer": {"status": "succeeded", "payload": "text"}}, "before handler t.prepare_oddly did not return payload"),
])
def test_a_before_handler_that_fails_sends_nothing(desk, provider, payload, error):
    task = desk.send("email", None, before_handler="t.prepare_oddly", **payload)
    desk.done(task)
    assert desk.failed(task)[0] == error
    assert [h["error"] for h in desk.handled(task, "error")] == [error]
    assert provider.requests() == []


def test_a_before_handler_is_required(desk, provider):
    task = desk.enqueue("email", {"error_handler": "t.note_error"})
    desk.done(task)
    assert desk.failed(task)[0] == "email task missing before_handler"
    assert provider.requests() == []


def test_a_before_handler_that_is_not_registered_any_more_sends_nothing(sender, provider):
    task = sender.mail()
    sender.db.run("select internal.revoke_function('t.prepare')")
    sender.work_off()
    assert sender.failed(task)[0] == 'function "t.prepare" is not registered'
    assert provider.requests() == []


def test_work_that_is_already_done_skips_the_provider(desk, provider):
    task = desk.send("email", None, before_handler="t.prepare_oddly", answer={"status": "already_done"})
    desk.done(task)
    assert desk.end(task) == ("succeeded", [], [])
    assert desk.kinds(task) == ["success"]
    assert provider.requests() == []


# --- handlers that fail ---


def test_a_success_handler_that_raises_is_run_again_alone(sender, provider):
    task = sender.mail(extra={"success_failures": 2})
    sender.work().ready()
    for _ in range(2):
        sender.hurry(task)
    assert sender.db.wait_outcome(task) == "succeeded"
    assert len(provider.requests()) == 1
    assert sender.kinds(task) == ["before", "success"]
    assert sender.db.count_of("successes") == 3
    assert sender.end(task)[1] == ["success handler t.note_success failed: no room for the success"] * 2
    assert sender.leases_ended(task) == ["handler_failed"] * 2
    assert sender.result(task)["provider"] == "resend"


def test_a_success_handler_that_always_raises_is_quarantined_with_the_result(sender, provider):
    task = sender.mail(extra={"success_failures": 100})
    worker = sender.work().ready()
    for _ in range(4):
        sender.hurry(task)
        sender.db.eventually("select not exists (select 1 from queues.running where task_id = %s)"
                             " and (select count(*) from queues.task_lease where task_id = %s) > %s", task, task, _ + 1)
    assert sender.db.wait_outcome(task) == "quarantined"
    assert len(provider.requests()) == 1
    assert sender.result(task)["id"] == provider.ledger()["effects"][0]["ids"][0]
    assert sender.db.count_of("successes") == 5
    worker.wait_line("task quarantined")
    told = [line for line in worker.log().splitlines() if "quarantined" in line]
    assert len(told) == 1 and "level=error" in told[0] and f"task_id={task} " in told[0], told


def test_a_success_handler_that_does_not_say_success_has_failed(desk, provider):
    task = desk.mail(extra={"success_answer": {"status": "not found"}})
    desk.db.eventually("select count(*) = 1 from queues.task_lease_ended where task_id = %s", task)
    assert desk.leases_ended(task) == ["handler_failed"]
    assert desk.end(task)[:2] == (None, ["success handler t.note_success returned status: not found"])
    desk.db.run("select queues.cancel_task(%s)", task)


def test_an_error_handler_that_raises_is_run_again_alone(sender, provider):
    provider.script("refuse", status=422, body={"statusCode": 422, "name": "validation_error", "message": "no"})
    task = sender.mail(extra={"error_failures": 1})
    sender.work().ready()
    sender.hurry(task)
    assert sender.db.wait_outcome(task) == "failed"
    assert len(provider.requests()) == 1
    assert sender.kinds(task) == ["before", "error"]
    assert sender.end(task)[1] == ["resend API error (status 422): validation_error: no",
                                   "error handler t.note_error failed: no room for the error"]


def test_a_handler_past_its_time_leaves_the_result_behind(sender, provider):
    task = sender.mail(extra={"success_seconds": 60})
    sender.work("--handler-timeout", 1).ready()
    sender.db.eventually("select count(*) = 1 from queues.task_lease_ended where task_id = %s", task)
    assert sender.leases_ended(task) == ["handler_failed"]
    assert sender.db.value("select result->>'provider' from queues.task_lease_ended where task_id = %s", task) == "resend"
    assert len(provider.requests()) == 1
    sender.db.run("select queues.cancel_task(%s)", task)


def test_a_before_handler_past_its_time_fails_and_says_so(sender, provider):
    task = sender.mail(extra={"before_seconds": 60})
    sender.work("--handler-timeout", 1).ready()
    assert sender.db.wait_outcome(task) == "failed"
    assert sender.end(task)[1] == ["before handler timed out after 1 s"]
    assert provider.requests() == []


def test_a_before_handler_cancelled_by_a_database_user_fails_and_says_so(sender, provider):
    task = sender.mail(extra={"before_seconds": 60})
    sender.work().ready()
    sender.db.eventually("select coalesce(bool_or(pg_cancel_backend(pid)), false) from pg_stat_activity"
                         " where application_name = 'reeve work' and datname = current_database() and wait_event = 'PgSleep'")
    assert sender.db.wait_outcome(task) == "failed"
    assert sender.end(task)[1] == ["before handler cancelled by a database user"]
    assert provider.requests() == []


# --- configuration ---


def test_without_a_credential_nothing_is_claimed_and_nothing_lost(sender, provider):
    task = sender.mail()
    other = sender.db.enqueue("noop")
    worker = sender.work(env={"RESEND_API_KEY": None}).ready()
    assert sender.db.wait_outcome(other) == "succeeded"
    worker.wait_line("RESEND_API_KEY")
    warning, = [line for line in worker.lines if "RESEND_API_KEY" in line and "no live worker" not in line]
    assert "email" in warning and "level=warn" in warning
    assert (sender.db.leases(task), provider.requests()) == (0, [])
    doctor = sender.db.reeve("doctor")
    assert "email" in doctor.stdout + doctor.stderr and "RESEND_API_KEY" in doctor.stdout + doctor.stderr
    assert worker.stop() == 0
    sender.work_off()
    assert sender.db.outcome(task) == "succeeded"


def test_a_provider_that_is_named_without_its_credential_stops_the_start(sender):
    worker = sender.work(env={"REEVE_EMAIL_PROVIDER": "resend", "RESEND_API_KEY": None})
    assert worker.wait() == 3
    assert "RESEND_API_KEY" in worker.log()


def test_a_credential_can_come_from_a_file(sender, provider, tmp_path):
    file = tmp_path / "key"
    file.write_text(RESEND_KEY + "\n")
    task = sender.mail()
    sender.work_off(env={"RESEND_API_KEY": None, "RESEND_API_KEY_FILE": file})
    assert sender.db.outcome(task) == "succeeded"


def test_a_new_credential_is_read_on_request(sender, provider, tmp_path):
    file = tmp_path / "key"
    file.write_text("re_canary_old_Uz71")
    sender.secrets.append("re_canary_old_Uz71")
    worker = sender.work(env={"RESEND_API_KEY": None, "RESEND_API_KEY_FILE": file}).ready()
    task = sender.mail()
    sender.done(task)
    assert "invalid_api_key" in sender.failed(task)[0]
    file.write_text(RESEND_KEY)
    worker.signal(signal.SIGHUP)
    eventually(lambda: sender.done(sender.mail()) == "succeeded", "the new key is used")
    # A file that is gone leaves what is known.
    file.unlink()
    worker.signal(signal.SIGHUP)
    worker.wait_line("RESEND_API_KEY")
    assert sender.done(sender.mail()) == "succeeded"
    assert worker.stop() == 0


def test_a_wrong_credential_is_a_refusal(sender, provider):
    wrong = "re_wrong_canary_81Gq"
    sender.secrets.append(wrong)
    task = sender.mail()
    sender.work_off(env={"RESEND_API_KEY": wrong})
    assert sender.failed(task) == ("resend API error (status 403): invalid_api_key: API key is invalid", "refused")


def test_a_provider_that_repeats_the_credential_does_not_leak_it(desk, provider):
    provider.script("refuse", status=401, body={"statusCode": 401, "name": "bad_key", "message": f"key {RESEND_KEY} is unknown"})
    task = desk.mail()
    desk.done(task)
    assert desk.failed(task)[0].startswith("resend API error (status 401): bad_key: key ")


def test_the_log_provider_sends_nothing_and_says_so(sender, provider):
    tasks = [sender.mail(message_id=41), sender.mail(to_address="fail@example.com", message_id=42)]
    worker = sender.work_off(env={"REEVE_EMAIL_PROVIDER": "log"})
    assert sender.result(tasks[0]) == {"id": "email_41", "provider": "log"}
    assert sender.failed(tasks[1])[0] == "simulated failure"
    assert provider.requests() == []
    assert "not sent" in worker.log()


def test_no_more_mails_than_the_rate_allows(sender, provider):
    tasks = [sender.mail() for _ in range(12)]
    sender.work_off(env={"REEVE_EMAIL_RATE": "5"})
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    times = [r["at"] for r in provider.requests()]
    # A bucket may hold a second's worth, so twelve take at least the time of seven.
    assert times[-1] - times[0] >= 7 / 5 - 0.3


def test_no_more_calls_at_once_than_allowed(sender, provider):
    provider.script("hang", when="before", times=None)
    tasks = [sender.mail(timeout="1.5 seconds", on_in_doubt="fail") for _ in range(10)]
    worker = sender.work("--channel-concurrency", 4).ready()
    eventually(lambda: len(provider.requests()) >= 3, "three of one provider are under way")
    assert sender.db.wait_outcome(tasks[0]) == "in_doubt"
    requests = provider.requests()
    started = sorted(r["at"] for r in requests)
    assert all(b - a > 1 for a, b in zip(started, started[3:])), started
    provider.forget_script()
    sender.db.wait_drained(deadline=60)
    assert worker.stop() == 0


def most_at_once(worker, begin, end):
    """By the worker's own account, between two of its events."""
    count = most = 0
    for line in worker.log().splitlines():
        count += (f'"{begin}"' in line) - (f'"{end}"' in line)
        most = max(most, count)
    return most


def test_calls_are_announced_ahead_and_wait_for_their_place(sender, provider):
    provider.script("wait", seconds=0.02, times=None, path="/emails")
    tasks = [sender.mail() for _ in range(400)]
    worker = sender.work_off("--channel-concurrency", 20, env={"REEVE_EMAIL_RATE": "0"})
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    assert provider.effects() == {sender.uuid(task): 1 for task in tasks}
    assert most_at_once(worker, "call started", "call ended") == 15, "of one provider"
    assert 15 < most_at_once(worker, "task announced", "call ended") <= 17


def test_a_queue_may_hold_two_kinds_of_work(sender, provider):
    """A worker that sleeps looks first for the kind that it last found in a queue."""
    sender.work("--poll-interval", 60).ready()
    first = sender.enqueue("noop", {}, queue="default")
    assert sender.db.wait_outcome(first) == "succeeded"
    sender.db.eventually("select not exists (select 1 from queues.running)")
    alone = sender.send("email", MAIL, queue="default")
    assert sender.db.wait_outcome(alone) == "succeeded"
    for _ in range(3):
        with sender.db.connect() as connection:
            both = [connection.execute("select queues.enqueue(%s::text, %s::jsonb, _queue => 'default')",
                                       (kind, json.dumps(payload))).fetchone()[0]
                    for kind, payload in (("noop", {}), ("email", {**HANDLERS, "send": MAIL}))]
        assert [sender.db.wait_outcome(task) for task in both] == ["succeeded", "succeeded"]


# --- slow, and stopping ---


def stop_among_calls_that_hang(sender, provider):
    """The tasks that a worker had announced and not called when it was stopped in a hurry, while all places of a provider hang."""
    before = len(provider.requests())
    provider.script("wait", seconds=0.1, times=400, path="/emails")
    provider.script("hang", when="before", times=None)
    for _ in range(600):
        sender.mail(on_in_doubt="fail")
    worker = sender.work("--channel-concurrency", 64, "--lease", 3, env={"REEVE_EMAIL_RATE": "0"}).ready()
    eventually(lambda: len(provider.requests()) == before + 448, "all places of one provider are taken by calls that hang")
    worker.term()
    worker.wait_line("stopping")
    worker.term()
    assert worker.wait() == 0
    provider.forget_script()
    left_out = [row[0] for row in sender.db.rows("select task_id from queues.task_lease_ended join queues.task_dispatched using (task_id, lease_no)"
                                                 " where how = 'released'")]
    assert len(left_out) == worker.log().count("call left out")
    return left_out


def test_what_was_announced_and_not_called_is_not_in_doubt_after_a_stop(sender, provider):
    # How many calls are announced ahead follows from the rate of the last moment, so on a slow machine a stop may find none.
    left_out = next(filter(None, (stop_among_calls_that_hang(sender, provider) for _ in range(20))))
    sender.work_off(env={"REEVE_EMAIL_RATE": "0"})
    assert {sender.db.outcome(task) for task in left_out} == {"succeeded"}


def test_a_provider_slower_than_the_lease_is_asked_once(sender, provider):
    provider.script("wait", seconds=3, path="/emails")
    task = sender.mail()
    workers = [sender.work("--lease", 1, "--poll-interval", 0.2).ready() for _ in range(2)]
    assert sender.db.wait_outcome(task) == "succeeded"
    assert (len(provider.requests()), sender.db.leases(task)) == (1, 1)
    assert sender.db.value("select count(*) from queues.task_lease_renewed where task_id = %s", task) >= 2
    assert [w.stop() for w in workers] == [0, 0]


def test_a_send_finishes_within_the_grace(sender, provider):
    rule = provider.script("wait", seconds=2, path="/emails")
    task = sender.mail()
    worker = sender.work("--channel-concurrency", 1).ready()
    eventually(lambda: provider.hits(rule) == 1, "the mail is under way")
    worker.term()
    worker.wait_line("stopping")
    after = sender.mail()
    assert worker.wait() == 0
    assert sender.end(task) == ("succeeded", [], [])
    assert (sender.db.outcome(after), sender.db.leases(after)) == (None, 0)
    assert len(provider.requests()) == 1
    sender.db.run("select queues.cancel_task(%s)", after)


def test_a_send_past_the_grace_is_left_to_its_lease_and_repeated_with_its_key(sender, provider):
    rule = provider.script("hang", when="after", path="/emails")
    task = sender.mail()
    worker = sender.work("--stop-grace", 0.3, "--lease", 2).ready()
    eventually(lambda: provider.hits(rule) == 1, "the mail is under way")
    assert worker.stop() == 0
    # It may have been sent, so it is not given back: its lease runs out.
    assert sender.leases_ended(task) == []
    sender.work("--lease", 2).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    assert sender.leases_ended(task) == ["expired"]
    assert provider.effects() == {sender.uuid(task): 1}
    assert [d[2] for d in sender.dispatches(task)] == [sender.uuid(task)] * 2


def test_a_cancelled_mail_is_not_sent(sender, provider):
    task = sender.mail()
    sender.db.run("select queues.cancel_task(%s)", task)
    sender.work_off()
    assert sender.db.outcome(task) == "cancelled"
    assert provider.requests() == []


def test_many_mails_are_all_sent_once(sender, provider):
    tasks = [sender.mail(subject=f"Order {n}") for n in range(300)]
    workers = [sender.work() for _ in range(2)]
    sender.db.wait_drained(deadline=60)
    assert [w.stop() for w in workers] == [0, 0]
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    assert provider.effects() == {sender.uuid(task): 1 for task in tasks}
    assert len(provider.requests()) == 300
    sender.db.assert_healthy(drained=True)
