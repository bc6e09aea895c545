"""The commands of the program, as a person or a script uses them."""
import json
import re
import socket

from forwarder import Forwarder
from harness import REEVE, ROOT, Worker, clean_environment, reeve

import pytest

COMMANDS = [line.split("|")[0] for line in reeve("--commands").stdout.splitlines()]
NOOP = '{"db_function": "t.noop"}'


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    for flag in ("--help", "--version"):
        done = reeve(*command.split(), flag)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"usage: reeve {command}" if flag == "--help" else "reeve ")


def test_the_overview_names_every_command_and_fits_a_terminal():
    done = reeve("--help")
    assert done.returncode == 0 and reeve("help").stdout == done.stdout
    text = " ".join(done.stdout.split())
    for command in COMMANDS:
        noun, _, verb = command.partition(" ")
        line = re.search(rf" {noun} [^:]*:(?: [a-z]+,)* {verb}\b", text) if verb and command != "metrics list" else f" {command} " in text
        assert line, command
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stdout.count("\n") < 60
    for flag in ("--version", "-V"):
        assert reeve(flag).stdout.startswith("reeve ")


def test_a_noun_alone_lists_its_commands():
    done = reeve("task")
    assert done.returncode == 2 and "task cancel" in done.stdout
    for args in (["help", "task"], ["task", "--help"], ["task", "-h"]):
        again = reeve(*args)
        assert (again.returncode, again.stdout) == (0, done.stdout)
    assert reeve("help", "task", "list").stdout == reeve("task", "list", "--help").stdout
    assert reeve().returncode == 2 and reeve().stdout == reeve("--help").stdout


@pytest.mark.parametrize("args, meant", [
    (["taks", "list"], "reeve task list"), (["task", "lst"], "reeve task list"), (["list", "task"], "reeve task list"),
    (["tasks", "show", "1"], "reeve task show"), (["instal"], "reeve install"), (["que"], "reeve queue"),
    (["task", "list", "--stat", "ready"], "--state"), (["work", "--concurency=3"], "--concurrency"),
    (["task", "list", "--state", "runing"], "running"), (["install", "--without", "coms"], "comms"),
])
def test_a_word_that_is_nearly_right_is_answered_with_the_right_one(args, meant):
    done = reeve(*args)
    assert done.returncode in (2, 3) and done.stdout == ""
    assert re.search(rf'did you mean "?{re.escape(meant)}"?\?', done.stderr), done.stderr


@pytest.mark.parametrize("args, words", [
    (["task", "list", "--state", "bogus"], ["ready", "scheduled", "waiting", "blocked", "handler_pending", "running", "executing", "completed"]),
    (["task", "list", "--outcome", "bogus"], ["succeeded", "failed", "cancelled", "quarantined", "superseded", "in_doubt", "non_success"]),
    (["function", "allow", "f", "--kind", "task,bogus"], ["task", "supervisor", "before", "success", "error", "job", "facts"]),
    (["schedule", "add", "a", "b", "--overlap", "bogus"], ["skip", "queue_one", "cancel_running", "allow"]),
    (["install", "--without", "bogus"], ["comms", "files"]),
])
def test_an_unknown_value_is_refused_with_all_that_are_allowed(args, words):
    done = reeve(*args)
    assert done.returncode == 3
    assert '"bogus" is not one of' in done.stderr and all(word in done.stderr for word in words), done.stderr


def test_the_words_of_states_and_outcomes_are_those_of_the_database(db):
    """The option table has the only list in the program; the view and the comment of the column have the other one."""
    text = db.value("select pg_get_viewdef('queues.task_state') || pg_get_functiondef('internal.ready_state(\"char\",timestamptz,timestamptz)'::regprocedure)")
    states = reeve("task", "list", "--state", "bogus").stderr.split("is not one of ")[1].split("\n")[0].split(", ")
    assert all(f"'{state}'" in text for state in states)
    outcomes = reeve("task", "list", "--outcome", "bogus").stderr.split("is not one of ")[1].split("\n")[0].split(", ")
    comment = db.value("select col_description('queues.task_completed'::regclass, 3)")
    assert sorted(outcomes) == sorted(re.findall(r"[a-z_]{6,}", comment))


