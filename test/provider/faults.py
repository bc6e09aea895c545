"""Misbehaviour on demand.

A rule says which requests it is for, how often, and what is done to them:

    {"path": "/emails", "method": "POST", "key": "...", "contains": "text of the body",
     "skip": 0, "times": 1, "do": "refuse", "status": 429, "headers": {"Retry-After": "7"}}

Every condition may be left out; a path that ends in * is a beginning; times null means always.
The first rule that fits and is not used up is taken.

| do | what happens | options |
|---|---|---|
| refuse | an answer without the effect | status, body (JSON or text), headers, content_type |
| answer | the effect, then this answer | the same |
| redirect | 3xx without the effect | status, location |
| wait | the right answer, late; the key is taken meanwhile | seconds |
| hang | no answer | when: before or after the effect, body (after the headers and half a body) |
| reset, close | RST, FIN | when: before, after, body |
| drip | the right answer, byte by byte | seconds between two, part: head or body |
| huge | the effect, then a body without end | bytes (null: no end), framing: chunked, length or close |
| headers | the effect, then headers without end | count (null: no end), length of each |
| garbage | the effect, then these bytes as the body | text, base64, or sample |
| type | the right body under another type | content_type |
| raw | the effect, then these bytes instead of an answer | base64 or text, close |
"""
import asyncio
import base64
import json

from http1 import Reply, bomb

BEFORE = ("refuse", "redirect")
KNOWN = (*BEFORE, "answer", "wait", "hang", "reset", "close", "drip", "huge", "headers", "garbage", "type", "raw")

SAMPLES = {
    "empty": b"",
    "nul": b'{"id": "a\x00b", "message": "nul \x00 inside", "name": "n\x00"}',
    "escaped_nul": b'{"id": "a\\u0000b", "statusCode": 500, "name": "odd", "message": "nul \\u0000 inside"}',
    "utf8": b'{"id": "\xff\xfe\xc3\x28", "message": "\xf0\x28\x8c\x28", "name": "\xed\xa0\x80"}',
    "surrogate": b'{"id": "\\ud800", "statusCode": 500, "name": "odd", "message": "half \\udfff a pair"}',
    "bom": b'\xef\xbb\xbf{"id": "with a mark"}',
    "escapes": b'{"id": "x", "name": "odd", "message": "\\u001b[2J\\u001b]0;title\\u0007 \\r\\n level=error msg=forged"}',
    "json": b'{"id": "never ends',
    "array": b'["id", "no"]',
    "number_id": b'{"id": 17}',
    "deep": b"[" * 100000 + b"]" * 100000,
    "html": b"<html><body>502 Bad Gateway</body></html>",
    "binary": bytes(range(256)) * 16,
}


class Rule:
    def __init__(self, number, wish):
        if wish.get("do") not in KNOWN:
            raise ValueError(f"unknown thing to do: {wish.get('do')!r}; known: {', '.join(KNOWN)}")
        if wish["do"] in ("hang", "reset", "close") and wish.get("when", "before") not in ("before", "after", "body"):
            raise ValueError("when is before, after or body")
        self.number, self.wish = number, wish
        self.do = wish["do"]
        self.skip = wish.get("skip", 0)
        self.left = wish.get("times", 1)
        self.hits = 0

    def fits(self, request, key):
        wish = self.wish
        path = wish.get("path")
        if path is not None and path != request.path and not (path.endswith("*") and request.path.startswith(path[:-1])):
            return False
        if wish.get("method", request.method) != request.method or wish.get("key", key) != key:
            return False
        return "contains" not in wish or wish["contains"].encode() in request.body

    def take(self):
        """Whether this request is one of those that the rule is for."""
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.left is not None:
            if self.left <= 0:
                return False
            self.left -= 1
        self.hits += 1
        return True

    @property
    def comes_before(self):
        """Whether the effect does not happen."""
        return self.do in BEFORE or (self.do in ("hang", "reset", "close") and self.wish.get("when", "before") == "before")

    def shown(self):
        return {**self.wish, "rule": self.number, "hits": self.hits, "left": self.left}


class Script:
    """The rules, in the order they were given."""

    def __init__(self):
        self.rules = []
        self.numbers = 0

    def add(self, wishes):
        rules = []
        for wish in wishes:
            self.numbers += 1
            rules.append(Rule(self.numbers, wish))
        self.rules += rules
        return [rule.number for rule in rules]

    def clear(self):
        self.rules = []

    def find(self, request, key):
        for rule in self.rules:
            if rule.fits(request, key) and rule.take():
                return rule
        return None


