"""reeve top, on a terminal that tmux plays, and without one."""
import os
import re
import shutil
import signal
import subprocess
import tempfile

import pytest

from harness import REEVE, clean_environment, eventually, reeve

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Screen:
    """reeve top in a terminal of its own."""

    def __init__(self, db, *args, user="postgres", size=(80, 24), env=None, url=None):
        self.folder = tempfile.mkdtemp(prefix="reeve-top-", dir="/tmp")
        environment = {**clean_environment(**(env or {})), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        environment.pop("TMUX", None)
        self.environment = environment
        command = [REEVE, "top", "--database-url", url or db.conninfo(user), *map(str, args)]
        words = " ".join("'" + word.replace("'", "'\\''") + "'" for word in command)
        # The shell shows that the terminal is as it was, and how the program ended.
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", size[0], "-y", size[1],
                  f"sh -c \"echo \\$\\$ >{self.folder}/pid; exec sh\"")
        self.tmux("send-keys", f"stty -a >{self.folder}/before; {words}; echo ended with $?; stty -a >{self.folder}/after", "Enter")

    def tmux(self, *args):
        done = subprocess.run(["tmux", "-S", f"{self.folder}/socket", *map(str, args)], capture_output=True, text=True,
                              env=self.environment, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def text(self, *args):
        return self.tmux("capture-pane", "-p", *args)

    def wait(self, pattern):
        """Until the screen shows it."""
        return eventually(lambda: re.search(pattern, self.text(), re.MULTILINE), f"{pattern}\n{self.text()}")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def pid(self):
        shell = int(open(f"{self.folder}/pid", encoding="utf-8").read())
        return int(subprocess.run(["pgrep", "-P", str(shell), "-x", "reeve"], capture_output=True, text=True, check=True).stdout)

    def wait_end(self, code=0):
        self.wait(rf"^ended with {code}$")
        eventually(lambda: os.path.exists(f"{self.folder}/after") and os.path.getsize(f"{self.folder}/after"), "the shell goes on")
        with open(f"{self.folder}/before", encoding="utf-8") as before, open(f"{self.folder}/after", encoding="utf-8") as after:
            # The first line has the size, which a test may change.
            assert before.read().split("\n", 1)[1] == after.read().split("\n", 1)[1]

    def close(self):
        subprocess.run(["tmux", "-S", f"{self.folder}/socket", "kill-server"], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def screens():
    made = []
    yield made
    for screen in made:
        screen.close()


@pytest.fixture
def top(db, screens):
    def start(*args, **kwargs):
        screens.append(Screen(db, *args, **kwargs))
        return screens[-1]
    return start


def fill(db):
    """A failed task, a running one, and one for later."""
    failed = db.enqueue("boom")
    slow = db.enqueue("slow", seconds=300)
    db.enqueue("noop", at="2100-01-01")
    db.work("--name", "worker-one", "--concurrency", 2, "--stop-grace", 1).ready()
    assert db.wait_outcome(failed) == "failed"
    db.eventually("select exists (select 1 from queues.running where task_id = %s)", slow)
    return failed, slow


@needs_tmux
def test_queues_workers_tasks_and_failures_are_on_one_screen(db, top):
    failed, slow = fill(db)
    screen = top("--interval", 1)
    screen.wait(r"^default +0 +1 +1 ")
    screen.wait(r"^worker-one +live +1 ")
    screen.wait(rf"^ +{slow} db_function +t\.slow +default +worker-one")
    screen.wait(rf"^ +{failed} +\d+s db_function +failed ")
    assert all(len(line) <= 80 for line in screen.text().splitlines())
    later = db.enqueue("noop", queue="sms", at="2100-01-01")
    assert later
    screen.wait(r"^sms +0 +1 +0 ")
    screen.press("q")
    screen.wait_end()
    db.run("select queues.cancel_task(%s)", slow)


@needs_tmux
def test_keys_pause_retry_cancel_and_look(db, top):
    failed, slow = fill(db)
    screen = top("--interval", 1)
    screen.wait("^analytics ")
    screen.press("p")
    screen.wait(r"^pause queue analytics\? y/n")
    screen.press("n")
    screen.wait("^nothing was done")
    assert db.value("select count(*) from queues.queue where paused_until is not null") == 0
    screen.press("p", "y")
    screen.wait("^analytics .* paused")
    assert db.value("select paused from queues.queue_state where queue = 'analytics'")
    screen.press("p", "y")
    db.eventually("select not paused from queues.queue_state where queue = 'analytics'")
    screen.press("Tab", "Tab", "Enter")
    screen.wait(rf"^task +{slow}$")
    screen.wait(r"^lease 1 .* by worker-one")
    screen.press("c")
    screen.wait(rf"^cancel task {slow}\? y/n")
    screen.press("y")
    db.eventually("select exists (select 1 from queues.task_cancel_requested where task_id = %s)", slow)
    screen.press("q", "Tab", "r")
    screen.wait(rf"^run again task {failed}\? y/n")
    screen.press("y")
    db.eventually("select exists (select 1 from queues.task where retry_of = %s)", failed)
    screen.press("?")
    screen.wait("pause the queue, or resume it")
    screen.press("q", "q")
    screen.wait_end()


@needs_tmux
def test_an_observer_sees_and_may_not_act(db, top):
    db.run("do $$ begin if to_regrole('top_observer') is null then create role top_observer login in role queues_observer; end if; end $$")
    failed, slow = fill(db)
    screen = top(user="top_observer")
    screen.wait(rf"^ +{failed} +\d+s db_function +failed +function P0001$")
    screen.press("p")
    screen.wait("may only look: it needs the role queues_operator")
    screen.press("Tab", "Tab", "c")
    screen.wait("may only look: it needs the role queues_operator")
    screen.press("Enter")
    screen.wait(rf"^task +{slow}$")
    assert "payload" not in screen.text()
    screen.press("q", "q")
    screen.wait_end()
    db.run("select queues.cancel_task(%s)", slow)


@needs_tmux
def test_any_size_of_the_terminal_will_do(db, top):
    screen = top("--interval", 1, size=(20, 5))
    screen.wait("^reeve top")
    for width, height in ((200, 60), (10, 3), (1, 1), (80, 24)):
        screen.tmux("resize-window", "-x", width, "-y", height)
    screen.wait("q leave")
    screen.wait("^sms ")
    screen.press("q")
    screen.wait_end()


@needs_tmux
def test_a_lost_connection_is_shown_and_made_again(db, top):
    screen = top("--interval", 1)
    screen.wait("^reeve top")
    db.server.run_sql(f"alter database {db.name} allow_connections false")
    db.server.run_sql(f"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reeve top' and datname = '{db.name}'")
    screen.wait("NO CONNECTION")
    screen.wait("^default ")  # the last figures stay
    db.server.run_sql(f"alter database {db.name} allow_connections true")
    eventually(lambda: "NO CONNECTION" not in screen.text(), "the connection is back")
    screen.press("q")
    screen.wait_end()


@needs_tmux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_gives_the_terminal_back(db, top, number):
    screen = top()
    screen.wait("^reeve top")
    if number == signal.SIGINT:
        screen.press("C-c")
    else:
        os.kill(screen.pid(), number)
    screen.wait_end()


@needs_tmux
def test_foreign_texts_are_harmless_and_colours_can_be_off(db, top):
    db.run("""create function t.foreign_words(payload jsonb) returns jsonb language plpgsql as
        $$ begin raise exception '%', E'red \x1b[31m\x1b]0;title\x07 漢字 end'; end $$""")
    db.run("select internal.allow_function('t.foreign_words', 'task')")
    db.run("grant execute on function t.foreign_words(jsonb) to public")
    db.work().ready()
    assert db.wait_outcome(db.enqueue("foreign_words")) == "failed"
    for env, has_colors in (({"NO_COLOR": "1"}, False), ({}, True)):
        screen = top(env=env, size=(160, 24))
        screen.wait(r"red +\[31m +\]0;title")
        colours = re.findall(r"\x1b\[[0-9;]*3[1-7]m", screen.text("-e"))
        assert bool(colours) == has_colors
        screen.press("q")
        screen.wait_end()


def test_without_a_terminal_top_prints_one_page_of_plain_text(db):
    failed, slow = fill(db)
    done = db.reeve("top")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^default +0 +1 +1 ", done.stdout, re.MULTILINE)
    assert re.search(rf"^ +{failed} .*failed ", done.stdout, re.MULTILINE)
    assert "\x1b" not in done.stdout
    assert done.stdout.count("reeve top") == 1
    db.run("select queues.cancel_task(%s)", slow)


def test_with_an_interval_plain_text_is_repeated(db):
    program = subprocess.Popen([REEVE, "top", "--database-url", db.conninfo(), "--interval", "0.2"], stdout=subprocess.PIPE, text=True,
                               stdin=subprocess.DEVNULL, env=clean_environment())
    pages = 0
    while pages < 3:
        pages += program.stdout.readline().startswith("reeve top")
    program.terminate()
    program.wait(60)


def test_top_without_a_database_says_why():
    done = reeve("top", "--database-url", "host=/nonexistent dbname=none")
    assert done.returncode == 5
    assert done.stderr.startswith("reeve: ")
