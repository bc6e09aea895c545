"""Children that fail, lie, hang and die: nothing is lost, and no other task is hurt.  These tests run under ASan and UBSan."""
import fcntl
import os
import signal
import struct
import termios
from pathlib import Path

import pytest
from harness import eventually
from programs import CHILD, is_alive


# --- children that fail ---


def test_a_killed_child_is_in_doubt_and_hurts_no_other(programs):
    wait = programs.folder / "go"
    doomed = programs.add("die_once", ", _max_attempts => 2, _backoff => '[0]'")
    other = programs.add("wait", until=str(wait))
    worker = programs.run("--processes", 2).ready()
    worker.wait_line("signal 9")
    wait.touch()
    assert programs.end(other) == ("succeeded", "waited")
    programs.db.eventually("select count(*) = 2 from queues.task_completed as c join queues.task as t using (task_id)"
                           " where t.task_id = %s or t.task_id in (select a.task_id from queues.task_attempt as a where a.chain_id = %s)", doomed, doomed)
    assert programs.chain(doomed) == [("failed",), ("succeeded",)]
    assert programs.errors(doomed)[0][1] == "in_doubt"
    assert len(programs.starts()) == 3
    programs.db.assert_healthy(drained=True)


def test_last_words_are_in_the_log_and_in_the_error(programs):
    task = programs.add("exit")
    worker = programs.run("--keep-output").ready()
    assert programs.end(task)[0] == "failed"
    assert "exit code 3" in programs.errors(task)[0][0] and "these are my last words" in programs.errors(task)[0][0]
    assert "these are my last words" in programs.end(task)[1]["output"]
    worker.wait_line("last_words")


def test_a_stopped_child_is_killed_after_its_deadline(programs):
    task = programs.add("wait", ", _timeout => '1 second'", until="/nowhere")
    other = programs.add()
    worker = programs.run("--processes", 1).ready()
    pid = programs.wait_start(task)
    os.kill(pid, signal.SIGSTOP)
    assert programs.end(task)[0] == "failed"
    assert "timed out" in programs.errors(task)[0][0]
    assert not is_alive(pid)
    assert programs.end(other)[0] == "succeeded"
    assert "KILL" in worker.log()
    programs.db.assert_healthy(drained=True)


def test_a_stopped_child_that_answers_pings_is_killed_without_a_timeout(programs):
    task = programs.add("wait", until="/nowhere")
    worker = programs.run("--processes", 1, "--ping", "0.3", env=["PING=1"]).ready()
    pid = programs.wait_start(task)
    os.kill(pid, signal.SIGSTOP)
    assert programs.end(task)[0] == "failed"
    assert "answered no ping" in programs.errors(task)[0][0] and programs.errors(task)[0][1] == "in_doubt"
    assert not is_alive(pid)
    assert programs.end(programs.add())[0] == "succeeded"
    worker.wait_line("child is killed")
    programs.db.assert_healthy(drained=True)


def test_a_child_that_answers_pings_lives(programs):
    task = programs.add("pongs", n=5)
    worker = programs.run("--processes", 1, "--ping", "0.2", env=["PING=1"]).ready()
    assert programs.end(task) == ("succeeded", "alive")
    assert "child is killed" not in worker.log()


def test_a_child_that_says_nothing_of_pings_is_not_asked(programs):
    task = programs.add("until_cancel")
    worker = programs.run("--processes", 2, "--ping", "0.05").ready()
    programs.wait_start(task)
    assert programs.end(programs.add("sleep", seconds=0.5))[0] == "succeeded"
    assert "unexpected" not in programs.notes.read_text()
    programs.db.value("select queues.cancel_task(%s)", task)
    assert programs.end(task)[0] == "cancelled"
    assert "child is killed" not in worker.log()


@pytest.mark.parametrize("do", ["close", "close_input"])
def test_a_child_that_closes_a_pipe_is_replaced(programs, do):
    task = programs.add(do)
    programs.run("--processes", 1).ready()
    pid = programs.wait_start(task)
    others = [programs.add() for _ in range(3)]
    assert [programs.end(other)[0] for other in others] == ["succeeded"] * 3
    assert programs.end(task)[0] == ("failed" if do == "close" else "succeeded")
    eventually(lambda: not is_alive(pid), "the child has ended")
    programs.db.assert_healthy(drained=True)


