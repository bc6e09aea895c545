"""The helpers of clients/, and the programs of docs/programs.md, which are run as they stand there."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import zipfile

import psycopg
import pytest
from harness import ROOT

CLIENTS = ROOT / "clients"
PAGE = (ROOT / "docs/programs.md").read_text()
LANGUAGES = {"Python": ("python3", "worker.py"), "Node": ("node", "worker.mjs"), "Ruby": ("ruby", "worker.rb"),
             "Go": ("go", "main.go"), "Shell": ("sh", "greet.sh")}
HELPERS = {"Python": "python/reeve.py", "Node": "node/reeve.mjs", "Ruby": "ruby/reeve.rb"}


def hello(language):
    """The command and the code of a hello world on the page."""
    found = re.search(rf"### {language}\n\n`reeve run (.*?)-- (.*?)`\n\n```\w+\n(.*?)```", PAGE, re.S)
    return found[1].split(), found[2].split(), found[3]


def program(language, folder, code=None):
    """Writes a program, with its helper beside it; returns its command."""
    binary, name = LANGUAGES[language]
    if shutil.which(binary) is None:
        pytest.skip(f"{binary} is not installed")
    folder.mkdir(exist_ok=True)
    code = hello(language)[2] if code is None else code
    (folder / name).write_text(code)
    (folder / name).chmod(0o755)
    if language in HELPERS:
        shutil.copy(CLIENTS / HELPERS[language], folder)
    if language == "Go":
        shutil.copytree(CLIENTS / "go", folder / "reeve")
        (folder / "reeve/go.mod").unlink()
        (folder / "go.mod").write_text("module example\n\ngo 1.19\n")
        subprocess.run(["go", "build", "-o", "worker", "."], cwd=folder, check=True,
                       env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "GOFLAGS": "-mod=mod", "GOCACHE": "/tmp/reeve-go-cache",
                            "CGO_ENABLED": "0"})
        return [str(folder / "worker")]
    if language == "Shell":
        return [str(folder / name)]
    return [shutil.which(binary, path="/usr/bin:/bin") or shutil.which(binary), str(folder / name)]


@pytest.fixture
def greet(db):
    db.value("select queues.register_task_type('greet', 'program')::text")
    return db


def ends(db, count):
    db.wait_drained()
    return db.rows("select outcome, result from queues.task_completed order by task_id limit %s", count)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hello_world_of_the_page(greet, language, tmp_path):
    options, _, code = hello(language)
    assert len(code.strip().splitlines()) <= 12
    command = program(language, tmp_path / "app")
    for name in ("Ada", "Bob"):
        greet.value("select queues.enqueue('greet', %s)", json.dumps({"name": name}))
    worker = greet.run_program("--until-empty", *options, program=command)
    assert worker.wait() == 0, worker.log()
    if language in ("Python", "Ruby"):  # one task at once: what it prints has the id of its task
        assert any("task_id=" in line and "greeting Ada" in line for line in worker.lines), worker.log()
    assert ends(greet, 2) == [("succeeded", {"greeting": "hello, Ada"}), ("succeeded", {"greeting": "hello, Bob"})]


FAILING = {
    "Python": """
import asyncio
from reeve import Final, Retry, run, task

@task
def greet(payload, it):
    it.progress({"half": True})
    print("seen", it.id, it.attempt)
    if payload["do"] == "final": raise Final("never")
    if payload["do"] == "later": raise Retry("later", after=0.1)
    if payload["do"] == "odd": return object()
    raise KeyError("oops")
run()
""",
    "Node": """
import { task, run, Final, Retry } from './reeve.mjs';
task('greet', (payload, it) => {
    it.progress({ half: true });
    if (payload.do === 'final') throw new Final('never');
    if (payload.do === 'later') throw new Retry('later', 0.1);
    throw new Error('oops');
});
run();
""",
    "Ruby": """
require_relative "reeve"
Reeve.task("greet") do |payload, it|
  it.progress({ half: true })
  raise Reeve::Final, "never" if payload["do"] == "final"
  raise Reeve::Retry.new("later", after: 0.1) if payload["do"] == "later"
  raise "oops"
end
Reeve.run
""",
    "Go": """
package main

import "encoding/json"
import "errors"
import "example/reeve"

