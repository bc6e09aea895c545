"""Whatever dies, and wherever, on the way of a channel task: nothing is lost, one effect per key, facts agree."""
import signal

import channels as outside
from channels import MAIL, SMS
from harness import eventually

import pytest
from smtp import ScriptedSmtp

# Where the program can be made to die.  From the first of EFFECT on, the provider may have been asked.
CLAIM = ["claim.sent", "claim.committed"]
BEFORE = ["dispatch.sent", "dispatch.begun"]
EFFECT = ["call.started", "call.answered", "finish.sent", "finish.committed"]
LONG = ["renew.sent", "renew.committed"]
LEASE = 1
COUNT = 8


class Channel:
    """How one channel is asked, in a queue of its own, and how its effects are counted.

    is_keyed: the provider recognises a repeat.  effects: how often each was done, in the order of the tasks.
    """
    is_keyed = False
    env = {}

    def __init__(self, sender):
        self.sender, self.queue = sender, f"of_{type(self).__name__.lower()}"
        sender.db.run("select queues.create_queue(%s)", self.queue)
        self.tasks = []

    def enqueue(self, count=COUNT):
        self.tasks = [self.sender.send(self.task_type, self.request(n), queue=self.queue) for n in range(count)]

    def work(self, **kwargs):
        return self.sender.work("--lease", LEASE, "--channel-concurrency", 4, "--queue", self.queue, env=self.env, **kwargs)


class Resend(Channel):
    is_keyed = True
    task_type = "email"

    def request(self, n):
        return {**MAIL, "subject": f"Order {n}"}

    def effects(self):
        found = self.sender.provider.effects(api="resend")
        return [found.get(self.sender.uuid(task), 0) for task in self.tasks]


class Smtp(Channel):
    task_type = "email"

    def __init__(self, sender):
        super().__init__(sender)
        self.server = ScriptedSmtp()
        self.env = {"RESEND_API_KEY": None, "SMTP_URL": f"smtp://127.0.0.1:{self.server.port}"}

    def request(self, n):
        return {**MAIL, "subject": f"Order {n}"}

    def effects(self):
        # Nobody recognises a repeat for us here, but its Message-ID does.
        ids = [f"Message-ID: <{self.sender.uuid(task)}@example.com>".encode() for task in self.tasks]
        return [sum(text in message["data"] for message in self.server.accepted) for text in ids]


class Twilio(Channel):
    task_type = "sms"

    def request(self, n):
        return {**SMS, "body": f"Code {n}"}

    def effects(self):
        found = self.sender.provider.effects(api="twilio")
        return [found.get(f"{SMS['to_number']}|Code {n}", 0) for n in range(len(self.tasks))]


class Files(Channel):
    is_keyed = True  # an object can be deleted once
    task_type = "file_delete"

    def request(self, n):
        return {"file_id": n}

    def effects(self):
        found = self.sender.provider.effects(api="store")
        return [found.get(f"/objects/files/{n}", 0) for n in range(len(self.tasks))]


class Http(Channel):
    task_type = "http"

    def request(self, n):
        return {"url": self.sender.provider.url + "/echo", "method": "POST", "body": f"{n}", "headers": {"Idempotency-Key": f"order-{n}"}}

    def effects(self):
        found = self.sender.provider.effects(api="plain")
        return [found.get(f"order-{n}", 0) for n in range(len(self.tasks))]


CHANNELS = [Resend, Smtp, Twilio, Files, Http]


def assert_whole(sender, channels, may_repeat):
    """Each task succeeded with one success of its handler; effects exactly once, or where a death may repeat them, no oftener."""
    db = sender.db
    tasks = [task for channel in channels for task in channel.tasks]
    bad = db.rows("select t, c.outcome, (select count(*) from t.handled as h where h.task_id = t and h.kind = 'success')"
                  " from unnest(%s::bigint[]) as t left join queues.task_completed as c on c.task_id = t"
                  " where c.outcome is distinct from 'succeeded'"
                  " or (select count(*) from t.handled as h where h.task_id = t and h.kind = 'success') <> 1", tasks)
    assert bad == []
    for channel in channels:
        # A repeat has a cause: a lease that was announced and then died.
        died = [db.value("select count(*) from queues.task_dispatched join queues.task_lease_ended using (task_id, lease_no)"
                         " where task_id = %s and how = 'expired'", task) for task in channel.tasks]
        for count, deaths in zip(channel.effects(), died):
            most = 1 + deaths if may_repeat and not channel.is_keyed else 1
            assert 1 <= count <= most, (channel.queue, channel.effects(), died)
    # Every call was announced, all of one task with one key, and no key is shared.
    rows = db.rows("select task_id, count(distinct idempotency_key), min(idempotency_key) from queues.task_dispatched group by 1")
    assert {r[1] for r in rows} == {1} and len({r[2] for r in rows}) == len(rows) == len(tasks)
    assert db.rows("select error_message from queues.error where error_message not like 'in doubt: lease %'") == []
    db.assert_healthy(drained=True)


