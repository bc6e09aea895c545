"""docs/benchmarks.md: the table with date, versions, settings and caveats."""
import datetime
import os
import platform
import subprocess
from pathlib import Path

from harness import report
from peers import node
from peers.reeve import PROGRAM

SETTINGS = ("server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "max_wal_size",
            "max_connections", "autovacuum")

METHOD = """
What counts are ratios within one run: all systems share one server, and rounds alternate between
them. Before the clock starts each database is vacuumed and analyzed, and the server makes a
checkpoint. Jobs do nothing. Columns per task: WAL bytes, commits, microseconds of CPU of the
worker processes and of the server; then the peak resident memory of a worker process and the
largest number of connections seen. In enqueue groups the client is no worker and is not counted.

- Drain: Reeve's time is that of the whole process, from its start to its end. Node peers are timed
  inside, without the start of node, to their last completion. PgQ's consumer is timed inside too.
- Latency: the enqueuing statement writes the clock into the payload, and the job compares it with
  the clock when it starts, so the commit of the enqueue is part of the figure, for all alike. The
  first tenth of the jobs is left out, since fresh connections are slow once.
  pg-boss has no SQL interface; its time is taken just before `send`. For Reeve's `noop`, which runs
  no code, the time of its completion is taken instead of its start.
- Pinned snapshot: jobs arrive in 100 statements per second, since some peers cannot enqueue
  2,000/s one by one. Peers are measured for half of the time, which is in their favour. Claim time
  is the mean per call of the claiming statement in pg_stat_statements.
- Payloads are random text, so they do not compress.
"""

CAVEATS = """
- graphile-worker, default: concurrency 24 and a pool of 25. Fast: localQueue of 500 and batched
  completion, as its documentation measures. Then a crash leaves up to 500 jobs locked for four hours,
  completed ones may run again, and urgent jobs wait for the local queue. A job's row is deleted
  when it is done; no history is kept.
- pg-boss: fetch of 1000 and complete in two loops of our own, the fastest way it documents;
  maintenance is off. `work()` polls every 500 ms at best. A crash repeats up to 1000 jobs.
- PgQ: events in batches between ticks, no state per job, no retries by itself, no priorities, no
  delays. The consumer reads whole batches; the ticker runs every 5 ms, far more often than usual.
- Classic table: jobs are deleted in the transaction that takes them, so nothing is known of a job
  that was done or failed. By 100 a failure repeats 100 jobs. For latency it polls every millisecond.
- Reeve: every task leaves its lease and its completion as facts. A db_function is executed exactly
  once, in one transaction with its completion; `noop` is completed by the worker.
"""


def write(bench, targets, plots, path):
    path.write_text("\n".join([
        "# Benchmarks\n",
        f"Measured on {datetime.date.today()} with `{bench.command}`"
        f" (up to {bench.rounds} rounds, scale {bench.scale:g}, {bench.minutes():.0f} minutes).",
        METHOD, "## Machine, versions, settings\n", facts(bench), "", "## Targets\n", report.targets_markdown(targets), "",
        *(["## Throughput under a pinned snapshot\n"] if plots else []),
        *(f"![{p.stem}](plots/{p.name})\n" for p in plots),
        "## All figures\n", report.markdown_table(bench.results),
        "## Caveats of each\n", CAVEATS.strip(), "",
        *(["## What did not run\n", "\n".join(f"- {a}: {b}" for a, b in bench.results.problems), ""]
          if bench.results.problems else []),
    ]))


def facts(bench):
    settings = ", ".join(f"{name} {bench.server.value('postgres', f'show {name}')}" for name in SETTINGS)
    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    memory = int(Path("/proc/meminfo").read_text().split()[1]) / 1048576
    return (f"- {os.cpu_count()} cores ({cpu}), {memory:.0f} GB of memory, Linux {platform.release()}\n"
            f"- PostgreSQL: {settings}\n- {versions()}")


def versions():
    reeve = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=10).stdout.strip()
    found = [reeve]
    for package in ("graphile-worker", "pg-boss"):
        try:
            found.append(f"{package} {node.version_of(package)}")
        except FileNotFoundError:
            pass
    return ", ".join([*found, "PgQ 3.5", f"node {node.node_version()}"])