def test_a_child_that_hears_no_cancel_gets_no_more_tasks(programs):
    wait = programs.folder / "go"
    task = programs.add("deaf", until=str(wait))
    worker = programs.db.run_program("--kill-grace", 60, "--processes", 1, "--env", f"NOTES={programs.notes}", program=CHILD).ready()
    eventually(lambda: "deaf " in programs.notes.read_text(), "the child has closed its input")
    assert programs.db.value("select queues.cancel_task(%s)", task) == "requested"
    worker.wait_line("closed its input")
    wait.touch()
    assert programs.end(task) == ("succeeded", "deaf")
    assert programs.end(programs.add())[0] == "succeeded"
    programs.db.assert_healthy(drained=True)
    os.kill(programs.wait_start(task), signal.SIGKILL)  # it would use up its grace


BIG = "x" * 500000  # far more than a pipe takes at once


def test_a_task_of_which_a_child_took_half_is_given_back(programs):
    task = programs.add("half_reader")
    worker = programs.run("--processes", 1).ready()
    assert programs.end(task)[0] == "succeeded"
    big = programs.add(big=BIG)
    worker.wait_line("closed its input")
    assert programs.end(big)[0] == "succeeded"
    assert programs.errors(big) == [] and len(programs.starts(big)) == 1
    programs.db.assert_healthy(drained=True)


def test_a_task_of_which_a_dead_child_has_half_is_never_in_doubt(programs):
    task = programs.add("wait", until="/nowhere")
    worker = programs.run("--processes", 1, env=["AT_ONCE=2"]).ready()
    pid = programs.wait_start(task)
    big = programs.add(big=BIG)
    programs.db.eventually("select count(*) = 1 from queues.task_dispatched where task_id = %s", big)
    before = len(programs.starts())
    eventually(lambda: _bytes_in(pid, 3) > 0, "a part of the line is in the pipe")
    os.kill(pid, signal.SIGKILL)
    assert programs.end(task)[0] == "failed" and programs.errors(task)[0][1] == "in_doubt"
    assert programs.end(big)[0] == "succeeded"
    assert programs.errors(big) == [] and before == 1 and len(programs.starts(big)) == 1
    assert worker.process.poll() is None
    programs.db.assert_healthy(drained=True)


def _bytes_in(pid, fd):
    """Bytes that wait in a pipe of a process."""
    with open(f"/proc/{pid}/fd/{fd}", "rb") as pipe:
        return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0\0\0\0"))[0]


def test_an_answer_after_a_lost_lease_is_evidence(programs):
    task = programs.add("until_cancel", then={"result": "too late"})
    first = programs.run("--processes", 1, "--lease", "2").ready()
    programs.wait_start(task)
    # The time of the lease is over, as if its worker had slept, and the task waits again.
    programs.db.run("update queues.running set expires_at = clock_timestamp() - interval '1 second'; select internal.take_back(clock_timestamp())")
    eventually(lambda: "lost " in programs.notes.read_text(), "the child is told")
    assert programs.end(task) == ("succeeded", "too late"), "the next lease finds the evidence"
    assert programs.db.value("select lease_no from queues.task_completed where task_id = %s", task) == 2
    assert programs.db.rows("select lease_no, outcome from queues.late_result") == [(1, "succeeded")]
    assert len(programs.starts(task)) == 1
    assert "child is replaced" not in first.log() and first.process.poll() is None
    programs.db.assert_healthy(drained=True)


def test_a_child_with_twice_its_memory_is_killed_and_the_error_says_so(programs):
    task = programs.add("eat", mib=300, until="/nowhere")
    worker = programs.run("--processes", 1, "--child-memory", 100).ready()
    assert programs.end(task)[0] == "failed"
    assert "was killed by reeve: it has more than twice the memory" in programs.errors(task)[0][0]
    assert programs.end(programs.add())[0] == "succeeded"
    worker.wait_line("twice the memory")
    assert "lost with its launcher" not in worker.log()
    programs.db.assert_healthy(drained=True)