def recovery_seconds(db):
    """How long after the end of a dead lease the next one began, at most."""
    return db.value(
        "select coalesce(max(extract(epoch from n.leased_at - greatest(l.expires_at, coalesce(r.expires_at, l.expires_at)))), 0)"
        " from queues.task_lease_ended as e join queues.task_lease as l using (task_id, lease_no)"
        " left join lateral (select max(x.expires_at) as expires_at from queues.task_lease_renewed as x"
        "   where x.task_id = l.task_id and x.lease_no = l.lease_no) as r on true"
        " join queues.task_lease as n on n.task_id = l.task_id and n.lease_no = l.lease_no + 1"
        " where e.how = 'expired'")


@pytest.mark.parametrize("hit", [1, 2])
@pytest.mark.parametrize("name", CLAIM + BEFORE + EFFECT)
def test_killed_workers_lose_no_send_of_any_channel(sender, name, hit):
    channels = [channel(sender) for channel in CHANNELS]
    for channel in channels:
        channel.enqueue()
    victims = [channel.work(failpoints=f"{name}=kill@{hit}") for channel in channels]
    for victim in victims:
        assert victim.wait() == -signal.SIGKILL, victim.log()
    healthy = [channel.work().ready() for channel in channels]
    sender.db.wait_drained()
    # At the first of the early points nobody was asked yet; later, what was under way may be done again.
    assert_whole(sender, channels, may_repeat=name in EFFECT or hit > 1)
    assert sender.db.value("select count(distinct task_id) > 0 from queues.task_lease_ended where how = 'expired'") or name == "claim.sent" \
        or name == "finish.committed"
    # Marks of time are for a quiet machine; here only that nobody waited for much longer than a lease.
    assert recovery_seconds(sender.db) < 20
    assert [worker.stop() for worker in healthy] == [0] * len(healthy)


@pytest.mark.parametrize("name", LONG)
def test_workers_killed_while_they_renew_lose_no_send(sender, provider, name):
    provider.script("wait", seconds=0.8, times=None)
    channels = [Resend(sender), Twilio(sender)]
    for channel in channels:
        channel.enqueue(4)
    for victim in [channel.work(failpoints=f"{name}=kill@1") for channel in channels]:
        assert victim.wait() == -signal.SIGKILL, victim.log()
    provider.forget_script()
    healthy = [channel.work().ready() for channel in channels]
    sender.db.wait_drained()
    assert_whole(sender, channels, may_repeat=True)
    assert [worker.stop() for worker in healthy] == [0, 0]


# --- the provider knows, the worker does not ---


def kill_under_way(sender, provider, task, *args):
    """Kill a worker whose call the provider has accepted without an answer."""
    rule = provider.script("hang", when="after")
    victim = sender.work("--lease", LEASE, *args).ready()
    eventually(lambda: provider.hits(rule) == 1, "accepted")
    victim.kill()
    assert len(sender.dispatches(task)) == 1


def test_a_mail_that_was_accepted_before_the_death_is_one_mail(sender, provider):
    task = sender.mail()
    kill_under_way(sender, provider, task)
    sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    key = sender.uuid(task)
    assert provider.effects() == {key: 1}
    assert [r["key"] for r in provider.requests()] == [key, key]
    # The second answer is the first one, said again.
    assert sender.result(task)["id"] == provider.ledger()["effects"][0]["ids"][0]
    assert sender.kinds(task).count("success") == 1
    assert sender.end(task)[1] == ["in doubt: lease 1 was dispatched without a result, sending again with the same key"]
    assert sender.leases_ended(task) == ["expired"]


@pytest.mark.parametrize("kind", ["mail", "sms"])
def test_a_send_in_doubt_is_not_repeated_if_its_policy_says_so(sender, provider, kind):
    task = getattr(sender, kind)(on_in_doubt="fail")
    kill_under_way(sender, provider, task)
    worker = sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "in_doubt"
    worker.wait_line(f'level=error msg="task is in doubt" task_id={task} ')
    assert worker.log().count("task is in doubt") == 1
    assert len(provider.requests()) == 1 and list(provider.effects().values()) == [1]
    error, = sender.handled(task, "error")
    assert error["in_doubt"] is True
    assert len(sender.dispatches(task)) == 1