func main() {
	reeve.Handle("greet", func(t *reeve.Task) (any, error) {
		var payload struct{ Do string }
		json.Unmarshal(t.Payload, &payload)
		t.Progress(map[string]bool{"half": true})
		if payload.Do == "final" {
			return nil, reeve.Final{Message: "never"}
		} else if payload.Do == "later" {
			return nil, reeve.Retry{Message: "later", After: 0.1}
		}
		return nil, errors.New("oops")
	})
	reeve.Run(2)
}
""",
}


@pytest.mark.parametrize("stdio", [False, True])
@pytest.mark.parametrize("language", FAILING)
def test_failures_of_a_helper(greet, language, stdio, tmp_path):
    command = program(language, tmp_path / "app", FAILING[language])
    tasks = {do: greet.value("select queues.enqueue('greet', %s, _max_attempts => 2, _backoff => '[0]')", json.dumps({"do": do}))
             for do in ("final", "later", "error")}
    greet.run_program(*(["--stdio"] if stdio else []), program=command).ready()
    greet.eventually("select count(*) = 5 from queues.task_completed")
    messages = {do: {row[0] for row in greet.rows("select e.error_message from queues.error as e join queues.task as t using (task_id)"
                                                  " where t.task_id = %s or t.task_id in (select a.task_id from queues.task_attempt as a where a.chain_id = %s)", task, task)}
                for do, task in tasks.items()}
    assert messages["final"] == {"never"} and messages["later"] == {"later"}
    assert all("oops" in message for message in messages["error"])
    attempts = greet.rows("select coalesce(chain_id, task_id), count(*) from queues.task left join queues.task_attempt using (task_id) group by 1 order by 1")
    assert [count for _, count in attempts] == [1, 2, 2]


# What a function may return by mistake.  Each is a final failure of its own task, and the child goes on.
BAD_RESULTS = {
    "Python": ("""
import sys
from reeve import run, task
values = {"nan": float("nan"), "object": object(), "surrogate": "\\ud800", "nul": "a\\0b", "huge": 2 ** 64, "long": "x" * 1100000, "good": "\\\\u0000 12345678901234567"}
loop = []; loop.append(loop); values["loop"] = loop
@task
def greet(payload):
    if payload["do"] == "exit": sys.exit(3)
    return values[payload["do"]]
run(AT_ONCE)
""", ["nan", "object", "surrogate", "nul", "huge", "long", "loop"]),
    "Node": ("""
import { task, run } from './reeve.mjs';
const loop = {}; loop.self = loop;
let deep = 1; for (let i = 0; i < 3000; i++) deep = [deep];
const values = { bigint: 1n, loop, function: () => 1, surrogate: '\\ud800', nul: 'a\\0b', huge: 1e19, long: 'x'.repeat(1100000), deep,
                 good: '\\\\u0000 12345678901234567' };
task('greet', (payload) => values[payload.do]);
run({ atOnce: AT_ONCE });
""", ["bigint", "loop", "function", "surrogate", "nul", "huge", "long", "deep"]),
    "Ruby": ("""
require_relative "reeve"
deep = 1
300.times { deep = [deep] }
loop = []
loop << loop
values = { "nan" => Float::NAN, "broken" => "\\xff", "nul" => "a\\0b", "huge" => 2**64, "long" => "x" * 1_100_000, "deep" => deep, "loop" => loop,
           "good" => '\\u0000 12345678901234567' }
Reeve.task("greet") { |payload| payload["do"] == "exit" ? exit(3) : values.fetch(payload["do"]) }
Reeve.run
""", ["nan", "broken", "nul", "huge", "long", "deep", "loop"]),
    "Go": ("""
package main

import (
	"encoding/json"
	"example/reeve"
	"math"
	"runtime"
	"strings"
)

