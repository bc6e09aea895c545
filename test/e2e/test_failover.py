"""The primary dies and a standby takes over: workers go on by themselves, and nothing that they know is lost."""
import json
import os
import signal

import channels
from harness import eventually, reeve
from pair import Load, Pair
from peer import Peer

import pytest

ROUNDS = int(os.environ.get("ROUNDS") or 1)
LEASE = 3

# What became of each key of a face: key, how often it was done in the database, whether it ended well.
ENDS = {
    "function": "select (t.payload->>'n')::int, (select count(*) from t.effect as e where e.task_id = t.task_id), c.outcome = 'succeeded'"
                " from queues.task as t left join queues.task_completed as c using (task_id) where t.task_type = 'db_function'",
    "command": "select (x.payload->>'n')::int, (select count(*) from t.note as e where e.task_id = x.task_id and e.what = 'handler'),"
               " c.outcome = 'succeeded' from queues.task as t cross join lateral (select t.task_id, coalesce(t.payload->'payload',"
               " t.payload) as payload) as x left join queues.task_completed as c on c.task_id = t.task_id where t.task_type = 'command'",
    "http": "select (t.payload->>'n')::int, 1, c.outcome = 'succeeded' from queues.task as t"
            " left join queues.task_completed as c using (task_id) where t.task_type = 'http'",
    "email": "select (t.payload->>'n')::int, (select count(*) from t.handled as h where h.task_id = t.task_id and h.kind = 'success'),"
             " c.outcome = 'succeeded' from queues.task as t left join queues.task_completed as c using (task_id)"
             " where t.task_type = 'email'",
    "job": "select (payload->>'n')::int, 1, job_status = 'completed' from pgqueue.job_queue",
}
# Sends: key at the provider, and for how many leases a dispatch was announced.
SENDS = {
    "http": "select 'http-' || (t.payload->>'n'), (select count(*) from queues.task_dispatched as d where d.task_id = t.task_id)"
            " from queues.task as t where t.task_type = 'http'",
    "email": "select t.task_uuid::text, (select count(*) from queues.task_dispatched as d where d.task_id = t.task_id)"
             " from queues.task as t where t.task_type = 'email'",
    "job": "select j.job_uuid::text, (select count(*) from queues.task_dispatched as d join pgqueue.job_run as r on r.task_id = d.task_id"
           " where r.job_id = j.job_id) from pgqueue.job as j",
}


@pytest.fixture
def outside(certificates):
    with channels.start_provider(certificates) as provider:
        yield provider


def start_workers(pair, provider, count=2):
    env = channels.Sender(pair.old, provider).env(REEVE_LOG_LEVEL="info")
    return [pair.old.work("--lease", LEASE, "--poll-interval", 1, url=pair.url(), env=env).ready() for _ in range(count)]


def stop_workers(workers):
    for worker in workers:
        assert worker.process.poll() is None, worker.log()
    for worker in workers:
        assert worker.stop() == 0, worker.log()
        for word in ("Sanitizer", "runtime error:", "Assertion"):
            assert word not in worker.log(), worker.log()


def completed(db):
    return {row[0] for row in db.rows("select task_id from queues.task_completed")}


def assert_ends(db, but_function=None):
    """Everything that the new primary knows of ended well, once.  Returns the keys of each face.  but_function: a key to leave out."""
    keys = {}
    for face, sql in ENDS.items():
        rows = [row for row in db.rows(sql) if row[0] != but_function]
        assert [row for row in rows if row[1:] != (1, True)] == [], face
        keys[face] = [row[0] for row in rows]
        assert len(keys[face]) == len(set(keys[face])), f"{face}: a key is there twice"
    db.assert_healthy(drained=True)
    return keys


def assert_own_results(db):
    """The answer in each result is the answer to this task and no other: the provider gives the request back."""
    foreign = db.rows("select t.task_id, t.payload->>'n', c.result from queues.task as t join queues.task_completed as c using (task_id)"
                      " where t.task_type = 'http' and (((c.result->>'body')::jsonb->>'body')::jsonb->>'n') is distinct from t.payload->>'n'")
    assert foreign == []
    foreign = db.rows("select job_id from pgqueue.job_queue where (response_content::jsonb->>'body')::jsonb is distinct from payload")
    assert foreign == []


def count_sends(db, provider):
    """Sends of all keys, how many of them were repeats, and how many are more than the new primary knows to be announced."""
    sends = {}
    for request in provider.requests():
        sends[request["key"]] = sends.get(request["key"], 0) + 1
    known = {key: count for sql in SENDS.values() for key, count in db.rows(sql)}
    repeats = sum(count - 1 for count in sends.values())
    return sum(sends.values()), repeats, {key: (count, known[key]) for key, count in sends.items() if key in known and count > known[key]}


