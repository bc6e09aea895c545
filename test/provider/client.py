"""Starts the provider and talks to it, for tests and benchmarks."""
import http.client
import json
import signal
import socket
import subprocess
import threading
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Provider:
    """The program as a process of its own.  before: what to put before its command line."""

    def __init__(self, *arguments, before=()):
        self.process = subprocess.Popen([*before, "/usr/bin/python3", str(HERE / "provider.py"), *map(str, arguments)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.errors = []
        self.reader = threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        assert line, f"the provider did not start: {self.stop()}"
        self.ready = json.loads(line)
        self.url = f"http://127.0.0.1:{self.ready['http']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        problems = self.stop()
        assert problems == "", problems

    def stop(self):
        """What it complained about."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        self.reader.join(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return "".join(self.errors)

    def port(self, listener="http"):
        return self.ready[listener]

    def ask(self, method, path, value=None, headers=None, raw=None):
        """One request on a connection of its own: status, headers, body."""
        if "unix" in self.ready:
            connection = UnixConnection(self.ready["unix"], 60)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.ready["http"], timeout=60)
        body = raw if raw is not None or value is None else json.dumps(value).encode()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def control(self, method, path, value=None):
        status, _, body = self.ask(method, path, value)
        assert status == 200, body
        return json.loads(body)

    def script(self, do, **wish):
        """Misbehave: do what, to which requests (faults.py)."""
        return self.control("POST", "/_script", {"do": do, **wish})[0]

    def forget_script(self):
        self.control("DELETE", "/_script")

    def hits(self, rule):
        """How many requests a rule was used for."""
        return next(r["hits"] for r in self.control("GET", "/_script") if r["rule"] == rule)

    def reset(self):
        self.control("POST", "/_reset")

    def settings(self, **values):
        self.control("POST", "/_settings", values)

    def later(self, seconds):
        self.control("POST", "/_clock", {"advance": seconds})

    def files(self, **files):
        self.control("POST", "/_files", files)

    def ledger(self, **wanted):
        return self.control("GET", "/_ledger?" + urllib.parse.urlencode(wanted))

    def requests(self, **wanted):
        return self.ledger(**wanted)["requests"]

    def effects(self, **wanted):
        """How often something was done, by key."""
        return {e["key"]: e["count"] for e in self.ledger(**wanted)["effects"]}

    def counts(self):
        return self.control("GET", "/_counts")