func main() {
	deep := any(1)
	for i := 0; i < 3000; i++ {
		deep = []any{deep}
	}
	values := map[string]any{"nan": math.NaN(), "func": func() {}, "nul": "a\\x00b", "huge": uint64(math.MaxUint64), "long": strings.Repeat("x", 1100000),
		"deep": deep, "raw": json.RawMessage("{"), "good": "\\\\u0000 12345678901234567"}
	reeve.Handle("greet", func(t *reeve.Task) (any, error) {
		var payload struct{ Do string }
		t.Read(&payload)
		switch payload.Do {
		case "panic":
			panic("oops")
		case "exit":
			runtime.Goexit()
		}
		return values[payload.Do], nil
	})
	reeve.Run(AT_ONCE)
}
""", ["nan", "func", "nul", "huge", "long", "deep", "raw"]),
}


@pytest.mark.parametrize("at_once", [1, 3])
@pytest.mark.parametrize("language", BAD_RESULTS)
def test_a_result_that_is_not_json_fails_its_task_alone(greet, language, at_once, tmp_path):
    code, bad = BAD_RESULTS[language]
    command = program(language, tmp_path / "app", code.replace("AT_ONCE", str(at_once)))
    tasks = {do: greet.value("select queues.enqueue('greet', %s, _max_attempts => 2, _backoff => '[0]')", json.dumps({"do": do})) for do in [*bad, "good"]}
    worker = greet.run_program("--processes", 1, program=command).ready()
    found = {do: greet.wait_outcome(task) for do, task in tasks.items()}
    assert found == {**dict.fromkeys(bad, "failed"), "good": "succeeded"}
    assert greet.value("select result from queues.task_completed where task_id = %s", tasks["good"]) == "\\u0000 12345678901234567"
    for do in bad:
        (message, error_class), = greet.rows("select error_message, error_class from queues.error where task_id = %s", tasks[do])
        assert "the result is not JSON" in message and error_class == "final", (do, message)
    assert "child is replaced" not in worker.log() and "child has ended" not in worker.log(), worker.log()


@pytest.mark.parametrize("language, do, error", [("Python", "exit", "SystemExit"), ("Ruby", "exit", "SystemExit"), ("Go", "panic", "panic: oops"),
                                                 ("Go", "exit", "ended its goroutine")])
def test_a_function_that_gives_up_hurts_no_other_task(greet, language, do, error, tmp_path):
    command = program(language, tmp_path / "app", BAD_RESULTS[language][0].replace("AT_ONCE", "3"))
    task = greet.value("select queues.enqueue('greet', %s)", json.dumps({"do": do}))
    worker = greet.run_program("--processes", 1, program=command).ready()
    assert greet.wait_outcome(task) == "failed"
    assert error in greet.value("select error_message from queues.error where task_id = %s", task)
    good = greet.value("select queues.enqueue('greet', '{\"do\": \"good\"}')")
    assert greet.wait_outcome(good) == "succeeded"
    assert "child has ended" not in worker.log()


# A task that waits until it is cancelled, and says so.
CANCELLED = {
    "Python": """
from reeve import run, task
import time
@task
def greet(payload, it):
    print("it runs", flush=True)
    while not it.is_cancelled: time.sleep(0.01)
    print("it heard", flush=True)
    time.sleep(0.5)
    print("it ends", flush=True)
    return "rest done"
run(at_once=2)
""",
    "Node": """
import { task, run } from './reeve.mjs';
task('greet', (payload, it) => new Promise((resolve, reject) => {
    console.log('it runs');
    const wait = setInterval(() => {}, 1000);
    it.signal.addEventListener('abort', () => { console.log('it heard', it.signal.reason); clearInterval(wait); reject(new Error('stopped')); });
}));
run();
""",
    "Go": """
package main

import "example/reeve"
import "errors"
import "fmt"

