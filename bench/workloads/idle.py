"""A worker with nothing to do: memory, connections, CPU."""
from peers.graphile import Graphile
from peers.pgboss import PgBoss
from peers.reeve import Reeve
from workloads import Case

ROUNDS = 1
TITLE = "Idle worker: peak memory"


def cases(bench):
    for peer in (Reeve(bench, "db_function"), Graphile(bench), Graphile(bench, fast=True), PgBoss(bench)):
        yield Case(f"idle: {peer.name}", lambda peer=peer: idle(bench, peer))


def idle(bench, peer):
    name = "Reeve" if peer.kind == "reeve" else peer.name
    with bench.database(peer) as database:
        with bench.server.measure(database) as costs:
            worker = peer.start(database)
            try:
                bench.server.pause(bench.seconds(5))
                worker.stop()
            finally:
                worker.kill()
    columns = costs.per_task(1, worker.processes)
    memory = columns["rss"]
    bench.results.add(TITLE, name, memory, unit="MB", baseline="graphile-worker default", connections=columns["connections"])
    return f"{memory:.1f} MB"
