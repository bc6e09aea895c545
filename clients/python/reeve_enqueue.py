"""Enqueue tasks of Reeve in the transaction of the application, so that the task exists if and only if the transaction commits.

    enqueue(connection, "resize_image", {"path": "a.png"})                  # psycopg 3: a connection or a cursor
    enqueue(session, "resize_image", {"path": "a.png"}, max_attempts=5)     # SQLAlchemy: a Session or a Connection
    enqueue(django.db.connection, "resize_image", {"path": "a.png"})        # Django

Returns the id of the task.  One file, no dependencies.
"""
import json

__all__ = ["enqueue"]
__version__ = "0.1.0"

# Options of queues.enqueue, with the type of each.
_OPTIONS = {"scheduled_at": "timestamptz", "queue": "text", "priority": "bigint", "dedup_key": "text", "dedup_policy": "text",
            "max_crashes": "integer", "timeout": "interval", "on_in_doubt": "text", "idempotency_key": "text",
            "max_attempts": "integer", "backoff": "jsonb"}


def enqueue(connection, task_type, payload=None, **options):
    """Adds a task.  Options are the arguments of queues.enqueue without their underscore."""
    unknown = set(options) - set(_OPTIONS)
    if unknown:
        raise TypeError("enqueue has no option %s; options are %s" % (", ".join(sorted(unknown)), ", ".join(sorted(_OPTIONS))))
    values = {"task_type": task_type, "payload": json.dumps({} if payload is None else payload)}
    text = "select queues.enqueue({task_type}, {payload}::jsonb"
    for name, value in options.items():
        if value is None:
            continue
        values[name] = json.dumps(value) if name == "backoff" else value
        text += ", _%s => {%s}::%s" % (name, name, _OPTIONS[name])
    text += ")"
    if hasattr(connection, "in_transaction") and hasattr(connection, "execute"):  # SQLAlchemy
        from sqlalchemy import text as clause
        return connection.execute(clause(_cast(text)), values).scalar_one()
    statement = text.format(**{name: "%%(%s)s" % name for name in values})
    cursor = connection.cursor() if hasattr(connection, "cursor") else connection
    cursor.execute(statement, values)
    return cursor.fetchone()[0]


def _cast(text):
    """SQLAlchemy takes a colon for a parameter, so casts are written out."""
    import re
    return re.sub(r"\{(\w+)\}(?:::(\w+))?", lambda m: "cast(:%s as %s)" % (m[1], m[2]) if m[2] else ":" + m[1], text)
