#!/usr/bin/python3
"""Reeve and its peers on one server, in alternating rounds.  Called by bench/run.

Workloads: enqueue drain latency pinned history connections payloads mixed idle commands.
"""
import argparse
import importlib
import shlex
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[1]

from harness import document, plots, report, targets  # noqa: E402
from harness.results import Results  # noqa: E402
from harness.server import Server  # noqa: E402
from peers.base import Skip  # noqa: E402
from peers.reeve import Reeve  # noqa: E402

WORKLOADS = ("idle", "enqueue", "drain", "latency", "connections", "mixed", "payloads", "commands", "history", "pinned")


class Bench:
    """One run: its size, its server, its results."""

    def __init__(self, args):
        self.server = Server()
        self.results = Results()
        self.scale, self.rounds, self.full = args.scale, args.rounds, args.full
        self.pin_seconds = args.pin * args.scale
        self.round = 0
        self.command = "make bench" if sys.argv[1:] == ["--write"] else "bench/run " + shlex.join(sys.argv[1:])
        self._templates = {}
        self._start = time.monotonic()

    def count(self, full, step=1, least=100):
        """A number of jobs at this scale."""
        return max(least if full else 0, step, int(full * self.scale) // step * step)

    def seconds(self, full):
        """A duration at this scale, in whole seconds."""
        return max(1, round(full * min(self.scale, 1)))

    def minutes(self):
        return (time.monotonic() - self._start) / 60

    def template(self, peer):
        """The database that the peer's own ones are copied from."""
        if peer.kind not in self._templates:
            name = f"template_{peer.kind}"
            self.server.create(name)
            peer.prepare(name)
            self.server.wait_for_no_clients(name)
            self._templates[peer.kind] = name
        return self._templates[peer.kind]

    @contextmanager
    def database(self, peer):
        """A fresh database of this peer, dropped afterwards."""
        name = peer.fresh()
        try:
            yield name
        finally:
            self.server.drop(name)

    def drop_kept(self, kept):
        if self.round + 1 == min(self.rounds, 2):
            for name in kept.values():
                self.server.drop(name)
        return "done"

    def has_noop(self):
        try:
            self.server.drop(Reeve(self, "noop").fresh())
        except Skip:
            return False
        return True

    def run(self, name):
        """All cases of a workload, round by round; what fails is told and the rest goes on."""
        workload = importlib.import_module(f"workloads.{name}")
        cases = list(workload.cases(self))
        rounds = min(self.rounds, workload.ROUNDS)
        for self.round in range(rounds):
            for case in cases:
                start = time.monotonic()
                try:
                    figure = case.run()
                except Skip as skip:
                    figure = f"skipped: {skip}"
                    self.results.problem(case.name, f"skipped, {skip}")
                except Exception as error:  # noqa: BLE001: one failure must not end an hour of measuring
                    figure = f"FAILED: {type(error).__name__}: {error}"
                    self.results.problem(case.name, f"{type(error).__name__}: {error}")
                took = time.monotonic() - start
                print(f"{self.round + 1}/{rounds} {case.name}: {figure} ({took:.1f} s)", file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(WORKLOADS), help="workloads to run, comma-separated")
    parser.add_argument("--rounds", type=int, default=3, help="at most so many rounds of each (default 3)")
    parser.add_argument("--scale", type=float, default=1.0, help="size of everything, 1 is full (default 1)")
    parser.add_argument("--pin", type=float, default=120, help="seconds of the pinned snapshot at scale 1 (default 120)")
    parser.add_argument("--full", action="store_true", help="also ten million completed tasks")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md and docs/plots")
    args = parser.parse_args()
    args.only = args.only.split(",")
    if unknown := set(args.only) - set(WORKLOADS):
        parser.error(f"unknown workloads: {', '.join(sorted(unknown))}")
    return args


def main():
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bench = Bench(args)
    for name in WORKLOADS:
        if name in args.only:
            bench.run(name)
    rows = list(targets.verdicts(bench.results))
    if len(args.only) < len(WORKLOADS):
        rows = [row for row in rows if row[1] is not None]
    print(report.text_table(bench.results))
    print("Targets\n" + report.targets_text(rows))
    if bench.results.problems:
        print("\nWhat did not run\n" + report.problems_text(bench.results.problems))
    print(f"\n{bench.minutes():.1f} minutes")
    if args.write:
        drawn = plots.draw(bench.results.series, ROOT / "docs/plots")
        document.write(bench, rows, drawn, ROOT / "docs/benchmarks.md")
        print(f"written: docs/benchmarks.md and {len(drawn)} plots")


main()
