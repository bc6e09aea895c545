"""Enqueue: one by one from 1 and 8 clients, by 100, and (Reeve) a million in one statement."""
import time

from peers.classic import Classic
from peers.graphile import Graphile
from peers.pgboss import PgBoss
from peers.pgq import PgQ
from peers.reeve import Reeve
from workloads import Case

ROUNDS = 9
BASELINE = "graphile-worker default"
TITLES = {(1, 1): "Enqueue one by one, 1 client", (1, 8): "Enqueue one by one, 8 clients",
          (100, 1): "Enqueue by 100, 1 client"}
MILLION = "Enqueue many in one statement"


def cases(bench):
    peers = [Reeve(bench, "noop"), Reeve(bench, "db_function"), Graphile(bench), PgBoss(bench), PgQ(bench), Classic(bench)]
    for (by, clients), title in TITLES.items():
        for peer in peers:
            yield Case(f"{title}: {peer.name}", lambda peer=peer, by=by, c=clients, t=title: enqueue(bench, peer, by, c, t))
    yield Case(f"{MILLION}: Reeve noop", lambda: million(bench, Reeve(bench, "noop")))


def enqueue(bench, peer, by, clients, title):
    seconds = bench.seconds(3)
    name = peer.name.split(",")[0]  # how it is drained does not matter here
    with bench.database(peer) as database:
        bench.server.settle(database)
        with bench.server.measure(database) as costs:
            rate = peer.enqueue(database, by, clients, seconds)
        bench.results.add(title, name, rate, baseline=BASELINE, **costs.per_task(rate * seconds))
    return f"{rate:,.0f} /s"


def million(bench, peer):
    count = bench.count(1_000_000)
    with bench.database(peer) as database:
        bench.server.settle(database)
        with bench.server.measure(database) as costs:
            start = time.monotonic()
            bench.server.sql(database, peer.many(count))
            rate = count / (time.monotonic() - start)
        bench.results.add(f"{MILLION} (a million at full size)", peer.name, rate, **costs.per_task(count))
    return f"{rate:,.0f} /s"