@pytest.mark.parametrize("args", [["no-such-command"], ["task", "no-such"], ["task", "show"], ["task", "show", "1", "2"],
                                  ["task", "list", "--no-such"], ["queue", "list", "-x"], ["enqueue"], ["help", "no-such"]])
def test_wrong_usage_is_exit_code_2(args):
    done = reeve(*args)
    assert done.returncode == 2
    assert done.stderr.startswith("reeve: ") and "hint: " in done.stderr


def test_help_is_given_whatever_else_is_wrong():
    done = reeve("work", "--no-such", "--help", env=clean_environment(REEVE_LEASE="soon"))
    assert done.returncode == 0 and done.stdout.startswith("usage: reeve work")
    # What follows -- belongs to the program.
    assert "usage" not in reeve("run", "--types", "x", "--", "/no/such/program", "--help").stdout


def test_enqueue_prints_the_id_and_says_when_nobody_serves_it(db):
    done = db.reeve("enqueue", "db_function", NOOP)
    assert done.returncode == 0
    task = int(done.stdout)
    assert db.value("select payload from queues.task where task_id = %s", task) == {"db_function": "t.noop"}
    assert "no live worker serves type db_function" in done.stderr
    done = db.reeve("enqueue", "db_function", NOOP, "--at", "2100-01-01", "--queue", "http", "--priority", "-3", "--dedup-key", "k")
    assert db.rows("select queue, priority, scheduled_at::date::text from queues.task where task_id = %s", int(done.stdout)) == [
        ("http", -3, "2100-01-01")]
    again = db.reeve("enqueue", "db_function", NOOP, "--at", "2100-01-01", "--queue", "http", "--dedup-key", "k")
    assert again.stdout == done.stdout


def test_enqueue_waits_for_the_outcome(db):
    db.work().ready()
    done = db.reeve("enqueue", "db_function", NOOP, "--wait")
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[1])["outcome"] == "succeeded"
    done = db.reeve("enqueue", "db_function", '{"db_function": "t.boom"}', "--wait", "30")
    assert done.returncode == 1
    assert "boom" in json.loads(done.stdout.splitlines()[1])["error"]


@pytest.mark.parametrize("args, sqlstate", [
    (["db_function", "{bad"], "22P02"), (["db_function", "[]"], "22023"), (["no_such_type"], "23514"),
    (["db_function", "{}", "--queue", "no_such_queue"], "23503"), (["db_function", '{"db_function": "t.unknown"}'], "42501"),
    (["db_function", "{}", "--at", "infinity"], "22008"), (["command"], "22023"),
])
def test_what_the_server_refuses_is_exit_code_8_with_its_sqlstate(db, args, sqlstate):
    done = db.reeve("enqueue", *args)
    assert (done.returncode, done.stdout) == (8, "")
    assert f"({sqlstate})" in done.stderr
    assert db.value("select count(*) from queues.task") == 0


def test_tasks_are_listed_shown_retried_and_cancelled(db):
    good, bad = db.enqueue("write_effect"), db.enqueue("boom")
    db.work_until_empty()
    open_one = db.enqueue("noop", at="2100-01-01")
    listed = db.json("task", "list")
    assert [(t["task_id"], t["state"]) for t in listed] == [(open_one, "scheduled"), (bad, "completed"), (good, "completed")]
    assert [t["task_id"] for t in db.json("task", "list", "--outcome", "failed")] == [bad]
    assert [t["task_id"] for t in db.json("task", "list", "--state", "scheduled")] == [open_one]
    assert db.json("task", "list", "--queue", "http") == []
    assert len(db.json("task", "list", "--limit", "1")) == 1
    shown = db.json("task", "show", str(bad))
    assert (shown["task_id"], shown["outcome"], shown["payload"]) == (bad, "failed", {"db_function": "t.boom"})
    story = [e["event"] for e in shown["history"]]
    assert story == ["enqueued", "lease 1", "error", "completed"]
    text = db.reeve("task", "show", bad).stdout
    assert "boom" in text and "completed" in text
    retried = db.json("task", "retry", str(bad))[0]["task_id"]
    assert db.value("select retry_of from queues.task where task_id = %s", retried) == bad
    assert db.json("task", "cancel", str(retried), "not needed") == [{"answer": "cancelled"}]
    assert db.outcome(retried) == "cancelled"
    assert db.json("task", "cancel", str(good)) == [{"answer": "completed"}]
    # Not there, not done, not a number.
    assert db.reeve("task", "show", "999999").returncode == 9
    done = db.reeve("task", "retry", open_one)
    assert done.returncode == 8 and "(55000)" in done.stderr
    done = db.reeve("task", "cancel", "999999")
    assert done.returncode == 8 and "(P0002)" in done.stderr
    assert db.reeve("task", "show", "x").returncode == 8