func main() {
	reeve.Handle("greet", func(t *reeve.Task) (any, error) {
		fmt.Println("it runs")
		<-t.Context.Done()
		fmt.Println("it heard")
		return nil, errors.New("stopped")
	})
	reeve.Run(2)
}
""",
}


@pytest.mark.parametrize("language", CANCELLED)
def test_a_function_hears_that_its_task_is_cancelled(greet, language, tmp_path):
    command = program(language, tmp_path / "app", CANCELLED[language])
    task = greet.value("select queues.enqueue('greet', '{}')")
    worker = greet.run_program("--processes", 1, "--kill-grace", 60, program=command).ready()
    worker.wait_line("it runs")
    greet.value("select queues.cancel_task(%s)", task)
    worker.wait_line("it heard")
    if language == "Python":  # a thread cannot be interrupted, so its task has not ended before it has
        assert greet.wait_outcome(task) == "succeeded"
        assert any("it ends" in line for line in worker.lines)
    else:
        assert greet.wait_outcome(task) == "cancelled"


@pytest.mark.parametrize("language", ["Python", "Node", "Go"])
def test_a_helper_answers_pings_while_its_task_runs(language, tmp_path):
    code = CANCELLED[language].replace("run(at_once=2)", "run(ping=True)").replace("run();", "run({ ping: true });")
    command = program(language, tmp_path / "app", code)
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    environment = {"PATH": "/usr/bin:/bin", "REEVE_PROTOCOL": "1", "REEVE_READ_FD": str(theirs_in), "REEVE_WRITE_FD": str(theirs_out)}
    with subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), env=environment) as child:
        os.close(theirs_in)
        os.close(theirs_out)
        with os.fdopen(ours_in) as answers, os.fdopen(ours_out, "w", buffering=1) as tasks:
            assert json.loads(answers.readline())["ping"] is True
            print(json.dumps({"id": "1", "type": "greet", "attempt": 1, "payload": {}, "key": "k", "deadline": None, "traceparent": None}), file=tasks)
            for number in (1, 2):
                print(json.dumps({"ping": number}), file=tasks)
                assert json.loads(answers.readline()) == {"pong": number}
            print(json.dumps({"cancel": "1", "reason": "cancelled"}), file=tasks)
            assert json.loads(answers.readline())["id"] == "1"
            print(json.dumps({"stop": True}), file=tasks)
        assert child.wait() == 0


def test_async_functions_of_python_run_at_the_same_time(greet, tmp_path):
    code = """
import asyncio
from reeve import run, task

here = 0

@task
async def greet(payload):
    global here
    here += 1
    while here < 5:
        await asyncio.sleep(0.01)
    return here

run(at_once=5)
"""
    command = program("Python", tmp_path / "app", code)
    for _ in range(5):
        greet.value("select queues.enqueue('greet', '{}')")
    greet.run_program("--processes", 1, program=command).ready()
    assert [row[0] for row in ends(greet, 5)] == ["succeeded"] * 5


def test_an_async_function_of_python_is_cancelled(greet, tmp_path):
    code = """
import asyncio
from reeve import run, task

@task
async def greet(payload):
    print("it runs", flush=True)
    await asyncio.sleep(1000)

run()
"""
    command = program("Python", tmp_path / "app", code)
    task = greet.value("select queues.enqueue('greet', '{}')")
    worker = greet.run_program("--processes", 1, "--kill-grace", 60, program=command).ready()
    worker.wait_line("it runs")
    greet.value("select queues.cancel_task(%s)", task)
    assert greet.wait_outcome(task) == "cancelled"


def test_the_example_in_shell(db, tmp_path):
    if shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    db.value("select queues.register_task_type('resize_image', 'program')::text")
    picture = tmp_path / "a.png"
    picture.write_text("12345")
    task = db.value("select queues.enqueue('resize_image', %s)", json.dumps({"path": str(picture)}))
    db.value("select queues.enqueue('resize_image', '{\"path\": \"/nowhere\"}')")
    worker = db.run_program("--until-empty", "--once-per-task", "--types", "resize_image", program=[str(CLIENTS / "shell/resize_image.sh")])
    assert worker.wait() == 0, worker.log()
    assert db.rows("select outcome, result from queues.task_completed where task_id = %s", task) == [("succeeded", 5)]
    assert db.rows("select error_class, error_message like '%%not there yet%%' from queues.error") == [("program", True)]


# --- enqueuing in the transaction of the application ---


def enqueue_module():
    spec = importlib.util.spec_from_file_location("reeve_enqueue", CLIENTS / "python/reeve_enqueue.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OPTIONS = {"max_attempts": 3, "backoff": [1, 2], "dedup_key": "k", "dedup_policy": "error", "max_crashes": 4, "priority": 5, "queue": "email",
           "timeout": "2 minutes", "on_in_doubt": "fail", "idempotency_key": "i", "scheduled_at": "2030-01-01 00:00+00"}
ADDED = ("greet", {"name": "Ada"}, 5, "email", 3, [1, 2], "k", 4, "00:02:00", "fail", "i", "2030-01-01 00:00:00+00")


def added(db, task):
    return db.rows("select task_type::text, payload, priority::integer, queue, max_attempts::integer, backoff, dedup_key, max_crashes::integer, timeout::text,"
                   " on_in_doubt, idempotency_key, scheduled_at::text from queues.task left join queues.task_attempt using (task_id) where task_id = %s", task)


def test_enqueue_with_psycopg(greet):
    enqueue = enqueue_module().enqueue
    with psycopg.connect(greet.conninfo()) as connection:
        task = enqueue(connection, "greet", {"name": "Ada"}, **OPTIONS)
        assert added(greet, task) == []
    assert added(greet, task) == [ADDED]
    with psycopg.connect(greet.conninfo()) as connection:
        rolled_back = enqueue(connection.cursor(), "greet")
        connection.rollback()
    assert added(greet, rolled_back) == []
    with pytest.raises(TypeError, match="speed"):
        enqueue(None, "greet", speed=1)


def test_enqueue_with_sqlalchemy(greet):
    sqlalchemy = pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg2")
    from sqlalchemy.orm import Session
    parts = psycopg.conninfo.conninfo_to_dict(greet.conninfo())
    engine = sqlalchemy.create_engine(
        f"postgresql+psycopg2://{parts['user']}@/{parts['dbname']}?host={parts['host']}&port={parts.get('port', 5432)}")
    enqueue = enqueue_module().enqueue
    with Session(engine) as session:
        task = enqueue(session, "greet", {"name": "Ada"}, **OPTIONS)
        session.commit()
    with engine.connect() as connection:
        lost = enqueue(connection, "greet")
    assert added(greet, task) == [ADDED] and added(greet, lost) == []
    engine.dispose()


def test_enqueue_with_django(greet):
    pytest.importorskip("django")
    pytest.importorskip("psycopg2")
    parts = psycopg.conninfo.conninfo_to_dict(greet.conninfo())
    code = f"""
