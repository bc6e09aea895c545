"""reeve dev: from an empty folder to a story whose every fact is right."""
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from harness import DEADLINE, REEVE, clean_environment, eventually

import pytest


class Demo:
    def __init__(self, parent, name="demo"):
        self.dir = f"{parent}/{name}"
        self.process = None

    def start(self, *args):
        # A group of its own, as in a terminal; its output is a file, so nothing waits for a reader.
        self.output = open(f"{self.dir}.out", "w+", encoding="utf-8")
        self.process = subprocess.Popen([REEVE, "dev", *args, self.dir], stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=subprocess.STDOUT, env=clean_environment(), start_new_session=True)
        return self

    def said(self):
        return Path(f"{self.dir}.out").read_text(encoding="utf-8")

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
            if self.dir in line and "pytest" not in line:
                found.append(int(entry))
        return found

    def postmaster(self):
        return int(Path(f"{self.dir}/data/postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])

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


def test_a_start_that_was_interrupted_can_be_resumed(demo):
    demo.start().wait_said("Starting a private PostgreSQL")
    os.kill(demo.process.pid, signal.SIGINT)
    demo.wait()
    assert demo.start("--once").wait() == 0, demo.said()
