"""A policy of retries: every chain has the attempts that it should have and one end, whatever dies."""
import json
import random

from harness import eventually

import pytest

FUNCTION = """
create table t.tried (chain bigint, attempt integer);
create function t.try(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into t.tried values (
        coalesce((select a.chain_id from queues.task_attempt as a where a.task_id = queues.current_task_id()), queues.current_task_id()),
        queues.current_attempt());
    if queues.current_attempt() < (_payload->>'succeeds_at')::integer then
        return '{"status": "failed"}';
    end if;
    return '{"status": "succeeded"}';
end $$;
revoke all on function t.try(jsonb) from public;
select internal.allow_function('t.try');
create function t.retry(_task_id bigint) returns bigint language plpgsql as $$
begin
    return queues.retry_task(_task_id);
exception when object_not_in_prerequisite_state then
    return null;
end $$
"""


def start(db, succeeds_at, count, max_attempts=4, wait=0.05):
    return [row[0] for row in db.rows("select queues.enqueue_many('db_function', array_fill(jsonb_build_object('db_function', 't.try',"
                                      " 'succeeds_at', %s::integer), array[%s]), _max_attempts => %s,"
                                      " _backoff => jsonb_build_object('kind', 'constant', 'base', %s::numeric))",
                                      succeeds_at, count, max_attempts, wait)]


def story(db, chain):
    return [row[0] for row in db.rows("select outcome from queues.task_chain where chain_id = %s order by attempt", chain)]


def assert_one_run_each(db):
    """The effects of an attempt and its end are one transaction."""
    assert db.rows("select chain, attempt from t.tried group by 1, 2 having count(*) > 1") == []


def test_work_that_fails_is_tried_until_it_succeeds_or_its_attempts_are_used_up(db):
    db.run(FUNCTION)
    good, = start(db, 3, 1)
    hopeless, = start(db, 9, 1)
    db.work().ready()
    db.wait_drained()
    assert story(db, good) == ["non_success", "non_success", "succeeded"]
    assert story(db, hopeless) == ["non_success"] * 4
    assert db.value("select queues.task_result(%s)->>'outcome'", good) == "succeeded"
    db.assert_healthy(drained=True)


def test_the_end_of_an_attempt_waits_for_no_open_transaction(db):
    db.run("""
        create function t.wait_and_fail(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$ begin
            perform nextval('t.starts');
            perform 1 from t.lock_row where id = 1 for update;
            return '{"status": "failed"}';
        end $$;
        select internal.allow_function('t.wait_and_fail')""")
    enqueue = """select queues.enqueue('db_function', '{"db_function": "t.wait_and_fail"}', _dedup_key => 'k', _max_attempts => 2,
                                       _backoff => '["1 hour"]')"""
    with db.connect() as holder, db.connect() as user:
        holder.execute("select 1 from t.lock_row where id = 1 for update")
        task = db.value(enqueue)
        worker = db.work().ready()
        db.eventually("select t.count_of('t.starts') = 1")
        other = user.execute(enqueue).fetchone()[0]  # not committed; the slot of the key is free while the first one runs
        assert other != task
        holder.rollback()
        assert db.wait_outcome(task) == "non_success"
        assert db.rows("select attempt, dedup_key from queues.task join queues.task_attempt using (task_id) where retry_of = %s", task) == [(2, None)]
        user.rollback()
    assert db.leases(task) == 1 and db.errors(task) == []
    assert worker.stop() == 0


def test_enqueue_waits_for_the_end_of_the_chain(db):
    db.run(FUNCTION)
    db.run("select queues.set_retry_policy('function', 't.try', 3, '[0.01]')")
    db.work().ready()
    done = db.reeve("enqueue", "db_function", '{"db_function": "t.try", "succeeds_at": 3}', "--wait", "60")
    assert done.returncode == 0, done.stderr
    assert "succeeded" in done.stdout


@pytest.mark.parametrize("victim", ["worker", "server"])
def test_every_chain_ends_once_while_something_is_killed(own_db, victim):
    db = own_db
    db.run(FUNCTION)
    chains = start(db, 3, 150) + start(db, 9, 50)
    workers = [db.work("--lease", 2).ready() for _ in range(2)]
    for ended in (60, 250, 450):
        eventually(lambda: db.value("select count(*) from queues.task_completed") >= ended, "some attempts have ended")
        if victim == "worker":
            workers.pop(0).kill()
            workers.append(db.work("--lease", 2).ready())
        else:
            db.server.kill()
            db.forget_connection()
            db.server.start()
    db.wait_drained()
    assert sorted(map(tuple, (story(db, chain) for chain in chains))) == sorted(
        [("non_success", "non_success", "succeeded")] * 150 + [("non_success",) * 4] * 50)
    assert_one_run_each(db)
    assert [worker.stop() for worker in workers] == [0, 0]
    db.assert_healthy(drained=True)


def test_an_operator_who_cancels_and_retries_at_random_forks_no_chain(db):
    db.run(FUNCTION)
    chains = start(db, 9, 100, max_attempts=6)
    workers = [db.work("--lease", 2).ready() for _ in range(2)]
    dice = random.Random(7)
    cancelled = []
    for _ in range(60):
        task = dice.choice(db.rows("select task_id from queues.task"))[0]
        if dice.random() < 0.5:
            if db.value("select queues.cancel_task(%s)", task) != "completed":
                cancelled.append(db.value("select chain_id from queues.task_attempt where task_id = %s", task))
        else:
            # Refused while the task or its chain goes on; otherwise a chain of its own.
            db.value("select t.retry(%s)", task)
    db.wait_drained()
    assert db.rows("select retry_of from queues.task join queues.task_attempt using (task_id) where attempt > 1 group by 1 having count(*) > 1") == []
    for chain in chains:
        ends = story(db, chain)
        assert ends == ["non_success"] * 6 or chain in cancelled and len(ends) <= 6 and set(ends[:-1]) <= {"non_success"}, ends
    assert_one_run_each(db)
    assert [worker.stop() for worker in workers] == [0, 0]
    db.assert_healthy(drained=True)


