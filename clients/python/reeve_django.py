"""A backend for Django's tasks framework (django.tasks of Django 6, or the package django_tasks).

    # settings.py
    TASKS = {"default": {"BACKEND": "reeve_django.ReeveBackend", "OPTIONS": {"max_attempts": 3}}}

    select queues.register_task_type('django_task', 'program');
    reeve run --env DJANGO_SETTINGS_MODULE=site.settings --directory /srv/site -- python3 -m reeve_django

A task is enqueued in the transaction of the request, so it exists if and only if that commits.  OPTIONS: task_type
(django_task), database (default), and the options of reeve_enqueue.enqueue such as max_attempts.
"""
import json
import os

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
        payload = {"function": task.module_path, "args": list(args), "kwargs": dict(kwargs)}
        task_id = _enqueue(self._connection(), self.task_type, payload, scheduled_at=task.run_after, queue=task.queue_name,
                           priority=-task.priority, **self.extras)  # our smaller numbers come first
        return _result(task, self.alias, str(task_id), TaskResultStatus.READY, args, kwargs, timezone.now())

    def get_result(self, result_id):
        with self._connection().cursor() as cursor:
            cursor.execute("select queues.task_result(%s::bigint)::text", [result_id])
            row = cursor.fetchone()
        if row is None or row[0] is None:
            raise TaskResultDoesNotExist(result_id)
        found = json.loads(row[0])
        if found["state"] == "completed":
            status = TaskResultStatus.SUCCESSFUL if found["outcome"] == "succeeded" else TaskResultStatus.FAILED
        else:
            status = TaskResultStatus.RUNNING if found["state"] == "running" else TaskResultStatus.READY
        answer = found.get("result") or {}
        task = _find(answer["function"]) if isinstance(answer, dict) and "function" in answer else None
        result = _result(task, self.alias, result_id, status, [], {}, None)
        if status == TaskResultStatus.SUCCESSFUL:
            object.__setattr__(result, "_return_value", answer.get("value"))
        elif status == TaskResultStatus.FAILED:
            result.errors.append(TaskError(exception_class_path="builtins.RuntimeError", traceback=found.get("error", "")))
        return result


def _result(task, alias, result_id, status, args, kwargs, at):
    return TaskResult(task=task, id=result_id, status=status, enqueued_at=at, started_at=None, finished_at=None,
                      last_attempted_at=None, args=list(args), kwargs=dict(kwargs), backend=alias, errors=[], worker_ids=[])


def _find(path):
    """The task of this name; nothing else can be called."""
    from django.utils.module_loading import import_string
    task = import_string(path)
    if not isinstance(task, Task):
        raise LookupError("%s is not a task of Django" % path)
    return task


def _carry_out(payload, it):
    import asyncio
    import inspect
    from django.db import close_old_connections
    close_old_connections()
    task = _find(payload["function"])
    args = list(payload["args"])
    if task.takes_context:
        result = _result(task, task.backend, it.id, TaskResultStatus.RUNNING, args, payload["kwargs"], None)
        args.insert(0, TaskContext(task_result=result))
    value = task.func(*args, **payload["kwargs"])
    if inspect.isawaitable(value):
        value = asyncio.run(value)
    return {"function": payload["function"], "value": value}


def main():
    """Carries out tasks: reeve run -- python3 -m reeve_django."""
    import django
    import reeve
    django.setup()
    reeve.task(os.environ.get("DJANGO_TASK_TYPE", "django_task"))(_carry_out)
    reeve.run()


if __name__ == "__main__":
    main()
