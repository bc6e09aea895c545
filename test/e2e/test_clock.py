"""The clock of the server is set while it works; the clock of the workers stays right.

What docs/reliability.md says about clocks.  An hour never passes here: what would wait for it is not seen within the deadline.
"""
import os
import shutil
import signal
import struct
import subprocess

from harness import DEADLINE, HERE, Database, Server, eventually

import pytest
from peer import Peer

HOUR = 3600
LEASE = 6  # a renewal comes after a third
LONG_LEASE = 600  # no renewal comes while the test lasts


class ClockedServer(Server):
    """A server whose time of day is moved by step()."""

    def __enter__(self):
        self.offset = 0
        self.clock = f"{self.dir}/clock"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", f"{self.dir}/clock.so", str(HERE / "clock.c")],
                       check=True)
        self.write_offset()
        for path in (self.clock, f"{self.dir}/clock.so"):
            os.chmod(path, 0o755)
            if os.getuid() == 0:
                shutil.chown(path, "postgres")
        return super().__enter__()

    def start(self, before=()):
        super().start([*before, "env", f"LD_PRELOAD={self.dir}/clock.so", f"CLOCK_FILE={self.clock}"])

    def log(self):
        with open(f"{self.dir}/log", encoding="utf-8") as file:
            return file.read()

    def write_offset(self):
        fd = os.open(self.clock, os.O_WRONLY | os.O_CREAT)
        os.pwrite(fd, struct.pack("q", self.offset), 0)
        os.close(fd)

    def step(self, seconds):
        """Set the clock, for all sessions at once."""
        self.offset += seconds
        self.write_offset()


@pytest.fixture
def clocked_server():
    """One for each test: the clock of another test stays out of it."""
    with ClockedServer() as server:
        server.make_template()
        yield server


# Runs until t.arrivals, and does not wait for a lock before that: PostgreSQL does not look at its timers.
WAIT_FOR_WORD = """
    create function t.wait_for_word(_payload jsonb) returns jsonb
        language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$
    begin
        perform nextval('t.starts');
        insert into t.effect (task_id) values (queues.current_task_id());
        while t.count_of('t.arrivals') = 0 loop
            perform pg_sleep(0.01);
        end loop;
        if _payload ? 'then_row' then
            perform 1 from t.lock_row where id = 1 for update;
        end if;
        return jsonb_build_object('status', 'succeeded');
    end
    $$;
    select internal.allow_function('t.wait_for_word')"""


@pytest.fixture
def db(clocked_server):
    database = clocked_server.make_database()
    database.run(WAIT_FOR_WORD)
    try:
        yield database
        database.finish()
    finally:
        database.drop()


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


class Held:
    """Row 1 of t.lock_row: functions that want it run until it is given back."""

    def __init__(self, db):
        self.db = db
        self.connection = db.connect()
        self.connection.execute("select from t.lock_row where id = 1 for update")

    def wait_wanted(self, count=1):
        """Until so many wait for it, for so long that no timer but that of their timeout is running."""
        self.db.eventually("select count(*) >= %s from pg_locks where not granted and waitstart < clock_timestamp() - interval '1 second'"
                           " and pid in (select pid from pg_stat_activity where datname = current_database())", count)

    def give_back(self):
        self.connection.commit()
        self.connection.close()


@pytest.fixture
def held(db):
    held = Held(db)
    yield held
    if not held.connection.closed:
        held.connection.close()


def lease_left(db, task):
    """Seconds; None if it is not leased."""
    rows = db.rows("select extract(epoch from expires_at - clock_timestamp())::float from queues.running where task_id = %s", task)
    return rows[0][0] if rows else None


def begin_and_renew_a_call(db, peer):
    call, = peer.enqueue(db, "/hold")
    eventually(lambda: peer.count("/hold") == 1, "new work is begun at once")
    db.eventually("select count(*) >= 3 from queues.task_lease_renewed where task_id = %s", call)
    assert lease_left(db, call) <= LEASE
    assert_clean(db)
    return call


