"""E-mail by SMTP: a real server receives it, and a scripted one fails at every stage."""
import email
import email.policy
import email.utils
import re

from channels import MAIL, parsed, smtp_env
from harness import eventually

import pytest
import smtp
from smtp import ScriptedSmtp

PASSWORD = "smtp-canary-Wd6kTz"


@pytest.fixture
def scripted(certificates, the_provider):
    with ScriptedSmtp(certificates) as server:
        yield server


@pytest.fixture(scope="module")
def the_exim_desk(make_desk, the_exim, certificates):
    """A worker that logs in to Exim after STARTTLS."""
    url = f"smtp://{the_exim.user}:{the_exim.password}@127.0.0.1:{the_exim.port}"
    yield from make_desk(env=smtp_env(url, certificates), secrets=[the_exim.password])


@pytest.fixture
def exim_desk(the_exim_desk, exim):
    return the_exim_desk


def delivered(exim, count=1):
    eventually(lambda: len(exim.messages()) >= count, "delivered")
    return exim.messages()


# --- a real server ---


def test_a_mail_arrives_with_text_and_html(exim_desk, exim):
    task = exim_desk.mail(html="<h1>Hello</h1><p>first<br>second &amp; third</p>", reply_to="help@example.com")
    assert exim_desk.done(task) == "succeeded"
    message, = delivered(exim)
    assert (message["from"], message["to"], message["subject"], message["reply-to"]) == (
        MAIL["from_address"], MAIL["to_address"], MAIL["subject"], "help@example.com")
    assert (message["return-path"], message["envelope-to"]) == ("<shop@example.com>", MAIL["to_address"])
    assert message.get_content_type() == "multipart/alternative"
    text, html = message.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert html.get_content().strip() == "<h1>Hello</h1><p>first<br>second &amp; third</p>"
    plain = text.get_content()
    assert "Hello" in plain and "second & third" in plain and "<" not in plain
    assert message["mime-version"] == "1.0" and not message.defects
    # It came over TLS, from somebody who had logged in.
    assert re.search(r"with esmtpsa", message["received"])


def test_the_message_id_is_the_key_and_the_date_is_now(exim_desk, exim):
    task = exim_desk.mail()
    exim_desk.done(task)
    message, = delivered(exim)
    message_id = f"<{exim_desk.uuid(task)}@example.com>"
    assert message["message-id"] == message_id
    assert exim_desk.result(task) == {"id": message_id, "provider": "smtp"}
    sent = email.utils.parsedate_to_datetime(message["date"])
    took = exim_desk.db.value("select abs(extract(epoch from %s - completed_at)) from queues.task_completed where task_id = %s", sent, task)
    assert took < 60
    assert [m for m in message.keys() if m.lower() in ("date", "message-id", "from", "to", "subject")].__len__() == 5


def test_text_that_is_given_is_kept(exim_desk, exim):
    task = exim_desk.mail(text="Given, not made.\nSecond line\n")
    exim_desk.done(task)
    text, _ = delivered(exim)[0].iter_parts()
    assert text.get_content().splitlines() == ["Given, not made.", "Second line"]


def test_every_character_arrives_as_it_was_written(exim_desk, exim):
    subject = "Grüße an Zoë: 日本語 und 🚚 " * 20
    html = "<p>ünïcödé 日本語 🚚</p>\n" + "x" * 5000 + "\n.\n..\n.\r\nFrom here\n=20 =\n" + "<!-- end -->"
    task = exim_desk.mail(subject=subject.strip(), html=html, from_address='Der Ladén "Zum Ü" <shop@example.com>')
    exim_desk.done(task)
    message, = delivered(exim)
    assert message["subject"] == subject.strip()
    assert message["from"].addresses[0].addr_spec == "shop@example.com"
    assert "Ladén" in message["from"].addresses[0].display_name
    content = list(message.iter_parts())[1].get_content().replace("\r\n", "\n")
    assert content.rstrip("\n") == html.replace("\r\n", "\n")
    assert all(len(line) < 999 for line in message.as_bytes().splitlines())


def test_tls_from_the_first_byte(sender, exim, certificates):
    sender.secrets.append(exim.password)
    task = sender.mail(to_address="ann.canary@private.example.com")
    sender.work_off(env=smtp_env(f"smtps://{exim.user}:{exim.password}@localhost:{exim.tls_port}", certificates))
    assert sender.end(task) == ("succeeded", [], [])
    assert "esmtpsa" in delivered(exim)[0]["received"]


