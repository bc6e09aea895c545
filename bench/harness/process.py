"""Child processes: exact end, CPU, peak memory; ended by their pid, always bounded."""
import ctypes
import json
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path


PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def die_with_parent():
    """If the harness is killed, nothing that it started stays behind."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Process:
    """A child whose peak memory and CPU are noted.  wait() raises if it failed or took too long."""

    def __init__(self, args, talks=False, env=None):
        self.args = [str(a) for a in args]
        pipe = subprocess.PIPE if talks else subprocess.DEVNULL
        self.errors = Path(f"/tmp/reeve-bench-{os.getpid()}-{id(self)}.err")
        with open(self.errors, "wb") as errors:
            self.popen = subprocess.Popen(self.args, stdin=pipe, stdout=pipe, stderr=errors, env=env,
                                          preexec_fn=die_with_parent)
        self.started = time.time()
        self.pid = self.popen.pid
        self.ended = None
        self.code = None
        self.cpu = 0.0
        self.peak_mb = 0.0
        self._over = threading.Event()
        threading.Thread(target=self._wait, daemon=True).start()
        threading.Thread(target=self._watch, daemon=True).start()

    def _wait(self):
        _, status, usage = os.wait4(self.pid, 0)
        self.ended = time.time()
        self.code = os.waitstatus_to_exitcode(status)
        self.popen.returncode = self.code
        self.cpu = usage.ru_utime + usage.ru_stime
        self._over.set()

    def _watch(self):
        # Not ru_maxrss: that one remembers the size of the parent before exec.
        while not self._over.is_set():
            self.look()
            self._over.wait(0.03)

    def look(self):
        try:
            for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    self.peak_mb = max(self.peak_mb, int(line.split()[1]) / 1024)
        except (FileNotFoundError, ProcessLookupError):
            pass

    def is_running(self):
        return not self._over.is_set()

    def wait(self, timeout):
        """Wait for its end; kill it and raise when it takes too long or fails."""
        if not self._over.wait(timeout):
            self.kill()
            raise TimeoutError(f"{self.args[0]} did not end within {timeout:.0f} s")
        try:
            if self.code != 0:
                text = self.errors.read_text(errors="replace").strip().splitlines()
                raise RuntimeError(f"{self.args[0]} ended with {self.code}: {text[-1] if text else ''}")
        finally:
            self.errors.unlink(missing_ok=True)

    def stop(self, timeout=30):
        """Ask it to end with TERM, and wait."""
        if self.is_running():
            os.kill(self.pid, signal.SIGTERM)
        self.wait(timeout)

    def kill(self):
        if self.is_running():
            os.kill(self.pid, signal.SIGKILL)
            self._over.wait(10)
        self.errors.unlink(missing_ok=True)


class Talker(Process):
    """A child that writes JSON lines and reads commands."""

    def __init__(self, args, env=None):
        super().__init__(args, talks=True, env=env)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.popen.stdout:
            if line.startswith(b"{"):
                self._lines.put(json.loads(line))
        self._lines.put(None)

    def tell(self, word):
        self.popen.stdin.write(word.encode() + b"\n")
        self.popen.stdin.flush()

    def hear(self, key, timeout):
        """The next message that has this key."""
        end = time.monotonic() + timeout
        while True:
            try:
                message = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.kill()
                raise TimeoutError(f"{self.args[1]} did not report {key} within {timeout:.0f} s") from None
            if message is None:
                self.wait(5)
                raise RuntimeError(f"{self.args[1]} ended without reporting {key}")
            if key in message:
                return message

    def latest(self, key):
        """A message with this key if one is there; None: nothing new."""
        while True:
            try:
                message = self._lines.get_nowait()
            except queue.Empty:
                return None
            if message is None:
                self.wait(5)
                raise RuntimeError(f"{self.args[1]} ended before its work was done")
            if key in message:
                return message


def end_all(processes):
    """Whatever happened, nothing stays behind."""
    for process in processes:
        process.kill()
