"""Mixed load: ten priorities over 100 queues, against one queue with one priority."""
from peers.graphile import Graphile
from peers.reeve import Reeve
from workloads import Case
from workloads.drain import timed_drain

ROUNDS = 2
TITLE = "Mixed load: 10 priorities, 100 queues"
TASKS = 50_000
QUEUES, PRIORITIES = 100, 10


def cases(bench):
    for task in ("noop", "db_function"):
        yield Case(f"mixed: {task}, one queue", lambda t=task: reeve(bench, t, False))
        yield Case(f"mixed: {task}, 100 queues", lambda t=task: reeve(bench, t, True))
    yield Case("mixed: graphile-worker fast", lambda: graphile(bench))


def reeve(bench, task, mixed):
    peer = Reeve(bench, task)
    each = max(1, bench.count(TASKS) // (QUEUES * PRIORITIES))
    count = each * QUEUES * PRIORITIES
    with bench.database(peer) as database:
        if mixed:
            with bench.server.connect(database) as connection:
                for queue in range(QUEUES):
                    connection.execute(f"select queues.create_queue('q{queue}')")
                # Priorities arrive mixed, as they would.
                for priority in range(PRIORITIES):
                    for queue in range(QUEUES):
                        call = peer.many(each).replace("));", f"), now(), 'q{queue}', {priority});")
                        connection.execute(call)
        else:
            peer.fill(database, count)
        rate, columns = timed_drain(bench, peer, database, count)
        if bench.round == 0:
            peer.check(database)
    bench.results.add(TITLE, f"{peer.name}, {'100 queues, 10 priorities' if mixed else 'one queue'}", rate, **columns)
    return f"{rate:,.0f} /s"


def graphile(bench):
    peer = Graphile(bench, fast=True)
    count = bench.count(TASKS)
    with bench.database(peer) as database:
        peer.fill(database, count, priority=f"i % {PRIORITIES}")
        rate, columns = timed_drain(bench, peer, database, count)
    bench.results.add(TITLE, f"{peer.name}, 10 priorities, unnamed queue", rate, **columns)
    return f"{rate:,.0f} /s"
