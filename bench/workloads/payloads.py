"""Payloads of 100 bytes, 10 kB and 1 MB that do not compress: enqueue from one client, then drain."""
import base64
import json
import os
import time

from peers.graphile import Graphile
from peers.reeve import Reeve
from workloads import Case
from workloads.drain import timed_drain

ROUNDS = 1
SIZES = {"100 B": (100, 10_000), "10 kB": (10_000, 4_000), "1 MB": (1_000_000, 60)}
BASELINE = "graphile-worker fast"


def cases(bench):
    for size in SIZES:
        for peer in (Reeve(bench, "noop"), Reeve(bench, "db_function"), Graphile(bench, fast=True)):
            yield Case(f"payload of {size}: {peer.name}", lambda peer=peer, size=size: payload(bench, peer, size))


def payload(bench, peer, size):
    length, count = SIZES[size]
    count = bench.count(count, least=10)
    body = {"data": base64.b64encode(os.urandom(length * 3 // 4)).decode()[:length]}
    if peer.kind == "reeve":
        call = f"select queues.enqueue('{peer.task}', %s)"
        body |= {"db_function": "bench.noop"} if peer.task == "db_function" else {}
    else:
        call = "select graphile_worker.add_job('noop', %s)"
    text = json.dumps(body)
    with bench.database(peer) as database:
        bench.server.settle(database)
        with bench.server.measure(database) as costs, bench.server.connect(database) as connection:
            start = time.monotonic()
            for _ in range(count):
                connection.execute(call, [text], prepare=True)
            rate = count / (time.monotonic() - start)
        bench.results.add(f"Payload of {size}: enqueue", peer.name, rate, baseline=BASELINE, **costs.per_task(count))
        drained, columns = timed_drain(bench, peer, database, count)
        bench.results.add(f"Payload of {size}: drain", peer.name, drained, baseline=BASELINE, **columns)
    return f"enqueue {rate:,.0f} /s, drain {drained:,.0f} /s"