def test_a_message_without_a_key_is_repeated_once_per_death(sender, provider):
    task = sender.sms()
    kill_under_way(sender, provider, task)
    sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    assert list(provider.effects().values()) == [2]
    assert len(sender.dispatches(task)) == 2


def test_a_key_that_the_provider_has_forgotten_is_a_second_mail(sender, provider):
    """The window of a key is the provider's; past it, only the policy helps."""
    task = sender.mail(on_in_doubt="retry", key="forgotten")
    kill_under_way(sender, provider, task)
    provider.later(25 * 3600)
    sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    assert provider.effects() == {"forgotten": 2}


def test_a_file_that_was_deleted_before_the_death_is_already_gone(sender, provider):
    task = sender.delete()
    rule = provider.script("hang", when="after", method="DELETE")
    victim = sender.work("--lease", LEASE).ready()
    eventually(lambda: provider.hits(rule) == 1, "deleted")
    victim.kill()
    sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    assert sender.result(task)["delete_status"] == "already_gone"
    assert provider.effects() == {"/objects/files/987": 1}


# --- frozen, cut off, restarted ---


def test_a_frozen_worker_that_comes_back_changes_nothing(sender, provider):
    rule = provider.script("wait", seconds=1)
    task = sender.mail()
    frozen = sender.work("--lease", LEASE).ready()
    eventually(lambda: provider.hits(rule) == 1, "under way")
    frozen.signal(signal.SIGSTOP)
    healthy = sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    frozen.signal(signal.SIGCONT)
    # What it knew is kept as evidence, and nothing else of it.
    sender.db.eventually("select count(*) = 1 from queues.late_result where task_id = %s", task)
    assert sender.db.value("select outcome from queues.late_result where task_id = %s", task) == "succeeded"
    assert sender.kinds(task).count("success") == 1
    assert provider.effects() == {sender.uuid(task): 1}
    assert [healthy.stop(), frozen.stop()] == [0, 0]


def test_a_worker_frozen_before_its_call_does_not_send(sender, provider):
    """Its announcement is made; when it wakes its lease is long over."""
    task = sender.sms()
    frozen = sender.work("--lease", LEASE, failpoints="dispatch.begun=freeze@1")
    sender.db.eventually("select count(*) = 1 from queues.task_dispatched where task_id = %s", task)
    healthy = sender.work("--lease", LEASE).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    frozen.signal(signal.SIGCONT)
    assert frozen.stop() == 0
    assert healthy.stop() == 0
    assert len(provider.requests()) == 1 and list(provider.effects().values()) == [1]


def test_a_lost_connection_repeats_the_report_and_not_the_send(sender, provider):
    provider.script("wait", seconds=0.5, times=None)
    tasks = [sender.sms(body=f"Code {n}") for n in range(30)]
    worker = sender.work("--concurrency", 2).ready()
    # A task that loses its connection a third time is left to its lease, even if it was announced: so they are lost twice.
    for calls in (8, 20):
        eventually(lambda: len(provider.requests()) >= calls, "more calls are under way")
        assert sender.db.terminate("reeve work") >= 2
        eventually(lambda: sender.db.value("select count(*) from pg_stat_activity where datname = current_database()"
                                           " and application_name = 'reeve work'") == 2, "connected again")
    sender.db.eventually("select count(*) = 30 from queues.task_completed")
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    assert set(provider.effects().values()) == {1} and len(provider.requests()) == 30
    # A task that was not announced may have been given back; a handler that lost its connection is run again alone.
    assert sender.db.value("select count(*) from queues.task_lease_ended as e join queues.task_dispatched using (task_id, lease_no)"
                           " where e.how not in ('released', 'handler_failed')") == 0
    assert worker.stop() == 0


def test_a_lease_that_a_failover_lost_is_forgotten(sender, provider):
    """The new primary never had the task.  Its number may be used again, so nothing of the old task may be kept."""
    rule = provider.script("hang")
    task = sender.http("/echo?old")
    worker = sender.work().ready()
    eventually(lambda: provider.hits(rule) == 1, "under way")
    sender.db.run("begin; set local session_replication_role = replica; " + "".join(
        f"delete from queues.{table} where task_id = {task}; "
        for table in ("running", "task_lease", "task_dispatched", "task")) + "commit")
    assert sender.db.terminate("reeve control") == 1
    eventually(lambda: "the database does not know this lease" in worker.log(), "the worker has asked")
    worker.signal(signal.SIGUSR1)
    eventually(lambda: 'msg="worker state" held=0' in worker.log(), "the task is not held any more")
    assert sender.db.wait_outcome(sender.http("/echo?new")) == "succeeded"
    assert worker.stop() == 0


