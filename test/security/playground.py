"""A network of our own: names and addresses as a test wants them, without touching the machine.

Two network namespaces and a wire between them.  Inside, the worker runs; its resolver and its
hosts file are ours.  Outside, servers listen on addresses that look public, and on those that
nobody may reach.  Needs root, or at least the right to make namespaces.
"""
import ctypes
import os
import signal
import socket
import struct
import subprocess
import threading
from pathlib import Path

PUBLIC = ["93.184.216.10", "93.184.216.11", "93.184.216.12"]
DENIED = ["10.1.1.1", "172.20.1.1", "192.168.5.5", "169.254.169.254", "100.64.0.9", "198.18.0.9", "203.0.113.9", "192.0.2.9"]
GATEWAY, INSIDE = "11.0.0.1", "11.0.0.2"

PREPARE = """
set -e
mount --make-rprivate /
for file in resolv.conf hosts nsswitch.conf; do mount --bind "$1/$file" "/etc/$file"; done
exec sleep infinity
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"


def is_possible():
    return os.getuid() == 0 and subprocess.run(["unshare", "-n", "-m", "true"], capture_output=True).returncode == 0


class Playground:
    def __init__(self, folder):
        folder = Path(folder)
        (folder / "resolv.conf").write_text(f"nameserver {GATEWAY}\n")
        (folder / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
        (folder / "nsswitch.conf").write_text("hosts: files dns\n")
        self.outer = subprocess.Popen(["unshare", "-n", "sleep", "infinity"])
        self.inner = subprocess.Popen(["unshare", "-n", "-m", "sh", "-c", PREPARE, "sh", str(folder)])
        self.names = None
        try:
            for process in (self.outer, self.inner):
                self.wait_apart(process)
            name = f"rv{os.getpid() % 100000}"
            run("ip", "link", "add", f"{name}a", "netns", str(self.outer.pid), "type", "veth", "peer", "name", f"{name}b",
                "netns", str(self.inner.pid))
            for process, link, address in ((self.outer, f"{name}a", GATEWAY), (self.inner, f"{name}b", INSIDE)):
                self.ip(process, "addr", "add", f"{address}/24", "dev", link)
                self.ip(process, "link", "set", link, "up")
                self.ip(process, "link", "set", "lo", "up")
            self.ip(self.inner, "route", "add", "default", "via", GATEWAY)
            for address in PUBLIC + DENIED:
                self.ip(self.outer, "addr", "add", f"{address}/32", "dev", "lo")
            self.names = Names(self.listen(GATEWAY, 53, socket.SOCK_DGRAM))
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.names is not None:
            self.names.stop()
        for process in (self.outer, self.inner):
            process.send_signal(signal.SIGKILL)
            process.wait(10)

    @staticmethod
    def wait_apart(process):
        """Until it has its namespaces: its link to them differs from ours, and it sleeps."""
        import harness
        ours = os.readlink("/proc/self/ns/net")
        harness.eventually(lambda: os.readlink(f"/proc/{process.pid}/ns/net") != ours
                           and Path(f"/proc/{process.pid}/comm").read_text().strip() == "sleep", "a namespace")

    @staticmethod
    def ip(process, *arguments):
        run("nsenter", "-t", str(process.pid), "-n", "ip", *arguments)

    def outside(self):
        """What to put before a command that is to run outside."""
        return ["nsenter", "-t", str(self.outer.pid), "-n"]

    def inside(self):
        return ["nsenter", "-t", str(self.inner.pid), "-n", "-m"]

    def listen(self, address, port, kind=socket.SOCK_STREAM):
        """A socket of this process that is outside: a thread goes there, makes it, and ends."""
        made = []

        def make():
            with open(f"/proc/{self.outer.pid}/ns/net", "rb") as there:
                assert ctypes.CDLL(None, use_errno=True).setns(there.fileno(), 0x40000000) == 0
            made.append(socket.socket(socket.AF_INET, kind))
            made[0].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made[0].bind((address, port))
            if kind == socket.SOCK_STREAM:
                made[0].listen(128)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        return made[0]


class Names:
    """A name server.  names: name -> addresses, or a list of such lists, one after the other.

    Names below hang.example are never answered, those below broken.example with a failure.
    """

    def __init__(self, sock):
        self.sock = sock
        self.known, self.asked = {}, {}
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def stop(self):
        self.sock.close()

    def set(self, **names):
        self.known.update({name.replace("__", "-").replace("_", "."): answer for name, answer in names.items()})

    def forget(self):
        self.known, self.asked = {}, {}

    def serve(self):
        while True:
            try:
                question, peer = self.sock.recvfrom(4096)
                answer = self.answer(question)
                if answer is not None:
                    self.sock.sendto(answer, peer)
            except OSError:
                return

    def answer(self, question):
        at, labels = 12, []
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]].decode("ascii", "replace"))
            at += question[at] + 1
        name = ".".join(labels).lower()
        kind, = struct.unpack("!H", question[at + 1:at + 3])
        count = self.asked[name, kind] = self.asked.get((name, kind), 0) + 1
        if name.endswith("hang.example"):
            return None
        addresses = self.known.get(name)
        if addresses and isinstance(addresses[0], list):
            addresses = addresses[min(count, len(addresses)) - 1]
        code = 2 if name.endswith("broken.example") else 3 if addresses is None else 0
        family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
        records = [socket.inet_pton(family, a) for a in addresses or [] if kind in (1, 28) and (":" in a) == (kind == 28)]
        head = question[:2] + struct.pack("!HHHHH", 0x8180 | code, 1, len(records), 0, 0)
        return head + question[12:at + 5] + b"".join(b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 0, size) + r for r in records)
