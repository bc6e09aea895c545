"""A policy of retries: every chain has the attempts that it should have and one end, whatever dies."""
import random

from harness import eventually

import pytest

FUNCTION = """
create table t.tried (chain bigint, attempt integer);
create function t.try(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    _task record;
begin
    select coalesce(t.chain_id, t.task_id) as chain, coalesce(t.attempt, 1) as attempt into _task
    from queues.task as t where t.task_id = queues.current_task_id();
    insert into t.tried values (_task.chain, _task.attempt);
    if _task.attempt < (_payload->>'succeeds_at')::integer then
        return '{"status": "failed"}';
    end if;
    return '{"status": "succeeded"}';
end $$;
revoke all on function t.try(jsonb) from public;
select internal.allow_function('t.try')
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
                cancelled.append(db.value("select coalesce(chain_id, task_id) from queues.task where task_id = %s", task))
        else:
            # Refused while the task or its chain goes on; otherwise a chain of its own.
            db.run("do $$ begin perform queues.retry_task(%d); exception when object_not_in_prerequisite_state then null; end $$" % task)
    db.wait_drained()
    assert db.rows("select retry_of from queues.task where attempt is not null group by 1 having count(*) > 1") == []
    for chain in chains:
        ends = story(db, chain)
        assert ends == ["non_success"] * 6 or chain in cancelled and len(ends) <= 6 and set(ends[:-1]) <= {"non_success"}, ends
    assert_one_run_each(db)
    assert [worker.stop() for worker in workers] == [0, 0]
    db.assert_healthy(drained=True)