def test_hostile_bytes_of_a_child_are_cleaned(programs):
    escape = b"\x1b]0;owned\x07\x1b[2J bell\x07 \xff\xfe half \xe2\x82 nul \x00 \xc2\x9b31m right-to-left \xe2\x80\xae end\n"
    task = programs.add("print_raw", hex=escape.hex())
    worker = programs.run("--processes", 1, "--keep-output").ready()
    outcome, result = programs.end(task)
    assert outcome == "failed" and "bell" in result["output"] and "end" in result["output"]
    line = next(line for line in eventually(lambda: [x for x in worker.lines if "bell" in x], "the output is logged"))
    for text in (line, result["output"]):
        assert not [c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c == "\u202e"], ascii(text)
    programs.db.assert_healthy(drained=True)


GARBAGE = {
    "not json": b"hello\n",
    "truncated utf-8": b'{"id": "1", "result": "\xe2\x82"}\n',
    "deep": b'{"id": "1", "result": ' + b"[" * 100000 + b"]" * 100000 + b"}\n",
    "array": b"[1, 2]\n",
    "nul": b'{"id": "1", "result": "\x00"}\n',
    "escaped nul": b'{"id": "1", "result": "\\u0000"}\n',
    "wrong id": b'{"id": "999999", "result": 1}\n',
    "number as id": b'{"id": 1, "result": 1}\n',
    "huge id": b'{"id": "99999999999999999999999", "result": 1}\n',
    "nothing said": b'{"id": "1"}\n',
    "second hello": b'{"hello": 1, "types": ["work"]}\n',
    "duplicate names": b'{"id": "1", "id": "2", "result": 1}\n',
    "empty lines": b"\n\n\n",
    "huge number": b'{"id": "1", "result": 1e999999}\n',
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_replaces_the_child_and_the_task_may_still_be_answered(programs, name):
    task = programs.add("raw", hex=GARBAGE[name].hex(), then="answer")
    worker = programs.run("--processes", 1).ready()
    after = programs.add()
    assert programs.end(task) == ("succeeded", "after all")
    worker.wait_line("child is replaced")
    assert programs.end(after)[0] == "succeeded"
    pids = {line[3] for line in programs.starts()}
    assert len(pids) == 2
    programs.db.assert_healthy(drained=True)


def test_a_child_that_broke_the_protocol_gets_no_more_tasks(programs):
    """It has room for another task, but that one goes to its successor."""
    wait = programs.folder / "go"
    first = programs.add("garbage_wait", until=str(wait))
    worker = programs.run("--processes", 1, env=["AT_ONCE=2"]).ready()
    worker.wait_line("child is replaced")
    second = programs.add()
    assert programs.end(second)[0] == "succeeded"
    wait.touch()
    assert programs.end(first) == ("succeeded", "waited")
    assert len({line[3] for line in programs.starts()}) == 2


def test_half_a_line_at_the_end_is_in_doubt(programs):
    task = programs.add("raw", hex=b'{"id": "1", "resu'.hex(), then="exit")
    worker = programs.run("--processes", 1).ready()
    assert programs.end(task)[0] == "failed"
    assert programs.errors(task)[0][1] == "in_doubt"
    worker.wait_line("half a line")
    programs.db.assert_healthy(drained=True)


def test_a_line_over_the_limit_costs_no_memory(programs):
    task = programs.add("long", mib=int(os.environ.get("LONG_LINE_MIB", 256)))
    worker = programs.run("--processes", 1).ready()
    assert programs.end(task) == ("succeeded", "after all")
    worker.wait_line("over the limit")
    status = Path(f"/proc/{worker.process.pid}/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
    assert peak < 100 or "asan" in os.environ.get("REEVE_BIN", ""), peak
    programs.db.assert_healthy(drained=True)


def test_a_line_without_an_end_is_noticed_at_once(programs):
    endless = programs.add("endless")
    worker = programs.run("--processes", 1).ready()
    worker.wait_line("over the limit")
    other = programs.add()
    assert programs.end(other)[0] == "succeeded"
    assert programs.db.value("select queues.cancel_task(%s)", endless) == "requested"
    assert programs.end(endless)[0] == "cancelled"
    programs.db.assert_healthy(drained=True)


def test_a_second_answer_changes_nothing(programs):
    task = programs.add("twice")
    after = programs.add()
    worker = programs.run("--processes", 1).ready()
    assert programs.end(task) == ("succeeded", 1)
    assert programs.end(after)[0] == "succeeded"
    worker.wait_line("does not have")
    programs.db.assert_healthy(drained=True)


def test_a_program_that_does_not_start_waits_longer_each_time(programs):
    worker = programs.run("--processes", 1, "--hello-timeout", "0.2", env=["MODE=mute"])
    worker.wait_line("said no hello")
    worker.wait_line("wait_ms=200")
    worker.wait_line("wait_ms=400")


def test_a_program_that_cannot_be_executed_is_refused_at_once(programs):
    worker = programs.run(program=["/nowhere/program"])
    assert worker.wait() == 3
    assert "cannot execute" in worker.log()


# --- kills ---


def test_children_end_with_a_killed_worker_and_the_task_starts_once_more(programs):
    wait = programs.folder / "go"
    task = programs.add("wait", until=str(wait))
    first = programs.run("--lease", "2").ready()
    pid = programs.wait_start(task)
    first.kill()
    eventually(lambda: not is_alive(pid), "the child has ended")
    wait.touch()
    programs.run("--lease", "2").ready()
    assert programs.end(task) == ("succeeded", "waited")
    assert len(programs.starts(task)) == 2
    programs.db.assert_healthy(drained=True)


def test_worker_and_child_killed_together_lose_nothing(programs):
    wait = programs.folder / "go"
    tasks = [programs.add("wait", until=str(wait)) for _ in range(4)]
    first = programs.run("--lease", "2", "--processes", 4).ready()
    pids = [programs.wait_start(task) for task in tasks]
    os.kill(pids[0], signal.SIGKILL)
    first.kill()
    wait.touch()
    eventually(lambda: not any(map(is_alive, pids)), "the children have ended")
    programs.run("--lease", "2").ready()
    ends = [programs.end(task)[0] for task in tasks]
    assert set(ends) <= {"succeeded", "failed"} and ends[1:] == ["succeeded"] * 3
    assert all(len(programs.starts(task)) <= 2 for task in tasks)
    programs.db.assert_healthy(drained=True)


@pytest.mark.parametrize("point", ["claim.sent", "claim.committed", "dispatch.sent", "dispatch.begun", "carried.sent", "carried.answered",
                                   "finish.sent", "finish.committed"])
def test_a_worker_that_dies_on_the_way_loses_nothing(programs, point):
    tasks = [programs.add(n=n) for n in range(8)]
    first = programs.run("--lease", "1", "--processes", 2, failpoints=f"{point}=kill")
    assert first.wait() == -signal.SIGKILL, first.log()
    programs.run("--lease", "1", "--processes", 2).ready()
    assert [programs.end(task)[0] for task in tasks] == ["succeeded"] * 8
    assert max(len(programs.starts(task)) for task in tasks) <= 2
    assert len({(line[1], line[4]) for line in programs.starts()}) == 8, "each task has one key"
    programs.db.assert_healthy(drained=True)


def test_a_worker_that_slept_too_long_hands_nothing_over(programs):
    task = programs.add()
    frozen = programs.run("--lease", "1", "--processes", 1, failpoints="dispatch.begun=freeze@1")
    eventually(lambda: programs.db.value("select count(*) from queues.task_dispatched") == 1, "the call is announced")
    second = programs.run("--lease", "1", "--processes", 1).ready()
    assert programs.end(task)[0] == "succeeded"
    frozen.signal(signal.SIGCONT)
    assert [frozen.stop(), second.stop()] == [0, 0]
    assert len(programs.starts(task)) == 1


def test_a_killed_launcher_leaves_no_process(programs):
    task = programs.add("wait", until="/nowhere")
    worker = programs.run("--processes", 1).ready()
    pid = programs.wait_start(task)
    launcher = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(launcher, signal.SIGKILL)
    assert programs.end(task)[0] == "failed"
    eventually(lambda: not is_alive(pid), "the child has ended")
    worker.wait_line("lost with its launcher")


def test_what_a_program_started_ends_with_it(programs):
    marker = f"98765.{os.getpid()}"
    task = programs.add("family", sleep=marker)
    worker = programs.run("--processes", 1).ready()
    assert programs.end(task)[0] == "succeeded"

    def sleepers():
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += [path] if marker.encode() in path.read_bytes() and b"sleep" in path.read_bytes() else []
            except OSError:
                pass
        return found

    assert sleepers()
    worker.stop()
    eventually(lambda: not sleepers(), "no sleeper is left")