def test_a_login_that_is_refused_sends_nothing(sender, exim, certificates):
    sender.secrets.append("wrong-canary-Bv3x")
    task = sender.mail()
    sender.work_off(env=smtp_env(f"smtp://{exim.user}:wrong-canary-Bv3x@127.0.0.1:{exim.port}", certificates))
    error, _ = sender.failed(task)
    assert "535" in error or "login" in error.lower() or "denied" in error.lower(), error
    assert exim.messages() == []


@pytest.mark.parametrize("recipient, error, error_class", [
    ("nobody@example.com", "smtp error 550: 5.1.1 no such user", "refused"),
    ("busy@example.com", "smtp error 451: 4.2.0 mailbox is busy", "server"),
])
def test_what_the_server_says_is_kept(exim_desk, exim, recipient, error, error_class):
    task = exim_desk.mail(to_address=recipient)
    exim_desk.done(task)
    assert exim_desk.failed(task) == (error, error_class)
    handled, = exim_desk.handled(task, "error")
    assert (handled["error"], handled["error_class"]) == (error, error_class)
    assert exim.messages() == []


def test_a_certificate_that_nobody_signed_sends_nothing(sender, exim):
    sender.secrets.append(exim.password)
    task = sender.mail()
    sender.work_off(env=smtp_env(f"smtp://{exim.user}:{exim.password}@127.0.0.1:{exim.port}"))
    assert sender.failed(task)[1] == "network"
    assert exim.messages() == []


def test_many_mails_arrive_once_each(exim_desk, exim):
    tasks = [exim_desk.mail(subject=f"Order {n}") for n in range(40)]
    for task in tasks:
        assert exim_desk.done(task) == "succeeded", exim_desk.db.errors(task)
    messages = delivered(exim, 40)
    assert sorted(m["message-id"] for m in messages) == sorted(f"<{exim_desk.uuid(t)}@example.com>" for t in tasks)


# --- faults ---


@pytest.mark.parametrize("stage", ["mail", "rcpt", "data", "dot"])
@pytest.mark.parametrize("code, error_class", [(451, "server"), (554, "refused")])
def test_a_refusal_at_any_stage_is_an_answer(mail_desk, shared_scripted, stage, code, error_class):
    shared_scripted.script(**{stage: f"{code} {code // 100}.3.0 not now"})
    task = mail_desk.mail()
    mail_desk.done(task)
    assert mail_desk.failed(task) == (f"smtp error {code}: {code // 100}.3.0 not now", error_class)
    assert shared_scripted.accepted == []


@pytest.mark.parametrize("code, error_class", [(421, "server"), (554, "refused")])
def test_a_server_that_turns_us_away_at_the_door_has_answered(mail_desk, shared_scripted, code, error_class):
    shared_scripted.script(banner=f"{code} too busy")
    task = mail_desk.mail()
    mail_desk.done(task)
    error, found = mail_desk.failed(task)
    assert (error.startswith(f"smtp error {code}"), found) == (True, error_class), error
    assert shared_scripted.accepted == []


def test_a_refused_greeting_is_an_answer(mail_desk, shared_scripted):
    shared_scripted.script(ehlo="550 5.7.1 go away")
    task = mail_desk.mail()
    mail_desk.done(task)
    error, error_class = mail_desk.failed(task)
    assert error_class in ("refused", "network") and shared_scripted.accepted == []


@pytest.mark.parametrize("stage", ["banner", "ehlo", "mail", "rcpt", "data"])
def test_a_connection_lost_before_the_message_is_a_plain_failure(mail_desk, shared_scripted, stage):
    shared_scripted.script(**{stage: smtp.close})
    task = mail_desk.mail()
    mail_desk.done(task)
    assert mail_desk.failed(task)[1] == "network"
    assert (shared_scripted.arrived, shared_scripted.accepted) == (0, [])


@pytest.mark.parametrize("then, kept", [(smtp.close, 0), (smtp.accept_and(smtp.close), 1), (smtp.accept_and(smtp.reset), 1),
                                        (smtp.accept_and(smtp.hang), 1)])
