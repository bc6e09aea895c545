"""Drain beside a million (with --full: ten million) completed tasks, and a million delayed ones."""
from peers.reeve import Reeve
from workloads import Case
from workloads.drain import timed_drain

ROUNDS = 2
REPEATS = 5  # a drain takes three seconds, a host changes its speed in less
EMPTY = "empty"
BOTH = [(EMPTY, 0, 0), ("1 million completed", 1_000_000, 0), ("1 million delayed", 0, 1_000_000)]
TEN = ("10 million completed", 10_000_000, 0)


def title(task):
    return f"Drain beside history: Reeve {task}"


def cases(bench):
    kept = {}
    for _ in range(REPEATS):
        for place, completed, delayed in BOTH + ([TEN] if bench.full else []):
            for task in ("noop", "db_function"):
                yield Case(f"history: {task}, {place}",
                           lambda p=place, c=completed, d=delayed, t=task: drain(bench, kept, p, c, d, t))
    yield Case("history: clean up", lambda: bench.drop_kept(kept))


def drain(bench, kept, place, completed, delayed, task):
    peer = Reeve(bench, task)
    count = bench.count(200_000 if task == "noop" else 50_000)
    if place not in kept:
        kept[place] = build(bench, bench.count(completed), bench.count(delayed))
    # What was drained in the empty one would be history, so that one is new each time.
    database = peer.fresh() if place == EMPTY else kept[place]
    try:
        peer.fill(database, count)
        rate, columns = timed_drain(bench, peer, database, count)
        bench.results.add(title(task), place, rate, baseline=EMPTY, **columns)
    finally:
        if place == EMPTY:
            bench.server.drop(database)
    return f"{rate:,.0f} /s"


def build(bench, completed, delayed):
    """History made by the real thing: enqueued and carried out, or enqueued for tomorrow."""
    peer = Reeve(bench, "noop" if bench.has_noop() else "db_function", concurrency=4)
    database = peer.fresh()
    step = 1_000_000
    for done in range(0, completed, step):
        peer.fill(database, min(step, completed - done))
        peer.drain(database, min(step, completed - done), limit=600)
    peer.fill(database, delayed, ", now() + interval '1 day'")
    return database
