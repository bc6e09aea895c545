"""A lean HTTP/1.1 server side: it parses what comes, and sends exactly the bytes that it is told.

A library would refuse to send half of what a broken server sends.  Requests of one connection
are answered one after the other; what comes meanwhile waits in the buffer.
"""
import asyncio
import socket
import struct
import zlib
from http import HTTPStatus

REASONS = {status.value: status.phrase for status in HTTPStatus}
MOST_HEAD = 256 * 1024
MOST_BODY = 64 * 1024 * 1024


class Request:
    """One request as it came."""
    __slots__ = ("method", "target", "path", "query", "head", "headers", "body", "keep_alive", "connection")

    def header(self, name, default=None):
        return self.headers.get(name, default)


class Reply:
    """An answer that a well-behaved server would send."""
    __slots__ = ("status", "headers", "body", "content_type")

    def __init__(self, status, body=b"", content_type="application/json", headers=()):
        self.status, self.body, self.content_type, self.headers = status, body, content_type, headers

    def head(self, keep_alive=True, length=None):
        """Status line and headers.  length: what to claim, -1 to claim nothing."""
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Unknown')}"]
        if self.content_type:
            lines.append(f"Content-Type: {self.content_type}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        if length != -1 and self.status not in (204, 304) and self.status >= 200:
            lines.append(f"Content-Length: {len(self.body) if length is None else length}")
        if not keep_alive:
            lines.append("Connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def parse_head(block):
    """A request from its head, or None if it is not one."""
    first, _, rest = block.partition(b"\r\n")
    words = first.split(b" ")
    if len(words) != 3 or not words[2].startswith(b"HTTP/1."):
        return None
    request = Request()
    request.method = words[0].decode("latin-1")
    request.target = words[1].decode("latin-1")
    request.path, _, request.query = request.target.partition("?")
    request.head = block
    request.headers = headers = {}
    for line in rest.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if colon:
            headers[name.lower().decode("latin-1")] = value.strip().decode("utf-8", "replace")
    request.keep_alive = headers.get("connection", "").lower() != "close" and words[2] == b"HTTP/1.1"
    request.body = b""
    return request


class Connection(asyncio.Protocol):
    """One client.  on_request(request) is called for each; it answers with send() or otherwise."""

    numbers = 0

    def __init__(self, on_request, listener, on_connect=None):
        Connection.numbers += 1
        self.number = Connection.numbers
        self.on_request, self.listener, self.on_connect = on_request, listener, on_connect
        self.buffer = bytearray()
        self.request = None  # its body is still coming
        self.wanted = 0
        self.is_busy = False
        self.is_open = True
        self.transport = None
        self.loop = asyncio.get_running_loop()
        self.can_write = asyncio.Event()
        self.can_write.set()

    # --- what asyncio calls ---

    def connection_made(self, transport):
        self.transport = transport
        raw = transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.on_connect is not None:
                self.on_connect(transport.get_extra_info("sockname")[0])

    def connection_lost(self, _):
        self.is_open = False
        self.can_write.set()

    def pause_writing(self):
        self.can_write.clear()

    def resume_writing(self):
        self.can_write.set()

    def data_received(self, data):
        self.buffer += data
        if not self.is_busy:
            self.next_request()

    # --- reading ---

    def next_request(self):
        """Take one request out of the buffer, if it is there in full."""
        request = self.request
        if request is None:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self.buffer) > MOST_HEAD:
                    self.send(Reply(431), keep_alive=False)
                return
            request = parse_head(bytes(self.buffer[:end]))
            del self.buffer[:end + 4]
            if request is None:
                self.send(Reply(400), keep_alive=False)
                return
            request.connection = self
            self.request = request
            length = request.headers.get("content-length", "0")
            self.wanted = None if "chunked" in request.headers.get("transfer-encoding", "") else int(length)
            if request.headers.get("expect", "").lower() == "100-continue":
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self.wanted is None:
            if not self.take_chunks():
                return
        elif self.wanted > MOST_BODY:
            self.send(Reply(413), keep_alive=False)
            return
        elif len(self.buffer) < self.wanted:
            return
        elif self.wanted:
            request.body = bytes(self.buffer[:self.wanted])
            del self.buffer[:self.wanted]
        self.request = None
        self.is_busy = True
        self.on_request(request)

    def take_chunks(self):
        """Whether a chunked body is complete; the buffer keeps it until it is."""
        at, parts = 0, []
        while True:
            end = self.buffer.find(b"\r\n", at)
            if end < 0:
                return False
            size = int(self.buffer[at:end].split(b";")[0], 16)
            at = end + 2
            if len(self.buffer) < at + size + 2:
                return False
            parts.append(bytes(self.buffer[at:at + size]))
            at += size + 2
            if size == 0:
                self.request.body = b"".join(parts)
                del self.buffer[:at]
                return True

    # --- writing ---

    def write(self, data):
        if self.is_open:
            self.transport.write(data)

    def send(self, reply, keep_alive=True):
        self.write(reply.head(keep_alive) + reply.body)
        self.done(keep_alive)

    def done(self, keep_alive=True):
        """The answer is out: on to the next request, or the end."""
        self.is_busy = False
        if not keep_alive:
            self.close()
        elif self.is_open and self.buffer:
            self.next_request()

    def close(self):
        if self.is_open:
            self.transport.close()

    def reset(self):
        """End with RST instead of FIN."""
        if not self.is_open:
            return
        raw = self.transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    async def write_and_wait(self, data):
        """Write, and wait until the client has taken most of it.  False once it is gone."""
        if self.is_open:
            self.transport.write(data)
            await self.can_write.wait()
        return self.is_open


def bomb(size):
    """That many zeros, packed by gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(bytes(size)) + packer.flush()
