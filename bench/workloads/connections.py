"""1, 4, 16, 64 work connections, and several worker processes."""
from peers.reeve import Reeve
from workloads import Case
from workloads.drain import timed_drain

ROUNDS = 2
CONNECTIONS = "Work connections of one process: Reeve db_function"
PROCESSES = "Worker processes: Reeve"


def cases(bench):
    for n in (1, 4, 16, 64):
        peer = Reeve(bench, "db_function", concurrency=n)
        yield Case(f"connections: {n}", lambda peer=peer, n=n: drain(bench, peer, CONNECTIONS, f"{n}", "1", 200_000))
    for task, count in (("noop", 100_000), ("db_function", 50_000)):
        for n in (1, 2, 4):
            peer = Reeve(bench, task, processes=n)
            yield Case(f"processes: {n}, {task}", lambda peer=peer, n=n, t=task, c=count: drain(
                bench, peer, f"{PROCESSES} {t}", f"{n}", "1", c))


def drain(bench, peer, title, name, baseline, count):
    count = bench.count(count)
    with bench.database(peer) as database:
        peer.fill(database, count)
        rate, columns = timed_drain(bench, peer, database, count)
    bench.results.add(title, name, rate, baseline=baseline, **columns)
    return f"{rate:,.0f} /s"