def assert_ran_once(db, peer, function, call):
    assert db.leases(call) == 1 and db.leases(function) == 1 and db.count_of("starts") == 1 and peer.count("/hold") == 1
    db.assert_effects_once([function])


def assert_clean(db):
    """As the doctor asks: what is seen twice is wrong."""
    if db.rows("select * from queues.check()"):
        db.assert_healthy()


def test_the_clock_of_the_server_moves_and_ours_does_not(db, clocked_server):
    before = db.value("select extract(epoch from clock_timestamp())::float")
    clocked_server.step(HOUR)
    assert HOUR <= db.value("select extract(epoch from clock_timestamp())::float") - before < HOUR + DEADLINE
    clocked_server.step(-HOUR)
    assert db.value("select extract(epoch from clock_timestamp())::float") - before < DEADLINE


# --- leases ---


@pytest.mark.parametrize("is_renewed", [False, True])
def test_a_dead_workers_tasks_are_taken_over_soon_after_the_clock_was_set_back(db, clocked_server, peer, held, is_renewed):
    lease = LEASE if is_renewed else 15  # of the second no renewal comes before the worker is dead
    functions = [db.enqueue("wait_for_row"), *db.enqueue_many("write_effect", 5)]
    call, = peer.enqueue(db, "/hold")
    first = db.work("--concurrency", 2, "--lease", lease, env=peer.env()).ready()
    eventually(lambda: db.count_of("starts") == 1 and peer.count("/hold") == 1, "a function and a call are under way")
    if is_renewed:
        db.eventually("select exists (select 1 from queues.task_lease_renewed where task_id = %s)", call)
    claimed = [r[0] for r in db.rows("select task_id from queues.task_lease where task_id = any(%s)", functions)]
    first.kill()
    clocked_server.step(-HOUR)
    held.give_back()
    peer.open()
    db.work("--lease", lease, env=peer.env()).ready()
    assert db.wait_outcome(call) == "succeeded"
    for task in claimed:
        assert db.wait_outcome(task) == "succeeded"
    db.assert_effects_once(claimed)
    assert db.leases(call) == 2 and len(peer.keys) == 2 and len(set(peer.keys)) == 1, "sent again, with the same key"
    assert_clean(db)


def test_a_live_worker_keeps_its_leases_when_the_clock_is_set_back(db, clocked_server, peer, held):
    function = db.enqueue("wait_for_row")
    db.work("--lease", LEASE, env=peer.env()).ready()
    eventually(lambda: db.count_of("starts") == 1, "the function runs")
    held.wait_wanted()
    clocked_server.step(-HOUR)
    call = begin_and_renew_a_call(db, peer)
    held.give_back()
    peer.open()
    assert db.wait_outcome(call) == "succeeded" and db.wait_outcome(function) == "succeeded"
    assert_ran_once(db, peer, function, call)


def test_a_live_worker_keeps_its_function_and_what_it_begins_when_the_clock_is_set_forward(db, clocked_server, peer):
    """Its lease is over by the new clock, but its row is locked."""
    function = db.enqueue("wait_for_word", timeout="3 hours")
    db.work("--lease", LEASE, env=peer.env()).ready()
    eventually(lambda: db.count_of("starts") == 1, "the function runs")
    clocked_server.step(HOUR)
    call = begin_and_renew_a_call(db, peer)
    assert lease_left(db, function) < 0, "over"
    assert db.value("select internal.take_back(clock_timestamp())") == 0
    db.run("select nextval('t.arrivals')")
    peer.open()
    assert db.wait_outcome(call) == "succeeded" and db.wait_outcome(function) == "succeeded"
    assert_ran_once(db, peer, function, call)


