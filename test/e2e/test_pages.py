"""The pages tell the truth: what they show to copy works, and what they show as an answer is the answer."""
import json
import os
import re
import subprocess

from harness import REEVE, ROOT, Database, Worker, clean_environment
from viewer import Dashboard

import psycopg
import pytest

ROLES = ("shop_app", "shop_operator", "shop_developer", "shop_owner")


def section(page, heading):
    """The text of a page below a heading of the second level."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.split(r"^## ", text.split(f"\n## {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.M | re.S)


def refuses(connection, sql):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(sql)


# --- README.md ---


def test_the_three_things_of_the_readme_work_in_a_fresh_database(server, tmp_path):
    text = section("README.md", "Three things in a minute")
    make, create, install, work = blocks(text, "sh")[0].splitlines()
    assert make == "make && sudo make install"
    environment, _, command = work.split("#")[0].strip().partition(" reeve ")
    db = Database(server, "app")
    env = clean_environment(PGHOST=server.dir, PGPORT=server.port, PGUSER="postgres", PATH=f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "reeve").symlink_to(REEVE)
    try:
        for line in (create, install):
            done = subprocess.run(["bash", "-c", line], env=env, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        worker = Worker([REEVE, *command.split()], {**env, **dict([environment.split("=")])})
        db.workers.append(worker)
        worker.ready()
        for block in blocks(text, "sql"):
            db.run(block.replace("example.org/hook", "receiver.invalid/hook"))  # tests call nobody outside
        db.eventually("select exists (select 1 from greeting where text = 'Hello, Ann')")
        db.eventually("select end_reason = 'succeeded' from queues.process_state")
        db.eventually("select response_status = 0 from pgqueue.job_queue")
        assert db.value("select payload->'record'->>'item' from pgqueue.job_queue") == "book"
        commands = re.findall(r"`reeve ([a-z ]+)`", text)
        assert "serve" in commands
        board = Dashboard(db)  # reeve serve, at a free port
        assert "The last hour" in board.by_token().get("/").text
        assert board.program.stop() == 0
        for command in commands:
            if command == "serve":
                continue
            assert db.reeve(*command.split()).returncode in (0, 1)  # 1: the doctor found fault with the server of the tests
        db.end_workers()
        db.assert_healthy()
    finally:
        db.drop()


# --- docs/operations.md ---


@pytest.fixture
def logins(empty_db):
    """A fresh installation with the logins of docs/operations.md, made by the blocks of the page."""
    assert empty_db.reeve("install").returncode == 0
    app, operator, developer, function, tester = blocks(section("docs/operations.md", "Logins"), "sql")
    for block in (app, operator, developer):
        empty_db.run(block)
    try:
        with empty_db.connect("shop_developer", autocommit=True) as connection:
            connection.execute(function)
        yield empty_db, tester
    finally:
        empty_db.end_workers()
        for role in ROLES:
            empty_db.run(f"drop owned by {role}")
            empty_db.run(f"drop role {role}")


def test_the_logins_of_the_page_can_do_what_it_says_and_no_more(logins):
    db, _ = logins
    with db.connect("shop_app", autocommit=True) as app:
        task = app.execute("""select queues.enqueue('db_function', '{"db_function": "shop.pay", "invoice": 7}')""").fetchone()[0]
        app.execute("select comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 'Hello', '<p>hi</p>')")
        app.execute("insert into pgqueue.job_queue (url) values ('https://example.org/hook') returning job_id")
        for sql in ("select * from queues.task", "select * from queues.task_state", "select * from pgqueue.job_queue",
                    "select shop.pay('{}')", f"select queues.cancel_task({task})"):
            refuses(app, sql)
    with db.connect("shop_operator", autocommit=True) as operator:
        assert operator.execute("select payload from queues.task where task_id = %s", [task]).fetchone()[0]["invoice"] == 7
        job = operator.execute("select job_id from pgqueue.job_queue").fetchone()[0]
        assert operator.execute("select pgqueue.cancel_job(%s)", [job]).fetchone()[0] == "cancelled"
        for sql in ("select queues.enqueue('noop', '{}')", "select internal.allow_function('shop.pay')",
                    "select * from shop.payment", "select internal.set_config('app.x', '1')"):
            refuses(operator, sql)
    worker = db.work("--types", "db_function", user="worker_service_user").ready()
    assert db.wait_outcome(task) == "succeeded"
    assert db.rows("select invoice from shop.payment") == [(7,)]
    for command in (["task", "list"], ["task", "show", task], ["queue", "list"], ["queue", "pause", "default"],
                    ["queue", "resume", "default"], ["process", "list"], ["process", "show", 1], ["worker", "list"],
                    ["job", "list"], ["job", "show", 1], ["webhook", "list"], ["task", "retry", task]):
        done = db.reeve(*command, user="shop_operator")
        assert done.returncode == 0, f"{command}: {done.stderr}"
    assert worker.stop() == 0


def test_an_operator_can_ask_the_doctor(logins):
    db, _ = logins
    for arguments in ([], ["--full"]):
        done = db.reeve("doctor", *arguments, user="shop_operator")
        assert done.returncode in (0, 1), done.stderr  # 1: it found fault with the server of the tests
        assert "42501" not in done.stderr
        assert re.search(r"^ok +channel +http", done.stdout, flags=re.M), "it came to the end"


def test_a_developer_registers_and_tests(logins):
    db, tester = logins
    with db.connect("shop_developer") as developer:
        developer.execute("select queues.create_queue('slow', _max_running => 2)")
        developer.execute("select pgqueue.create_webhook('payments', 'shop.payment', '{INSERT}', 'https://example.org/hook')")
        refuses(developer, "select queues.set_test_clock()")
        developer.rollback()
        db.run(tester)
        developer.execute("select queues.set_test_clock('2030-01-01 09:00+00')")
        developer.execute("select comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 'Hello', '<p>hi</p>')")
        developer.execute("call worker.process_tasks()")
        developer.execute("select queues.simulate(max(task_id)) from comms.send_email_attempt")
        developer.execute("call worker.process_tasks()")
        assert developer.execute("select end_reason from queues.process_state").fetchall() == [("succeeded",)]
        developer.rollback()


# --- docs/handlers.md ---

RECORDER = """
create schema shop;
create table shop.handled (task_id bigint, position text, input jsonb);
create table shop.returned (name text primary key, answer jsonb);
create function shop.answer(_name text, _position text, _input jsonb) returns jsonb language plpgsql as $$
begin
    insert into shop.handled values (queues.current_task_id(), _position, _input);
    return (select r.answer from shop.returned as r where r.name = _name);
