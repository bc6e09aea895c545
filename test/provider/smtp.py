"""An SMTP server that fails where a test wants it to.

Each stage of a session has a reply; a test replaces the one it is about:

    server.script(rcpt="451 4.7.1 try again later")      always
    server.script(dot=[close, None])                     once, then as it should be

Stages: banner, ehlo, starttls, auth, mail, rcpt, data, dot (the message is there), quit.  A reply
is a text, bytes (sent as they are), None (the right reply), or one of the functions below, which
get the session.  What came is in .sessions; messages that were answered with 2xx in .accepted.
"""
import base64
import select
import socket
import ssl
import struct
import threading
import time

RIGHT = {"banner": "220 scripted.example.com ESMTP", "starttls": "220 2.0.0 go ahead", "auth": "235 2.7.0 welcome",
         "mail": "250 2.1.0 fine", "rcpt": "250 2.1.5 fine", "data": "354 go ahead", "dot": "250 2.0.0 queued as 4711",
         "quit": "221 2.0.0 bye"}


def close(session):
    """End the connection without a word."""
    session.close()


def reset(session):
    session.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    session.close()


def hang(session):
    """Say nothing until the client gives up."""
    session.server.hanging += 1
    while session.connection.recv(65536):
        pass
    session.close()


def accept_and(then):
    """Take the message, and do something else than say so."""
    def act(session):
        session.keep()
        then(session)
    return act


def after(event):
    """The right reply, when the event has come."""
    def act(session):
        session.server.waiting += 1
        event.wait(120)
        session.connection.sendall(session.right.encode() + b"\r\n")
    return act


def then_after(event):
    """The right reply, and nothing is read until the event has come."""
    def act(session):
        session.connection.sendall(session.right.encode() + b"\r\n")
        select.select([session.connection], [], [], 120)
        session.server.waiting += 1
        event.wait(120)
    return act


def slowly(seconds, text=None):
    """The right reply, or this one, a byte at a time."""
    def act(session):
        for byte in (text or session.right).encode() + b"\r\n":
            session.connection.sendall(bytes([byte]))
            time.sleep(seconds)
    return act


