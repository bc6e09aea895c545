"""Drain of no-op jobs that wait: how fast claim and completion are."""
from peers.classic import Classic
from peers.graphile import Graphile
from peers.pgboss import PgBoss
from peers.pgq import PgQ
from peers.reeve import Reeve
from workloads import Case

ROUNDS = 9
TITLE = "Drain of waiting no-op tasks"
BASELINE = "graphile-worker fast, 1 process"
TASKS = 200_000
# Slow peers get fewer jobs, so that nobody waits for minutes; the rate is what counts.
FEWER = {"graphile-worker default": 20_000, "classic SKIP LOCKED, by 1": 50_000}


def cases(bench):
    peers = [Reeve(bench, "noop", label="1 process"),
             Graphile(bench, fast=True, label="1 process"),
             Reeve(bench, "noop", processes=2, label="2 processes"),
             Graphile(bench, fast=True, processes=2, label="2 processes"),
             Reeve(bench, "db_function", label="2 connections"),
             Graphile(bench),
             Reeve(bench, "db_function", concurrency=4, label="4 connections"),
             PgBoss(bench), PgQ(bench), Classic(bench), Classic(bench, by=100)]
    for peer in peers:
        yield Case(f"drain: {peer.name}", lambda peer=peer: drain(bench, peer))


def drain(bench, peer):
    count = bench.count(FEWER.get(peer.name, TASKS), step=1000)
    with bench.database(peer) as database:
        peer.fill(database, count)
        rate, columns = timed_drain(bench, peer, database, count)
        bench.results.add(TITLE, peer.name, rate, baseline=BASELINE, **columns)
        if bench.round == 0 and peer.kind == "reeve":
            peer.check(database)
    return f"{rate:,.0f} /s"


def timed_drain(bench, peer, database, count):
    """Tasks per second, and the costs as columns."""
    bench.server.settle(database)
    with bench.server.measure(database) as costs:
        seconds, processes = peer.drain(database, count)
    return count / seconds, costs.per_task(count, processes)