import sys, json
sys.path.insert(0, {str(CLIENTS / "python")!r})
import django
from django.conf import settings
settings.configure(DATABASES={{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": {parts["dbname"]!r},
    "USER": {parts["user"]!r}, "HOST": {parts["host"]!r}, "PORT": {str(parts.get("port", ""))!r}}}}}, USE_TZ=True)
django.setup()
from django.db import connection, transaction
from reeve_enqueue import enqueue
with transaction.atomic():
    task = enqueue(connection, "greet", {{"name": "Ada"}}, **{OPTIONS!r})
try:
    with transaction.atomic():
        lost = enqueue(connection, "greet")
        raise RuntimeError
except RuntimeError:
    pass
print(json.dumps([task, lost]))
"""
    done = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    task, lost = json.loads(done.stdout)
    assert added(greet, task) == [ADDED] and added(greet, lost) == []


# The interface of django.tasks, of which Debian has no version yet: what the backend uses, with the same names and fields.
DJANGO_TASKS = {
    "backends/base.py": """
class BaseTaskBackend:
    def __init__(self, alias, params):
        self.alias = alias
        self.queues = set(params.get("QUEUES", ["default"]))
    def validate_task(self, task):
        if task.queue_name not in self.queues: raise ValueError(task.queue_name)
""",
    "base.py": """
import enum
from dataclasses import dataclass, field
class TaskResultStatus(enum.Enum):
    READY, RUNNING, FAILED, SUCCESSFUL = "READY", "RUNNING", "FAILED", "SUCCESSFUL"
@dataclass(frozen=True)
class TaskError:
    exception_class_path: str
    traceback: str
@dataclass(frozen=True)
class Task:
    func: object
    priority: int = 0
    backend: str = "default"
    queue_name: str = "default"
    run_after: object = None
    takes_context: bool = False
    @property
    def module_path(self): return self.func.__module__ + "." + self.func.__qualname__
@dataclass(frozen=True)
class TaskResult:
    task: object
    id: str
    status: object
    enqueued_at: object
    started_at: object
    finished_at: object
    last_attempted_at: object
    args: list
    kwargs: dict
    backend: str
    errors: list
    worker_ids: list
    _return_value: object = field(init=False, default=None)
@dataclass(frozen=True)
class TaskContext:
    task_result: object
