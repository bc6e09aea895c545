"""A worker carries out what was enqueued: each task once, in order, within its limits."""
from harness import ROOT, eventually

import pytest


def test_an_immediate_task_succeeds(db):
    worker = db.work().ready()
    task = db.enqueue("write_effect", n=7)
    assert db.wait_outcome(task) == "succeeded"
    assert db.rows("select task_id, n from t.effect") == [(task, 7)]
    assert db.leases(task) == 1
    assert worker.stop() == 0
    db.assert_healthy(drained=True)


def test_a_delayed_task_is_not_started_before_its_time(db):
    db.work("--poll-interval", 30).ready()
    db.wait_asleep()
    task = db.value("select queues.enqueue('db_function', '{\"db_function\": \"t.noop\"}', now() + interval '2 seconds')")
    # Well before the poll interval, so the due time woke it, though nobody told it of the task.
    assert db.wait_outcome(task, deadline=15) == "succeeded"
    assert db.value("select leased_at >= scheduled_at from queues.task join queues.task_lease using (task_id)")


def test_a_function_that_raises_fails_once_and_leaves_nothing(db):
    task = db.enqueue("boom", text="outch")
    db.work_until_empty()
    assert db.outcome(task) == "failed"
    assert db.errors(task) == ["function t.boom failed: boom: outch"]
    assert db.effects(task) == 0
    assert db.leases(task) == 1


@pytest.mark.parametrize("answer, outcome, status", [
    ('{"status": "succeeded"}', "succeeded", None),
    ('{"success": true}', "succeeded", None),
    ('{"status": "rejected"}', "non_success", "rejected"),
    ("{}", "non_success", "no_status"),
    ("[]", "failed", "invalid_envelope"),
    ('{"error": "no"}', "failed", "error"),
])
def test_the_answer_of_a_function_decides_the_outcome(db, answer, outcome, status):
    task = db.value("select queues.enqueue('db_function', jsonb_build_object('db_function', 't.answer', 'answer', %s::jsonb))",
                    answer)
    db.work_until_empty()
    rows = db.rows("select outcome, coalesce(status, outcome) from queues.task_completed where task_id = %s", task)
    assert rows == [(outcome, status or outcome)]
    assert len(db.errors(task)) == (1 if outcome == "failed" else 0)


def test_tasks_start_in_the_order_of_priority_time_and_id(db):
    later = [db.enqueue("write_effect", priority=5) for _ in range(3)]
    first = [db.enqueue("write_effect", priority=-1) for _ in range(3)]
    plain = [db.enqueue("write_effect") for _ in range(3)]
    dated_back = db.enqueue("write_effect", at="2020-01-01")
    db.work_until_empty("--concurrency", 1)
    order = [r[0] for r in db.rows("select task_id from t.effect order by at")]
    assert order == [*first, dated_back, *plain, *later]


def test_until_empty_ends_in_order_and_leaves_the_future_alone(db):
    now = db.enqueue("write_effect")
    future = db.enqueue("write_effect", at="2100-01-01")
    worker = db.work_until_empty()
    assert db.outcome(now) == "succeeded"
    assert db.outcome(future) is None
    assert "nothing is due" in worker.log()
    assert db.value("select count(*) from queues.worker_stopped") == 1


def test_until_empty_looks_at_the_front_once_more_without_waiting_for_its_turn(db):
    db.enqueue_many("noop", 20)
    with db.connect() as blocker:
        blocker.execute("lock table queues.ready")
        worker = db.work("--until-empty", "--concurrency", 1)
        # A look at the front that takes this long is next due in ten seconds.
        db.eventually("select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                      " and query like '%%claim_batch%%' and clock_timestamp() - query_start > interval '0.4 seconds')")
        blocker.commit()
    assert worker.wait() == 0
    assert db.value("select max(s.stopped_at) - max(c.completed_at) < interval '8 seconds'"
                    " from queues.worker_stopped as s, queues.task_completed as c")
    db.assert_healthy(drained=True)


def test_until_empty_does_what_its_own_tasks_enqueue(db):
    db.run("create function t.chain(_payload jsonb) returns jsonb language plpgsql security definer"
           " set search_path = pg_catalog, pg_temp as $$ begin"
           " if (_payload->>'n')::integer > 0 then perform queues.enqueue('db_function',"
           " jsonb_build_object('db_function', 't.chain', 'n', (_payload->>'n')::integer - 1)); end if;"
           " return '{\"status\": \"succeeded\"}'; end $$")
    db.run("select internal.allow_function('t.chain')")
    for done in range(1, 6):
        db.enqueue("chain", n=9)
        db.work_until_empty()
        assert db.value("select count(*) from queues.task_completed where outcome = 'succeeded'") == done * 10
    db.assert_healthy(drained=True)