def test_queues_are_listed_paused_and_resumed(db):
    db.enqueue("noop")
    queues = {q["queue"]: q for q in db.json("queue", "list")}
    assert queues["default"]["ready"] == 1 and queues["maintenance"]["max_running"] == 1
    assert db.reeve("queue", "pause", "default").returncode == 0
    assert {q["queue"]: q for q in db.json("queue", "list")}["default"]["paused"]
    db.work_until_empty()
    assert db.value("select count(*) from queues.task_lease") == 0
    assert db.reeve("queue", "resume", "default").returncode == 0
    db.work_until_empty()
    assert db.value("select count(*) from queues.task_completed") == 1
    paused = db.json("queue", "pause", "default", "--for", "1h")[0]
    assert paused["paused"] and db.value("select %s::timestamptz between now() + interval '59 min' and now() + interval '1 h'", paused["paused_until"])
    assert db.reeve("queue", "pause", "default", "--for", "0.1").returncode == 0
    db.eventually("select not paused from queues.queue_state where queue = 'default'")
    done = db.reeve("queue", "pause", "no_such_queue")
    assert done.returncode == 8 and "(23503)" in done.stderr


def test_queues_are_made_and_their_limits_are_changed(db):
    made = db.json("queue", "create", "reports", "--max-running", "2", "--description", "slow ones")[0]
    assert (made["max_running"], made["top_level_limit"], made["description"]) == (2, None, "slow ones")
    assert db.json("queue", "set", "reports", "--top-level-limit", "3")[0]["max_running"] == 2
    changed = db.json("queue", "set", "reports", "--max-running", "0")[0]
    assert (changed["max_running"], changed["top_level_limit"]) == (None, 3)
    assert [a["action"] for a in db.json("audit", "list", "--limit", "3")] == ["change_queue", "change_queue", "create_queue"]


def test_settings_are_shown_and_changed(db):
    assert db.json("config", "get", "transient_retry_limit")["value"] == 10
    assert db.json("config", "set", "transient_retry_limit", "20")[0]["value"] == 20
    for value in ("off", '"on"'):
        assert db.json("config", "set", "notify", value)[0]["value"] == value.strip('"')
    assert db.json("config", "set", "app.mine", '{"a": [1]}')[0]["value"] == {"a": [1]}
    assert "app.mine" in [c["key"] for c in db.json("config", "list")]
    done = db.reeve("config", "set", "transient_retry_limit", '"many"')
    assert done.returncode == 8 and "must be a JSON number" in done.stderr


def test_lists_go_on_where_they_ended(db):
    for n in range(5):
        db.run(f"select internal.set_config('app.n{n}', '1')")
    first = db.json("audit", "list", "--limit", "3")
    rest = db.json("audit", "list", "--limit", "100", "--cursor", str(first[-1]["audit_id"]))
    assert [a["audit_id"] for a in first + rest] == [r[0] for r in db.rows("select audit_id from queues.audit order by audit_id desc limit 103")]
    assert db.json("audit", "list", "--since", "2100-01-01") == []
    assert len(db.json("audit", "list", "--since", "1h")) == 50


