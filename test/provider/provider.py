#!/usr/bin/env python3
"""A program that plays the outside world: Resend, Twilio, a files service, an object store.

It speaks their protocols, keeps a ledger of what it was asked and of what it did, and
misbehaves on demand (faults.py).  Everything under /_ is for the test that drives it:

    GET    /_ledger[?api=resend&key=...]   requests, and effects by key
    GET    /_counts                        only how many
    POST   /_reset                         forget everything: ledger, keys, rules, files, clock, settings
    POST   /_script    {rule} or [rules]   misbehave
    GET    /_script, DELETE /_script       the rules and how often each was used; no rules
    POST   /_clock     {"advance": 86400}  later than it is
    POST   /_files     {"987": {"path": "/objects/a/b"}}     or {"url": ...}, {"missing": true}
    POST   /_settings  {"delay": 0.2, "store_url": "http://..."}

When it listens it prints one line of JSON: the address of each listener.
"""
import argparse
import asyncio
import gc
import json
import os
import resource
import signal
import ssl
import sys
import time
import urllib.parse
import warnings
from collections import deque

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import apis  # noqa: E402
import certificates  # noqa: E402
import faults  # noqa: E402
from http1 import Connection, Reply  # noqa: E402


class World:
    """The services, what they were asked, and what they did."""

    def __init__(self, options):
        self.options = options
        self.store_url = None
        self.own_store_url = None
        self.tasks = set()
        self.reset()

    def reset(self):
        options = self.options
        self.script = faults.Script()
        self.requests = deque(maxlen=options.keep)
        self.counts = {}
        self.effects = {}
        self.later = 0.0
        self.delay = options.delay
        self.store_url = self.own_store_url
        self.resend = apis.Resend(self, options.resend_key)
        self.twilio = apis.Twilio(self, options.twilio_sid, options.twilio_token)
        self.files = apis.Files(self, options.files_key, options.store_secret)
        self.store = apis.Store(self, options.store_secret)
        self.plain = apis.Plain(self)
        self.total = 0
        self.connections = {}  # address that was called -> how often, requests or not

    def now(self):
        return time.time() + self.later

    def effect(self, api, key, number):
        """Something happened that cannot be undone."""
        known = self.effects.get((api, key))
        if known is None:
            self.effects[api, key] = [number]
        else:
            known.append(number)

    def connected(self, address):
        self.connections[address] = self.connections.get(address, 0) + 1

    def api_of(self, path):
        if path == "/emails" or path.startswith("/emails/"):
            return self.resend
        if path == "/signed_delete_url":
            return self.files
        if path.startswith("/objects/"):
            return self.store
        if apis.TWILIO.match(path):
            return self.twilio
        return self.plain

    # --- one request ---

    def on_request(self, request):
        connection = request.connection
        if request.path.startswith("/_"):
            self.control(request)
            return
        api = self.api_of(request.path)
        key = api.key(request)
        self.total += 1
        entry = {"n": self.total, "at": time.time(), "api": api.name, "key": key, "request": request,
                 "listener": connection.listener, "connection": connection.number}
        self.requests.append(entry)
        self.counts[api.name] = self.counts.get(api.name, 0) + 1
        rule = self.script.find(request, key) if self.script.rules else None
        if rule is not None:
            entry["rule"] = rule.number
            if rule.comes_before:
                faults.before(rule, connection)
                return
        answer = api(request)
        delay = self.delay
        if rule is not None and rule.do == "wait":
            delay = rule.wish.get("seconds", 1)
        if delay > 0:
            connection.loop.call_later(delay, self.answer, request, entry, rule, answer)
        else:
            self.answer(request, entry, rule, answer)

    def answer(self, request, entry, rule, answer):
        """The effect happens now, whether or not the client still listens."""
        if not isinstance(answer, Reply):
            answer = answer()
            entry["effect"] = True
        entry["status"] = answer.status
        if rule is None:
            request.connection.send(answer, request.keep_alive)
        else:
            faults.misbehave(rule, request.connection, answer, entry, self.start)

    def start(self, coroutine):
        task = asyncio.get_running_loop().create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # --- for the test ---

    def shown(self, entry):
        request = entry["request"]
        return {**{k: v for k, v in entry.items() if k != "request"}, "method": request.method, "path": request.path,
                "query": request.query, "headers": request.headers, "head": request.head.decode("latin-1"),
                "body": request.body.decode("utf-8", "surrogateescape"), "is_open": request.connection.is_open}

    def ledger(self, query):
        wanted = dict(urllib.parse.parse_qsl(query))
        return {
            "requests": [self.shown(e) for e in self.requests if all(e[k] == v for k, v in wanted.items())],
            "effects": [{"api": api, "key": key, "count": len(ids), "ids": ids} for (api, key), ids in self.effects.items()
                        if wanted.get("api", api) == api and wanted.get("key", key) == key],
        }

    def control(self, request):
        try:
            value = self.controlled(request.method, request.path, request.query, json.loads(request.body or b"null"))
            reply = apis.as_json(200, value)
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            reply = apis.as_json(400, {"error": f"{type(problem).__name__}: {problem}"})
        request.connection.send(reply, request.keep_alive)

    def controlled(self, method, path, query, value):
        if (method, path) == ("GET", "/_ledger"):
            return self.ledger(query)
        if (method, path) == ("GET", "/_counts"):
            return {"requests": self.counts, "effects": sum(map(len, self.effects.values())), "keys": len(self.effects),
                    "connections": self.connections}
        if (method, path) == ("POST", "/_reset"):
            self.reset()
        elif (method, path) == ("POST", "/_script"):
            return self.script.add(value if isinstance(value, list) else [value])
        elif (method, path) == ("GET", "/_script"):
            return [rule.shown() for rule in self.script.rules]
        elif (method, path) == ("DELETE", "/_script"):
            self.script.clear()
        elif (method, path) == ("POST", "/_clock"):
            self.later += float(value["advance"])
        elif (method, path) == ("POST", "/_files"):
            self.files.files.update(value)
        elif (method, path) == ("POST", "/_settings"):
            for name, setting in value.items():
                if name not in ("delay", "store_url"):
                    raise ValueError(f"no such setting: {name}")
                setattr(self, name, setting)
        else:
            raise ValueError(f"no such request: {method} {path}")
        return {}