@pytest.mark.parametrize("lease", [LEASE, LONG_LEASE])
def test_a_call_under_way_outlives_a_clock_that_is_set_back(db, clocked_server, peer, lease):
    """Its lease begins anew: by its worker's renewal, or by a claim."""
    call, = peer.enqueue(db, "/hold")
    db.work("--lease", lease, env=peer.env()).ready()
    eventually(lambda: peer.count("/hold") == 1, "the call is under way")
    clocked_server.step(-HOUR)
    eventually(lambda: lease_left(db, call) <= lease, "the lease ends by the new clock")
    assert_clean(db)
    db.eventually("select expires_at > leased_at from queues.task_lease where task_id = %s", call)
    peer.open()
    assert db.wait_outcome(call) == "succeeded"
    assert db.leases(call) == 1 and peer.count("/hold") == 1
    assert_clean(db)


def test_a_step_forward_sends_a_call_again_with_its_key_and_leaves_a_function_alone(db, clocked_server, peer):
    function = db.enqueue("wait_for_word", timeout="3 hours")
    call, = peer.enqueue(db, "/hold")
    db.work("--lease", LONG_LEASE, env=peer.env()).ready()
    eventually(lambda: peer.count("/hold") == 1 and db.count_of("starts") == 1, "both are under way")
    clocked_server.step(HOUR)
    eventually(lambda: peer.count("/hold") == 2, "the call is sent again")
    assert_clean(db)
    db.run("select nextval('t.arrivals')")
    peer.open()
    assert db.wait_outcome(call) == "succeeded" and db.wait_outcome(function) == "succeeded"
    assert len(peer.keys) == 2 and len(set(peer.keys)) == 1
    assert [r[0] for r in db.rows("select how from queues.task_lease_ended where task_id = %s", call)] == ["expired"]
    assert db.leases(function) == 1 and db.count_of("starts") == 1
    db.assert_effects_once([function])


# --- timeouts of functions: PostgreSQL measures them by the clock that was set ---


def test_a_function_that_runs_when_the_clock_is_set_back_may_run_longer_than_its_timeout(db, clocked_server, held):
    function = db.enqueue("wait_for_row", timeout="6 seconds")
    db.work().ready()
    held.wait_wanted()
    clocked_server.step(-HOUR)
    later = db.enqueue("wait_for_row", timeout="7 seconds")
    assert db.wait_outcome(later) == "failed", "what begins after the step is measured by the new clock"
    assert db.outcome(function) is None
    held.give_back()
    assert db.wait_outcome(function) == "succeeded"
    db.assert_effects_once([function])


def test_a_function_whose_timeout_is_over_by_the_new_clock_is_cancelled_when_it_begins_to_wait(db, clocked_server, held):
    """It leaves nothing.  It has failed; or it runs again, if its task was taken back before its worker could say so."""
    function = db.enqueue("wait_for_word", then_row=True, timeout="10 minutes")
    db.work().ready()
    eventually(lambda: db.count_of("starts") == 1, "the function runs")
    clocked_server.step(HOUR)
    db.run("select nextval('t.arrivals')")
    eventually(lambda: "canceling statement due to statement timeout" in clocked_server.log(), "PostgreSQL cancels it")
    held.give_back()
    if db.wait_outcome(function) == "succeeded":
        assert db.effects(function) == 1 and db.leases(function) == db.count_of("starts") == 2
    else:
        assert db.effects(function) == 0 and db.leases(function) == db.count_of("starts") == 1
        assert db.errors(function) == ["timed out after 600 s"]