def test_until_empty_ends_when_there_is_no_type_to_serve(db):
    task = db.enqueue("noop")
    db.work_until_empty("--types", "no_such_type")
    assert db.outcome(task) is None


def most_at_once(db, queue):
    """The largest number of runs of a queue that overlapped, from the facts."""
    return db.value(
        "select coalesce(max(n), 0) from (select (select count(*) from queues.task_completed as b join queues.task as u"
        " using (task_id) where u.queue = %s and b.started_at <= a.started_at and b.completed_at > a.started_at) as n"
        " from queues.task_completed as a join queues.task as t using (task_id) where t.queue = %s) as x", queue, queue)


def test_a_limit_of_a_queue_in_the_program_is_kept(db):
    db.run("select queues.create_queue('narrow')")
    narrow = [db.enqueue("slow", queue="narrow", seconds=0.05) for _ in range(6)]
    other = [db.enqueue("write_effect") for _ in range(6)]
    db.work_until_empty("--concurrency", 4, "--queue", "narrow:1", "--queue", "default")
    db.assert_effects_once(narrow + other)
    assert most_at_once(db, "narrow") == 1


def test_only_the_queues_asked_for_are_served(db):
    db.run("select queues.create_queue('mine'), queues.create_queue('theirs')")
    mine = db.enqueue("write_effect", queue="mine")
    theirs = db.enqueue("write_effect", queue="theirs")
    db.work_until_empty("--queue", "mine")
    assert (db.outcome(mine), db.outcome(theirs)) == ("succeeded", None)


def test_a_limit_in_the_database_holds_over_all_workers(db):
    db.run("select queues.create_queue('one', 1)")
    tasks = [db.enqueue("slow", queue="one", seconds=0.05) for _ in range(8)]
    workers = [db.work("--concurrency", 3).ready() for _ in range(2)]
    db.wait_drained()
    db.assert_effects_once(tasks)
    assert most_at_once(db, "one") == 1
    assert [w.stop() for w in workers] == [0, 0]


def test_only_the_types_asked_for_are_served(db):
    db.run("select queues.register_task_type('special', 'function')")
    plain = db.enqueue("write_effect")
    special = db.value("select queues.enqueue('special', '{\"db_function\": \"t.write_effect\"}')")
    db.work_until_empty("--types", "special")
    assert (db.outcome(plain), db.outcome(special)) == (None, "succeeded")
    db.work_until_empty()
    assert db.outcome(plain) == "succeeded"


def test_types_that_no_worker_knows_stay_open_and_are_named_once(db):
    # A channel: this program has no provider for it.
    task = db.value("select queues.enqueue('sms', '{}')")
    worker = db.work().ready()
    worker.wait_line("no live worker serves")
    assert "task_types=sms" in worker.log()
    done = db.enqueue("noop")
    assert db.wait_outcome(done) == "succeeded"
    assert db.value("select state from queues.task_state where task_id = %s", task) == "ready"


def test_a_queue_made_while_a_worker_runs_is_picked_up(db):
    db.work("--poll-interval", 30).ready()
    db.eventually("select exists (select 1 from pg_stat_activity where application_name = 'reeve listen' and"
                  " datname = current_database() and state = 'idle')")
    db.run("select queues.create_queue('fresh')")
    task = db.enqueue("write_effect", queue="fresh")
    assert db.wait_outcome(task, deadline=15) == "succeeded"


def test_a_paused_queue_waits_until_it_is_resumed(db):
    db.work("--poll-interval", 0.1).ready()
    db.run("select queues.pause_queue('default')")
    waiting = db.enqueue("write_effect")
    marker = db.enqueue("noop", queue="http")
    assert db.wait_outcome(marker) == "succeeded"
    assert db.outcome(waiting) is None and db.leases(waiting) == 0
    db.run("select queues.resume_queue('default')")
    assert db.wait_outcome(waiting) == "succeeded"


def test_several_workers_share_a_backlog_and_nothing_runs_twice(db):
    tasks = db.enqueue_many("write_effect", 2000)
    workers = [db.work("--concurrency", 2) for _ in range(4)]
    db.wait_drained(deadline=60)
    assert [w.stop() for w in workers] == [0] * 4
    db.assert_effects_once(tasks)
    assert db.value("select count(*) from queues.task_completed") == 2000
    assert db.value("select count(*) from t.effect") == 2000
    # Nobody died, so nothing was leased twice but what was given back in order.
    assert db.value("select count(*) from queues.task_lease_ended where how <> 'released'") == 0
    db.assert_healthy(drained=True)