def told(wish, status):
    """The answer that a rule spells out."""
    body = wish.get("body", b"")
    kind = wish.get("content_type", "text/plain" if isinstance(body, str) else "application/json")
    if isinstance(body, str):
        body = body.encode("utf-8", "surrogateescape")
    elif not isinstance(body, bytes):
        body = json.dumps(body).encode()
    return Reply(wish.get("status", status), body, kind, tuple(wish.get("headers", {}).items()))


def bytes_of(wish):
    if "base64" in wish:
        return base64.b64decode(wish["base64"])
    if "text" in wish:
        return wish["text"].encode("utf-8", "surrogateescape")
    if wish.get("sample") == "bomb":
        return bomb(wish.get("bytes", 64 * 1024 * 1024))
    return SAMPLES[wish["sample"]]


async def drip(connection, reply, wish, entry):
    """The right answer, a byte at a time."""
    head = reply.head(keep_alive=False)
    if wish.get("part", "body") == "body":
        connection.write(head)
        slow = reply.body
    else:
        slow = head + reply.body
    for n in range(len(slow)):
        if not await connection.write_and_wait(slow[n:n + 1]):
            break
        entry["sent"] = n + 1
        await asyncio.sleep(wish.get("seconds", 0.1))
    connection.done(keep_alive=False)


async def huge(connection, reply, wish, entry):
    """More body than anybody wants, until it is all sent or the client is gone."""
    framing = wish.get("framing", "chunked")
    size = wish.get("bytes")
    block = b'"' + b"x" * 65534 + b'"'
    if framing == "chunked":
        reply.headers = (*reply.headers, ("Transfer-Encoding", "chunked"))
    connection.write(reply.head(False, (size or 1 << 40) if framing == "length" else -1))
    entry["sent"] = 0
    while size is None or entry["sent"] < size:
        piece = block if size is None else block[:size - entry["sent"]]
        data = b"%x\r\n%s\r\n" % (len(piece), piece) if framing == "chunked" else piece
        if not await connection.write_and_wait(data):
            return
        entry["sent"] += len(piece)
        await asyncio.sleep(0)
    if framing == "chunked":
        connection.write(b"0\r\n\r\n")
    connection.done(keep_alive=False)


async def many_headers(connection, reply, wish, entry):
    count, length = wish.get("count"), wish.get("length", 1000)
    connection.write(reply.head(False)[:-2])
    entry["sent"] = 0
    while count is None or entry["sent"] < count:
        lines = b"".join(b"X-Filler-%d: %s\r\n" % (entry["sent"] + n, b"x" * length)
                         for n in range(64 if count is None else min(64, count - entry["sent"])))
        if not await connection.write_and_wait(lines):
            return
        entry["sent"] += 64
        await asyncio.sleep(0)
    connection.write(b"\r\n" + reply.body)
    connection.done(keep_alive=False)


def misbehave(rule, connection, reply, entry, start):
    """Send what the rule says, after the effect.  start(coroutine) runs what takes time."""
    wish, do = rule.wish, rule.do
    if do == "answer":
        connection.send(told(wish, reply.status))
    elif do in ("hang", "reset", "close"):
        if wish.get("when") == "body":
            connection.write(reply.head(False, len(reply.body) + 10) + reply.body[:len(reply.body) // 2])
        if do == "reset":
            # What was written must leave before the reset, which would throw it away.
            connection.loop.call_later(0.05 if wish.get("when") == "body" else 0, connection.reset)
        elif do == "close":
            connection.close()
    elif do == "drip":
        start(drip(connection, reply, wish, entry))
    elif do == "huge":
        start(huge(connection, reply, wish, entry))
    elif do == "headers":
        start(many_headers(connection, reply, wish, entry))
    elif do == "garbage":
        reply.body = bytes_of(wish)
        reply.status = wish.get("status", reply.status)
        reply.headers = (*reply.headers, *wish.get("headers", {}).items())
        connection.send(reply, keep_alive=False)
    elif do == "type":
        reply.content_type = wish.get("content_type", "text/html")
        connection.send(reply)
    elif do == "raw":
        connection.write(bytes_of(wish))
        if wish.get("close", True):
            connection.close()
    else:
        connection.send(reply)


def before(rule, connection):
    """Send what the rule says, in place of the effect."""
    wish, do = rule.wish, rule.do
    if do == "refuse":
        connection.send(told(wish, 500))
    elif do == "redirect":
        connection.send(Reply(wish.get("status", 302), headers=(("Location", wish["location"]),)))
    elif do == "reset":
        connection.reset()
    elif do == "close":
        connection.close()