@pytest.mark.parametrize("n", range(ROUNDS))
def test_nothing_acknowledged_is_lost_with_a_synchronous_standby(outside, n):
    with Pair("sync") as pair:
        workers = start_workers(pair, outside)
        load = Load(pair, outside).start()
        load.wait_more(30)
        pair.old.eventually("select count(*) >= 100 from queues.task_completed")
        seen = completed(pair.old)
        gap = pair.fail_over()
        load.wait_more(30)
        load.stop()
        pair.new.wait_drained(deadline=60)
        stop_workers(workers)
        keys = assert_ends(pair.new)
        for face, acked in load.acked.items():
            assert set(acked) - set(keys[face]) == set(), f"{face}: acknowledged and gone"
        assert seen - completed(pair.new) == set(), "a completion that was seen is gone"
        assert_own_results(pair.new)
        sends, repeats, unknown = count_sends(pair.new, outside)
        assert unknown == {}, "sent without a fact that it was announced"
        print(f"\nsync round {n}: {sum(map(len, load.acked.values()))} acknowledged, 0 lost, {load.lost} without an answer,"
              f" {sends} sends, {repeats} repeated, {gap:.1f} s without a primary")


@pytest.mark.parametrize("n", range(ROUNDS))
def test_what_an_asynchronous_standby_holds_is_whole(outside, n):
    with Pair("async") as pair:
        workers = start_workers(pair, outside)
        load = Load(pair, outside).start()
        load.wait_more(30)
        pair.old.eventually("select count(*) >= 100 from queues.task_completed")
        pair.wait_caught_up()
        early = {face: set(keys[:20]) for face, keys in load.acked.items()}
        pair.cut()
        load.wait_more(40)  # more than a sequence writes ahead: their ids are given again
        gap = pair.fail_over()
        load.wait_more(60)
        load.stop()
        pair.new.wait_drained(deadline=60)
        stop_workers(workers)
        keys = assert_ends(pair.new)
        for face, acked in early.items():
            assert acked - set(keys[face]) == set(), f"{face}: had arrived and is gone"
        lost = {face: len(set(acked) - set(keys[face])) for face, acked in load.acked.items()}
        assert all(count > 0 for count in lost.values()), lost
        assert_own_results(pair.new)
        sends, repeats, unknown = count_sends(pair.new, outside)
        print(f"\nasync round {n}: {sum(map(len, load.acked.values()))} acknowledged, {sum(lost.values())} lost with the primary,"
              f" {sends} sends, {repeats} repeated ({len(unknown)} keys whose announcement was lost), {gap:.1f} s without a primary")


def test_a_standby_in_the_list_of_hosts_is_passed_over():
    with Pair("async") as pair:
        task = pair.old.enqueue("write_effect")
        pair.wait_caught_up()
        for first in ("standby", "primary"):
            worker = pair.old.work("--until-empty", url=pair.url(first=first))
            assert worker.wait() == 0, worker.log()
            # One-shot commands look for a server that accepts writes, too.
            done = reeve("queue", "pause", "default", "--database-url", pair.url(first=first))
            assert done.returncode == 0, done.stderr
        pair.old.assert_effects_once([task])
        # Where there is only a standby, one may look, and nothing else.
        pair.wait_caught_up()
        alone = pair.standby.tcp("ours")
        done = reeve("task", "list", "-o", "json", "--database-url", alone)
        assert done.returncode == 0 and json.loads(done.stdout)[0]["task_id"] == task, done
        for look in (["queue", "list"], ["process", "list"], ["job", "list"], ["task", "show", task], ["bulk", "list"], ["audit", "list"]):
            done = reeve(*look, "-o", "json", "--database-url", alone)
            assert done.returncode == 0 and json.loads(done.stdout) is not None, (look, done)
        done = reeve("queue", "resume", "default", "--database-url", alone)
        assert done.returncode == 8 and "25006" in done.stderr, done
        worker = pair.old.work(url=alone)
        assert worker.wait() == 5 and "read-only" in worker.log(), worker.log()
        # What the user says goes before what we want.
        for url, env in ((pair.url(target_session_attrs="any"), {}), (pair.url(), {"PGTARGETSESSIONATTRS": "any"})):
            worker = pair.old.work(url=url, env=env)
            assert worker.wait() == 5 and "accepts no writes" in worker.log(), worker.log()