def test_a_function_whose_timeout_is_over_by_the_new_clock_runs_again_if_its_task_was_taken_back(db, clocked_server, held):
    """Its worker is frozen and cannot report; another one takes the task back, whose row nobody locks any more."""
    function = db.enqueue("wait_for_word", then_row=True, timeout="10 minutes")
    first = db.work("--lease", LEASE).ready()
    eventually(lambda: db.count_of("starts") == 1, "the function runs")
    first.signal(signal.SIGSTOP)
    clocked_server.step(HOUR)
    db.run("select nextval('t.arrivals')")
    eventually(lambda: "canceling statement due to statement timeout" in clocked_server.log(), "PostgreSQL cancels it")
    held.give_back()
    db.work("--lease", LEASE).ready()
    assert db.wait_outcome(function) == "succeeded"
    assert db.effects(function) == 1 and db.leases(function) == db.count_of("starts") == 2
    first.signal(signal.SIGCONT)
    assert_clean(db)


def test_a_function_whose_wait_for_a_lock_is_over_by_the_new_clock_runs_again(db, clocked_server, held):
    """PostgreSQL looks at its timers when one of them fires: from 14 on, the look for the client, each second."""
    function = db.enqueue("wait_for_row", timeout="3 hours")
    db.work("--lock-timeout", 600).ready()
    held.wait_wanted()
    clocked_server.step(HOUR)
    eventually(lambda: "canceling statement due to lock timeout" in clocked_server.log(), "PostgreSQL gives up the wait", deadline=20)
    held.give_back()
    assert db.wait_outcome(function) == "succeeded"
    assert db.effects(function) == 1 and db.count_of("starts") >= 2


# --- what is due ---


def test_after_a_step_forward_everything_due_in_that_hour_is_begun(db, clocked_server):
    first = db.enqueue("write_effect")
    soon = db.enqueue("write_effect", at=db.value("select clock_timestamp() + interval '50 minutes'"))
    late = db.enqueue("write_effect", at=db.value("select clock_timestamp() + interval '3 hours'"))
    db.work().ready()
    assert db.wait_outcome(first) == "succeeded"
    db.wait_asleep()
    clocked_server.step(HOUR)
    assert db.wait_outcome(soon) == "succeeded"
    assert db.outcome(late) is None
    assert_clean(db)


def test_after_a_step_back_new_work_is_done_and_what_was_due_waits_for_its_time(db, clocked_server, peer):
    worker = db.work(env=peer.env()).ready()
    assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    assert worker.stop() == 0
    old, job = db.enqueue("write_effect"), peer.enqueue(db, "/x")[0]
    clocked_server.step(-HOUR)
    worker = db.work(env=peer.env()).ready()
    for _ in range(3):
        assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    soon = db.enqueue("write_effect", at=db.value("select clock_timestamp() + interval '2 seconds'"))
    assert db.wait_outcome(soon) == "succeeded"
    assert db.outcome(old) is None and db.outcome(job) is None
    assert "2 task(s) that were due at once wait" in db.reeve("doctor").stdout
    assert_clean(db)
    # An operator need not wait for it.
    assert db.value("select queues.reschedule_task(%s, clock_timestamp())", old)
    assert db.wait_outcome(old) == "succeeded"
    # Nor does it wait longer than it must.
    clocked_server.step(HOUR)
    assert db.wait_outcome(job) == "succeeded"
    assert_clean(db)


def test_a_worker_that_knows_where_it_was_finds_new_work_after_a_step_back(db, clocked_server):
    """It begins to look where it was last; by the new clock all that comes is before that."""
    db.work().ready()
    for task in db.enqueue_many("write_effect", 50):
        assert db.wait_outcome(task) == "succeeded"
    clocked_server.step(-HOUR)
    tasks = db.enqueue_many("write_effect", 50)
    for task in tasks:
        assert db.wait_outcome(task) == "succeeded"
    db.assert_effects_once(tasks)


