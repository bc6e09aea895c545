"""Acts on many tasks, processes and jobs, as a person or a script uses them: counted first, then done once, whoever dies."""
import json
import os
import pty
import signal
import subprocess

import psycopg
import pytest
from harness import REEVE, clean_environment, eventually

FAILED = """
with added as (select queues.enqueue_many('db_function', (select array_agg(jsonb_build_object('db_function', 't.boom', 'n', n))
               from generate_series(1, %s) as n)) as task_id)
select count(queues.cancel_task(a.task_id)) from added as a"""


def make_ended(db, count):
    """Ended tasks, as many as asked, without a worker: they are cancelled."""
    assert db.value(FAILED, count) == count


def retries(db):
    """How many tasks have been retried how often."""
    return dict(db.rows("select c, count(*) from (select (select count(*) from queues.task as n where n.retry_of = t.task_id) as c"
                        " from queues.task as t where t.retry_of is null) as x group by c"))


def start(db, *args):
    return subprocess.Popen([REEVE, *map(str, args), "--database-url", db.conninfo()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=clean_environment())


class Held:
    """Keeps every bulk retry from going on, as a slow server would."""

    def __init__(self, db):
        self.db = db

    def __enter__(self):
        self.connection = psycopg.connect(self.db.conninfo(), autocommit=True)
        self.connection.execute("select pg_advisory_lock(20549, 1)")
        return self

    def wait(self):
        self.db.eventually("select exists (select 1 from pg_locks where locktype = 'advisory' and classid = 20549 and not granted)")

    def __exit__(self, *_):
        self.connection.close()


def test_a_filter_is_counted_shown_and_then_done(db):
    for n in range(3):
        db.enqueue("boom", text=f"refused {n}")
    db.enqueue("noop")
    db.work_until_empty()
    done = db.reeve("task", "retry", "--error-like", "%refused%", "--dry-run")
    assert done.returncode == 0 and done.stdout.startswith("act 1: 3 tasks to be retried, for example:\n")
    assert "boom: refused 2" in done.stdout and "to do exactly this: reeve bulk resume 1" in done.stderr
    assert db.value("select count(*) from queues.task where retry_of is not null") == 0
    db.enqueue("boom", text="refused later")
    db.work_until_empty()
    done = db.reeve("bulk", "resume", 1, "-o", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [{"act_id": 1, "kind": "task_retry", "state": "done", "counted": 3, "done": 3, "skipped": 0, "refused": 0}]
    assert "3 of 3 (100 %), 0 skipped, 0 refused\n" in done.stderr
    assert retries(db) == {1: 3, 0: 2}
    # The one that failed later is another act; the others have been retried.
    done = db.reeve("task", "retry", "--outcome", "failed", "--type", "db_function", "--queue", "default", "--since", "1h")
    assert done.returncode == 0 and done.stderr.startswith("act 2: 1 tasks\n")
    assert retries(db) == {1: 4, 0: 1}
    assert db.json("bulk", "list")[0]["state"] == "done"
    assert db.value("select count(*) from queues.audit where action = 'bulk_task_retry'") == 2


def test_ids_are_one_thing_or_many(db):
    tasks = [db.enqueue("noop", at="2100-01-01") for _ in range(4)]
    assert db.json("task", "cancel", str(tasks[0]), "not needed") == [{"answer": "cancelled"}]
    done = db.reeve("task", "cancel", *tasks, "not needed")
    assert done.returncode == 0 and "reeve bulk show 1" in done.stderr
    assert db.rows("select result, count(*) from queues.bulk_done group by 1 order by 1") == [("done", 3), ("skipped", 1)]
    assert db.value("select count(*) from queues.task_completed where result->>'reason' = 'not needed'") == 4
    shown = db.reeve("bulk", "show", 1).stdout
    assert f"{tasks[0]}" in shown and "it had ended" in shown and "task_cancel" in shown
    assert [p["result"] for p in db.json("bulk", "show", "1")["problems"]] == ["skipped"]
    done = db.reeve("task", "retry", *tasks)
    assert done.returncode == 0 and retries(db) == {1: 4}


@pytest.mark.parametrize("args, code, words", [
    (["task", "retry"], 2, "no id and no filter; --all acts on all tasks"),
    (["task", "cancel", "a reason"], 2, "no id and no filter"),
    (["task", "retry", "1", "--type", "http"], 2, "ids and a filter exclude each other"),
    (["task", "retry", "1", "--all"], 2, "exclude each other"),
    (["task", "retry", "x"], 8, '"x" is not an id'),
    (["task", "retry", "--outcome", "bogus"], 3, "is not one of"),
    (["task", "retry", "--queue", "none"], 8, "(23503)"),
    (["task", "retry", "--since", "yesteryear"], 8, "(22007)"),
    (["task", "cancel", "--state", "completed"], 8, "is not one of"),
    (["job", "cancel", "--state", "bogus"], 3, "is not one of"),
    (["bulk", "resume", "99"], 9, "act 99 does not exist"),
    (["bulk", "extend", "99"], 8, "(P0002)"),
    (["bulk", "stop", "99"], 8, "(P0002)"),
    (["bulk", "show", "99"], 9, "act 99 does not exist"),
    (["bulk", "show", "99", "-o", "json"], 9, "act 99 does not exist"),
    (["bulk", "start", "99"], 8, "(P0002)"),
])
def test_what_is_not_meant_is_refused(db, args, code, words):
    make_ended(db, 2)
    done = db.reeve(*args)
    assert done.returncode == code and words in done.stderr, done.stderr
    assert db.value("select count(*) from queues.bulk_started") == 0


def test_a_command_that_is_killed_twice_leaves_one_retry_each(db):
    make_ended(db, 3000)
    assert db.reeve("task", "retry", "--outcome", "cancelled", "--dry-run").returncode == 0
    for killed in range(2):
        with Held(db) as held:
            program = start(db, "bulk", "resume", 1)
            held.wait()
            program.send_signal(signal.SIGKILL)
            program.communicate()
        # Its server process may still commit the batch that it was at.
        db.eventually("select not exists (select 1 from pg_stat_activity where query like '%%run_bulk%%' and pid <> pg_backend_pid()"
                      " and state = 'active')")
        assert db.value("select count(*) from queues.bulk_done") <= 1000 * (killed + 1)
    done = db.reeve("bulk", "resume", 1)
    assert done.returncode == 0, done.stderr
    assert retries(db) == {1: 3000}
    assert db.value("select state || ' ' || done from queues.bulk_state") == "done 3000"
    assert db.value("select count(*) from queues.audit where action = 'bulk_task_retry'") == 1


def test_ctrl_c_leaves_an_act_that_can_be_resumed(db):
    make_ended(db, 1500)
    with Held(db) as held:
        program = start(db, "task", "retry", "--outcome", "cancelled")
        held.wait()
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=60)
    assert program.returncode == 130, errors
    assert "to go on: reeve bulk resume 1" in errors
    assert retries(db) == {0: 1500}
    assert db.reeve("bulk", "resume", 1).returncode == 0
    assert retries(db) == {1: 1500}


def test_two_programs_work_at_one_act(db):
    make_ended(db, 3000)
    db.reeve("task", "retry", "--outcome", "cancelled", "--dry-run")
    programs = [start(db, "bulk", "resume", 1) for _ in range(2)]
    assert [program.wait(60) for program in programs] == [0, 0]
    assert [program.communicate()[0] != "" for program in programs] == [True, True]
    assert retries(db) == {1: 3000}


def test_workers_that_are_killed_twice_leave_one_retry_each(db):
    make_ended(db, 4000)
    assert db.reeve("task", "retry", "--outcome", "cancelled", "--dry-run").returncode == 0
    assert db.json("bulk", "start", "1") == [{"act_id": 1, "task_id": 4001}]
    for _ in range(2):
        with Held(db) as held:
            worker = db.work("--lease", 1, "--queue", "maintenance")
            held.wait()
            worker.signal(signal.SIGKILL)
            assert worker.wait() == -signal.SIGKILL
        # Its server process may still commit the part that it was at.
        db.eventually("select not exists (select 1 from pg_locks where locktype = 'advisory' and classid = 20549)")
    db.work("--lease", 1, "--queue", "maintenance").ready()
    db.eventually("select state = 'done' from queues.bulk_state")
    assert retries(db)[1] == 4000 and set(retries(db)) == {0, 1}, "0: the tasks that carry the act"
    assert db.value("select count(*) from queues.audit where action = 'bulk_task_retry'") == 1
    assert db.value("select count(*) from queues.audit where action = 'retry_task'") == 0
    db.eventually("select carrier_task_id is null from queues.bulk_state")


def test_an_act_that_a_worker_carries_can_be_stopped(db):
    make_ended(db, 3000)
    assert db.reeve("task", "retry", "--outcome", "cancelled", "--dry-run").returncode == 0
    with Held(db) as held:
        carrier = db.json("bulk", "start", "1")[0]["task_id"]
        db.work("--queue", "maintenance").ready()
        held.wait()
        stop = start(db, "bulk", "stop", 1)
    assert stop.wait(60) in (0, 8), "it waits for the part that is under way, which may be the last"
    db.eventually("select carrier_task_id is null from queues.bulk_state")
    assert db.value("select outcome from queues.task_completed where task_id = %s", carrier) == "succeeded"
    done, state = db.rows("select done, state from queues.bulk_state")[0]
    assert (state, done == 3000) in (("stopped", False), ("done", True))
    assert sum(n for c, n in retries(db).items() if c == 1) == done


def test_a_stopped_act_does_not_go_on(db):
    make_ended(db, 10)
    db.reeve("task", "retry", "--outcome", "cancelled", "--dry-run")
    assert db.json("bulk", "stop", "1") == [{"act_id": 1, "was_open": True}]
    done = db.reeve("bulk", "resume", 1)
    assert done.returncode == 8 and "was stopped" in done.stderr
    assert retries(db) == {0: 10}


def test_what_is_refused_is_exit_code_8(db):
    make_ended(db, 3)
    db.rows("select internal.revoke_function('t.boom')")
    done = db.reeve("task", "retry", "--outcome", "cancelled")
    assert done.returncode == 8 and "3 refused" in done.stderr
    assert "is not registered" in db.reeve("bulk", "show", 1).stdout


def test_the_search_says_how_far_back_it_looked(db):
    make_ended(db, 5)
    act = db.rows("select act_id, cursor from queues.preview_bulk('task_retry', 'cancelled', _scan => 2)")[0]
    db.rows("select queues.extend_bulk(%s, 2)", act[0])
    done = db.reeve("bulk", "extend", act[0])
    assert done.returncode == 0 and done.stdout.startswith(f"act {act[0]}: 5 tasks to be retried") and done.stderr == ""
    assert act[1] is not None


@pytest.mark.parametrize("answer, count", [("no", 0), ("yes", 1)])
def test_a_person_is_asked_first(db, answer, count):
    make_ended(db, 2)
    ours, theirs = pty.openpty()
    program = subprocess.Popen([REEVE, "task", "retry", "--outcome", "cancelled", "--database-url", db.conninfo()], stdin=theirs,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
    os.write(ours, f"{answer}\n".encode())
    _, errors = program.communicate(timeout=60)
    os.close(theirs)
    os.close(ours)
    assert "2 tasks will be retried.  Continue? [yes/no]" in errors
    assert program.returncode == (0 if answer == "yes" else 2)
    assert retries(db) == {count: 2}


def test_processes_and_jobs_have_acts_of_their_own(db):
    db.run("insert into pgqueue.job_queue (url) select 'https://x.invalid/' || n from generate_series(1, 3) as n")
    done = db.reeve("job", "cancel", "--url", "https://x.invalid/", "--state", "new", "--type", "POST")
    assert done.returncode == 0 and "act 1: 3 jobs" in done.stderr
    done = db.reeve("job", "retry", "--outcome", "other", "--url", "https://x.invalid/")
    assert done.returncode == 0, done.stderr
    assert db.value("select count(*) from pgqueue.job_run") == 3 + db.value("select done from queues.bulk_state where act_id = 2")
    assert db.reeve("process", "revive", "--type", "t.none", "--since", "1d").returncode == 0
    eventually(lambda: db.json("bulk", "list")[0]["kind"] == "process_revive")