class Session:
    """One connection."""

    def __init__(self, server, connection):
        self.server, self.connection = server, connection
        self.commands, self.login, self.is_tls = [], None, server.implicit_tls
        self.sender, self.recipients, self.message, self.right = None, [], None, None
        self.is_open = True
        self.buffer = b""

    def close(self):
        self.is_open = False
        self.connection.close()

    def end(self):
        """From another thread, which may be waiting for the client just now."""
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def keep(self):
        self.server.accepted.append({"from": self.sender, "to": list(self.recipients), "data": self.message,
                                     "login": self.login, "is_tls": self.is_tls})

    def line(self):
        while b"\n" not in self.buffer:
            data = self.connection.recv(65536)
            if not data:
                return None
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.rstrip(b"\r").decode("utf-8", "surrogateescape")

    def reply(self, stage, right=None):
        """Send what the script has for this stage.  True if it was the right reply, or another 2xx or 3xx."""
        self.right = right or RIGHT[stage]
        wish = self.server.next_reply(stage)
        if callable(wish):
            wish(self)
            return self.is_open
        if isinstance(wish, bytes):
            self.connection.sendall(wish)
            return True
        text = wish or self.right
        self.connection.sendall(text.encode() + b"\r\n")
        return text[0] in "23"

    def run(self):
        try:
            if self.server.implicit_tls:
                self.connection = self.server.context.wrap_socket(self.connection, server_side=True)
            if self.reply("banner"):
                while self.is_open:
                    line = self.line()
                    if line is None:
                        break
                    self.commands.append(line)
                    self.command(line)
        except (OSError, ssl.SSLError) as problem:
            self.commands.append(f"!{type(problem).__name__}")
        finally:
            self.close()

    def command(self, line):
        verb, _, rest = line.partition(" ")
        verb = verb.upper()
        if verb in ("EHLO", "HELO"):
            offers = [o for o in self.server.offers if not (o == "STARTTLS" and self.is_tls)]
            lines = ["scripted.example.com", *offers]
            self.reply("ehlo", "\r\n".join(f"250{' ' if n == len(lines) - 1 else '-'}{text}" for n, text in enumerate(lines)))
        elif verb == "STARTTLS":
            if self.reply("starttls"):
                self.connection = self.server.context.wrap_socket(self.connection, server_side=True)
                self.buffer, self.is_tls = b"", True
        elif verb == "AUTH":
            self.authenticate(rest)
        elif verb == "MAIL":
            self.sender, self.recipients = rest, []
            self.reply("mail")
        elif verb == "RCPT":
            if self.reply("rcpt"):
                self.recipients.append(rest)
        elif verb == "DATA":
            if self.reply("data"):
                self.take_message()
        elif verb == "QUIT":
            self.reply("quit")
            self.close()
        elif verb in ("RSET", "NOOP"):
            self.connection.sendall(b"250 2.0.0 fine\r\n")
        else:
            self.connection.sendall(b"502 5.5.1 unknown command\r\n")

    def authenticate(self, rest):
        mechanism, _, first = rest.partition(" ")

        def answer(prompt):
            self.connection.sendall(b"334 " + base64.b64encode(prompt) + b"\r\n")
            return self.line() or ""

        if mechanism.upper() == "PLAIN":
            _, user, password = base64.b64decode(first or answer(b"")).split(b"\0")
        else:
            user = base64.b64decode(first or answer(b"Username:"))
            password = base64.b64decode(answer(b"Password:"))
        self.login = (user.decode(), password.decode())
        known = self.server.login
        self.reply("auth", None if known is None or self.login == known else "535 5.7.8 authentication failed")

    def take_message(self):
        lines = []
        while True:
            line = self.line()
            if line is None:
                self.is_open = False
                return
            if line == ".":
                break
            lines.append(line[1:] if line.startswith("..") else line)
        self.message = "\r\n".join(lines).encode("utf-8", "surrogateescape")
        self.server.arrived += 1
        # A client that has the reply may look at the list at once.
        wish = self.server.peek("dot")
        if wish is None or (isinstance(wish, str) and wish[0] == "2"):
            self.keep()
        self.reply("dot")


class ScriptedSmtp:
    """The server, with a thread for each session."""

    def __init__(self, certificates=None, implicit_tls=False, certificate="good", offers=("8BITMIME", "STARTTLS", "AUTH PLAIN LOGIN"),
                 login=None, host="127.0.0.1", listener=None, receive_bytes=None):
        self.offers = [o for o in offers if o != "STARTTLS" or certificates]
        self.implicit_tls, self.login = implicit_tls, login
        self.context = None
        if certificates:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(f"{certificates}/{certificate}.pem", f"{certificates}/{certificate}.key")
        self.replies, self.sessions, self.accepted = {}, [], []
        self.hanging = self.arrived = self.waiting = 0
        self.lock = threading.Lock()
        self.listener = listener or socket.create_server((host, 0), backlog=128)
        if receive_bytes:  # how much may be on its way that we have not read
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(10)
        self.forget()

    def listen(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            session = Session(self, connection)
            self.sessions.append(session)
            threading.Thread(target=session.run, daemon=True).start()

    def script(self, **replies):
        """What to reply at which stage: one reply for always, a list for one after the other."""
        for stage in replies:
            assert stage in (*RIGHT, "ehlo"), stage
        self.replies = dict(replies)

    def forget(self):
        """As if it had just begun: no script, no sessions, nothing received."""
        self.replies = {}
        for session in self.sessions:
            session.end()
        self.sessions, self.accepted = [], []
        self.hanging = self.arrived = self.waiting = 0

    def peek(self, stage):
        wish = self.replies.get(stage)
        return (wish[0] if wish else None) if isinstance(wish, list) else wish

    def next_reply(self, stage):
        with self.lock:
            wish = self.replies.get(stage)
            if isinstance(wish, list):
                return wish.pop(0) if wish else None
            return wish

    def commands(self):
        """The commands of all sessions, in order."""
        return [command for session in self.sessions for command in session.commands]