def test_every_chain_has_one_end_whatever_happens_at_the_same_time(own_db):
    """kill -9 of workers and server, and an operator who retries and cancels at random, over work that can succeed."""
    db = own_db
    db.run(FUNCTION)
    needs = {**dict.fromkeys(start(db, 3, 120), 3), **dict.fromkeys(start(db, 9, 40), 9)}
    workers = [db.work("--lease", 2).ready() for _ in range(2)]
    dice = random.Random(11)
    cancelled = {}  # chain: number of attempts when its cancel had committed
    for step in range(90):
        if step in (20, 50, 80):
            workers.pop(0).kill()
            workers.append(db.work("--lease", 2).ready())
        if step in (35, 65):
            db.server.kill()
            db.forget_connection()
            db.server.start()
        task = dice.choice(db.rows("select task_id from queues.task order by 1"))[0]
        chain, = db.rows("select coalesce((select chain_id from queues.task_attempt where task_id = %s), %s)", task, task)[0]
        if dice.random() < 0.5:
            answer = db.value("select queues.cancel_task(%s)", task)
            if answer != "completed" and chain not in cancelled:
                cancelled[chain] = db.value("select count(*) from queues.task_attempt where chain_id = %s", chain)
        else:
            # Refused while the task or its chain goes on; otherwise a chain of its own, with the same policy.
            new = db.value("select t.retry(%s)", task)
            if new is not None:
                needs[new] = db.value("select (payload->>'succeeds_at')::integer from queues.task where task_id = %s", new)
    db.wait_drained()
    for chain, succeeds_at in needs.items():
        ends = story(db, chain) or [db.value("select outcome from queues.task_completed where task_id = %s", chain)]
        whole = ["non_success"] * (succeeds_at - 1) + ["succeeded"] if succeeds_at <= 4 else ["non_success"] * 4
        assert ends.count("succeeded") <= 1 and set(ends[:-1]) <= {"non_success"}, ends
        if chain not in cancelled:
            assert ends == whole, (chain, ends)
        else:
            # A cancelled attempt is the last one; one that ran may end as it would, and has no successor.
            assert len(ends) <= max(cancelled[chain], 1), (chain, ends, cancelled[chain])
            assert ends[-1] in ("cancelled", "non_success", "succeeded") and ends[:-1] == whole[:len(ends) - 1], (chain, ends)
    assert db.rows("select retry_of from queues.task join queues.task_attempt using (task_id) where attempt > 1 group by 1 having count(*) > 1") == []
    assert_one_run_each(db)
    assert [worker.stop() for worker in workers] == [0, 0]
    db.assert_healthy(drained=True)


def test_task_show_tells_all_attempts_as_one_story(db):
    db.run(FUNCTION)
    chain, = start(db, 2, 1, wait=0.01)
    plain = db.value("select queues.enqueue('db_function', '{\"db_function\": \"t.try\", \"succeeds_at\": 1}')")
    db.work().ready()
    db.wait_drained()
    last = db.value("select max(task_id) from queues.task_chain where chain_id = %s", chain)
    for task in (chain, last):
        shown = db.reeve("task", "show", str(task))
        assert shown.returncode == 0, shown.stderr
        assert "completed, attempt 2 of 4 of task %d\n" % chain in shown.stdout
        events = json.loads(db.reeve("task", "show", str(task), "-o", "json").stdout)["history"]
        assert [(e["attempt"], e["task_id"]) for e in events if e["event"] == "completed"] == [(1, chain), (2, last)]
    assert "attempt" not in db.reeve("task", "show", str(plain)).stdout


def test_fifty_thousand_tasks_that_fail_together_come_back_spread_out(db):
    db.run("create function t.down(_payload jsonb) returns jsonb language plpgsql security definer"
           " set search_path = pg_catalog, pg_temp as $$ begin raise exception 'down'; end $$;"
           "select internal.allow_function('t.down');"
           "select count(*) from queues.enqueue_many('db_function', array_fill('{\"db_function\": \"t.down\"}'::jsonb, array[50000]),"
           " _max_attempts => 2, _backoff => '{\"base\": 100000, \"ceiling\": 100000, \"jitter\": 0.5}')")
    worker = db.work().ready()
    eventually(lambda: db.value("select count(*) from queues.task_completed") == 50000, "all have failed", deadline=600)
    assert worker.stop() == 0
    # The waits go from 50,000 to 150,000 seconds: a fair share of a twentieth of that time is 2,500 tasks.
    waves = [row[0] for row in db.rows(
        "select count(*) from (select extract(epoch from t.scheduled_at - c.completed_at) as wait from queues.task as t"
        " join queues.task_completed as c on c.task_id = t.retry_of) as w group by floor((wait - 50000) / 5000) order by 1")]
    assert len(waves) >= 20 and sum(waves) == 50000 and max(waves) < 5000, waves
    db.assert_healthy()
