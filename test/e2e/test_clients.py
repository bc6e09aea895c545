"""The helpers of clients/, and the programs of docs/programs.md, which are run as they stand there."""
import importlib.util
import json
import re
import shutil
import subprocess

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


OPTIONS = {"max_attempts": 3, "backoff": [1, 2], "dedup_key": "k", "priority": 5, "queue": "email"}
ADDED = ("greet", {"name": "Ada"}, 5, "email", 3, [1, 2])


def added(db, task):
    return db.rows("select task_type::text, payload, priority::integer, queue, max_attempts::integer, backoff from queues.task left join queues.task_attempt using (task_id)"
                   " where task_id = %s", task)


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
def not_a_task(): pass
""")
    (tmp_path / "use.py").write_text("""
import sys, json
import django
django.setup()
import shop
from django.db import transaction
from reeve_django import ReeveBackend
backend = ReeveBackend("default", {"OPTIONS": {"max_attempts": 1}})
if sys.argv[1] == "add":
    with transaction.atomic():
        made = [backend.enqueue(shop.double, [21], {}), backend.enqueue(shop.fails, [], {"n": 1})]
    print(json.dumps([result.id for result in made]))
else:
    print(json.dumps([[r.status.value, r._return_value, [e.traceback for e in r.errors]] for r in map(backend.get_result, sys.argv[2:])]))
""")

    def use(*arguments):
        done = subprocess.run(["/usr/bin/python3", "use.py", *arguments], cwd=tmp_path, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "settings"})
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    greet.value("select queues.register_task_type('django_task', 'program')::text")
    tasks = use("add")
    assert use("results", *tasks) == [["READY", None, []], ["READY", None, []]]
    assert greet.value("select priority::integer from queues.task where task_id = %s", tasks[0]) == -7
    strange = greet.value("select queues.enqueue('django_task', '{\"function\": \"shop.not_a_task\", \"args\": [], \"kwargs\": {}}')")
    worker = greet.run_program("--until-empty", "--env", "DJANGO_SETTINGS_MODULE=settings,PYTHONPATH=.", "--directory", str(tmp_path),
                               program=["/usr/bin/python3", "-m", "reeve_django"])
    assert worker.wait() == 0, worker.log()
    good, bad = use("results", *tasks)
    assert good == ["SUCCESSFUL", 42, []]
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
