"""A program on a terminal of its own."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

from harness import DEADLINE, REEVE, clean_environment


class Terminal:
    """Runs the program on a terminal of this size, and keeps what it writes."""

    def __init__(self, *args, columns=80, lines=24, **env):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen([REEVE, *map(str, args)], stdin=slave, stdout=slave, stderr=slave,
                                        env=clean_environment(TERM="xterm", **env), preexec_fn=take_terminal)
        os.close(slave)
        self.raw = ""

    def read(self):
        """Reads what there is; false: the program has ended."""
        if not select.select([self.master], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def read_until(self, pattern, count=1):
        end = time.monotonic() + DEADLINE
        while len(re.findall(pattern, self.raw)) < count:
            assert time.monotonic() < end and (self.read() or len(re.findall(pattern, self.raw)) >= count), self.raw
        return self

    def press(self, keys):
        os.write(self.master, keys.encode())
        return self

    def end(self):
        """The exit code, and all that was written, without colours."""
        while self.read():
            pass
        code = self.process.wait(DEADLINE)
        os.close(self.master)
        return code, re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", self.raw)