def tls_context(folder, name, old=False):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if old:
        context.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.load_cert_chain(f"{folder}/{name}.pem", f"{folder}/{name}.key")
    return context


async def serve(options):
    world = World(options)
    loop = asyncio.get_running_loop()
    ready = {}

    async def listen(name, port, **kwargs):
        server = await loop.create_server(lambda: Connection(world.on_request, name, world.connected), options.host, port,
                                          backlog=4096, **kwargs)
        ready[name] = server.sockets[0].getsockname()[1]
        return server

    servers = [await listen("http", options.port)]
    if options.certificates:
        certificates.make(options.certificates)
        servers.append(await listen("https", options.tls_port, ssl=tls_context(options.certificates, "good")))
        for name in certificates.BAD:
            servers.append(await listen(name, 0, ssl=tls_context(options.certificates, name)))
        servers.append(await listen("old_tls", 0, ssl=tls_context(options.certificates, "good", old=True)))
        ready["ca"] = os.path.abspath(f"{options.certificates}/ca.pem")
    if options.unix:
        servers.append(await loop.create_unix_server(lambda: Connection(world.on_request, "unix"), options.unix))
        ready["unix"] = options.unix
    world.own_store_url = world.store_url = options.store_url or f"http://127.0.0.1:{ready['http']}"
    enough = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, enough.set)
    # What lives long is not looked at again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100000, 50, 50)
    print(json.dumps(ready), flush=True)
    await enough.wait()


def main():
    parser = argparse.ArgumentParser(description="Plays Resend, Twilio, a files service and an object store.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="plain HTTP; 0 chooses one")
    parser.add_argument("--tls-port", type=int, default=0)
    parser.add_argument("--certificates", metavar="DIR", help="serve TLS too; certificates are made there")
    parser.add_argument("--unix", metavar="PATH", help="listen on this socket too")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds that each answer takes")
    parser.add_argument("--keep", type=int, default=100000, help="requests that the ledger keeps; effects are all kept")
    parser.add_argument("--resend-key", default="re_test")
    parser.add_argument("--twilio-sid", default="AC00000000000000000000000000000001")
    parser.add_argument("--twilio-token", default="twilio_test")
    parser.add_argument("--files-key", default="files_test")
    parser.add_argument("--store-secret", default="store_test")
    parser.add_argument("--store-url", help="where signed addresses point; default: here")
    options = parser.parse_args()
    # As many connections as the machine allows.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(serve(options))


if __name__ == "__main__":
    main()
