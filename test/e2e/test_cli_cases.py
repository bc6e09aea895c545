"""Every command answers in JSON with the columns and types that cli_shapes.json has, and refuses with the right exit code.
REEVE_WRITE_SHAPES=1 writes that file again."""
import json
import os
import re

import pytest

from cli_cases import CASES
from harness import HERE, ROOT, clean_environment, reeve

SHAPES = HERE / "cli_shapes.json"
COMMANDS = {name: flags.split() for name, _, _, flags in (line.split("|") for line in reeve("--commands").stdout.splitlines())}
VAULT_KEY = "ab" * 32


def shape_of(value):
    """The type of a value; of an object its members, of a list its first element; data in a payload has no shape."""
    if isinstance(value, dict):
        return {key: "json" if key in ("payload", "result", "facts", "last_facts", "detail", "ids", "value") else shape_of(v)
                for key, v in value.items()}
    if isinstance(value, list):
        shapes = [shape_of(v) for v in value]
        if shapes and all(isinstance(s, dict) for s in shapes):
            return [{key: next((s[key] for s in shapes if s.get(key) != "null"), "null") for key in shapes[0]}]
        return shapes[:1]
    return "null" if value is None else type(value).__name__


def agrees(found, wanted):
    """Does an answer have this shape?  A null says nothing about its type."""
    if "null" in (found, wanted) or found == wanted:
        return True
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(agrees(found[k], wanted[k]) for k in found)
    if isinstance(found, list) and isinstance(wanted, list):
        return not found or not wanted or agrees(found[0], wanted[0])
    return False


def make_subjects(db, tmp_path):
    """Things that the calls name."""
    db.run((ROOT / "examples/parcel/parcel.sql").read_text())
    db.run("select parcel.kickoff_delivery('Elm Street 1')")
    db.run("create table t.orders (id integer primary key)")
    task = db.enqueue("boom")
    db.work_until_empty()
    job = db.value("insert into pgqueue.job_queue (job_type, url, run_at) values ('GET', 'https://example.com/', '2100-01-01') returning job_id")
    (tmp_path / "crontab").write_text("0 3 * * * /usr/bin/true\n")
    return {"task": task, "open_task": db.enqueue("noop", at="2100-01-01"), "job": job, "crontab": tmp_path / "crontab",
            "act": db.value("select act_id from queues.preview_bulk('task_retry', _ids => array[%s]::bigint[])", task),
            "process": db.value("select max(process_id) from queues.process")}


def test_every_command_that_answers_in_json_does_so_in_its_shape(db, tmp_path):
    names = make_subjects(db, tmp_path)
    env = clean_environment(REEVE_VAULT_KEY=VAULT_KEY)
    found = {}
    for command, (args, _, _) in CASES.items():
        if args is None:
            assert "--output" not in COMMANDS[command], command
            continue
        done = db.reeve(*command.split(), *[a.format(**names) if a.startswith("{") and a[1:-1] in names else a for a in args], "-o", "json",
                        env=env, input="value" if command == "secret set" else None)
        assert done.returncode == 0 or command == "doctor", (command, done.stderr)
        found[command] = shape_of(json.loads(done.stdout))
    if os.environ.get("REEVE_WRITE_SHAPES"):
        SHAPES.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    wanted = json.loads(SHAPES.read_text())
    assert found.keys() == wanted.keys()
    for command in found:
        assert agrees(found[command], wanted[command]), (command, found[command], wanted[command])
    for command, shape in found.items():
        if command.endswith((" show", " get")):
            assert isinstance(shape, dict), f"{command} answers with one object"
        elif command.endswith(" list"):
            assert isinstance(shape, list), f"{command} answers with a list"


@pytest.mark.parametrize("command", CASES)
def test_every_command_refuses_what_is_wrong(db, command):
    _, args, code = CASES[command]
    done = (db.reeve if "--database-url" in COMMANDS[command] else reeve)(*command.split(), *args, input="value" if command == "secret set" else None)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert done.stderr.startswith(("reeve: ", "note: ", "time=")), done.stderr


@pytest.mark.parametrize("command", [c for c in CASES if "--database-url" in COMMANDS[c] and c not in ("work", "run", "metrics", "serve")])
def test_every_command_says_when_the_database_cannot_be_reached(command):
    args = CASES[command][0] or []
    operands = ["1" if a.startswith("{") and a != "{crontab}" else a for a in args]
    done = reeve(*command.split(), *operands, "--database-url", "host=/nowhere",
                 env=clean_environment(REEVE_VAULT_KEY=VAULT_KEY), input="value")
    if command == "schedule import":
        assert done.returncode == 2  # its file is read first
    else:
        assert done.returncode == 5 and "08006" in done.stderr, done.stderr


def test_every_option_of_every_command_refuses_a_wrong_form():
    for command, flags in COMMANDS.items():
        page = reeve(*command.split(), "--help").stdout
        for flag in flags:
            value = re.search(rf"^  (?:-\w, )?{flag}(?: (\S+))?(?:  |$)", page, re.M)[1]
            # A flag refuses a value, another option needs one, and one whose value may be left out refuses nonsense.
            wrong, code = (f"{flag}=x", 2) if value is None else (f"{flag}=soon", 3) if value.startswith("[") and "=" not in value else (flag, 2)
            done = reeve(*command.split(), wrong)
            assert done.returncode == code and flag in done.stderr, (command, wrong, done.stderr)
