"""reeve why: what a task, process, job or command waits for, with real workers, peers and locks."""
import json

import psycopg
from harness import eventually


def why(db, subject):
    done = db.reeve("why", subject, "-o", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0]


def test_a_task_is_explained_in_a_sentence_with_evidence(db):
    task = db.enqueue("noop")
    done = db.reeve("why", task)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith(f"No worker has given a sign of life in the last minute, so nobody takes task {task}.\n")
    assert "\nreason                  no_worker\n" in done.stdout
    later = db.enqueue("noop", at="2100-01-01")
    text = db.reeve("why", f"task:{later}").stdout
    assert text.startswith(f"Task {later} is not due before 2100-01-01") and "\nAlso: No worker has given a sign" in text
    assert why(db, later)["until"].startswith("2100-01-01")
    db.work_until_empty()
    assert why(db, f"command:{task}")["reason"] == "succeeded"


def test_what_is_not_there_or_not_an_id_is_said(db):
    for subject in ("999999", "process:999999", "job:999999"):
        done = db.reeve("why", subject)
        assert done.returncode == 9 and done.stdout.startswith("There is no ")
    for subject in ("x", "task:", "task:x", "row:1", "0", "1;", ":1"):
        done = db.reeve("why", subject)
        assert done.returncode == 2 and "is not an id" in done.stderr, subject


def test_a_live_worker_is_told_from_one_that_was_killed(db):
    task = db.enqueue("wait_for_row")
    with psycopg.connect(db.conninfo()) as holder:
        holder.execute("select 'held by a test' from t.lock_row where id = 1 for update")
        worker = db.work("--lease", "5").ready()
        db.eventually("select exists (select 1 from queues.running where task_id = %s)", task)
        answer = eventually(lambda: (w := why(db, task))["reason"] == "lock" and w, "the run waits for the lock")
        assert answer["evidence"]["locked_by"] == [holder.info.backend_pid]
        assert "held by a test" in answer["evidence"]["holders"][0]["query"]
        assert answer["evidence"]["worker_state"] == "live"
        worker.kill()
        eventually(lambda: why(db, task)["reason"] != "lock", "its backend is gone")
    assert why(db, task)["reason"] in ("leased", "lease_expired", "worker_silent")


def test_a_host_that_is_closed_is_named_by_the_worker(db):
    worker = db.work("--allow-loopback", "--allow-http-hosts", "127.0.0.1", "--allow-ports", "1").ready()
    for _ in range(12):
        db.value("select queues.enqueue('http', '{\"request\": {\"url\": \"http://127.0.0.1:1/x\"}}')")
    db.eventually("select closed is not null from queues.worker_seen")
    task = db.value("select queues.enqueue('http', '{\"request\": {\"url\": \"http://127.0.0.1:1/x\"}}')")
    answer = why(db, task)
    assert (answer["reason"], answer["evidence"]["destination"]) == ("host_closed", "127.0.0.1:1")
    assert answer["until"] is not None and answer["evidence"]["workers"]
    worker.stop()