def test_a_server_that_becomes_read_only_is_waited_for(own_db):
    db, peer = own_db, Peer()
    call, = peer.enqueue(db, "/hold")
    worker = db.work("--lease", LEASE, "--poll-interval", 1, url=db.server.tcp(db.name), env=peer.env()).ready()
    eventually(lambda: peer.count("/hold") == 1, "the call is under way")
    db.run(f"alter database {db.name} set default_transaction_read_only = on")
    for application in ("reeve control", "reeve work"):
        db.terminate(application)
    peer.open()  # Its outcome cannot be recorded now.
    worker.wait_line("read-only")
    db.run("begin read write")
    db.run(f"alter database {db.name} reset default_transaction_read_only")
    db.run("commit")
    assert db.wait_outcome(call) == "succeeded"
    db.wait_drained()
    assert worker.stop() == 0, worker.log()
    assert peer.count("/hold") == 1
    peer.close()


def test_a_statement_that_is_refused_as_read_only_is_not_the_end(own_db):
    # No connection is lost at first: the server turns read-only under its sessions, as hosted servers do when their disk is full.
    db, peer = own_db, Peer()
    call, = peer.enqueue(db, "/hold")
    worker = db.work("--lease", 60, "--poll-interval", 1, url=db.server.tcp(db.name), env=peer.env()).ready()
    eventually(lambda: peer.count("/hold") == 1, "the call is under way")
    db.run("alter system set default_transaction_read_only = on")
    db.run("select pg_reload_conf()")
    # The statement is answered as if the connection were lost: another host of the list may accept writes.
    worker.wait_line('control connection lost, connecting again" error="cannot execute')
    # The work connections, which say "read write", must not come back either.
    old = [pid for pid, in db.rows("select pid from pg_stat_activity where application_name = 'reeve work'")]
    db.terminate("reeve work")
    db.eventually("select not exists (select 1 from pg_stat_activity where pid = any(%s))", old)
    peer.open()
    eventually(lambda: peer.answered == ["/hold"], "the call is over")
    db.eventually("select exists (select 1 from pg_stat_activity where application_name = 'reeve work')")  # one more try
    assert db.outcome(call) is None
    db.run("alter system reset default_transaction_read_only")
    db.run("select pg_reload_conf()")
    assert db.wait_outcome(call) == "succeeded"
    db.wait_drained()
    assert worker.stop() == 0, worker.log()
    assert (peer.count("/hold"), db.leases(call)) == (1, 1)
    peer.close()


def test_a_result_of_a_lost_lease_enters_no_other_one():
    # Tasks, leases and calls that the standby never heard of; then others that get their numbers.
    peer = Peer()
    with Pair("async") as pair:
        worker = pair.old.work("--lease", 60, "--poll-interval", 1, "--channel-concurrency", 200, "--per-host", 60, url=pair.url(),
                               env=peer.env()).ready()
        pair.wait_caught_up()
        pair.cut()
        old = peer.enqueue(pair.old, "/hold/old/echo", count=60)
        eventually(lambda: peer.count("/hold/old") == 60, "all are being called")
        pair.fail_over()
        new = peer.enqueue(pair.new, "/hold/new/echo", count=60, first=1000)
        assert set(new) & set(old) != set()
        eventually(lambda: peer.count("/hold/new") == 60, "the others are being called")
        assert {row[0] for row in pair.new.rows("select lease_no from queues.running")} == {1}
        peer.open()
        pair.new.wait_drained()
        stop_workers([worker])
        assert pair.new.value("select count(*) from queues.late_result") == 0
        answers = pair.new.rows("select t.payload->'request'->'body'->>'n', (c.result->>'body')::jsonb->>'n', c.outcome"
                                " from queues.task as t join queues.task_completed as c using (task_id)")
        assert len(answers) == 60 and all(sent == got and outcome == "succeeded" for sent, got, outcome in answers), answers
        pair.new.assert_healthy(drained=True)
    peer.close()


def test_a_worker_leaves_a_primary_that_is_frozen():
    # It takes connections still, and its kernel answers for it; only an answer that does not come tells.
    with Pair("sync") as pair:
        holder = pair.old.connect()
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        waiting = pair.old.enqueue("wait_for_row")
        worker = pair.old.work("--lease", LEASE, "--poll-interval", 1, url=pair.url(first="primary")).ready()
        pair.old.eventually("select t.count_of('t.starts') = 1")
        pair.signal_primary(signal.SIGSTOP)
        try:
            pair.standby.promote()
            task = pair.new.enqueue("write_effect")
            assert pair.new.wait_outcome(task, deadline=90) == "succeeded"
            pair.new.wait_drained(deadline=90)
            pair.new.assert_effects_once([task, waiting])
            stop_workers([worker])
            pair.new.assert_healthy(drained=True)
        finally:
            pair.crash()
