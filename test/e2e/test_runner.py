"""Calls and outcomes when something is in the way: nothing is lost, sent twice, or held for ever."""
import json
import re
import resource
import signal
import threading

import pytest

from harness import eventually
from peer import Peer


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


def test_an_error_that_was_cut_within_a_character_is_recorded(db):
    # The error comes at commit, so it travels through the program, which cuts it.
    db.run("""
        create table t.loud_later (id integer);
        create function t.be_loud() returns trigger language plpgsql
        as $$ begin raise exception 'xx%', repeat('é', 400); end $$;
        create constraint trigger be_loud after insert on t.loud_later deferrable initially deferred
            for each row execute function t.be_loud();
        create function t.fail_loudly(_payload jsonb) returns jsonb
            language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$ begin insert into t.loud_later values (1); return '{"status": "succeeded"}'; end $$;
        revoke all on function t.fail_loudly(jsonb) from public;
        select internal.allow_function('t.fail_loudly')""")
    task = db.enqueue("fail_loudly")
    db.work().ready()
    assert db.wait_outcome(task) == "failed"
    error, = db.errors(task)
    assert error.startswith("xxééé")
    assert db.leases(task) == 1


def test_an_outcome_that_was_put_off_is_recorded_before_the_end(db, peer):
    task, = peer.enqueue(db, "/hold")
    worker = db.work("--lock-timeout", 1, env=peer.env()).ready()
    db.eventually("select exists (select 1 from queues.task_dispatched)")
    with db.connect() as holder:
        holder.execute("select 1 from queues.running for update")
        peer.open()
        worker.wait_line("report put off")
        worker.term()
        worker.wait_line("report put off", count=2)
    assert worker.wait() == 0
    assert db.outcome(task) == "succeeded"
    assert (peer.count("/hold"), db.leases(task)) == (1, 1)


def hold_every_run(db):
    """As if a session that nobody remembers held the row whenever the program asks."""
    db.is_damaged = True
    db.run("""
        create or replace function internal.run_one(_worker_id uuid, _task_id bigint, _lease_no integer,
                out outcome text, out status text, out error text) language plpgsql set search_path = pg_catalog, pg_temp
        as $$ begin raise exception using errcode = 'QU008', message = 'task 1 is being run by another session'; end $$""")


def test_a_run_that_was_put_off_is_given_back_at_the_end(db):
    task = db.enqueue("write_effect")
    hold_every_run(db)
    worker = db.work(env={"REEVE_LOG_LEVEL": "debug"}).ready()
    worker.wait_line("task still held by another session")
    assert worker.stop() == 0
    assert db.rows("select how from queues.task_lease_ended where task_id = %s order by lease_no desc limit 1", task) == [("released",)]


def test_an_outcome_survives_a_server_that_is_unwell(db, peer):
    # First something that ends the report, then no room to keep the result without it.
    db.is_damaged = True
    db.run("""
        create function t.fill_up() returns trigger language plpgsql security definer
        as $$
        declare
            _n constant bigint := nextval('t.failures');
        begin
            if _n = 1 then
                raise exception 'no';
            elsif _n <= 3 then
                raise exception using errcode = '53100', message = 'could not extend file: no space left on device';
            elsif _n = 4 then
                raise exception using errcode = '25006', message = 'cannot execute INSERT in a read-only transaction';
            end if;
            return new;
        end $$;
        create trigger fill_up before insert on queues.task_completed for each row execute function t.fill_up()""")
    task, = peer.enqueue(db)
    worker = db.work(env=peer.env()).ready()
    assert db.wait_outcome(task) == "succeeded"
    assert worker.stop() == 0
    assert (peer.count("/x"), db.leases(task), db.count_of("failures")) == (1, 1, 5)


def fail_at_commit_once(db, kind):
    """A handler whose transaction fails at its first commit, with a code of ours that a trigger chose."""
    db.run("""
        create table t.judged_later (id integer);
        create function t.pretend() returns trigger language plpgsql
            as $$ begin raise exception using errcode = 'QU002', message = 'lease is superseded'; end $$;
        create constraint trigger pretend after insert on t.judged_later deferrable initially deferred
            for each row execute function t.pretend();
        create function t.judged(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$ begin
            if nextval('t.failures') = 1 then
                insert into t.judged_later values (1);
            end if;
            return jsonb_build_object('status', 'succeeded', 'payload', _payload->'send');
        end $$""")
    db.run("select internal.allow_function('t.judged', %s)", kind)