end
$$;
"""
# Who is asked, and how he refuses: the answers that the page shows.
REFUSALS = {
    "email": {"path": "/emails", "status": 422, "body": {"statusCode": 422, "name": "validation_error", "message": "Invalid `to` field."}},
    "sms": {"status": 400, "body": {"code": 21211, "message": "Invalid 'To' Phone Number", "status": 400}},
    "file_delete": {"path": "/signed_delete_url", "status": 403},
    "http": {"path": "/v1/letters", "status": 503, "body": {"error": "busy"}},
}
VARIES = {"id", "message_id", "took_ms"}  # from run to run


def assert_same(shown, real, where=""):
    """The same keys and values, and where values vary, values of the same type."""
    assert type(shown) is type(real), f"{where}: {shown!r} is shown, {real!r} is so"
    if isinstance(shown, dict):
        assert shown.keys() == real.keys(), f"{where}: {sorted(shown)} are shown, {sorted(real)} are so"
        for key, value in shown.items():
            assert_same(value, real[key], f"{where}.{key}")
    elif where.rsplit(".", 1)[-1] not in VARIES:
        assert shown == real, where


class Handlers:
    """Stands in for the handlers that a page names: they return what it shows and keep what they are given."""

    def __init__(self, sender):
        self.sender, self.db = sender, sender.db
        self.db.run(RECORDER)

    def define(self, payload, **returned):
        for position in ("db_function", "before_handler", "success_handler", "error_handler"):
            if position in payload:
                self.db.run("insert into shop.returned values (%s, %s) on conflict (name) do update set answer = excluded.answer",
                            payload[position], json.dumps(returned.get(position, {"status": "succeeded"})))
                self.db.run(f"create or replace function {payload[position]}(_input jsonb) returns jsonb language sql security definer"
                            f" as $$ select shop.answer('{payload[position]}', '{position}', _input) $$")
                self.db.run("select internal.allow_function(%s, %s)", payload[position],
                            {"db_function": "task"}.get(position, position.split("_", 1)[0]))

    def run(self, task_type, payload):
        """What each handler of the task was given."""
        task = self.sender.enqueue(task_type, payload)
        self.sender.done(task)
        return dict(self.db.rows("select position, input from shop.handled where task_id = %s", task))


def shown(heading):
    return [json.loads(block) for block in blocks(section("docs/handlers.md", heading), "json")]


@pytest.mark.parametrize("channel", ["email", "sms", "file_delete", "http"])
def test_handlers_get_what_the_page_shows(sender, provider, channel):
    payload, envelope, success, error = shown(channel)
    if channel == "http":
        envelope["payload"]["url"] = provider.url + "/v1/letters"
        provider.script("answer", path="/v1/letters", status=201, body={"id": "L-1"})
    handlers = Handlers(sender)
    handlers.define(payload, before_handler=envelope)
    sender.work().ready()

    real = handlers.run(channel, payload)
    assert real.keys() == {"before_handler", "success_handler"}
    assert_same(payload, real["before_handler"])
    assert_same(success, real["success_handler"])

    provider.script("refuse", **REFUSALS[channel])
    real = handlers.run(channel, payload)
    assert real.keys() == {"before_handler", "error_handler"}
    assert_same(error, real["error_handler"])


def test_handlers_of_a_function_get_what_the_page_shows(sender):
    success, error = shown("Database functions")
    handlers = Handlers(sender)
    payload = success["original_payload"]
    sender.work().ready()
    for page, position in ((success, "success_handler"), (error, "error_handler")):
        answer = {k: v for k, v in page["worker_payload"].items() if v is not None}
        handlers.define(payload, db_function=answer)
        real = handlers.run("db_function", payload)
        assert_same(page, real[position])
        assert real.keys() == {"db_function", position}
