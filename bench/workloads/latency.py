"""Latency from enqueue to start at 100/s and 1,000/s.

The enqueuing statement writes clock_timestamp() into the payload, and the job compares it with
its own clock when it starts, so the commit of the enqueue is part of the figure, for all alike.
The first tenth of the jobs is left out: fresh connections are slow once.
"""
from peers.classic import Classic
from peers.graphile import Graphile
from peers.pgboss import PgBoss
from peers.pgq import PgQ
from peers.reeve import Reeve
from workloads import Case

ROUNDS = 5  # short ones: the host is faster in one minute than in the next
BASELINE = "graphile-worker default"
SECONDS = {100: 4, 1000: 3}
PERCENTILES = (50, 95, 99)


def title(rate, percentile):
    return f"Latency from enqueue to start at {rate:,}/s, p{percentile}"


def cases(bench):
    for rate in SECONDS:
        for peer in [Reeve(bench, "db_function"), Reeve(bench, "noop", label="to completion"), Graphile(bench),
                     Graphile(bench, fast=True), PgBoss(bench), PgQ(bench), Classic(bench)]:
            yield Case(f"latency at {rate}/s: {peer.name}", lambda peer=peer, rate=rate: latency(bench, peer, rate))


def latency(bench, peer, rate):
    seconds = bench.seconds(SECONDS[rate])
    with bench.database(peer) as database:
        bench.server.settle(database)
        with bench.server.measure(database) as costs:
            worker = peer.start(database)
            try:
                offered = peer.feed_timed(database, rate, seconds)
                worker.catch_up(offered)
                worker.stop()
            finally:
                worker.kill()
        delays = worker.latencies()
        delays = sorted(delays[len(delays) // 10:])
    if not delays:
        raise RuntimeError("no job was started")
    for percentile in PERCENTILES:
        value = delays[min(len(delays) - 1, len(delays) * percentile // 100)]
        columns = costs.per_task(len(delays), worker.processes) if percentile == 50 else {}
        bench.results.add(title(rate, percentile), peer.name, value, unit="ms", baseline=BASELINE, **columns)
    bench.results.add(f"Latency at {rate:,}/s: really offered", peer.name, offered / seconds)
    return f"p50 {delays[len(delays) // 2]:.2f} ms of {len(delays)} jobs, {offered} offered"