def test_a_code_of_ours_at_commit_of_a_handler_loses_no_outcome(db, peer):
    fail_at_commit_once(db, "success")
    task, = peer.enqueue(db, success_handler="t.judged")
    worker = db.work(env=peer.env()).ready()
    assert db.wait_outcome(task) == "succeeded"  # in a second lease, by the handler alone
    assert db.rows("select how, outcome from queues.task_lease_ended where task_id = %s", task) == [("handler_failed", "succeeded")]
    assert worker.stop() == 0
    assert (peer.count("/x"), db.leases(task)) == (1, 2)


def test_a_code_of_ours_at_commit_of_a_before_handler_is_its_failure(db, peer):
    fail_at_commit_once(db, "before")
    task, = peer.enqueue(db, before_handler="t.judged", send={"url": peer.url + "/x"})
    worker = db.work(env=peer.env()).ready()
    assert db.wait_outcome(task) == "failed"
    assert db.errors(task) == ["lease is superseded"]
    assert worker.stop() == 0
    assert (peer.count("/x"), db.leases(task)) == (0, 1)


def test_a_huge_error_of_a_function_costs_the_worker_little(db):
    db.run("create function t.shout(_payload jsonb) returns jsonb language plpgsql as $$ begin"
           " raise exception using message = repeat('x', 100000000); end $$")
    db.run("select internal.allow_function('t.shout')")
    tasks = db.enqueue_many("shout", 3)
    worker = db.work().ready()
    db.wait_drained()
    assert {db.outcome(task) for task in tasks} == {"failed"}
    with open(f"/proc/{worker.process.pid}/status", encoding="ascii") as status:
        assert int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) < 50000
    assert worker.stop() == 0


def allow_stubborn(db):
    """A before handler that waits for row 1 of t.lock_row, whatever happens to its query."""
    db.run("""
        create function t.be_stubborn(_payload jsonb) returns jsonb
            language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$ begin
            perform nextval('t.starts');
            begin
                perform 1 from t.lock_row where id = 1 for update;
            exception when query_canceled then
                begin
                    perform pg_sleep(0.5); -- a cancel request may be two signals
                exception when query_canceled then
                    null;
                end;
            end;
            return jsonb_build_object('status', 'succeeded', 'payload', _payload->'send');
        end $$;
        revoke all on function t.be_stubborn(jsonb) from public;
        select internal.allow_function('t.be_stubborn', 'before')""")


def test_nothing_is_sent_after_the_grace(db, peer):
    allow_stubborn(db)
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        task, = peer.enqueue(db, before_handler="t.be_stubborn", send={"method": "POST", "url": peer.url + "/hold"})
        worker = db.work("--stop-grace", 1, env=peer.env()).ready()
        db.eventually("select t.count_of('t.starts') > 0")
        assert worker.stop() == 0
    assert peer.paths == [], worker.log()
    # That it was not sent is certain, so nothing is in doubt and nobody has to wait for its lease.
    assert db.rows("select how from queues.task_lease_ended") == [("released",)]
    peer.open()
    second = db.work(env=peer.env()).ready()
    assert db.wait_outcome(task) == "succeeded"
    assert second.stop() == 0
    assert peer.count("/hold") == 1


def test_a_provider_that_is_taken_away_while_its_task_is_announced(db, peer, tmp_path):
    allow_stubborn(db)
    key = tmp_path / "key"
    key.write_text("re_canary_of_runner")
    env = peer.env(RESEND_API_KEY_FILE=key, REEVE_RESEND_URL=peer.url)
    worker = db.work(env=env).ready()
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        task = db.value("""select queues.enqueue('email', '{"before_handler": "t.be_stubborn", "send": {"from_address": "a@x",
                           "to_address": "b@y", "subject": "s", "html": "h"}}')""")
        db.eventually("select t.count_of('t.starts') > 0")
        key.write_text("")
        worker.signal(signal.SIGHUP)
        worker.wait_line("read again")
    db.eventually("select exists (select 1 from queues.task_lease_ended where how = 'released')")
    assert worker.process.poll() is None
    assert peer.paths == []
    # With its key it is sent, by the same worker.
    key.write_text("re_canary_of_runner")
    worker.signal(signal.SIGHUP)
    assert db.wait_outcome(task) == "succeeded"
    assert peer.paths == ["/emails"]


