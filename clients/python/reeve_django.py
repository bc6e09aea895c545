"""A backend for Django's tasks framework (django.tasks of Django 6, or the package django_tasks).

    # settings.py
    TASKS = {"default": {"BACKEND": "reeve_django.ReeveBackend", "OPTIONS": {"max_attempts": 3}}}

    select queues.register_task_type('django_task', 'program');
    reeve run --env DJANGO_SETTINGS_MODULE=site.settings --directory /srv/site -- python3 -m reeve_django

A task is enqueued in the transaction of the request, so it exists if and only if that commits.  OPTIONS: task_type
(django_task), database (default), and the options of reeve_enqueue.enqueue such as max_attempts.  To enqueue, the role of the
application is a member of queues_enqueuer; to read results, of queues_operator.  A return value has at most 64 KiB as JSON; a task
that returns more fails.
"""
import json
import os
import socket

from reeve_enqueue import enqueue as _enqueue

try:
    from django.tasks.backends.base import BaseTaskBackend
    from django.tasks.base import Task, TaskContext, TaskError, TaskResult, TaskResultStatus
    from django.tasks.exceptions import TaskResultDoesNotExist
except ImportError:
    from django_tasks.backends.base import BaseTaskBackend
    from django_tasks.base import Task, TaskContext, TaskError, TaskResult, TaskResultStatus
    from django_tasks.exceptions import TaskResultDoesNotExist

__all__ = ["ReeveBackend", "main"]
__version__ = "0.1.0"

_VALUE_BYTES = 65536  # largest result that Reeve keeps

# The facts of a task and of all its attempts.
_FACTS = """
select queues.task_result(t.task_id)::text, t.payload::text, t.enqueued_at, min(l.leased_at), max(l.leased_at),
       max(c.completed_at), array_agg(h.worker_id::text order by l.leased_at) filter (where h.worker_id is not null)
from queues.task as t
left join queues.task_attempt as a on a.chain_id = t.task_id
left join queues.task_lease as l on l.task_id = coalesce(a.task_id, t.task_id)
left join queues.holder as h on h.holder_id = l.holder_id
left join queues.task_completed as c on c.task_id = coalesce(a.task_id, t.task_id)
where t.task_id = %s and t.task_type = %s
group by t.task_id
"""


class ReeveBackend(BaseTaskBackend):
    """Enqueues tasks of Django as tasks of Reeve, and reads their results."""

    supports_defer = True
    supports_async_task = True
    supports_get_result = True
    supports_priority = True

    def __init__(self, alias, params):
        super().__init__(alias, params)
        options = dict(params.get("OPTIONS", {}))
        self.task_type = options.pop("task_type", "django_task")
        self.database = options.pop("database", "default")
        self.extras = options

    def _connection(self):
        from django.db import connections
        return connections[self.database]

    def enqueue(self, task, args, kwargs):
        from django.utils import timezone
        self.validate_task(task)
        at = timezone.now()
        payload = {"function": task.module_path, "args": list(args), "kwargs": dict(kwargs), "enqueued_at": at.isoformat()}
        task_id = _enqueue(self._connection(), self.task_type, payload, scheduled_at=task.run_after, queue=task.queue_name,
                           priority=-task.priority, **self.extras)  # our smaller numbers come first
        return _result(task, self.alias, str(task_id), TaskResultStatus.READY, args, kwargs, enqueued_at=at)

    def get_result(self, result_id):
        digits = str(result_id)
        if not (digits.isascii() and digits.isdigit() and int(digits) < 2**63):
            raise TaskResultDoesNotExist(result_id)
        with self._connection().cursor() as cursor:
            cursor.execute(_FACTS, [int(digits), self.task_type])
            row = cursor.fetchone()
        if row is None:
            raise TaskResultDoesNotExist(result_id)
        found, payload = json.loads(row[0]), json.loads(row[1])
        enqueued_at, started_at, last_attempted_at, finished_at, worker_ids = row[2:]
        if found["state"] == "completed":
            status = TaskResultStatus.SUCCESSFUL if found["outcome"] == "succeeded" else TaskResultStatus.FAILED
        else:
            status = TaskResultStatus.RUNNING if found["state"] == "running" else TaskResultStatus.READY
        result = _result(_find(payload["function"]), self.alias, digits, status, payload["args"], payload["kwargs"],
                         enqueued_at=enqueued_at, started_at=started_at, last_attempted_at=last_attempted_at,
                         finished_at=finished_at if found["state"] == "completed" else None, worker_ids=worker_ids or [])
        if status == TaskResultStatus.SUCCESSFUL:
            object.__setattr__(result, "_return_value", found["result"]["value"])
        elif status == TaskResultStatus.FAILED:
            result.errors.append(TaskError(exception_class_path="builtins.RuntimeError", traceback=found.get("error", "")))
        return result


def _result(task, alias, result_id, status, args, kwargs, enqueued_at=None, started_at=None, last_attempted_at=None, finished_at=None,
            worker_ids=()):
    return TaskResult(task=task, id=result_id, status=status, enqueued_at=enqueued_at, started_at=started_at, finished_at=finished_at,
                      last_attempted_at=last_attempted_at, args=list(args), kwargs=dict(kwargs), backend=alias, errors=[],
                      worker_ids=list(worker_ids))


def _find(path):
    """The task of this name; nothing else can be called."""
    from django.utils.module_loading import import_string
    task = import_string(path)
    if not isinstance(task, Task):
        raise LookupError("%s is not a task of Django" % path)
    return task


def _carry_out(payload, it):
    import asyncio
    import datetime
    import inspect
    import reeve
    from django.db import close_old_connections
    from django.utils import timezone
    close_old_connections()
    task = _find(payload["function"])
    args = list(payload["args"])
    if task.takes_context:
        now = timezone.now()
        result = _result(task, task.backend, it.id, TaskResultStatus.RUNNING, args, payload["kwargs"],
                         enqueued_at=datetime.datetime.fromisoformat(payload["enqueued_at"]), started_at=now, last_attempted_at=now,
                         worker_ids=["%s:%d" % (socket.gethostname(), os.getpid())] * it.attempt)
        args.insert(0, TaskContext(task_result=result))
    value = task.func(*args, **payload["kwargs"])
    if inspect.isawaitable(value):
        value = asyncio.run(value)
    size = len(json.dumps({"value": value}, ensure_ascii=False).encode("utf-8", "replace"))
    if size > _VALUE_BYTES:
        raise reeve.Final("the return value has %d bytes, over the limit of 64 KiB: store it, and return its id" % size)
    return {"value": value}


def main():
    """Carries out tasks: reeve run -- python3 -m reeve_django."""
    import django
    import reeve
    django.setup()
    reeve.task(os.environ.get("DJANGO_TASK_TYPE", "django_task"))(_carry_out)
    reeve.run()


if __name__ == "__main__":
    main()
