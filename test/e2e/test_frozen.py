"""A worker that stands still in the middle of a call, and comes back when its task is somebody else's."""
import signal
import socket
import ssl
import threading

from harness import eventually

import pytest
import smtp
from smtp import ScriptedSmtp

LEASE = 2


def smtp_env(server):
    return {"RESEND_API_KEY": None, "SMTP_URL": f"smtp://127.0.0.1:{server.port}"}


def freeze_and_take_over(sender, frozen, task, env=None):
    """The worker stands still until another one has delivered its task."""
    frozen.signal(signal.SIGSTOP)
    healthy = sender.work("--lease", LEASE, env=env).ready()
    assert sender.db.wait_outcome(task) == "succeeded"
    return healthy


# --- e-mail ---


@pytest.mark.parametrize("stage", ["banner", "ehlo", "mail", "rcpt", "data"])
def test_a_mail_is_not_sent_by_a_worker_that_was_frozen_at_a_reply(sender, stage):
    go = threading.Event()
    with ScriptedSmtp() as server:
        server.script(**{stage: [smtp.after(go), None]})
        task = sender.mail()
        frozen = sender.work("--lease", LEASE, env=smtp_env(server)).ready()
        eventually(lambda: server.waiting == 1, "the first session waits for its reply")
        healthy = freeze_and_take_over(sender, frozen, task, smtp_env(server))
        go.set()
        frozen.signal(signal.SIGCONT)
        eventually(lambda: not server.sessions[0].is_open, "the frozen worker has hung up")
        assert len(server.accepted) == 1 and server.arrived == 1
        assert [frozen.stop(), healthy.stop()] == [0, 0]
    assert sender.kinds(task).count("success") == 1


def test_a_mail_is_not_ended_by_a_worker_that_was_frozen_within_it(sender):
    """The server takes in a large message slowly; the end of it never comes."""
    go = threading.Event()
    with ScriptedSmtp(receive_bytes=4096) as server:
        server.script(data=[smtp.then_after(go), None])
        task = sender.mail(html="<p>" + "x" * 700_000 + "</p>")
        frozen = sender.work("--lease", LEASE, env=smtp_env(server)).ready()
        eventually(lambda: server.waiting == 1, "the message has begun")
        healthy = freeze_and_take_over(sender, frozen, task, smtp_env(server))
        go.set()
        frozen.signal(signal.SIGCONT)
        eventually(lambda: not server.sessions[0].is_open, "the frozen worker has hung up")
        assert len(server.accepted) == 1 and server.arrived == 1
        assert [frozen.stop(), healthy.stop()] == [0, 0]


# --- HTTP ---


class SlowPeer:
    """Keeps its first caller waiting at one moment of the call, and serves all others.

    at="handshake": before TLS is established.  at="body": with a request whose body is not read on.
    """

    def __init__(self, at, certificates):
        self.at = at
        self.context = None
        if at == "handshake":
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(f"{certificates}/good.pem", f"{certificates}/good.key")
        self.go = threading.Event()
        self.is_waiting = False
        self.complete = []  # for each connection: did a whole request come?
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(16)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.go.set()
        self.listener.close()

    def listen(self):
        first = True
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection, first), daemon=True).start()
            first = False

    def wait(self):
        self.is_waiting = True
        self.go.wait(120)

    def serve(self, connection, is_first):
        was_complete = False
        try:
            if self.at == "handshake":
                if is_first:
                    self.wait()
                connection = self.context.wrap_socket(connection, server_side=True)
            was_complete = self.read_request(connection, is_first and self.at == "body")
            if was_complete:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        except (OSError, ssl.SSLError):
            pass
        finally:
            self.complete.append(was_complete)
            connection.close()

    def read_request(self, connection, waits):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(1024)
            if not more:
                return False
            data += more
        if waits:
            self.wait()
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            more = connection.recv(65536)
            if not more:
                return False
            body += more
        return True


@pytest.mark.parametrize("at", ["handshake", "body"])
def test_a_request_is_not_sent_by_a_worker_that_was_frozen_before_its_last_byte(sender, certificates, at):
    with SlowPeer(at, certificates) as peer:
        env = {"REEVE_ALLOW_HOSTS": f"127.0.0.1:{peer.port}", "REEVE_CA_FILE": f"{certificates}/ca.pem"}
        scheme = "https" if at == "handshake" else "http"
        task = sender.http(url=f"{scheme}://127.0.0.1:{peer.port}/effect", method="POST", body="x" * 700_000)
        frozen = sender.work("--lease", LEASE, env=env).ready()
        eventually(lambda: peer.is_waiting, "the first call is under way")
        healthy = freeze_and_take_over(sender, frozen, task, env)
        peer.go.set()
        frozen.signal(signal.SIGCONT)
        eventually(lambda: len(peer.complete) == 2, "both calls are over")
        assert sorted(peer.complete) == [False, True], "one request was complete"
        assert [frozen.stop(), healthy.stop()] == [0, 0]
    assert sender.kinds(task).count("success") == 1
