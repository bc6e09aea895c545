"""Carry out tasks of Reeve: `reeve run -- python3 worker.py`.

    from reeve import task, run

    @task
    def resize_image(payload):
        return {"width": payload["width"]}

    run()

The task type is the name of the function, or `@task("another_name")`.  A function takes the payload, and the task as a second
argument if it has one.  It returns a JSON value.  An exception fails the task; `Final` says that another attempt is of no use,
and `Retry(after=30)` asks for a wait.  `async def` functions run at the same time, up to `run(at_once=...)`; others run in as many
threads.  A cancelled `async def` function is interrupted; another one should look at `it.is_cancelled` from time to time.

One file, no dependencies, Python 3.8 or later.
"""
import inspect
import json
import os
import re
import sys
import threading
import traceback

__all__ = ["Final", "Retry", "Task", "run", "task"]
__version__ = "0.1.0"

_LINE_BYTES = 1048576  # longest line that Reeve takes
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_LONG_NUMBER = re.compile(r"\d{19}")

_functions = {}


class Final(Exception):
    """The task fails, and another attempt is of no use."""


class Retry(Exception):
    """The task fails; the next attempt, if a policy allows one, is due after `after` seconds."""

    def __init__(self, message="retry", after=None):
        super().__init__(message)
        self.after = after


class Task:
    """A task: id, type, attempt, payload, key, deadline (seconds since 1970 or None), traceparent, and is_cancelled."""

    __slots__ = ("id", "type", "attempt", "payload", "key", "deadline", "traceparent", "is_cancelled", "_write")

    def __init__(self, line, write):
        self.id = line["id"]
        self.type = line["type"]
        self.attempt = line["attempt"]
        self.payload = line["payload"]
        self.key = line["key"]
        self.deadline = line["deadline"]
        self.traceparent = line["traceparent"]
        self.is_cancelled = False
        self._write = write

    def progress(self, value):
        """Reports how far the task is; any JSON value."""
        self._write({"id": self.id, "progress": value})


def task(function=None):
    """Registers a function as the one that does a task type: `@task`, or `@task("name")`."""
    if isinstance(function, str):
        return lambda it: _add(function, it)
    return _add(function.__name__, function)


def _add(name, function):
    if name in _functions:
        raise ValueError("two functions do %s" % name)
    wants_task = len(inspect.signature(function).parameters) > 1
    _functions[name] = (function, wants_task)
    return function


def _int64(digits):
    number = int(digits)
    if not -2**63 <= number < 2**63:
        raise ValueError("a whole number has more than 64 bits")
    return number


def _encode(message):
    """The line of a message.  ValueError or TypeError: Reeve or PostgreSQL would not take it."""
    text = json.dumps(message, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    if _NUL.search(text):
        raise ValueError("a text has the character NUL")
    if _LONG_NUMBER.search(text):
        json.loads(text, parse_int=_int64)
    line = (text + "\n").encode()  # a lone surrogate is a UnicodeEncodeError
    if len(line) > _LINE_BYTES:
        raise ValueError("it has %d bytes, over the limit of 1 MiB" % len(line))
    return line


def _clean(text):
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")[:8192]


def _failure(task_id, error):
    answer = {"id": task_id, "error": "%s: %s" % (type(error).__name__, error)}
    if isinstance(error, Final):
        answer["error"] = str(error)
        answer["final"] = True
    elif isinstance(error, Retry):
        answer["error"] = str(error)
        answer["retry_after"] = error.after
    else:
        traceback.print_exception(type(error), error, error.__traceback__)
    answer["error"] = _clean(answer["error"])
    return answer


def run(at_once=None, ping=False):
    """Serves tasks until Reeve says stop.  at_once: tasks at once; the default is 1, or 10 if a function is async.  ping: answer
    pings, so that Reeve replaces this process if it hangs; code that keeps Python's lock for a minute looks as if it did."""
    is_async = any(inspect.iscoroutinefunction(function) for function, _ in _functions.values())
    if not _functions:
        raise ValueError("no function is a @task")
    if "REEVE_PROTOCOL" not in os.environ:
        sys.exit("start this program with: reeve run -- %s" % " ".join(sys.argv))
    reader = os.fdopen(int(os.environ["REEVE_READ_FD"]), "rb")
    out = int(os.environ["REEVE_WRITE_FD"])
    if out == 1:  # --stdio: what is printed must not get into the protocol
        out = os.dup(1)
        os.dup2(2, 1)

    lock = threading.Lock()

    def write(message):
        line = _encode(message)
        with lock:
            while line:
                line = line[os.write(out, line):]

    if at_once is None:
        at_once = 10 if is_async else 1
    write({"hello": 1, "types": list(_functions), "at_once": at_once, "ping": ping})
    if is_async or at_once > 1 or ping:
        import asyncio
        asyncio.run(_serve(reader, write, at_once))
    else:
        _serve_one_by_one(reader, write)


def _serve_one_by_one(reader, write):
    for line in reader:
        message = json.loads(line)
        if "stop" in message:
            return
        if "cancel" in message:
            continue  # the task is over by now
        it = Task(message, write)
        function, wants_task = _functions[it.type]
        try:
            result = function(it.payload, it) if wants_task else function(it.payload)
            answer = {"id": it.id, "result": result}
        except (Exception, SystemExit) as error:
            answer = _failure(it.id, error)
        _answer(write, answer)


def _answer(write, answer):
    sys.stdout.flush()  # what the task printed belongs to it
    try:
        write(answer)
    except (TypeError, ValueError, RecursionError) as error:
        write({"id": answer["id"], "error": _clean("the result is not JSON: %s" % error), "final": True})


async def _serve(reader, write, at_once):
    import asyncio
    from concurrent.futures import ThreadPoolExecutor
    loop = asyncio.get_running_loop()
    running = {}
    pool = ThreadPoolExecutor(at_once)  # for functions that are not async
    own = ThreadPoolExecutor(1)

    async def work(it):
        function, wants_task = _functions[it.type]
        arguments = (it.payload, it) if wants_task else (it.payload,)
        try:
            if inspect.iscoroutinefunction(function):
                result = await function(*arguments)
            else:
                result = await loop.run_in_executor(pool, lambda: function(*arguments))
            answer = {"id": it.id, "result": result}
        except asyncio.CancelledError:
            answer = {"id": it.id, "error": "cancelled"}
        except (Exception, SystemExit) as error:
            answer = _failure(it.id, error)
        running.pop(it.id, None)
        _answer(write, answer)

    while True:
        line = await loop.run_in_executor(own, reader.readline)
        message = json.loads(line) if line else {"stop": True}
        if "stop" in message:
            break
        if "ping" in message:
            write({"pong": message["ping"]})
            continue
        if "cancel" in message:
            it, job = running.get(message["cancel"], (None, None))
            if it is not None:
                it.is_cancelled = True
                if inspect.iscoroutinefunction(_functions[it.type][0]):
                    job.cancel()  # a thread cannot be interrupted: it answers when it ends
            continue
        it = Task(message, write)
        running[it.id] = (it, loop.create_task(work(it)))
    while running:
        await asyncio.wait([job for _, job in running.values()])
