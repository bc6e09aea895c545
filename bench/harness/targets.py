"""Targets: ratios within one run that Reeve is to reach."""
from workloads import commands, connections, drain, enqueue, history, idle, latency, pinned

FAST, DEFAULT = "graphile-worker fast", "graphile-worker default"


def ratio(a, b):
    return a / b if a is not None and b else None


def verdicts(results):
    """Rows of (what, measured, wanted, verdict)."""
    for what, value, sign, bound in rows(results):
        wanted = f"{'at least' if sign == '>=' else 'at most' if sign == '<=' else 'below'} {bound:g}"
        if value is None:
            yield what, None, wanted, "not measured"
        else:
            good = value >= bound if sign == ">=" else value <= bound if sign == "<=" else value < bound
            yield what, value, wanted, "pass" if good else "FAIL"


def rows(results):
    m = results.median
    ours = m(drain.TITLE, "Reeve noop, 1 process")
    for processes, bound in (("1 process", 2), ("2 processes", 1)):
        yield (f"drain, noop, 1 process, to graphile-worker fast, {processes}",
               ratio(ours, m(drain.TITLE, f"{FAST}, {processes}")), ">=", bound)
    yield ("drain, noop, 2 processes, to graphile-worker fast, 2 processes",
           ratio(m(drain.TITLE, "Reeve noop, 2 processes"), m(drain.TITLE, f"{FAST}, 2 processes")), ">=", 1)
    yield ("drain, db_function, 1 process, to graphile-worker default",
           ratio(m(drain.TITLE, "Reeve db_function, 2 connections"), m(drain.TITLE, DEFAULT)), ">=", 5)
    for task in ("noop", "db_function"):
        for (by, _), title in enqueue.TITLES.items():
            yield (f"{title.lower()}, {task}, to graphile-worker", ratio(m(title, f"Reeve {task}"), m(title, DEFAULT)),
                   ">=", 5 if by == 1 else 1.5)
    for percentile in (50, 99):
        title = latency.title(100, percentile)
        best = min((v for v in (m(title, DEFAULT), m(title, FAST)) if v), default=None)
        yield (f"latency at 100/s, p{percentile}, db_function, to the better graphile-worker",
               ratio(m(title, "Reeve db_function"), best), "<=", 1)
    for rate, task in ((2000, "noop"), (2000, "db_function"), (5000, "noop")):
        last = m(pinned.title(rate, "last 10 s"), f"Reeve {task}")
        yield f"pinned snapshot at {rate:,}/s, {task}: last 10 s to offered", ratio(last, rate), ">=", 0.95
        yield (f"pinned snapshot at {rate:,}/s, {task}: growth of claim time",
               m(pinned.title(rate, "claim time, last 10 s to first"), f"Reeve {task}"), "<=", 1.5)
    for task in ("noop", "db_function"):
        title = history.title(task)
        for place in ("1 million completed", "10 million completed", "1 million delayed"):
            yield f"drain, {task}, {place}, to empty", ratio(m(title, place), m(title, history.EMPTY)), ">=", 0.9
    yield ("enqueue of a merged command, 8 clients, to a plain one",
           ratio(m(commands.ENQUEUE, commands.MERGED), m(commands.ENQUEUE, commands.PLAIN)), ">=", 0.5)
    yield "rows of the merged command that wait at once", m(commands.MOST, "without a worker"), "<=", 1
    yield ("the way to a run beside a transaction that merged and stays open, to without",
           ratio(m(commands.DELAY, commands.BESIDE), m(commands.DELAY, commands.ALONE)), "<=", 1.5)
    yield "clients that waited for a running handler of the merged command", m(commands.WAITS, "merged"), "<=", 0
    yield ("enqueue of a merged command beside an open transaction that merged, to without",
           ratio(m(commands.HELD, commands.OPEN_MERGED), m(commands.HELD, commands.FREE)), ">=", 0.8)
    yield ("a parent with 10,000 children, time to 10,000 unrelated commands",
           ratio(m(commands.FAMILY, commands.CHILDREN), m(commands.FAMILY, commands.STRANGERS)), "<=", 1.5)
    peak = max((m(connections.CONNECTIONS, n) or 0 for n in ("1", "4", "16", "64")), default=0)
    yield "64 work connections to the best number of them", ratio(m(connections.CONNECTIONS, "64"), peak), ">=", 0.7
    yield "worker memory in all of it, MB", results.peak_memory("Reeve"), "<", 32
    yield "worker memory, idle, MB", m(idle.TITLE, "Reeve"), "<", 10
