"""Programs: tasks that children of `reeve run` carry out, and what happens when these misbehave."""
import json
import os
import pwd
import shutil
import signal
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from harness import HERE, REEVE, eventually
from pages import Pages
from programs import CHILD, is_alive


@pytest.fixture
def reachable():
    """Copies of the program and of the child in a folder that every user can enter, wherever the tree is."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield SimpleNamespace(reeve=shutil.copy(REEVE, folder), child=["/usr/bin/python3", shutil.copy(HERE / "child.py", folder)])


# --- answers ---


def test_a_program_gets_the_task_and_its_result_is_kept(programs):
    task = programs.add("task", print="seen in the log", extra=[1, {"a": 0.1}])
    worker = programs.run().ready()
    outcome, result = programs.end(task)
    assert outcome == "succeeded"
    assert result["payload"] == {"do": "task", "print": "seen in the log", "extra": [1, {"a": 0.1}]}
    assert (result["id"], result["type"], result["attempt"], result["deadline"], result["traceparent"]) == (str(task), "work", 1, None, None)
    assert result["key"] == programs.db.value("select idempotency_key from queues.task_dispatched where task_id = %s", task)
    worker.wait_line("seen in the log")
    assert any(f"task_id={task}" in line and "seen in the log" in line for line in worker.lines)


def test_failures_are_final_or_retried(programs):
    final = programs.add("fail", ", _max_attempts => 3", more={"final": True})
    again = programs.add("fail_once", ", _max_attempts => 3")
    programs.run().ready()
    assert programs.end(final)[0] == "failed"
    assert programs.errors(final) == [("no good", "final")]
    programs.db.eventually("select count(*) = 2 from queues.task_completed as c join queues.task as t using (task_id)"
                           " where t.task_id = %s or t.task_id in (select a.task_id from queues.task_attempt as a where a.chain_id = %s)", again, again)
    assert programs.chain(again) == [("failed",), ("succeeded",)]
    assert programs.chain(final) == [("failed",)]
    keys = {line[4] for line in programs.starts() if line[1] != str(final)}
    assert len(keys) == 1, "attempts share the idempotency key"


def test_handlers_and_numbers_pass_through(programs):
    db = programs.db
    db.run("create table public.seen (input jsonb)")
    db.run("create function public.before_work(jsonb) returns jsonb language sql as"
           " $$select jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('do', 'task', 'made', $1->'n'))$$")
    db.run("create function public.after_work(jsonb) returns jsonb language plpgsql as"
           " $$begin insert into public.seen values ($1); return '{\"status\": \"succeeded\"}'; end$$")
    db.run("grant insert on public.seen to worker_service_user")
    for name, kind in (("before_work", "before"), ("after_work", "success,error")):
        db.run(f"grant execute on function public.{name}(jsonb) to worker_service_user")
        db.value(f"select internal.allow_function('public.{name}', '{kind}')::text")
    task = db.value("select queues.enqueue('work', '{\"n\": 12345678901234567, \"before_handler\": \"public.before_work\","
                    " \"success_handler\": \"public.after_work\"}')")
    failed = db.value("select queues.enqueue('work', '{\"do\": \"fail\", \"error_handler\": \"public.after_work\"}')")
    number = programs.add(result={"x": 0.1, "big": 12345678901234567})
    programs.run().ready()
    assert programs.end(task)[1]["payload"] == {"do": "task", "made": 12345678901234567}
    assert programs.end(failed)[0] == "failed"
    programs.end(number)
    assert db.value("select result::text from queues.task_completed where task_id = %s", number) == '{"x": 0.1, "big": 12345678901234567}'
    inputs = [row[0] for row in db.rows("select input from public.seen")]
    assert {"no good"} == {i["error"] for i in inputs if "error" in i}
    assert any(i.get("worker_payload", {}).get("id") == str(task) for i in inputs)


def test_progress_is_recorded_and_thinned_out(programs):
    task = programs.add("progress")
    programs.run().ready()
    assert programs.end(task) == ("succeeded", "done")
    assert programs.db.rows("select progress from queues.task_progress where task_id = %s", task) == [({"step": 0},)]
    assert '"step": 0' in programs.db.reeve("task", "show", str(task)).stdout


def test_only_types_of_programs_are_served(programs):
    db = programs.db
    other = db.enqueue("write_effect")
    task = programs.add()
    worker = db.run_program("--until-empty", "--env-file", _file(programs, "TYPES=work,db_function,nothing"), program=CHILD)
    assert worker.wait() == 0, worker.log()
    assert programs.end(task)[0] == "succeeded"
    assert db.outcome(other) is None
    assert 'types="{\\"work\\"}"' in worker.log()


def test_types_can_be_limited(programs):
    programs.db.value("select queues.register_task_type('other', 'program')::text")
    left = programs.db.value("select queues.enqueue('other', '{}')")
    task = programs.add()
    worker = programs.db.run_program("--until-empty", "--types", "work", "--env-file", _file(programs, "TYPES=work,other"), program=CHILD)
    assert worker.wait() == 0, worker.log()
    assert (programs.end(task)[0], programs.db.outcome(left)) == ("succeeded", None)


def _file(programs, text, name="variables"):
    path = programs.folder / name
    path.write_text(text + "\n")
    return path


def test_ends_of_children_are_counted(programs):
    pages = Pages(programs.run("--processes", 1, "--max-tasks-per-child", 1, "--listen", "127.0.0.1:0").ready())
    eventually(lambda: pages.metrics()['reeve_children{state="ready"}'] == 1, "the child is counted")
    assert pages.metrics()['reeve_children_ended_total{how="expected"}'] == 0
    assert pages.metrics()['reeve_children_ended_total{how="unexpected"}'] == 0, "a rate needs a first value"
    programs.end(programs.add("die"))
    eventually(lambda: pages.metrics()['reeve_children_ended_total{how="unexpected"}'] == 1, "its death is counted")
    programs.end(programs.add())
    eventually(lambda: pages.metrics()['reeve_children_ended_total{how="expected"}'] == 1, "its replacement is counted")
    assert pages.metrics()['reeve_children_ended_total{how="unexpected"}'] == 1


# --- cancel, timeout, stop ---


def test_a_running_task_is_cancelled(programs):
    task = programs.add("until_cancel")
    deaf = programs.add("wait", until="/nowhere")
    worker = programs.run("--processes", 2, env=["MODE=deaf"]).ready()
    programs.wait_start(task)
    pid = programs.wait_start(deaf)
    for one in (task, deaf):
        assert programs.db.value("select queues.cancel_task(%s)", one) == "requested"
    assert programs.end(task)[0] == "cancelled"
    assert programs.end(deaf)[0] == "cancelled"
    assert not is_alive(pid)
    assert "cancelled " in programs.notes.read_text()
    assert worker.process.poll() is None


def test_a_result_after_a_cancel_counts(programs):
    task = programs.add("until_cancel", then={"result": "done nevertheless"})
    programs.run("--processes", 1).ready()
    programs.wait_start(task)
    programs.db.value("select queues.cancel_task(%s)", task)
    assert programs.end(task) == ("succeeded", "done nevertheless")


def test_a_timeout_is_told_before_it_kills(programs):
    task = programs.add("until_cancel", ", _timeout => '200 milliseconds'")
    programs.run("--processes", 1).ready()
    assert programs.end(task)[0] == "failed"
    assert programs.errors(task) == [("I was told to stop", "program")]
    assert "timeout " in programs.notes.read_text()


def test_stop_finishes_what_runs_and_gives_the_rest_back(programs):
    wait = programs.folder / "go"
    task = programs.add("wait", until=str(wait))
    worker = programs.run("--processes", 1).ready()
    pid = programs.wait_start(task)
    after = programs.add()
    worker.term()
    worker.wait_line("stopping")
    wait.touch()
    assert worker.wait() == 0, worker.log()
    assert programs.end(task) == ("succeeded", "waited")
    assert programs.db.outcome(after) is None and len(programs.starts()) == 1
    assert not is_alive(pid)
    assert programs.db.value("select count(*) from queues.running") == 0


def test_idle_children_may_take_their_time_to_end(programs):
    worker = programs.db.run_program("--processes", 1, "--kill-grace", 60, "--env", f"MODE=slow_end,NOTES={programs.notes}", program=CHILD)
    worker.ready()
    assert worker.stop() == 0
    assert programs.notes.read_text() == "bye\n"


def test_a_second_signal_ends_children_at_once(programs):
    task = programs.add("wait", until="/nowhere")
    worker = programs.db.run_program("--processes", 1, "--kill-grace", 1000, "--stop-grace", 1000, "--env", f"NOTES={programs.notes}",
                                     program=CHILD).ready()
    pid = programs.wait_start(task)
    worker.term()
    worker.wait_line("stopping")
    worker.term()
    worker.wait_line("stopping now")
    worker.term()
    assert worker.wait() == 0
    eventually(lambda: not is_alive(pid), "the child has ended")


def test_a_program_that_only_writes_garbage_is_not_started_in_a_loop(programs):
    worker = programs.db.run_program("--processes", 1, "--stdio", program=[
        "/bin/sh", "-c", "echo '{\"hello\": 1, \"types\": [\"work\"]}'; while :; do echo garbage; read -r line || exit; done"])
    worker.wait_line("wait_ms=400")


def test_hup_replaces_children_without_losing_work(programs):
    version = programs.folder / "version"
    version.write_text("1")
    wait = programs.folder / "go"
    slow = programs.add("wait", until=str(wait))
    worker = programs.run("--processes", 2, env=[f"VERSION_FILE={version}"]).ready()
    programs.wait_start(slow)
    assert programs.end(programs.add("version"))[1] == "1"
    version.write_text("2")
    worker.signal(signal.SIGHUP)
    worker.wait_line("child is ready", count=4)
    assert programs.end(programs.add("version"))[1] == "2"
    wait.touch()
    assert programs.end(slow) == ("succeeded", "waited")
    assert len(programs.starts(slow)) == 1


def test_a_broken_new_version_leaves_the_old_one_at_work(programs):
    version = programs.folder / "version"
    version.write_text("1")
    worker = programs.run("--processes", 1, env=[f"VERSION_FILE={version}"]).ready()
    version.write_text("broken")
    worker.signal(signal.SIGHUP)
    worker.wait_line("started again later", count=2)
    version.write_text("3")
    assert programs.end(programs.add("version"))[1] == "1"
    worker.wait_line("child is ready", count=2)
    eventually(lambda: programs.end(programs.add("version"))[1] == "3", "the mended version works")


def test_a_child_is_replaced_after_its_tasks_and_with_too_much_memory(programs):
    tasks = [programs.add() for _ in range(6)]
    worker = programs.run("--processes", 1, "--max-tasks-per-child", 2, "--child-memory", 100).ready()
    assert [programs.end(task)[0] for task in tasks] == ["succeeded"] * 6
    assert len({line[3] for line in programs.starts()}) == 3
    assert programs.end(programs.add("eat", mib=150))[1] == "full"
    worker.wait_line("more memory")
    assert programs.end(programs.add())[0] == "succeeded"


# --- what a child gets ---


def test_the_environment_has_only_what_was_named(programs):
    variables = _file(programs, "# a comment\nFROM_FILE=a=b,c")
    task = programs.add("environment")
    programs.db.run_program("--env-file", variables, "--env", "GIVEN=1,INHERITED,ABSENT", program=CHILD,
                            env={"INHERITED": "yes", "PGPASSWORD": "x", "OTHER": "no"}).ready()
    outcome, env = programs.end(task)
    assert outcome == "succeeded"
    assert (env["FROM_FILE"], env["GIVEN"], env["INHERITED"]) == ("a=b,c", "1", "yes")
    allowed = {"PATH", "LANG", "LC_ALL", "TZ", "FROM_FILE", "GIVEN", "INHERITED", "REEVE_PROTOCOL", "REEVE_READ_FD", "REEVE_WRITE_FD",
               "LC_CTYPE"}
    assert set(env) <= allowed, env


@pytest.mark.parametrize("name", ["PGPASSWORD", "DATABASE_URL", "REEVE_DATABASE_URL", "RESEND_API_KEY", "SMTP_URL_FILE",
                                  "REEVE_SECRET_X", "CREDENTIALS_DIRECTORY"])
def test_secrets_of_ours_are_never_passed_on(programs, name):
    worker = programs.run("--env", name, env=())
    assert worker.wait() == 3
    assert "is not passed on" in worker.log()


def test_umask_directory_limits_and_descriptors(programs):
    task = programs.add("state")
    programs.run("--umask", "027", "--directory", str(programs.folder), "--limit", "nofile=99,core=0").ready()
    state = programs.end(task)[1]
    assert (state["umask"], state["directory"], state["files"]) == (0o27, str(programs.folder), 99)
    assert set(state["fds"]) <= {0, 1, 2, 3, 4, 5}, "a child has no descriptor of ours"  # 5: the listing itself


@pytest.mark.skipif(os.getuid() != 0, reason="needs root")
def test_a_program_may_have_another_user(programs, reachable):
    task = programs.add("state")
    programs.db.run_program("--user", "nobody", program=reachable.child).ready()
    assert programs.end(task)[1]["uid"] == pwd.getpwnam("nobody").pw_uid


@pytest.mark.skipif(os.getuid() != 0, reason="needs another user than root")
def test_a_program_of_the_same_user_cannot_read_our_environment(programs, reachable):
    task = programs.add("peek")
    programs.db.run_program(program=reachable.child, reeve=reachable.reeve, before=("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"), env={"PGPASSWORD": "canary"}).ready()
    assert programs.end(task) == ("succeeded", "denied")


@pytest.mark.parametrize("args, problem", [
    (["--umask", "9"], "umask"), (["--limit", "speed=1"], "limits"), (["--user", "no-such-user"], "user"),
    (["--directory", "/nowhere"], "directory"), (["--once-per-task"], "needs --types"), (["--types", "Work"], "not the name of a task type"),
    (["--env", "1A"], "variable"), (["--env-file", "/nowhere"], "cannot read"),
])
def test_wrong_options_are_refused(programs, args, problem):
    worker = programs.run(*args)
    assert worker.wait() == 3
    assert problem in worker.log()


# --- other ways ---


def test_the_protocol_on_stdin_and_stdout(programs):
    tasks = [programs.add(n=n) for n in range(5)]
    programs.run("--stdio").ready()
    assert [programs.end(task)[1] for task in tasks] == [{"n": n} for n in range(5)]


def test_once_per_task(programs):
    script = programs.folder / "once.sh"
    script.write_text("#!/bin/sh\npayload=$(cat)\ncase $payload in\n*fail*) echo 'it is over' >&2; exit 1 ;;\n"
                      "*again*) [ \"$REEVE_TASK_ATTEMPT\" = 2 ] || exit 75; echo second ;;\n*die*) kill -9 $$ ;;\n"
                      "*sleep*) sleep 1000 ;;\n*) echo \"{\\\"id\\\": $REEVE_TASK_ID}\" ;;\nesac\n")
    script.chmod(0o755)
    good, bad = programs.add(), programs.add("fail", ", _max_attempts => 3")
    again = programs.add("again", ", _max_attempts => 3, _backoff => '[0, 0]'")
    die, slow = programs.add("die"), programs.add("sleep", ", _timeout => '300 milliseconds'")
    programs.run("--once-per-task", "--types", "work", "--processes", 3, program=[str(script)]).ready()
    assert programs.end(good) == ("succeeded", {"id": good})
    assert programs.end(bad)[0] == "failed" and "it is over" in programs.errors(bad)[0][0] and programs.chain(bad) == [("failed",)]
    programs.db.eventually("select count(*) = 2 from queues.task_completed as c join queues.task as t using (task_id)"
                           " where t.task_id = %s or t.task_id in (select a.task_id from queues.task_attempt as a where a.chain_id = %s)", again, again)
    assert programs.db.value("select result from queues.task_completed as c join queues.task as t using (task_id)"
                             " where t.task_id in (select a.task_id from queues.task_attempt as a where a.chain_id = %s and a.attempt > 1)", again) == "second"
    assert programs.end(die)[0] == "failed" and programs.errors(die)[0][1] == "in_doubt"
    assert programs.end(slow)[0] == "failed" and "timed out" in programs.errors(slow)[0][0]
    programs.db.assert_healthy(drained=True)


def test_a_program_that_is_started_once_may_end_with_0_when_it_is_stopped(programs):
    """Its exit code says nothing about the work then."""
    script = programs.folder / "once.sh"
    script.write_text("#!/bin/sh\ntrap 'exit 0' TERM\ncat >/dev/null\necho started >>\"$NOTES\"\nwhile :; do sleep 0.01; done\n")
    script.chmod(0o755)
    cancelled = programs.add()
    programs.run("--once-per-task", "--types", "work", "--processes", 1, program=[str(script)]).ready()
    eventually(lambda: "started" in programs.notes.read_text(), "the program runs")
    programs.db.value("select queues.cancel_task(%s)", cancelled)
    assert programs.end(cancelled)[0] == "cancelled"
    slow = programs.add("x", ", _timeout => '200 milliseconds'")
    assert programs.end(slow)[0] == "failed" and programs.errors(slow)[0][1] == "in_doubt"
    programs.db.assert_healthy(drained=True)


def test_the_descriptors_of_the_protocol_can_be_opened_by_name(programs):
    script = programs.folder / "named.sh"
    script.write_text('#!/bin/sh\necho \'{"hello": 1, "types": ["work"]}\' >/dev/fd/4\nwhile read -r line; do\n  case $line in *stop*) exit ;; esac\n'
                      '  id=${line#*\\"id\\":\\"}; id=${id%%\\"*}\n  echo "{\\"id\\": \\"$id\\", \\"result\\": null}" >/dev/fd/4\ndone </dev/fd/3\n')
    script.chmod(0o755)
    tasks = [programs.add() for _ in range(3)]
    programs.run("--processes", 1, program=[str(script)]).ready()
    assert [programs.end(task)[0] for task in tasks] == ["succeeded"] * 3


# --- announcing ahead ---


def test_careful_tasks_are_not_announced_ahead(programs):
    """Quick tasks let the worker announce ahead; one that fails when in doubt is announced only when there is a place."""
    db = programs.db
    for _ in range(400):
        programs.add()
    wait = programs.folder / "go"
    block = db.value("select queues.enqueue('work', %s, _priority => 1)", json.dumps({"do": "wait", "until": str(wait)}))
    careful = [db.value("select queues.enqueue('work', '{}', _priority => 2, _on_in_doubt => 'fail')") for _ in range(50)]
    worker = programs.run("--processes", 1).ready()
    programs.wait_start(block)
    assert db.value("select count(*) from queues.task_dispatched where task_id = any(%s)", careful) == 0
    wait.touch()
    db.wait_drained()
    assert db.value("select count(*) from queues.task_completed where outcome = 'succeeded'") == 451
    assert worker.process.poll() is None


def test_announced_and_not_sent_is_never_in_doubt(programs):
    """The only child dies again and again under many tasks."""
    for n in range(200):
        programs.add("die" if n % 20 == 10 else "succeed", n=n)
    programs.run("--processes", 1).ready()
    programs.db.wait_drained()
    doubts = programs.db.value("select count(*) from queues.error where error_class = 'in_doubt'")
    assert doubts == 10
    assert programs.db.value("select count(*) from queues.task_completed where outcome = 'succeeded'") == 190
    assert len(programs.starts()) == 200
    programs.db.assert_healthy(drained=True)


def test_a_hundred_children_and_a_thousand_tasks_need_little_memory(programs):
    script = programs.folder / "sleeper.sh"
    script.write_text('#!/bin/sh\necho \'{"hello": 1, "types": ["work"]}\' >&4\nwhile read -r line <&3; do\n  id=${line#*\\"id\\":\\"}; id=${id%%\\"*}\n'
                      '  case $line in *stop*) exit ;; esac\n  sleep 1\n  echo "{\\"id\\": \\"$id\\", \\"result\\": null}" >&4\ndone\n')
    script.chmod(0o755)
    programs.db.run("select queues.enqueue_many('work', array_agg('{}'::jsonb)) from generate_series(1, 1000)")
    worker = programs.run("--processes", 100, program=[str(script)]).ready()
    programs.db.wait_drained()
    status = Path(f"/proc/{worker.process.pid}/status").read_text()
    resident = int(status.split("VmHWM:")[1].split()[0]) / 1024
    print(f"\npeak resident memory of reeve run: {resident:.1f} MiB")
    assert programs.db.value("select count(*) from queues.task_completed where outcome = 'succeeded'") == 1000
    assert resident < 40 or "asan" in os.environ.get("REEVE_BIN", "")