def test_a_backlog_of_one_kind_of_call_does_not_hide_another_kind(db, peer):
    db.run("""
        create function t.find_file(_payload jsonb) returns jsonb
            language sql security definer set search_path = pg_catalog, pg_temp
        as $$ select '{"status": "succeeded", "payload": {"file_id": 1}}'::jsonb $$;
        revoke all on function t.find_file(jsonb) from public;
        select internal.allow_function('t.find_file', 'before')""")
    peer.enqueue(db, "/x", 3000)
    db.work("--channel-concurrency", 4,
            env=peer.env(FILE_SERVICE_URL=peer.url, FILE_SERVICE_API_KEY="k", REEVE_LOG_LEVEL="info")).ready()
    eventually(lambda: peer.count("/x") > 20, "calls go on")
    # Both kinds are claimed together, and these come last by their time.
    files = [db.value("""select queues.enqueue('file_delete', '{"before_handler": "t.find_file"}')""") for _ in range(5)]
    for task in files:
        assert db.wait_outcome(task, deadline=120) == "succeeded"
    assert db.value("select count(*) > 0 from queues.ready")


def test_a_notification_does_not_mix_up_the_claim_under_way(db, peer):
    first, = peer.enqueue(db)
    worker = db.work("--concurrency", 4, env=peer.env(REEVE_LOG_LEVEL="warn")).process
    assert db.wait_outcome(first) == "succeeded"  # From now on queue http is known for calls.
    is_over = threading.Event()

    def notify():
        with db.connect(autocommit=True) as connection:
            while not is_over.is_set():
                connection.execute("select pg_notify('worker_tasks', 'http')")

    notifier = threading.Thread(target=notify)
    notifier.start()
    try:
        ids = [db.enqueue("write_effect", n=n) for n in range(500)]
        for task in ids:
            db.wait_outcome(task)
    finally:
        is_over.set()
        notifier.join()
    db.assert_effects_once(ids)
    assert worker.poll() is None


def test_what_cannot_be_run_is_left_to_others(db, peer):
    db.run("alter role worker_service_user connection limit 1")
    try:
        task, = peer.enqueue(db)
        worker = db.work(user="worker_service_user", env=peer.env(REEVE_LOG_LEVEL="debug")).ready()
        worker.wait_line("too many connections", count=5)
        db.work(env=peer.env(), user="postgres").ready()
        assert db.wait_outcome(task) == "succeeded"
        assert db.leases(task) == 1  # The first worker did not even try.
    finally:
        db.run("alter role worker_service_user connection limit -1")


def test_what_can_no_longer_be_run_is_given_back(db, peer):
    allow_stubborn(db)
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        tasks = [task for n in range(2) for task in peer.enqueue(
            db, before_handler="t.be_stubborn", send={"method": "POST", "url": f"{peer.url}/{n}"})]
        # One is announced, the other one waits for the one work connection.
        worker = db.work("--lease", 3, "--concurrency", 1, user="worker_service_user", env=peer.env()).ready()
        db.eventually("select t.count_of('t.starts') > 0")
        db.eventually("select count(*) = 2 from queues.running")
        db.run("alter role worker_service_user connection limit 1")
        try:
            db.terminate("reeve work")
            db.eventually("select count(*) = 2 from queues.task_lease_ended where how = 'released'")
        finally:
            db.run("alter role worker_service_user connection limit -1")
    for task in tasks:
        assert db.wait_outcome(task) == "succeeded"
    assert worker.stop() == 0
    assert sorted(peer.paths) == ["/0", "/1"]


def test_a_free_place_for_a_call_is_used_while_others_take_long(db, peer):
    peer.enqueue(db, "/hold", 29)
    db.work("--channel-concurrency", 40, "--per-host", 30, env=peer.env(REEVE_LOG_LEVEL="info")).ready()
    eventually(lambda: peer.count("/hold") == 29, "all but one place of this host is taken")
    for task in peer.enqueue(db, "/x", 3):
        assert db.wait_outcome(task) == "succeeded"


def enqueue_letters(db, task_type, count):
    """E-mails or text messages with a before handler."""
    db.run("""
        create or replace function t.write(_payload jsonb) returns jsonb
            language sql security definer set search_path = pg_catalog, pg_temp
        as $$ select '{"status": "succeeded", "payload": {"from_address": "a@x", "to_address": "b@y", "subject": "s", "html": "h",
                      "to_number": "+1", "body": "b"}}'::jsonb $$;
        revoke all on function t.write(jsonb) from public;
        select internal.allow_function('t.write', 'before')""")
    return [db.value("""select queues.enqueue(%s, '{"before_handler": "t.write"}')""", task_type) for _ in range(count)]


def test_a_slow_channel_does_not_make_another_one_slow(db):
    # One SMS in 100 s: who waits for that must not hold up the e-mail.
    db.work("--poll-interval", 60, "--sms-rate", 0.01, "--email-rate", 5, "--email-provider", "log", "--sms-provider", "log").ready()
    texts = enqueue_letters(db, "sms", 2)
    assert db.wait_outcome(texts[0]) == "succeeded"
    mails = enqueue_letters(db, "email", 30)
    assert db.wait_outcome(mails[-1]) == "succeeded"
    assert db.outcome(texts[1]) is None


