"""What is printed and logged: nothing that a terminal obeys, no payload, no password."""
import json
import re
import signal
from pathlib import Path

import pytest
from harness import REEVE, Worker, clean_environment, reeve


HOSTILE = "red\x1b[31m \u009b2J \u202etxt.exe \u2066 \u200f \u061c \u2028line \u0085 \x7f end"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def test_nothing_that_a_terminal_obeys_is_printed_or_logged(db):
    task = db.enqueue("boom", text=HOSTILE)
    db.run("select queues.enqueue('noop', jsonb_build_object('text', %s::text))", HOSTILE)
    worker = db.work_until_empty("--log-level", "debug")
    assert not OBEYED.search(worker.log())
    for args in (["task", "list"], ["task", "show", task], ["task", "list", "-o", "json"], ["task", "show", task, "-o", "json"],
                 ["task", "show", HOSTILE], ["enqueue", HOSTILE], ["task", "list", "--type", HOSTILE], [HOSTILE], ["work", f"--{HOSTILE}"],
                 ["queue", "pause", HOSTILE], ["doctor", "-o", HOSTILE]):
        done = db.reeve(*args)
        assert not OBEYED.search(done.stdout + done.stderr), (args, done.stdout, done.stderr)
    shown = json.loads(db.reeve("task", "show", task, "-o", "json").stdout)
    assert any(HOSTILE in str(event["detail"]) for event in shown["history"])  # nothing is lost in JSON


def test_logs_never_contain_a_payload(db):
    canary = "canary-7f3a"
    for function in ("noop", "boom", "answer", "fail_at_commit", "slow"):
        db.enqueue(function, text=canary, answer={"error": canary}, seconds=0, secret=canary)
    # A payload that breaks a cast is in the text of the error.
    task = db.enqueue("write_effect", n=canary)
    for form in ("text", "json"):
        worker = db.work_until_empty("--log-level", "debug", "--log-format", form)
        assert canary not in worker.log()
        db.run("select queues.retry_task(task_id) from queues.task_completed")
    assert canary in db.errors(task)[0]
    db.work_until_empty()


@pytest.mark.parametrize("url", ["postgres://me:geheim1@@@db/x", "postgress://me:geheim1@db/x", "postgres://me:1/geheim1@db/x",
                                 "postgres://me:a@geheim1@127.0.0.1/x", "postgres://me:a/geheim1@127.0.0.1/x", "postgresql://me:geheim1@[::1/x",
                                 "host=/nowhere passwort=geheim1", "host=/nowhere password='geheim1", "me:geheim1@db",
                                 "postgres://me:geheim1@127.0.0.1:1/x?sslmode=geheim1", "postgres://me:geheim1@127.0.0.1:99999/x",
                                 "host=/nowhere password=geheim1 sslmode=geheim1"])
@pytest.mark.parametrize("command", [["task", "list"], ["work", "--until-empty"], ["doctor"]])
def test_a_connection_string_that_cannot_be_used_is_not_repeated(command, url):
    done = reeve(*command, "--database-url", url)
    assert done.returncode in (3, 5, 8), done.stderr
    assert "geheim1" not in done.stdout + done.stderr, done.stderr


def test_a_connection_string_in_a_wrong_place_is_not_repeated():
    for args in (["postgres://me:geheim1@db/x"], ["--database-url=postgres://me:geheim1@db/x", "work"], ["work", "postgres://me:geheim1@db/x"],
                 ["task", "password=geheim1"], ["work", "--databaseurl=postgres://me:geheim1@db/x"]):
        done = reeve(*args)
        assert done.returncode == 2 and "geheim1" not in done.stderr, done.stderr


@pytest.mark.parametrize("form", ["--database-url={}", "--database-url {}"])
def test_a_password_among_the_arguments_is_not_left_for_others_to_read(db, form):
    url = f"{db.conninfo()} password=geheim1"
    flag = [form.format(url)] if "=" in form else form.format(url).split(" ", 1)
    worker = Worker([REEVE, "work", *flag], clean_environment()).ready()
    db.workers.append(worker)
    line = Path(f"/proc/{worker.process.pid}/cmdline").read_bytes()
    assert b"geheim1" not in line and b"--database-url" in line
    worker.signal(signal.SIGHUP)  # It still knows it.
    worker.wait_line("settings")
    task = db.enqueue("noop")
    db.eventually("select state = 'completed' from queues.task_state where task_id = %s", task)