def test_processes_and_workers_are_listed(db):
    db.run((ROOT / "examples/parcel/parcel.sql").read_text())
    db.run("select parcel.kickoff_delivery('Elm Street 1')")
    worker = db.work("--name", "left").ready()
    db.eventually("select count(*) = 1 from queues.process_ended")
    processes = db.json("process", "list")
    assert [(p["supervisor"], p["state"], p["end_reason"]) for p in processes] == [("parcel.delivery_supervisor", "ended", "succeeded")]
    shown = db.json("process", "show", str(processes[0]["process_id"]))
    runs = shown["runs"]
    assert (shown["state"], shown["end_reason"]) == ("ended", "succeeded")
    assert [r["run_no"] for r in runs] == [1, 2]
    assert [r["status"] for r in runs] == ["scheduled", "succeeded"]
    assert db.reeve("process", "show", "999999").returncode == 9
    workers = db.json("worker", "list")
    assert ("left", "live") in [(w["worker_name"], w["state"]) for w in workers]
    assert worker.stop() == 0
    workers = db.json("worker", "list")
    assert ("left", "stopped") in [(w["worker_name"], w["state"]) for w in workers]
    revived = db.json("process", "revive", str(processes[0]["process_id"]))[0]["task_id"]
    assert db.json("process", "end", str(processes[0]["process_id"]), "enough") == [{"was_live": True}]
    assert db.outcome(revived) == "cancelled"


def test_functions_are_allowed_listed_and_revoked(db):
    db.run("create function public.mine(_payload jsonb) returns jsonb language sql set search_path = pg_catalog, pg_temp"
           " as $$ select jsonb_build_object('status', 'succeeded') $$; revoke all on function public.mine(jsonb) from public")
    assert db.json("function", "allow", "public.mine") == [{"registered": "public.mine(jsonb)"}]
    assert "public.mine" in [f["function_name"] for f in db.json("function", "list") if f["enabled"]]
    task = db.value("select queues.enqueue('db_function', '{\"db_function\": \"public.mine\"}')")
    db.work_until_empty()
    assert db.outcome(task) == "succeeded"
    task = db.value("select queues.enqueue('db_function', '{\"db_function\": \"public.mine\"}')")
    assert db.json("function", "revoke", "public.mine") == [{"was_enabled": True}]
    db.work_until_empty()
    assert db.outcome(task) == "failed" and "not registered" in db.errors(task)[0]
    done = db.reeve("function", "allow", "public.no_such_function")
    assert done.returncode == 8 and "(42883)" in done.stderr


@pytest.fixture
def careful_db(db):
    """On a server that the doctor has nothing to say about."""
    db.run("alter system set fsync = on")
    db.run("select pg_reload_conf()")
    db.eventually("select current_setting('fsync') = 'on'")
    yield db
    db.run("alter system reset fsync")
    db.run("select pg_reload_conf()")


