"""Offered load: pgbench for rates of single statements, a paced feeder for exact ones."""
import json
import re
import sys
import tempfile
from pathlib import Path

from harness.process import Process, Talker

HERE = Path(__file__).resolve().parent


class Pgbench(Process):
    """pgbench with one script, as prepared statements.  finish() gives its numbers."""

    def __init__(self, server, database, script, clients, seconds=None, transactions=None, rate=None):
        self.script = tempfile.NamedTemporaryFile("w", suffix=".sql")
        self.script.write(script)
        self.script.flush()
        self.limit = (seconds or 600) + 60
        args = [f"{server.bin}/pgbench", "-h", server.host, "-p", server.port, "-U", server.user, "-n", "-M", "prepared",
                "-f", self.script.name, "-c", clients, "-j", min(clients, 2)]
        args += ["-T", seconds] if seconds else ["-t", transactions]
        args += ["-R", rate] if rate else []
        super().__init__([*args, database], talks=True)

    def finish(self):
        """Transactions per second and their number."""
        text = self.popen.stdout.read().decode()
        self.wait(self.limit)
        self.script.close()
        done = int(re.search(r"number of transactions actually processed: (\d+)", text)[1])
        tps = float(re.search(r"tps = ([\d.]+) \(without", text)[1])
        return {"tps": tps, "transactions": done}


def pgbench(*args, **kwargs):
    """Run it to its end."""
    return Pgbench(*args, **kwargs).finish()


def feeder(server, database, statement, per_second, seconds):
    """A process that runs the statement so often per second, at even distances."""
    options = {"conninfo": server.conninfo(database), "statement": statement, "per_second": per_second, "seconds": seconds}
    return Talker([sys.executable, HERE / "feeder.py", json.dumps(options)])