def test_a_channel_keeps_its_rate_from_the_first_call_on(db):
    enqueue_letters(db, "email", 21)
    db.work_until_empty("--email-rate", 4, "--email-provider", "log")
    # A full bucket at the start would make it a second shorter; a slow machine only makes it longer.
    assert db.value("select extract(epoch from max(leased_at) - min(leased_at)) from queues.task_lease") > 4.6


def test_calls_are_noticed_while_database_work_is_put_off(db, peer):
    hold_every_run(db)
    worker = db.work("--concurrency", 1, env=peer.env()).ready()
    db.wait_asleep()
    db.enqueue("write_effect")
    worker.wait_line("task still held by another session", count=2)
    task, = peer.enqueue(db)
    assert db.wait_outcome(task) == "succeeded"


def test_many_calls_at_once_do_not_run_out_of_descriptors(db, peer):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    tasks = peer.enqueue(db, "/hold", 150)
    db.work("--channel-concurrency", 200, "--per-host", 150, env=peer.env(REEVE_LOG_LEVEL="info"),
            before=("prlimit", f"--nofile=100:{hard}")).ready()
    eventually(lambda: peer.count("/hold") == 150, "all calls are under way")
    peer.open()
    for task in tasks:
        assert db.wait_outcome(task) == "succeeded"


def test_outcomes_come_first_when_a_connection_is_back(db, peer):
    allow_stubborn(db)
    worker = db.work("--concurrency", 1, "--lock-timeout", 600, "--handler-timeout", 600, user="worker_service_user",
                     env=peer.env()).ready()
    called, = peer.enqueue(db, "/hold")
    eventually(lambda: peer.count("/hold") == 1, "the call is under way")
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        # One is being announced on the one connection, a function waits for it; both would keep it.
        peer.enqueue(db, before_handler="t.be_stubborn", send={"method": "POST", "url": peer.url + "/x"})
        db.eventually("select t.count_of('t.starts') = 1")
        db.enqueue("wait_for_row")
        db.eventually("select count(*) = 3 from queues.running")
        db.run("alter role worker_service_user connection limit 1")
        try:
            db.terminate("reeve work")
            worker.wait_line("announcement interrupted")
            peer.open()
            worker.wait_line("call ended")
        finally:
            db.run("alter role worker_service_user connection limit -1")
        assert db.wait_outcome(called) == "succeeded"
    db.wait_drained()


def test_an_outcome_that_was_put_off_is_evidence_when_the_lease_is_lost(db, peer):
    db.is_damaged = True
    task, = peer.enqueue(db, "/hold")
    worker = db.work("--lease", 1, "--lock-timeout", 1, env=peer.env()).ready()
    eventually(lambda: peer.count("/hold") == 1, "the call is under way")
    with db.connect() as holder:
        holder.execute("select 1 from queues.running for update")
        peer.open()
        worker.wait_line("report put off")
        holder.execute("update queues.running set lease_no = lease_no + 1")
    db.eventually("select outcome = 'succeeded' from queues.late_result where task_id = %s and lease_no = 1", task)


def test_the_log_tells_how_a_call_ended(db, peer):
    good, = peer.enqueue(db)
    bad, = peer.enqueue(db, "/gone")
    worker = db.work(env=peer.env()).ready()
    assert (db.wait_outcome(good), db.wait_outcome(bad)) == ("succeeded", "failed")
    worker.wait_line(f'msg="task completed" task_id={good} lease_no=1 task_type=http queue=http outcome=succeeded')
    worker.wait_line(f'msg="task failed" task_id={bad} lease_no=1 task_type=http queue=http outcome=failed')


def test_answers_are_recorded_as_they_are_whatever_they_hold(db, peer):
    odd = ["", "NULL", '"', "\\", '\\"', "{", "}", ",", "{NULL,NULL}", '{"a": "b\\\\\\"c"}', " spaces ", "a\nb\tc\r", "'; drop table t.effect; --",
           "\\x00", "\\u0000", "%s $1 :x", "é€😀", '{"{""}"}', "\x7f\x1b[2J", "\\" * 1000, '"' * 1000]
    tasks = [db.value("select queues.enqueue('http', %s::jsonb)",
                      json.dumps({"request": {"method": "POST", "url": peer.url + "/echo", "body": text}})) for text in odd]
    db.work_until_empty(env=peer.env(REEVE_LOG_LEVEL="info"))
    got = dict(db.rows("select task_id, result->>'body' from queues.task_completed"))
    assert [got[task] for task in tasks] == odd