def test_a_function_longer_than_its_lease_runs_once(db):
    task = db.enqueue("slow", seconds=3.5)
    others = [db.work("--lease", 1, "--poll-interval", 0.2) for _ in range(2)]
    assert db.wait_outcome(task) == "succeeded"
    assert (db.leases(task), db.count_of("starts"), db.count_of("overlaps"), db.effects(task)) == (1, 1, 0, 1)
    assert [w.stop() for w in others] == [0, 0]


def test_a_task_past_its_timeout_fails_and_says_so(db):
    slow = db.enqueue("slow", seconds=60, timeout="1.5 seconds")
    after = db.enqueue("write_effect")
    db.work_until_empty("--concurrency", 1)
    assert db.outcome(slow) == "failed"
    assert db.errors(slow) == ["timed out after 1.5 s"]
    assert db.effects(slow) == 0
    db.assert_effects_once([after])


def test_a_run_cancelled_by_a_database_user_fails_and_says_so(db):
    task = db.enqueue("slow", seconds=60)
    db.work().ready()
    db.eventually("select t.count_of('t.starts') > 0")
    db.run("select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'reeve work'"
           " and state = 'active' and datname = current_database()")
    assert db.wait_outcome(task) == "failed"
    assert db.errors(task) == ["cancelled by a database user"]
    assert db.leases(task) == 1


@pytest.mark.parametrize("function", ["fail_at_commit", "fail_at_commit_oddly"])
def test_an_error_at_commit_fails_the_task_with_one_fact(db, function):
    task = db.enqueue(function)
    db.work_until_empty()
    assert db.outcome(task) == "failed"
    assert len(db.errors(task)) == 1
    assert db.effects(task) == 0


def test_an_error_at_commit_inside_a_batch_leaves_its_neighbours_alone(db):
    good = db.enqueue_many("write_effect", 300)
    bad = [db.enqueue("fail_at_commit") for _ in range(3)]
    good += db.enqueue_many("write_effect", 300)
    db.work_until_empty("--concurrency", 1)
    db.assert_effects_once(good)
    for task in bad:
        assert (db.outcome(task), len(db.errors(task)), db.effects(task)) == ("failed", 1, 0)


def test_a_failure_inside_a_batch_leaves_its_neighbours_alone(db):
    good = db.enqueue_many("write_effect", 200)
    bad = [db.enqueue("boom") for _ in range(3)]
    good += db.enqueue_many("write_effect", 200)
    db.work_until_empty("--concurrency", 1)
    db.assert_effects_once(good)
    for task in bad:
        assert (db.outcome(task), len(db.errors(task)), db.effects(task)) == ("failed", 1, 0)


def test_a_deadlock_is_tried_again_and_takes_effect_once(db):
    pair = [db.enqueue("cross", first=1, second=2), db.enqueue("cross", first=2, second=1)]
    db.work("--concurrency", 2)
    db.wait_drained()
    db.assert_effects_once(pair)
    assert db.value("select count(*) from queues.task_lease_ended where how = 'retry'") == 1
    assert db.value("select count(*) from queues.error") == 0


@pytest.mark.parametrize("neighbours", [0, 400])
def test_a_serialization_failure_is_tried_again_and_takes_effect_once(db, neighbours):
    tasks = db.enqueue_many("write_effect", neighbours) if neighbours else []
    again = db.enqueue("serialize_once")
    tasks += db.enqueue_many("write_effect", neighbours) if neighbours else []
    db.work("--concurrency", 1)
    db.wait_drained()
    db.assert_effects_once([again, *tasks])
    ends = [how for how, in db.rows("select how from queues.task_lease_ended where task_id = %s", again)]
    # On a slow machine it may be given back once before it begins.
    assert [how for how in ends if how != "released"] == ["retry"]
    assert db.count_of("failures") == 2


def test_a_supervised_process_runs_to_its_end(db):
    db.run((ROOT / "examples/parcel/parcel.sql").read_text())
    db.work().ready()
    db.run("select parcel.kickoff_delivery('Elm Street 1', '{away,at_home}')")
    db.eventually("select count(*) = 1 from queues.process_ended")
    state = db.rows("select state, end_reason, runs from queues.process_state")
    assert state == [("ended", "succeeded", 3)]
    assert db.value("select count(*) from parcel.delivery_attempt_failed") == 1
    assert db.value("select count(*) from parcel.delivery_attempt_succeeded") == 1
    db.wait_drained()


def test_a_cancelled_task_is_never_started(db):
    task = db.enqueue("write_effect")
    assert db.value("select queues.cancel_task(%s)", task) == "cancelled"
    db.work_until_empty()
    assert (db.outcome(task), db.leases(task), db.effects(task)) == ("cancelled", 0, 0)


def test_a_cancel_request_never_waits_for_the_run(db):
    task = db.enqueue("wait_for_row")
    with db.connect() as holder:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        db.work().ready()
        db.eventually("select t.count_of('t.starts') > 0")
        assert db.value("select queues.cancel_task(%s)", task) == "requested"
    # It was under way already, so it ends as it would have.
    assert db.wait_outcome(task) == "succeeded"