@pytest.mark.parametrize("policy, outcome", [("retry", "failed"), ("fail", "in_doubt")])
def test_a_connection_lost_after_the_final_dot_is_in_doubt(mail_desk, shared_scripted, then, kept, policy, outcome):
    shared_scripted.script(dot=then)
    task = mail_desk.mail(timeout="1 second", on_in_doubt=policy)
    mail_desk.done(task)
    end = mail_desk.end(task)
    assert (end[0], end[2]) == (outcome, ["in_doubt"])
    assert mail_desk.handled(task, "error")[0]["in_doubt"] is True
    assert (shared_scripted.arrived, len(shared_scripted.accepted)) == (1, kept)


def test_a_repeat_of_a_mail_in_doubt_has_the_same_message_id(mail_desk, shared_scripted):
    shared_scripted.script(dot=[smtp.accept_and(smtp.close), None])
    for _ in range(2):
        mail_desk.done(mail_desk.mail(key="logical-send-7"))
    assert [parsed(m)["message-id"] for m in shared_scripted.accepted] == ["<logical-send-7@example.com>"] * 2


@pytest.mark.parametrize("stage", ["banner", "rcpt", "dot"])
def test_a_server_that_says_nothing_is_not_waited_for_longer_than_the_timeout(mail_desk, shared_scripted, stage):
    shared_scripted.script(**{stage: smtp.hang})
    task = mail_desk.mail(timeout="1 second")
    mail_desk.done(task)
    assert mail_desk.failed(task)[1] == ("in_doubt" if stage == "dot" else "network")


def test_a_slow_server_is_waited_for(mail_desk, shared_scripted):
    shared_scripted.script(banner=smtp.slowly(0.01), dot=smtp.accept_and(smtp.slowly(0.01, "250 2.0.0 at last")))
    task = mail_desk.mail()
    assert mail_desk.done(task) == "succeeded"
    assert len(shared_scripted.accepted) == 1


@pytest.mark.parametrize("rcpt", ["550 5.1.1 no such user", None])
def test_a_server_that_does_not_answer_a_farewell_stops_nothing(sender, scripted, certificates, rcpt):
    scripted.script(rcpt=rcpt, quit=smtp.hang)
    task = sender.mail()
    worker = sender.work(env=smtp_env(f"smtp://127.0.0.1:{scripted.port}", certificates)).ready()
    assert sender.db.wait_outcome(task) == ("failed" if rcpt else "succeeded")
    assert sender.db.wait_outcome(sender.db.enqueue("noop")) == "succeeded"
    assert worker.stop() == 0
    assert worker.longest_stall_ms() < 1000, worker.log()


def test_a_login_without_tls_is_possible_only_on_this_machine(sender, shared_scripted):
    sender.secrets.append(PASSWORD)
    shared_scripted.forget()
    task = sender.mail()
    sender.work_off(env=smtp_env(f"smtp://mailer:{PASSWORD}@127.0.0.1:{shared_scripted.port}"))
    assert sender.db.outcome(task) == "succeeded"
    assert shared_scripted.accepted[0]["login"] == ("mailer", PASSWORD)


def test_starttls_is_used_where_it_is_offered(sender, scripted, certificates):
    task = sender.mail()
    sender.work_off(env=smtp_env(f"smtp://localhost:{scripted.port}", certificates))
    assert sender.db.outcome(task) == "succeeded"
    assert scripted.accepted[0]["is_tls"]


def test_a_starttls_that_is_refused_or_broken_sends_nothing(sender, scripted, certificates):
    scripted.script(starttls=[b"220 2.0.0 go ahead\r\n250 not TLS at all\r\n", smtp.close])
    tasks = [sender.mail(timeout="3 seconds") for _ in range(2)]
    sender.work_off("--channel-concurrency", 1, env=smtp_env(f"smtp://localhost:{scripted.port}", certificates))
    for task in tasks:
        assert sender.failed(task)[1] in ("network", "refused")
    assert scripted.accepted == []


def test_a_url_that_is_none_stops_the_start_without_showing_it(sender):
    sender.secrets.append(PASSWORD)
    worker = sender.work(env=smtp_env(f"ftp://mailer:{PASSWORD}@mail.example.com"))
    assert worker.wait() == 3
    assert "SMTP_URL" in worker.log()