""",
    "exceptions.py": "class TaskResultDoesNotExist(Exception): pass\n",
    "__init__.py": "", "backends/__init__.py": "",
}


def test_the_backend_of_django_tasks(greet, tmp_path):
    pytest.importorskip("django")
    pytest.importorskip("psycopg2")
    for name, text in DJANGO_TASKS.items():
        path = tmp_path / "django_tasks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("reeve.py", "reeve_enqueue.py", "reeve_django.py"):
        shutil.copy(CLIENTS / "python" / name, tmp_path)
    parts = psycopg.conninfo.conninfo_to_dict(greet.conninfo())
    (tmp_path / "settings.py").write_text(f"""
DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": {parts["dbname"]!r}, "USER": {parts["user"]!r},
                           "HOST": {parts["host"]!r}, "PORT": {str(parts.get("port", ""))!r}}}}}
USE_TZ = True
SECRET_KEY = "x"
""")
    (tmp_path / "shop.py").write_text("""
from django_tasks.base import Task
def double(n): return 2 * n
double = Task(double, priority=7)
def fails(context, n): raise ValueError("no good: " + context.task_result.id)
fails = Task(fails, takes_context=True)
def much(): return "x" * 70000
much = Task(much)
def knows(context):
    r = context.task_result
    return [r.status.value, r.enqueued_at <= r.started_at, len(r.worker_ids)]
knows = Task(knows, takes_context=True)
def not_a_task(): pass
""")
    (tmp_path / "use.py").write_text("""
import sys, json
import django
django.setup()
import shop
from django.db import transaction
from django_tasks.exceptions import TaskResultDoesNotExist
from reeve_django import ReeveBackend
backend = ReeveBackend("default", {"OPTIONS": {"max_attempts": 1}})
if sys.argv[1] == "add":
    with transaction.atomic():
        made = [backend.enqueue(shop.double, [21], {}), backend.enqueue(shop.fails, [], {"n": 1}), backend.enqueue(shop.much, [], {}),
                backend.enqueue(shop.knows, [], {})]
    print(json.dumps([result.id for result in made]))
else:
    refused = 0
    for wrong in ("abc", "", "-1", "99999999999999999999", "1234567", None, "\u0661"):
        try:
            backend.get_result(wrong)
        except TaskResultDoesNotExist:
            refused += 1
    assert refused == 7, refused
    found = [backend.get_result(task) for task in sys.argv[2:]]
    for r in found:
        if r.status.value in ("SUCCESSFUL", "FAILED"):
            assert r.enqueued_at <= r.started_at <= r.last_attempted_at <= r.finished_at and len(r.worker_ids) == 1, r
        else:
            assert r.enqueued_at and not r.finished_at, r
    assert found[0].task.func is shop.double.func and found[0].args == [21], found[0]  # Task.get_result of Django compares them
    print(json.dumps([[r.status.value, r._return_value, [e.traceback for e in r.errors]] for r in found]))
""")

    def use(*arguments):
        done = subprocess.run(["/usr/bin/python3", "use.py", *arguments], cwd=tmp_path, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "settings"})
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    greet.value("select queues.register_task_type('django_task', 'program')::text")
    tasks = use("add")
    assert use("results", *tasks) == [["READY", None, []]] * 4
    assert greet.value("select priority::integer from queues.task where task_id = %s", tasks[0]) == -7
    strange = greet.value("select queues.enqueue('django_task', '{\"function\": \"shop.not_a_task\", \"args\": [], \"kwargs\": {}}')")
    worker = greet.run_program("--until-empty", "--env", "DJANGO_SETTINGS_MODULE=settings,PYTHONPATH=.", "--directory", str(tmp_path),
                               program=["/usr/bin/python3", "-m", "reeve_django"])
    assert worker.wait() == 0, worker.log()
    good, bad, much, knows = use("results", *tasks)
    assert good == ["SUCCESSFUL", 42, []]
    assert much[0] == "FAILED" and "over the limit of 64 KiB" in much[2][0]
    assert knows[1] == ["RUNNING", True, 1]
    assert bad[0] == "FAILED" and f"no good: {tasks[1]}" in bad[2][0]
    assert "not a task of Django" in greet.value("select error_message from queues.error where task_id = %s", strange)


def test_enqueue_with_node_sends_one_statement(greet, tmp_path):
    """node-postgres itself is not needed: a client is anything with query(text, values)."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    code = f"""