@pytest.mark.parametrize("user", ["postgres", "worker_service_user"])
def test_functions_run_as_the_worker_whoever_logs_in(db, user):
    task = db.enqueue("who")
    db.work_until_empty(user=user)
    assert db.value("select result->>'user' from queues.task_completed where task_id = %s", task) == "worker_service_user"


def test_two_idle_workers_are_both_woken_in_turn(db):
    workers = [db.work("--poll-interval", 30, "--concurrency", 1).ready() for _ in range(2)]
    eventually(lambda: db.value("select count(*) from pg_stat_activity where application_name = 'reeve work'"
                                " and datname = current_database()") == 2, "both are connected")
    for _ in range(5):
        task = db.enqueue("write_effect")
        assert db.wait_outcome(task, deadline=15) == "succeeded"
    assert [w.stop() for w in workers] == [0, 0]


def test_what_another_worker_gives_back_is_taken_at_once(db):
    other = "11111111-2222-4333-8444-555555555555"
    task = db.enqueue("write_effect")
    db.run("select queues.start_worker(%s, 'other', '0', queues.schema_version())", other)
    assert db.rows("select task_id from queues.claim(%s, null, null, 1, '1 hour')", other)[0][0] == task
    db.work("--poll-interval", 3600).ready()
    db.eventually("select exists (select 1 from pg_locks where locktype = 'advisory' and classid = 20545 and objid = 2 and granted)")
    db.run("select queues.release(%s, array[%s::bigint], array[1])", other, task)
    assert db.wait_outcome(task) == "succeeded"


def test_a_full_queue_of_its_own_leaves_the_others_watched(db):
    db.run("select queues.create_queue('slow')")
    slow = db.enqueue("slow", queue="slow", seconds=8)
    db.work("--queue-concurrency", "slow:1", "--concurrency", 3, "--poll-interval", 1).ready()
    db.eventually("select exists (select 1 from queues.running where task_id = %s)", slow)
    for _ in range(3):
        assert db.wait_outcome(db.enqueue("noop"), deadline=10) == "succeeded"
    assert db.outcome(slow) is None
    db.run("select queues.cancel_task(%s)", slow)


def test_a_limited_queue_is_served_beside_a_backlog(db):
    db.run("select queues.create_queue('critical')")
    db.enqueue_many("noop", 20000)
    critical = [db.enqueue("noop", queue="critical") for _ in range(3)]
    db.work("--queue-concurrency", "critical:2", "--concurrency", 2).ready()
    for task in critical:
        assert db.wait_outcome(task) == "succeeded"
    before = db.value("select max(completed_at) from queues.task_completed where task_id = any(%s)", critical)
    db.wait_drained()
    assert db.value("select count(*) from queues.task_completed where completed_at > %s", before) > 0


def test_plans_made_on_empty_tables_are_made_again_when_they_have_grown(db):
    db.run("""
        create table t.grown (n integer primary key);
        create function t.grow(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$
        begin
            insert into t.grown values ((_payload->>'n')::integer);
            if not exists (select 1 from t.grown where n = (_payload->>'n')::integer) then
                raise exception 'lost';
            end if;
            return '{"status": "succeeded"}';
        end $$;
        revoke all on function t.grow(jsonb) from public;
        select internal.allow_function('t.grow')""")
    db.run("alter table t.grown set (autovacuum_enabled = off)")
    db.run("vacuum analyze t.grown")
    db.enqueue_many("grow", 4000)
    db.work_until_empty("--concurrency", 1)
    assert db.value("select count(*) from t.grown") == 4000
    db.forget_connection()
    db.eventually("select n_tup_ins = 4000 from pg_stat_user_tables where relid = 't.grown'::regclass")
    # Each task read the whole table before, eight million rows in all.
    assert db.value("select seq_tup_read from pg_stat_user_tables where relid = 't.grown'::regclass") < 1_000_000


def test_a_backlog_is_not_read_again_and_again_for_other_kinds_of_work(db):
    db.run("alter table queues.ready set (autovacuum_enabled = off)")
    for _ in range(4):
        db.run("select queues.enqueue_many('noop', array_fill('{}'::jsonb, array[10000]))")
    # Looked for in the same queue: calls, of which there are none.
    db.work_until_empty("--types", "noop,http")
    db.forget_connection()
    db.eventually("select n_tup_del >= 40000 from pg_stat_user_tables where relid = 'queues.ready'::regclass")
    read = db.value("select seq_tup_read + idx_tup_fetch from pg_stat_user_tables where relid = 'queues.ready'::regclass")
    assert read < 12 * 40000, f"{read} rows were read to take 40000"
