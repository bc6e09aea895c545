"""reeve new: the files that it writes, the errors that it prints, and what it wrote at work with real workers."""
import re
import stat
import subprocess

from harness import ROOT, reeve
from peer import Peer

import pytest

PROCESS = ("new", "process", "billing.reminder", "--via", "http")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def peer():
    peer = Peer()
    yield peer
    peer.close()


@pytest.mark.parametrize("args, stem", [
    (["process", "billing.reminder", "--via", "sms"], "billing.reminder"), (["command", "shop.recount"], "shop.recount"),
    (["webhook", "shop.Orders", "--url", "https://example.org/hook"], "shop.Orders.webhook"),
])
def test_three_files_are_written_and_none_is_overwritten(tmp_path, args, stem):
    done = reeve("new", *args, "--into", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    files = [f"{stem}.pgtap.sql", f"{stem}.sql", f"{stem}.test.sql"]
    assert names(tmp_path) == files
    for file in files:
        text = (tmp_path / file).read_text()
        assert f"wrote {tmp_path}/{file}: " in done.stdout
        assert "{{" not in text and text.endswith("\n") and not re.search(r"[ \t]$", text, re.M)
        assert stat.S_IMODE((tmp_path / file).stat().st_mode) & 0o133 == 0
    assert f"psql -q -1 -v ON_ERROR_STOP=1 -f {tmp_path}/{stem}.sql" in done.stdout

    (tmp_path / f"{stem}.sql").unlink()
    (tmp_path / f"{stem}.test.sql").write_text("mine")
    done = reeve("new", *args, "--into", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert f'"{stem}.test.sql" exists; nothing was written\nhint: --force overwrites it' in done.stderr
    assert names(tmp_path) == [f"{stem}.pgtap.sql", f"{stem}.test.sql"]
    done = reeve("new", *args, "--into", tmp_path, "--force")
    assert done.returncode == 0
    assert names(tmp_path) == files
    assert "mine" not in (tmp_path / f"{stem}.test.sql").read_text()


def test_a_link_is_not_followed(tmp_path):
    target = tmp_path / "target"
    target.write_text("precious")
    (tmp_path / "billing.reminder.sql").symlink_to(target)
    assert reeve(*PROCESS, "--into", tmp_path).returncode == 1
    assert reeve(*PROCESS, "--into", tmp_path, "--force").returncode == 0
    assert target.read_text() == "precious"
    assert not (tmp_path / "billing.reminder.sql").is_symlink()


def test_the_current_folder_is_the_default(tmp_path):
    done = subprocess.run([ROOT / "build/reeve", *PROCESS], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0
    assert "wrote billing.reminder.sql: " in done.stdout
    assert len(names(tmp_path)) == 3


@pytest.mark.parametrize("args, code, message", [
    (["process", "billing.reminder"], 2, "--via is missing"),
    (["process", "billing.reminder", "--via", "fax"], 3, '--via: "fax" is not one of http, email, sms, file_delete, db_function, program'),
    (["process", "reminder", "--via", "sms"], 2, '"reminder" is no name with a schema\nhint: write SCHEMA.NAME'),
    (["process", "a.b.c", "--via", "sms"], 2, '"a.b.c" is no name with a schema'),
    (["process", "Billing.reminder", "--via", "sms"], 2, 'schema "Billing" is not made of a-z, 0-9 and _, with a letter first'),
    (["process", "billing.re minder", "--via", "sms"], 2, 'name "re minder" is not made of'),
    (["process", "billing." + 43 * "a", "--via", "sms"], 2, "is longer than 42 characters"),
    (["process", f"{30 * 's'}.{40 * 'a'}", "--via", "program"], 2, "is longer than 63 characters"),
    (["process", "queues.reminder", "--via", "sms"], 2, 'schema "queues" belongs to PostgreSQL or to Reeve'),
    (["process", "billing.reminder", "--via", "sms", "--attempts", "0"], 3, "--attempts"),
    (["process", "billing.reminder", "--via", "sms", "--attempts", "101"], 3, "--attempts"),
    (["process", "billing.reminder", "--via", "sms", "--first-delay", "soon"], 3, '--first-delay: "soon" is not a positive duration'),
    (["process", "billing.reminder", "--via", "sms", "--first-delay", "31d"], 2, '--first-delay "31d" is longer than 30 days'),
    (["process", "billing.reminder", "--via", "sms", "--url", "https://example.org"], 2, "--url is for --via http"),
    (["process", "billing.reminder", "--via", "http", "--url", "example.org"], 2, "does not begin with https:// or http://"),
    (["process", "billing.reminder", "--via", "http", "--url", "https://example.org/'"], 2, "--url has a character"),
    (["process", "billing.reminder", "--via", "sms", "--owner", "x;y"], 2, '--owner "x;y" is not made of'),
    (["process", "billing.reminder", "--via", "sms", "--into", "/no/such/folder"], 1, 'cannot open folder "/no/such/folder"'),
    (["command", "recount"], 2, "is no name with a schema"), (["command", "shop.recount", "--queue", "a'b"], 2, "--queue"),
    (["webhook", "shop.orders"], 2, "--url is missing"),
    (["webhook", "shop.orders", "--url", "https://example.org", "--events", "insert,truncate"], 3, "--events"),
    (["webhook", 'shop.or"ders', "--url", "https://example.org"], 2, "name"),
])
def test_wrong_arguments_write_nothing(tmp_path, args, code, message):
    done = reeve("new", *args, *([] if "--into" in args else ["--into", tmp_path]))
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("reeve: ") and message in done.stderr, done.stderr
    assert names(tmp_path) == []


def make(db, tmp_path, *args):
    """Generates, and applies the SQL as its user would: in one transaction."""
    done = reeve("new", *args, "--into", tmp_path)
    assert done.returncode == 0, done.stderr
    [file] = [path for path in tmp_path.iterdir() if not path.name.endswith((".test.sql", ".pgtap.sql"))]
    with db.connect() as connection:
        connection.execute(file.read_text())


def test_a_generated_process_calls_a_real_peer_until_it_answers(db, tmp_path, peer):
    make(db, tmp_path, *PROCESS[1:], "--first-delay", "100ms", "--attempts", "3", "--url", f"{peer.url}/letters")
    assert db.value("select billing.kickoff_reminder('good', '{\"n\": 1}')") is None
    assert db.value("select billing.kickoff_reminder('good', '{\"n\": 1}')") is None
    db.work(env=peer.env()).ready()
    db.eventually("select count(*) = 1 from queues.process_state where end_reason = 'succeeded'")
    assert peer.paths == ["/letters"]
    assert peer.keys == [str(db.value("select task_uuid from billing.reminder_task"))]

    # The receiver is busy: three attempts with the same key, then the end.
    db.run(db.value("select pg_get_functiondef('billing.get_reminder_request(jsonb)'::regprocedure)").replace("/letters", "/busy"))
    assert db.value("select billing.kickoff_reminder('bad', '{}')") is None
    db.eventually("select count(*) = 1 from queues.process_state where end_reason = 'max_attempts_reached'")
    assert peer.paths[1:] == 3 * ["/busy"]
    assert len(set(peer.keys[1:])) == 1
    assert db.rows("select error_message, error_class from billing.reminder_attempt_failed group by 1, 2") == [("http status 429", "rate_limited")]
    # 100 ms after the first failure and 200 ms after the second: a worker may be late, but never early.
    waits = db.rows("""select a.created_at - f.created_at >= make_interval(secs => 0.1 * power(2, row_number() over (order by a.created_at) - 1))
        from billing.reminder_attempt_failed as f join billing.reminder_attempt as a on a.reminder_attempt_id = f.reminder_attempt_id + 1
        where a.reminder_task_id = (select max(t.reminder_task_id) from billing.reminder_task as t)""")
    assert waits == [(True,), (True,)]
    db.wait_drained()


def test_a_generated_process_is_carried_out_by_a_program(db, tmp_path):
    make(db, tmp_path, "process", "media.thumbnail", "--via", "program", "--first-delay", "100ms")
    notes = tmp_path / "notes"
    program = tmp_path / "thumbnail.sh"
    # The first run fails and may be retried; the second succeeds.
    program.write_text(f'#!/bin/sh\ncat >>{notes}\n[ "$(wc -l <{notes})" -gt 1 ] || exit 75\necho \'{{"ok": true}}\'\n')
    program.chmod(0o755)
    assert db.value("select media.kickoff_thumbnail('cat.png', '{\"width\": 64}')") is None
    db.work().ready()
    db.run_program("--once-per-task", "--types", "media_thumbnail", program=[str(program)])
    db.eventually("select count(*) = 1 from queues.process_state where end_reason = 'succeeded'")
    given = notes.read_text().splitlines()
    assert len(given) == 2 and given[0] == given[1]
    assert '"thumbnail_key": "cat.png"' in given[0] and '"width": 64' in given[0]
    assert db.rows("select num_attempts, num_failures from media.thumbnail_facts(1)") == [(2, 1)]
    db.wait_drained()


def test_a_generated_command_runs(db, tmp_path):
    make(db, tmp_path, "command", "shop.recount", "--queue", "recounts")
    first = db.value("select shop.enqueue_recount('{1}')")
    assert db.value("select shop.enqueue_recount('{2}')") == first
    db.work_until_empty()
    assert db.outcome(first) == "succeeded"


def test_a_generated_webhook_delivers(db, tmp_path, peer):
    db.run('create schema shop; create table shop."Orders" (id integer primary key, v text)')
    make(db, tmp_path, "webhook", "shop.Orders", "--url", f"{peer.url}/hook", "--events", "insert")
    db.run("""insert into shop."Orders" values (1, 'x')""")
    db.run("""update shop."Orders" set v = 'y'""")
    db.work_until_empty(env=peer.env())
    assert peer.paths == ["/hook"]


def test_a_developer_who_is_no_superuser_applies_it_for_another_owner(db, tmp_path):
    suffix = db.name
    db.run(f"create role owner_{suffix} nologin; create role dev_{suffix} login")
    try:
        db.run(f"grant queues_enqueuer, queues_operator to owner_{suffix}; grant owner_{suffix}, queues_admin to dev_{suffix}")
        db.run(f"create schema billing authorization owner_{suffix}")
        done = reeve(*PROCESS, "--owner", f"owner_{suffix}", "--into", tmp_path)
        assert done.returncode == 0, done.stderr
        sql = (tmp_path / "billing.reminder.sql").read_text()
        for _ in range(2):
            with db.connect(user=f"dev_{suffix}") as connection:
                connection.execute(sql)
        assert db.value("select bool_and(p.proowner::regrole::text = %s) from pg_proc as p where p.pronamespace = 'billing'::regnamespace",
                        f"owner_{suffix}")
        assert db.value("select bool_and(has_function_privilege('worker_service_user', p.oid, 'execute')) from pg_proc as p"
                        " where p.pronamespace = 'billing'::regnamespace and p.proname ~ '(supervisor|request|success|failure|facts)$'")
        assert db.value("select billing.kickoff_reminder('x', '{}')") is None
        db.work_until_empty("--types", "db_function")
        assert db.value("select count(*) from billing.reminder_attempt") == 1

        # Without its roles the owner's functions would fail one by one, so the file refuses at the beginning.
        db.run(f"revoke queues_operator from owner_{suffix}")
        with db.connect(user=f"dev_{suffix}") as connection, pytest.raises(Exception, match="would lack rights"):
            connection.execute(sql)
    finally:
        db.run(f"drop owned by owner_{suffix} cascade; drop owned by dev_{suffix} cascade; drop role owner_{suffix}, dev_{suffix}")
