"""The pages of the dashboard, as its own description names them, with operands from the database."""
import json
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
API = json.loads((ROOT / "assets/openapi.json").read_text(encoding="utf-8"))

OPERANDS = {
    "/tasks/{id}": "select min(task_id) from queues.task_completed where outcome = 'failed'",
    "/processes/{id}": "select min(process_id) from queues.process",
    "/commands/{id}": "select min(task_id) from queues.task where task_type = 'command'",
    "/jobs/{id}": "select min(job_id) from pgqueue.job",
    "/messages/{id}": "select min(message_id) from comms.message",
    "/bulk/{id}": "select min(act_id) from queues.bulk_act",
    "/webhooks/{name}": "select min(name) from pgqueue.webhook",
    "/schedules/{name}": "select 'poll'",
}
QUERIES = {"/search": "?q=1", "/doctor": "?check=yes"}


def pages(db):
    """Pattern and address of each page."""
    for pattern, methods in API["paths"].items():
        if "get" in methods:
            path = pattern
            if "{" in pattern:
                path = pattern[:pattern.index("{")] + quote(str(db.value(OPERANDS[pattern])), safe="")
            yield pattern, path + QUERIES.get(pattern, "")


def least_right(pattern, method="get"):
    """0: observer, 1: operator, 2: admin."""
    words = API["paths"][pattern][method]["description"]
    return [i for i, role in enumerate(("queues_observer", "queues_operator", "queues_admin")) if role in words][0]