def test_the_doctor_finds_damage_and_repairs_it(careful_db):
    db = careful_db
    task = db.enqueue("write_effect")
    db.work().ready()
    assert db.wait_outcome(task) == "succeeded"
    db.eventually("select exists (select 1 from queues.worker_seen)")
    done = db.reeve("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    found = db.json("doctor")
    assert all(line["ok"] and line["problem"] is None for line in found)
    assert {"version", "invariants", "rights", "clock", "connection"} <= {line["area"] for line in found}
    lost = db.enqueue("write_effect", at="2100-01-01")
    db.run("delete from queues.ready where task_id = %s", lost)
    done = db.reeve("doctor")
    assert done.returncode == 1
    assert "one_place" in done.stdout and "--repair" in done.stdout
    done = db.reeve("doctor", "-o", "json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert all(set(p) == {"area", "ok", "problem", "hint", "note"} for p in found)
    assert {p["area"] for p in found if not p["ok"]} == {"invariants"}
    assert db.reeve("doctor", "--repair").returncode == 0
    assert db.value("select count(*) from queues.ready where task_id = %s", lost) == 1


def test_a_flag_wins_over_the_environment_in_its_order(db):
    right, wrong = db.conninfo(), "host=/nowhere"

    def code(*args, **env):
        return reeve("task", "list", *args, env=clean_environment(**env)).returncode

    assert code("--database-url", right, REEVE_DATABASE_URL=wrong, DATABASE_URL=wrong) == 0
    assert code(REEVE_DATABASE_URL=right, DATABASE_URL=wrong, PGHOST="/nowhere") == 0
    assert code(REEVE_DATABASE_URL="  ", DATABASE_URL=right, PGHOST="/nowhere") == 0
    assert code(PGHOST=db.server.dir, PGPORT=db.server.port, PGUSER="postgres", PGDATABASE=db.name) == 0
    assert code("--database-url", wrong, REEVE_DATABASE_URL=right) == 5
    # What the connection string leaves out comes from PG*.
    assert code("--database-url", f"dbname={db.name}", PGHOST=db.server.dir, PGPORT=db.server.port, PGUSER="postgres") == 0


def test_the_worker_reads_the_same_environment(db):
    task = db.enqueue("write_effect")
    worker = Worker([REEVE, "work", "--until-empty"], clean_environment(
        PGHOST=db.server.dir, PGPORT=db.server.port, PGUSER="postgres", PGDATABASE=db.name, WORKER_CONCURRENCY=3,
        REEVE_NAME="named", LOG_FORMAT="json"))
    assert worker.wait() == 0
    ready = [json.loads(line) for line in worker.lines if "worker ready" in line][0]
    assert (ready["fields"]["concurrency"], ready["fields"]["name"]) == ("3", "named")
    db.assert_effects_once([task])


def test_queues_of_the_worker_in_the_environment_do_not_touch_other_commands(db):
    env = clean_environment(REEVE_QUEUES="email,http")
    done = db.reeve("enqueue", "db_function", NOOP, env=env)
    assert done.returncode == 0, done.stderr
    assert db.value("select queue from queues.task") == "default"
    assert len(json.loads(db.reeve("task", "list", "-o", "json", env=env).stdout)) == 1


@pytest.mark.parametrize("level", ["debug", "info"])
def test_log_lines_in_json_have_the_documented_keys(db, level):
    db.enqueue("noop"), db.enqueue("boom"), db.enqueue("fail_at_commit")
    worker = db.work_until_empty("--log-format", "json", "--log-level", level)
    assert len(worker.lines) > 2
    for line in worker.lines:
        entry = json.loads(line)
        assert list(entry) == ["timestamp", "level", "service", "message", "fields"]
        assert entry["service"] == "worker" and entry["level"] in ("error", "warn", "info", "debug")
        assert all(isinstance(v, str) for v in entry["fields"].values())


def test_log_lines_in_text_are_one_per_event(db):
    db.enqueue("noop"), db.enqueue("boom", text="two\nlines")
    worker = db.work_until_empty("--log-level", "debug")
    assert all(line.startswith("time=") and " level=" in line and " msg=" in line for line in worker.lines)
    only_errors = db.work_until_empty("--log-level", "error")
    assert only_errors.lines == []


# --- options ---


def test_the_connection_string_may_stand_in_a_file(db, tmp_path):
    file = tmp_path / "url"
    file.write_text(db.conninfo() + "\n")
    done = reeve("queue", "list", env=clean_environment(REEVE_DATABASE_URL_FILE=file))
    assert done.returncode == 0, done.stderr


def test_an_empty_value_of_an_option_counts_as_none(db):
    for args in (["-o", ""], ["--output", ""], ["--output="], ["-o", " "], ["--state", "", "-o", ""]):
        done = db.reeve("task", "list", *args)
        assert done.returncode == 0 and "task_id" in done.stdout, done.stderr
    assert reeve("task", "list", "-o").returncode == 2
    for words in (["task", "list", "-o", "table,json"], ["work", "--log-format", "text,json"], ["work", "--log-level", "error,warn"]):
        done = db.reeve(*words)
        assert done.returncode == 3 and "is not one of" in done.stderr, done.stderr


def own_address():
    """An address of this machine that is not loopback; None: it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            return None
        return None if s.getsockname()[0].startswith("127.") else s.getsockname()[0]


@pytest.mark.parametrize("mode", [None, "disable", "allow", "prefer"])
def test_the_doctor_tells_of_a_connection_over_a_network_without_protection(db, mode):
    if own_address() is None:
        pytest.skip("this machine has no network")
    forwarder = Forwarder(f"{db.server.dir}/.s.PGSQL.{db.server.port}")
    try:
        for host, is_exposed in ((own_address(), True), ("127.0.0.1", False), (db.server.dir, False)):
            port = db.server.port if host.startswith("/") else forwarder.port
            url = f"host={host} port={port} user=postgres dbname={db.name}" + (f" sslmode={mode}" if mode else "")
            for form in ("table", "json"):
                done = reeve("doctor", "--database-url", url, "-o", form)
                assert (f"sslmode {mode or 'prefer'} lets" in done.stdout) == is_exposed, done.stdout + done.stderr
                assert ("verify-full" in done.stdout) == is_exposed
                if form == "json":
                    json.loads(done.stdout)
    finally:
        forwarder.close()
