"""Places go by destination, whatever the channel: a peer that hangs costs only itself."""
import contextlib
import json

from channels import FILES_KEY, RESEND_KEY, TWILIO_SID, TWILIO_TOKEN
from harness import eventually
from jobs import Jobs
from peer import Peer

import pytest

MANY = 200  # more than there are places


@contextlib.contextmanager
def peers(count=1):
    opened = [Peer() for _ in range(count)]
    try:
        yield opened
    finally:
        for peer in opened:
            peer.close()


def env(sender, opened):
    hosts = ",".join([f"127.0.0.1:{sender.provider.port()}", *(f"127.0.0.1:{peer.port}" for peer in opened)])
    return {"REEVE_ALLOW_HOSTS": hosts, "REEVE_EMAIL_RATE": "0", "REEVE_LOG_LEVEL": "info"}


def hang(sender, peer, count=MANY, prepared=False, timeout="10 minutes"):
    """Tasks whose peer never answers."""
    request = {"method": "POST", "url": f"{peer.url}/hold"}
    payload = {"before_handler": "t.prepare", "send": request} if prepared else {"request": request}
    return [row[0] for row in sender.db.rows(
        "select queues.enqueue('http', %s::jsonb, _timeout => %s::interval) from generate_series(1, %s)",
        json.dumps(payload), timeout, count)]


def others(sender, without=()):
    """One call of each channel and kind, to those that answer."""
    make = {"email": sender.mail, "sms": sender.sms, "file_delete": sender.delete, "http": sender.http,
            "plain": lambda: sender.enqueue("http", {"request": {"url": sender.provider.url + "/echo"}})}
    return [call() for name, call in make.items() if name not in without], Jobs(sender).insert("/echo")


def assert_delivered(sender, tasks, job):
    for task in tasks:
        assert sender.done(task) == "succeeded"
    Jobs(sender).wait(job, "completed")


def assert_none_ended(sender, tasks):
    assert sender.db.value("select count(*) from queues.task_completed where task_id = any(%s)", tasks) == 0


@pytest.mark.parametrize("prepared", [False, True], ids=["request", "before_handler"])
def test_a_peer_that_hangs_costs_only_itself(sender, prepared):
    with peers() as (peer,):
        hanging = hang(sender, peer, prepared=prepared)
        worker = sender.work(env=env(sender, [peer])).ready()
        eventually(lambda: peer.count("/hold") >= 8, "as many as it may have hang")
        for _ in range(3):
            assert_delivered(sender, *others(sender))
        assert_none_ended(sender, hanging)
        assert peer.count("/hold") == 8, "and no more than that"
        worker.term()
        worker.wait_line("stopping")
        peer.open()


def test_many_peers_that_hang_leave_a_place_for_another(sender):
    """More of them than would fill all places with their own."""
    with peers(8) as opened:
        hanging = [task for peer in opened for task in hang(sender, peer, 20)]
        sender.work(env=env(sender, opened)).ready()
        eventually(lambda: all(peer.count("/hold") for peer in opened), "all of them have got something")
        for _ in range(3):
            assert_delivered(sender, *others(sender))
        assert_none_ended(sender, hanging)
        for peer in opened:
            peer.open()


@pytest.mark.parametrize("channel", ["email", "sms", "file_delete"])
def test_a_provider_that_hangs_costs_only_its_channel(sender, channel):
    with peers() as (peer,):
        settings = {"email": {"REEVE_RESEND_URL": f"{peer.url}/hold", "RESEND_API_KEY": RESEND_KEY},
                    "sms": {"REEVE_TWILIO_URL": f"{peer.url}/hold", "TWILIO_ACCOUNT_SID": TWILIO_SID, "TWILIO_AUTH_TOKEN": TWILIO_TOKEN},
                    "file_delete": {"FILE_SERVICE_URL": f"{peer.url}/hold", "FILE_SERVICE_API_KEY": FILES_KEY}}[channel]
        make = {"email": sender.mail, "sms": sender.sms, "file_delete": sender.delete}[channel]
        hanging = [make(timeout="10 minutes") for _ in range(60)]
        sender.work("--channel-concurrency", 16, env={**env(sender, [peer]), **settings}).ready()
        eventually(lambda: peer.count("/hold") == 12, "it has three quarters of the places")
        for _ in range(3):
            assert_delivered(sender, *others(sender, without=(channel,)))
        assert_none_ended(sender, hanging)
        assert peer.count("/hold") == 12
        peer.open()


def test_requests_of_before_handlers_pass_those_to_a_peer_that_hangs(sender):
    """Where a request goes is known only when it is announced: what its host cannot take is given back, with its name."""
    with peers() as (peer,):
        hanging = hang(sender, peer, prepared=True)
        sender.work(env=env(sender, [peer])).ready()
        eventually(lambda: peer.count("/hold") == 8, "as many as it may have hang")
        passing = [sender.http() for _ in range(20)]
        for task in passing:
            assert sender.done(task) == "succeeded"
        assert_none_ended(sender, hanging)
        assert sender.db.value("select count(*) from queues.error") == 0
        peer.open()


def test_a_destination_that_fails_is_left_alone_on_every_channel(sender, provider):
    provider.script("refuse", status=503, times=None, path="/emails")
    mails = [sender.mail() for _ in range(40)]
    worker = sender.work(env=env(sender, [])).ready()
    worker.wait_line("host fails, its calls wait")
    assert_delivered(sender, *others(sender, without=("email",)))
    assert sender.db.value("select count(*) from queues.task_completed where task_id = any(%s)", mails) < 40
    assert sender.db.value("select count(*) from queues.ready where task_id = any(%s) and lease_no = 0", mails) > 0