# --- processes and jobs ---


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_process_whose_call_is_under_way_goes_on_when_the_call_ends(db, clocked_server, peer, hours):
    """Its next look was planned by the old clock; the answer wakes it."""
    db.run("select comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 'Hello', '<p>hi</p>')")
    env = peer.env(RESEND_API_KEY="re_x", REEVE_RESEND_URL=f"{peer.url}/hold")
    db.work("--lease", LEASE, env=env).ready()
    eventually(lambda: peer.count("/hold") >= 1, "the mail is under way")
    clocked_server.step(hours * HOUR)
    peer.open()
    db.eventually("select count(*) = 1 from comms.send_email_task_succeeded")
    db.wait_drained()
    db.eventually("select count(*) = 1 from queues.process_ended")
    assert len(set(peer.keys)) == 1
    assert_clean(db)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_retry_of_a_job_keeps_the_time_of_its_plan(db, clocked_server, peer, hours):
    """It is due in ten minutes, so a step forward begins it.  After a step back it waits, but an operator can hasten it."""
    with db.connect() as connection:
        hastened, left = [connection.execute("insert into pgqueue.job_queue (url, payload) values (%s, '{}') returning job_id",
                                             [f"{peer.url}/busy"]).fetchone()[0] for _ in range(2)]
    db.work(env=peer.env()).ready()
    db.eventually("select count(*) = 2 from pgqueue.job_queue where retry_count = 1 and job_status = 'failed'")
    clocked_server.step(hours * HOUR)
    if hours < 0:
        assert db.value("select pgqueue.reschedule_job(%s, clock_timestamp())", hastened)
        db.eventually("select retry_count = 2 from pgqueue.job_queue where job_id = %s", hastened)
        assert db.value("select retry_count = 1 from pgqueue.job_queue where job_id = %s", left)
        assert_clean(db)
        clocked_server.step(2 * HOUR)
    db.eventually("select min(retry_count) = 2 from pgqueue.job_queue where job_id = %s", left)
    assert_clean(db)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_supervisor_looks_again_at_the_time_of_its_plan(db, clocked_server, hours):
    """Its next look is due in ten minutes, so a step forward begins it.  After a step back an operator can begin it, or wake it."""
    db.run("""create function t.patient_facts(_id bigint, out looks bigint) language sql stable security definer
              set search_path = pg_catalog, pg_temp as $$ select t.count_of('t.arrivals') $$""")
    db.run("""create function t.patient_supervisor(_payload jsonb) returns jsonb
              language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
              begin
                  if nextval('t.arrivals') > 1 then
                      return jsonb_build_object('status', 'succeeded');
                  end if;
                  perform queues.enqueue('db_function', _payload, queues.clock() + interval '10 minutes');
                  return jsonb_build_object('status', 'scheduled');
              end $$""")
    db.run("select internal.allow_function('t.patient_supervisor', 'supervisor', 't.patient_facts', array['id'])")
    db.work().ready()
    db.run("select queues.enqueue('db_function', jsonb_build_object('db_function', 't.patient_supervisor', 'id', 1))")
    tick = db.eventually("select task_id from queues.ready where is_supervisor_run and available_at > clock_timestamp() + interval '5 minutes'")
    clocked_server.step(hours * HOUR)
    if hours < 0:
        assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
        assert db.outcome(tick) is None and db.count_of("arrivals") == 1
        assert_clean(db)
        assert db.value("select queues.reschedule_task(%s, clock_timestamp())", tick)
    assert db.wait_outcome(tick) == "succeeded"
    db.eventually("select count(*) = 1 from queues.process_ended")
    assert_clean(db)


# --- programs that are started later ---


@pytest.mark.parametrize("hours", [-1, 1])
def test_after_a_step_a_worker_starts_and_so_does_one_of_a_copied_database(db, clocked_server, hours):
    """The copy was installed by the old clock and is adopted by the new one."""
    db.work().ready()
    clocked_server.step(hours * HOUR)
    db.work().ready()
    assert db.wait_outcome(db.enqueue("write_effect")) == "succeeded"
    copy = clocked_server.make_database()
    try:
        copy.work().ready()
        assert copy.wait_outcome(copy.enqueue("write_effect")) == "succeeded"
        copy.finish()
    finally:
        copy.drop()