def test_a_server_restarted_during_the_calls_loses_nothing(own_db, provider):
    sender = outside.Sender(own_db, provider)
    provider.script("wait", seconds=2, times=None)
    tasks = [sender.mail(subject=f"Order {n}") for n in range(10)]
    worker = sender.work().ready()
    eventually(lambda: len(provider.requests()) == 10, "all under way")
    own_db.server.kill()
    own_db.forget_connection()
    own_db.server.start()
    own_db.eventually("select count(*) = 10 from queues.task_completed")
    assert {own_db.outcome(task) for task in tasks} == {"succeeded"}
    # The answers were in hand and were written; nothing was asked for twice.
    assert len(provider.requests()) == 10
    assert worker.stop() == 0
    own_db.end_workers()
    sender.assert_nothing_leaked()


def test_a_handler_that_kills_its_connection_keeps_the_result(sender, provider):
    sender.db.run("create function t.success_dies(_input jsonb) returns jsonb language plpgsql security definer"
                  " set search_path = pg_catalog, pg_temp as $$ begin perform nextval('t.starts');"
                  " perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60);"
                  " return jsonb_build_object('status', 'succeeded'); end $$")
    sender.db.run("select internal.allow_function('t.success_dies', 'success')")
    task = sender.send("email", MAIL, success_handler="t.success_dies")
    other = sender.mail()
    worker = sender.work().ready()
    assert sender.db.wait_outcome(other) == "succeeded"
    sender.db.eventually("select count(*) = 1 from queues.task_lease_ended where task_id = %s", task)
    assert sender.leases_ended(task) == ["handler_failed"]
    assert sender.db.value("select result->>'provider' from queues.task_lease_ended where task_id = %s", task) == "resend"
    assert len([r for r in provider.requests() if r["key"] == sender.uuid(task)]) == 1
    sender.db.run("select queues.cancel_task(%s)", task)
    assert worker.stop() == 0


# --- stopping ---


@pytest.mark.parametrize("name", ["dispatch.sent", "dispatch.begun", "call.started", "call.answered", "finish.sent"])
def test_a_worker_told_to_stop_anywhere_on_the_way_finishes_or_gives_back(sender, provider, name):
    tasks = [sender.sms(body=f"Code {n}") for n in range(6)]
    worker = sender.work("--lease", LEASE, "--channel-concurrency", 3, failpoints=f"{name}=freeze@1")
    eventually(lambda: open(f"/proc/{worker.process.pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()[0] == "T", "it stands still")
    worker.term()
    worker.signal(signal.SIGCONT)
    assert worker.wait() == 0
    # Nothing that was begun is left behind, and nothing new was begun.
    assert sender.db.value("select count(*) from queues.running") == 0
    done = [task for task in tasks if sender.db.outcome(task) == "succeeded"]
    sender.work_off("--lease", LEASE)
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    assert set(provider.effects().values()) == {1} and len(provider.requests()) == 6
    assert len(done) < 6
    sender.db.assert_healthy(drained=True)


# --- together ---


def test_workers_killed_again_and_again_send_everything(sender, provider):
    """Two channels, one with a key and one without, three deaths at random moments, one effect per key."""
    provider.settings(delay=0.05)
    mails = [sender.mail(subject=f"Order {n}") for n in range(150)]
    texts = [sender.sms(body=f"Code {n}") for n in range(50)]
    for death in range(3):
        victim = sender.work("--lease", 1, "--channel-concurrency", 16).ready()
        sender.db.eventually("select count(*) > %s from queues.task_completed", death * 40 + 10)
        victim.kill()
    sender.work("--lease", 1).ready()
    sender.db.wait_drained(deadline=60)
    assert {sender.db.outcome(task) for task in mails + texts} == {"succeeded"}
    assert provider.effects(api="resend") == {sender.uuid(task): 1 for task in mails}
    again = sum(n - 1 for n in provider.effects(api="twilio").values())
    died = sender.db.value("select count(*) from queues.task_lease_ended where how = 'expired'")
    assert again <= died
    assert sender.db.value("select count(*) from t.handled where kind = 'success'") == 200
    sender.db.assert_healthy(drained=True)
