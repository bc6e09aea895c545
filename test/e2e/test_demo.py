"""reeve dev: from an empty folder to a story whose every fact is right."""
import http.cookiejar
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import psycopg
import pytest

from harness import DEADLINE, REEVE, ROOT, clean_environment, eventually

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="plays several users")


class Demo:
    def __init__(self, parent, name="demo"):
        self.parent = parent
        self.dir = f"{parent}/{name}"
        self.process = None

    def start(self, *args, program=(REEVE,), cwd=None, env=None):
        """Without a folder it chooses one."""
        folder = [] if self.dir is None else [self.dir]
        # A group of its own, as in a terminal; its output is a file, so nothing waits for a reader.
        self.output = open(f"{self.parent}/out", "w+", encoding="utf-8")
        self.process = subprocess.Popen([*program, "dev", *args, *folder], stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=subprocess.STDOUT, env=env or clean_environment(), cwd=cwd,
                                        start_new_session=True)
        return self

    def said(self):
        return Path(f"{self.parent}/out").read_text(encoding="utf-8")

    def interrupt(self):
        os.kill(self.process.pid, signal.SIGINT)
        return self.wait()

    def conninfo(self):
        """Of the database that it says how to reach."""
        self.wait_said("Ctrl-C stops everything")
        host, port = re.search(r"psql -h '(.*)' -p (\d+)", self.said()).groups()
        return f"host='{host}' port={port} user=postgres dbname=reeve"

    def place(self):
        return re.search(r"^It is in (.*)$", self.said(), re.M)[1]

    def wait_said(self, text):
        eventually(lambda: text in self.said(), f"it says {text!r}:\n{self.said()}", deadline=60)

    def wait(self):
        return self.process.wait(60)

    def pids(self):
        """Everything that runs in or for the folder."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                line = Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if (self.dir or self.place()) in line and "pytest" not in line:
                found.append(int(entry))
        return found

    def postmaster(self):
        return int(Path(f"{self.dir}/server/data/postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])

    def end(self):
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


@pytest.fixture
def demo():
    parent = tempfile.mkdtemp(prefix="reeve-demo-", dir="/tmp")
    os.chmod(parent, 0o755)
    demo = Demo(parent)
    yield demo
    if demo.process is not None and (demo.dir is not None or "It is in" in demo.said()):
        demo.end()
        eventually(lambda: not demo.pids(), "everything has ended")
    shutil.rmtree(parent, ignore_errors=True)


def test_the_story_is_told_and_leaves_nothing_running(demo):
    demo.dir += " of mine"  # a folder may have any name
    assert demo.start("--once").wait() == 0, demo.said()
    assert "Every fact is as it should be" in demo.said()
    assert demo.pids() == []


@pytest.mark.parametrize("chapter", ["A task for later", "A supervised process"])
def test_a_story_killed_in_the_middle_is_resumed(demo, chapter):
    demo.start("--once").wait_said(chapter)
    postmaster = demo.postmaster()
    demo.process.kill()
    os.kill(postmaster, signal.SIGKILL)
    demo.process.wait(DEADLINE)
    assert demo.start("--once").wait() == 0, demo.said()
    assert demo.pids() == []


@pytest.mark.parametrize("when, to_group", [("Starting a private PostgreSQL", False), ("Starting a private PostgreSQL", True),
                                            ("A task for later", True), ("Ctrl-C stops everything", False)])
def test_an_interrupt_stops_everything(demo, when, to_group):
    demo.start().wait_said(when)
    if to_group:
        os.killpg(demo.process.pid, signal.SIGINT)
    else:
        os.kill(demo.process.pid, signal.SIGINT)
    demo.wait()
    eventually(lambda: not demo.pids(), f"nothing is left: {demo.said()}")


def test_the_dashboard_shows_the_demo_and_ends_with_it(demo):
    demo.start().wait_said("Open http://127.0.0.1:")
    url = re.search(r"Open (http://\S+)", demo.said())[1]
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    with browser.open(url, timeout=30) as page:
        assert page.status == 200 and "Reeve" in page.read().decode()
    os.kill(demo.process.pid, signal.SIGINT)
    demo.wait()
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=5)


def test_a_start_that_was_interrupted_can_be_resumed(demo):
    demo.start().wait_said("Starting a private PostgreSQL")
    os.kill(demo.process.pid, signal.SIGINT)
    demo.wait()
    assert demo.start("--once").wait() == 0, demo.said()


# --- nobody else gets in ---


def as_nobody(*command, **kwargs):
    return subprocess.run(["runuser", "-u", "nobody", "--", *command], capture_output=True, text=True, cwd="/",
                          stdin=subprocess.DEVNULL, **kwargs)


@needs_root
def test_a_stranger_reaches_neither_the_server_nor_its_files(demo):
    conninfo = demo.start().conninfo()
    with psycopg.connect(conninfo) as connection:
        assert connection.execute("select current_user").fetchone() == ("postgres",)
    assert "Permission denied" in as_nobody("psql", conninfo, "-c", "select 1").stderr
    port = re.search(r"port=(\d+)", conninfo)[1]
    for address in (f"host=127.0.0.1 port={port} user=postgres dbname=reeve", f"host=::1 port={port} user=postgres"):
        done = as_nobody("psql", "-w", address, "-c", "select 1")
        assert done.returncode != 0 and ("no password supplied" in done.stderr or "refused" in done.stderr), done.stderr
    for name in ("", "server", "server/password", "server/postgres.log", "server/setup.log", "worker.log", "mail"):
        assert Path(demo.dir, name).exists()
        assert "Permission denied" in as_nobody("cat", f"{demo.dir}/{name}").stderr, name
        assert "Permission denied" in as_nobody("ls", f"{demo.dir}/{name}").stderr, name
    with psycopg.connect(conninfo) as connection:
        rules = connection.execute("select distinct auth_method from pg_hba_file_rules").fetchall()
    assert sorted(rules) == [("peer",), ("scram-sha-256",)]
    password = Path(f"{demo.dir}/server/password").read_text().strip()
    psycopg.connect(f"host=127.0.0.1 port={port} user=postgres dbname=reeve password={password}").close()


@needs_root
def test_the_server_knows_nothing_of_the_environment_of_root(demo):
    demo.start(env=clean_environment(SECRET_OF_ROOT="do not tell")).conninfo()
    environment = Path(f"/proc/{demo.postmaster()}/environ").read_bytes()
    assert b"do not tell" not in environment and b"PATH=" in environment


def refuses(demo, *words):
    code = demo.wait()
    assert code not in (0, None) and all(w in demo.said() for w in words), demo.said()
    assert "hint:" in demo.said()


@needs_root
def test_a_folder_that_a_stranger_has_prepared_is_refused(demo):
    victim = Path(f"{demo.parent}/victim")
    victim.write_text("precious")
    shutil.chown(victim, "postgres")
    os.mkdir(demo.dir)
    for name in ("password", "worker.log", "server", "mail", "data"):
        os.symlink(victim, f"{demo.dir}/{name}")
    shutil.chown(demo.dir, "nobody")
    refuses(demo.start("--once"), demo.dir, "belongs to somebody else")
    assert victim.read_text() == "precious" and victim.owner() == "postgres"
    assert Path(demo.dir).owner() == "nobody"


@needs_root
@pytest.mark.parametrize("link", [".", "server", "mail"])
def test_links_are_not_followed(demo, link):
    elsewhere = Path(f"{demo.parent}/elsewhere")
    elsewhere.mkdir(mode=0o700)
    if link == ".":
        os.symlink(elsewhere, demo.dir)
    else:
        os.mkdir(demo.dir, 0o700)
        os.mkdir(f"{demo.dir}/server", 0o700)
        shutil.chown(f"{demo.dir}/server", "postgres")
        if link == "server":
            os.rmdir(f"{demo.dir}/server")
        os.symlink(elsewhere, f"{demo.dir}/{link}")
    refuses(demo.start("--once"), "it is a link or a file")
    assert list(elsewhere.iterdir()) == [] and elsewhere.owner() == "root"


@needs_root
def test_a_folder_above_that_a_stranger_may_change_is_refused(demo):
    os.mkdir(f"{demo.parent}/his")
    shutil.chown(f"{demo.parent}/his", "nobody")
    demo.dir = f"{demo.parent}/his/demo"
    refuses(demo.start("--once"), f'others may write to "{demo.parent}/his"')
    assert not os.path.exists(demo.dir)


def test_a_folder_with_other_things_in_it_is_left_alone(demo):
    os.mkdir(demo.dir, 0o755)
    Path(demo.dir, "thesis.txt").write_text("mine")
    refuses(demo.start("--once"), "it holds other things")
    assert os.listdir(demo.dir) == ["thesis.txt"] and os.stat(demo.dir).st_mode & 0o777 == 0o755


# --- from any folder, for anybody ---


@needs_root
def test_root_in_a_folder_that_others_cannot_enter_plays_the_demo_by_make(demo):
    """A clone in the home of root; what is built already is not built again."""
    clone = Path(f"{demo.parent}/home/clone")
    os.makedirs(clone.parent, 0o700)
    os.chmod(clone.parent, 0o700)
    clone.mkdir()
    for part in ("Makefile", "scripts", "src", "sql", "examples", "build/gen", "build/release", "build/reeve"):
        os.makedirs((clone / part).parent, exist_ok=True)
        subprocess.run(["cp", "-a", ROOT / part, clone / part], check=True)
    demo.dir = None
    done = subprocess.run(["make", "demo", "ONCE=1"], capture_output=True, text=True, cwd=clone, stdin=subprocess.DEVNULL,
                          env=clean_environment(REEVE_BIN=""), timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every fact is as it should be" in done.stdout
    place = re.search(r"^It is in (.*)$", done.stdout, re.M)[1]
    assert not os.path.exists(place)  # what was made for the story is removed


@needs_root
def test_a_user_without_a_home_plays_it_in_a_folder_where_he_may_not_write(demo):
    demo.dir = None
    program = f"{demo.parent}/reeve"
    shutil.copy(REEVE, program)
    demo.start("--once", program=("runuser", "-u", "nobody", "--", program), cwd="/")
    assert demo.wait() == 0, demo.said()
    assert demo.place().startswith("/var/tmp/reeve-dev-") and not os.path.exists(demo.place())


def test_a_second_start_goes_on_with_what_is_there(demo):
    for notes in (2, 4):
        with psycopg.connect(demo.start().conninfo()) as connection:
            assert connection.execute("select count(*) from demo.note").fetchone() == (notes,)
        assert demo.interrupt() == 0


def test_a_path_too_long_for_a_socket_and_with_odd_characters_will_do(demo):
    demo.dir = f"{demo.parent}/{'x' * 60}"
    os.makedirs(demo.dir)
    demo.dir += f"/$(touch hacked)`touch hacked`'\",\\ {'y' * 60}"
    with psycopg.connect(demo.start().conninfo()) as connection:
        assert connection.execute("select count(*) from demo.note").fetchone() == (2,)
    assert demo.interrupt() == 0
    assert subprocess.run(["find", demo.parent, "-name", "hacked"], capture_output=True, text=True).stdout == ""
