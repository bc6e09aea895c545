"""Programs of the tests of `reeve run`: what they are told, and what is known of their tasks."""
import json
from pathlib import Path

from harness import HERE, eventually

CHILD = ["/usr/bin/python3", str(HERE / "child.py")]


class Programs:
    def __init__(self, db, folder):
        self.db = db
        self.folder = folder
        self.notes = folder / "notes"
        self.notes.touch()

    def run(self, *args, program=CHILD, env=(), **kwargs):
        variables = [f"--env=NOTES={self.notes}", *[f"--env={item}" for item in env]]
        return self.db.run_program("--kill-grace", "0.3", *variables, *args, program=program, **kwargs)

    def add(self, do="succeed", options="", **payload):
        return self.db.value(f"select queues.enqueue('work', %s{options})", json.dumps({"do": do, **payload}))

    def end(self, task):
        """Outcome and result of a task, once it has ended."""
        self.db.wait_outcome(task)
        return self.db.rows("select outcome, result from queues.task_completed where task_id = %s", task)[0]

    def errors(self, task):
        return self.db.rows("select error_message, error_class from queues.error where task_id = %s order by error_id", task)

    def starts(self, task=None):
        found = [line.split() for line in self.notes.read_text().splitlines() if line.startswith("start ")]
        return [line for line in found if task is None or line[1] == str(task)]

    def wait_start(self, task):
        return int(eventually(lambda: self.starts(task), f"start of task {task}")[0][3])

    def chain(self, task):
        return self.db.rows("select c.outcome from queues.task as t left join queues.task_completed as c using (task_id)"
                            " where t.task_id = %s or t.task_id in (select a.task_id from queues.task_attempt as a where a.chain_id = %s) order by t.task_id", task, task)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