import {{ enqueue }} from {str(CLIENTS / "node/enqueue.mjs")!r};
let seen;
const client = {{ query: async (text, values) => {{ seen = {{ text, values }}; return {{ rows: [{{ task_id: '7' }}] }}; }} }};
const id = await enqueue(client, 'greet', {{ name: 'Ada' }}, {json.dumps(OPTIONS)});
let refused = false;
await enqueue(client, 'greet', {{}}, {{ speed: 1 }}).catch(() => {{ refused = true; }});
console.log(JSON.stringify({{ id, refused, ...seen }}));
"""
    (tmp_path / "try.mjs").write_text(code)
    answer = json.loads(subprocess.run(["node", str(tmp_path / "try.mjs")], capture_output=True, text=True, check=True).stdout)
    assert answer["id"] == "7" and answer["refused"]
    # The statement, with its numbered parameters, is what the server takes.
    with psycopg.connect(greet.conninfo()) as connection:
        text = re.sub(r"\$(\d+)", r"%(p\1)s", answer["text"])
        task = connection.execute(text, {f"p{n}": value for n, value in enumerate(answer["values"], 1)}).fetchone()[0]
    assert added(greet, task) == [ADDED]


def test_enqueue_with_node_postgres(greet, tmp_path):
    """In a transaction of the application; `make check-clients` installs node-postgres."""
    modules = ROOT / "build/clients/node_modules"
    if shutil.which("node") is None or not (modules / "pg").exists():
        pytest.skip("node-postgres is not installed")
    parts = psycopg.conninfo.conninfo_to_dict(greet.conninfo())
    (tmp_path / "node_modules").symlink_to(modules)
    (tmp_path / "enqueue.mjs").write_text((CLIENTS / "node/enqueue.mjs").read_text())
    (tmp_path / "try.mjs").write_text(f"""
import pg from 'pg';
import {{ enqueue }} from './enqueue.mjs';
const client = new pg.Client({{ host: {parts["host"]!r}, port: {parts.get("port", 5432)}, user: {parts["user"]!r}, database: {parts["dbname"]!r} }});
await client.connect();
await client.query('begin');
const id = await enqueue(client, 'greet', {{ name: 'Ada' }}, {json.dumps(OPTIONS)});
await client.query('commit');
await client.query('begin');
const lost = await enqueue(client, 'greet');
await client.query('rollback');
await client.end();
console.log(JSON.stringify([id, lost]));
""")
    done = subprocess.run(["node", "try.mjs"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    task, lost = json.loads(done.stdout)
    assert added(greet, task) == [ADDED] and added(greet, lost) == []


# --- packages ---


def test_every_option_of_enqueue_has_its_place(greet):
    options = {name.lstrip("_") for name in greet.value("select proargnames from pg_proc where proname = 'enqueue' and pronamespace = 'queues'::regnamespace")}
    assert set(enqueue_module()._OPTIONS) == options - {"task_type", "payload"}
    names = re.search(r"const OPTIONS = \{(.*?)\}", (CLIENTS / "node/enqueue.mjs").read_text(), re.S)[1]
    assert set(re.findall(r"(\w+): '", names)) == options - {"task_type", "payload"}


def test_the_licence_goes_with_each_package():
    for folder in ("go", "node", "python"):
        assert (CLIENTS / folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_the_package_of_python_is_built(tmp_path):
    pytest.importorskip("pip")
    shutil.copytree(CLIENTS / "python", tmp_path / "source", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(["/usr/bin/python3", "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
                           "--disable-pip-version-check", "-w", str(tmp_path), str(tmp_path / "source")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    wheel, = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"reeve.py", "reeve_enqueue.py", "reeve_django.py"} <= set(names) and any(name.endswith("LICENSE") for name in names)


def test_the_package_of_node_is_built(tmp_path):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    done = subprocess.run(["npm", "pack", "--json", "--offline", "--pack-destination", str(tmp_path)], cwd=CLIENTS / "node", capture_output=True, text=True,
                          env={**os.environ, "HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    package, = json.loads(done.stdout)
    assert {file["path"] for file in package["files"]} == {"LICENSE", "enqueue.mjs", "package.json", "reeve.mjs"}
    assert json.loads((CLIENTS / "node/package.json").read_text())["license"] == "PostgreSQL"
