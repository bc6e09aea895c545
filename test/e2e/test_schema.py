"""Install, migrate, uninstall: the schema is as it was or as it should be, never between."""
import os
import subprocess
from pathlib import Path

from harness import ROOT, Database, Server, reeve

import pytest


def dump(db):
    """The schema of a database as text, without what differs by nature."""
    text = subprocess.run(["scripts/dump_schema", db.conninfo()], capture_output=True, text=True, check=True,
                          env={**os.environ, "PG_BIN": str(db.server.bin)}, cwd=ROOT).stdout
    assert len(text) > 1000 or not db.value("select to_regnamespace('queues') is not null")
    return text.splitlines()


def psql(db, script):
    return subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", db.conninfo(), "-f", "-"], input=script, text=True,
                          capture_output=True)


def ours(db):
    """Objects that belong to us."""
    return db.value("select count(*) from pg_class as c join pg_roles as r on r.oid = c.relowner where r.rolname like 'queues\\_%%'"
                    ) + db.value("select count(*) from pg_proc as p join pg_roles as r on r.oid = p.proowner"
                                 " where r.rolname like 'queues\\_%%'")


def test_installing_twice_changes_nothing(empty_db):
    assert empty_db.reeve("install").returncode == 0
    before = dump(empty_db)
    again = empty_db.reeve("install")
    assert again.returncode == 0 and "already installed" in again.stdout
    assert dump(empty_db) == before
    empty_db.assert_healthy(drained=True)


def test_the_printed_sql_does_what_install_does(empty_db):
    printed = reeve("install", "--dry-run")
    assert printed.returncode == 0
    assert empty_db.reeve("install", "--dry-run").stdout == printed.stdout
    assert empty_db.value("select to_regnamespace('queues') is null")
    other = empty_db.server.make_database(template="template1")
    try:
        done = psql(other, printed.stdout)
        assert done.returncode == 0, done.stderr
        assert empty_db.reeve("install").returncode == 0
        assert dump(other) == dump(empty_db)
        tables = ("internal.config", "queues.migration", "queues.queue", "queues.registered_task_type")
        for table in tables:
            sql = f"select * from (select to_jsonb(t) - '{{applied_at,updated_at,created_at}}'::text[] as row from {table} as t) as x order by 1"
            assert [str(r) for r in other.rows(sql)] == [str(r) for r in empty_db.rows(sql)]
        # A second time it refuses, and leaves everything as it was.
        assert psql(other, printed.stdout).returncode != 0
        assert dump(other) == dump(empty_db)
    finally:
        other.drop()


def test_migrate_has_nothing_to_do_after_install(db):
    before = dump(db)
    done = db.reeve("migrate")
    assert done.returncode == 0 and "0 migrations applied" in done.stdout
    assert dump(db) == before


def test_migrate_keeps_what_a_person_chose(db):
    db.run("select internal.set_config('max_idle_runs', '7')")
    db.run("select internal.set_runner_mode('definer')")
    before = dump(db)
    done = db.reeve("migrate")
    assert done.returncode == 0, done.stderr
    assert db.value("select internal.get_config('max_idle_runs')") == 7
    assert dump(db) == before
    task = db.enqueue("who")
    db.work_until_empty()
    assert db.value("select result->>'user' from queues.task_completed where task_id = %s", task) == "queues_runner"


def test_migrate_without_a_schema_says_to_install(empty_db):
    done = empty_db.reeve("migrate")
    assert done.returncode == 4 and "reeve install" in done.stderr


def test_migrate_installs_what_is_missing_if_it_is_told_to(empty_db):
    first = empty_db.reeve("migrate", "--install")
    assert first.returncode == 0 and "is installed" in first.stdout
    made = dump(empty_db)
    second = empty_db.reeve("migrate", "--install")
    assert second.returncode == 0 and "0 migrations applied" in second.stdout
    empty_db.assert_healthy(drained=True)
    empty_db.reeve("uninstall", "--yes")
    empty_db.reeve("install")
    assert dump(empty_db) == made


def test_migrate_refuses_a_changed_migration(db):
    db.run("alter table queues.migration disable trigger user")
    db.run("update queues.migration set checksum = 'x'")
    done = db.reeve("migrate")
    assert done.returncode == 4 and "another content" in done.stderr


def test_a_newer_schema_is_refused_by_every_command_of_the_schema(db):
    db.run("insert into queues.migration (version, name, checksum) values (9999, 'later', 'x')")
    before = dump(db)
    for command in ("migrate", "install", "doctor"):
        done = db.reeve(command)
        assert done.returncode == 4, done.stderr
        assert "newer" in done.stderr
    assert dump(db) == before


def test_uninstall_leaves_nothing_of_ours_and_can_be_repeated(empty_db):
    before = dump(empty_db)
    for _ in range(2):
        assert empty_db.reeve("install").returncode == 0
        assert ours(empty_db) > 100
        done = empty_db.reeve("uninstall", "--yes")
        assert done.returncode == 0, done.stderr
        assert ours(empty_db) == 0
        assert empty_db.value("select count(*) from pg_namespace where nspname in ('queues', 'internal', 'worker', 'comms', 'files')") == 0
        assert dump(empty_db) == before
    assert empty_db.reeve("uninstall", "--yes").returncode == 0


def test_uninstall_asks_for_the_name_of_the_database(empty_db):
    assert empty_db.reeve("install").returncode == 0
    assert empty_db.reeve("uninstall", input="no\n").returncode == 2
    assert ours(empty_db) > 100
    assert empty_db.reeve("uninstall", input=f"{empty_db.name}\n").returncode == 0
    assert ours(empty_db) == 0


def test_a_role_without_rights_is_told_what_it_lacks(empty_db):
    empty_db.run("drop role if exists nobody_much")
    empty_db.run("create role nobody_much login")
    done = empty_db.reeve("install", user="nobody_much")
    assert done.returncode == 8
    assert "(42501)" in done.stderr and "hint: " in done.stderr
    assert "may not create schemas" in done.stderr
    assert empty_db.value("select to_regnamespace('queues') is null")
    # With the rights that it was told about, it goes further.
    empty_db.run(f"grant create on database {empty_db.name} to nobody_much")
    done = empty_db.reeve("install", user="nobody_much")
    assert done.returncode == 8
    assert "hint: grant queues_owner to nobody_much" in done.stderr
    assert empty_db.value("select to_regnamespace('queues') is null")
    empty_db.run("grant queues_owner to nobody_much")
    done = empty_db.reeve("install", user="nobody_much")
    assert done.returncode == 0, done.stderr
    empty_db.work_until_empty(user="worker_service_user")
    assert empty_db.reeve("uninstall", "--yes", user="nobody_much").returncode == 0
    empty_db.run("drop owned by nobody_much")
    empty_db.run("drop role nobody_much")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "EUC_JP"])
def test_a_database_that_is_not_utf8_is_refused_with_a_way_out(server, encoding):
    other = Database(server, f"in_{encoding.lower()}")
    server.run_sql(f"create database {other.name} encoding '{encoding}' locale 'C' template template0")
    try:
        done = other.reeve("install")
        assert done.returncode == 8
        assert f'the encoding of database "{other.name}" is {encoding}, and Reeve needs UTF8 (0A000)' in done.stderr
        assert "hint: Create a database for it: create database NAME encoding 'UTF8' template template0;" in done.stderr
        assert other.value("select to_regnamespace('queues') is null")
    finally:
        other.drop()


def test_a_clash_in_a_shared_schema_is_named(empty_db):
    empty_db.run("create schema internal")
    empty_db.run("create table internal.config (mine text)")
    before = dump(empty_db)
    done = empty_db.reeve("install")
    assert done.returncode == 8
    assert "internal.config already exists" in done.stderr and "hint: " in done.stderr
    assert dump(empty_db) == before


def test_a_schema_of_the_application_is_shared(empty_db):
    db = empty_db
    db.run("create schema internal")
    db.run("comment on schema internal is 'of the application'")
    db.run("create table internal.theirs (id integer)")
    db.run("create function internal.theirs_too() returns integer language sql as 'select 1'")
    db.run("grant execute on function internal.theirs_too() to public")
    before = dump(db)
    done = db.reeve("install")
    assert done.returncode == 0, done.stderr
    assert "exists already and is shared" in done.stderr
    assert db.value("select has_function_privilege('public', 'internal.theirs_too()', 'execute')")
    assert db.value("select obj_description('internal'::regnamespace, 'pg_namespace')") == "of the application"
    db.work_until_empty(user="worker_service_user")
    db.assert_healthy()
    assert db.reeve("migrate").returncode == 0
    assert db.reeve("uninstall", "--yes").returncode == 0
    assert dump(db) == before


def test_modules_can_be_left_out(empty_db):
    db = empty_db
    before = dump(db)
    assert db.reeve("install", "--without", "comms,queues").returncode == 3
    assert db.value("select to_regnamespace('queues') is null")
    done = db.reeve("install", "--without", "comms,files")
    assert done.returncode == 0, done.stderr
    assert db.value("select to_regnamespace('comms') is null and to_regnamespace('files') is null")
    assert db.value("select count(*) from internal.allowed_function where function_name not in ('pgqueue.make_webhook_jobs', 'queues.carry_bulk')") == 0
    db.work_until_empty(user="worker_service_user")
    db.assert_healthy()
    without = dump(db)
    done = db.reeve("migrate")
    assert done.returncode == 0, done.stderr
    assert dump(db) == without, "what was left out stays out"
    assert db.reeve("uninstall", "--yes").returncode == 0
    assert dump(db) == before


def test_a_module_that_clashes_can_be_left_out(empty_db):
    db = empty_db
    db.run("create schema comms")
    db.run("create table comms.message (mine text)")
    db.run("create type comms.channel as enum ('pigeon')")
    before = dump(db)
    done = db.reeve("install")
    assert done.returncode == 8
    assert "comms.message already exists" in done.stderr and "--without comms" in done.stderr
    assert dump(db) == before
    done = db.reeve("install", "--without", "comms")
    assert done.returncode == 0, done.stderr
    assert db.value("select to_regclass('files.file') is not null")
    assert db.reeve("migrate").returncode == 0
    assert db.reeve("migrate", "--without", "files").returncode == 2, "what is there cannot be left out any more"
    assert db.reeve("uninstall", "--yes").returncode == 0
    assert dump(db) == before


def test_a_type_of_the_application_is_a_clash_too(empty_db):
    empty_db.run("create schema comms")
    empty_db.run("create type comms.channel as enum ('pigeon')")
    done = empty_db.reeve("install")
    assert done.returncode == 8 and "comms.channel already exists" in done.stderr


def test_modules_share_the_schemas_of_the_application(empty_db):
    db = empty_db
    db.run("create schema comms")
    db.run("create schema files")
    db.run("create table comms.newsletter (id integer)")
    before = dump(db)
    done = db.reeve("install")
    assert done.returncode == 0, done.stderr
    assert 'schema "comms" exists already and is shared' in done.stderr
    assert db.value("select comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 's', 'h')") is None
    assert db.reeve("migrate").returncode == 0
    assert db.reeve("uninstall", "--yes").returncode == 0
    assert dump(db) == before


def test_the_example_is_installed_on_demand_and_works(empty_db):
    db = empty_db
    before = dump(db)
    assert db.reeve("install", "--with-example", "--without", "files").returncode == 2
    assert db.reeve("install").returncode == 0
    assert db.value("select to_regnamespace('accounts') is null")
    for _ in range(2):  # Added later, and once more.
        done = db.reeve("install", "--with-example")
        assert done.returncode == 0, done.stderr
        assert "example is installed" in done.stdout
    account = db.value("insert into accounts.account (email) values ('ann@example.org') returning account_id")
    assert db.value("select api.request_account_deletion(%s)", account) is None
    db.work(user="worker_service_user")
    db.eventually("select count(*) = 1 from accounts.account_anonymization_attempt_succeeded")
    # The root would look after ten seconds.
    db.eventually("select queues.wake_process(supervisor, ids) from queues.process where supervisor = 'accounts.account_deletion_supervisor'")
    db.eventually("select count(*) = 1 from accounts.account_deletion_task_succeeded")
    db.wait_drained()
    db.end_workers()
    db.assert_healthy(drained=True)
    assert db.reeve("migrate").returncode == 0
    assert db.reeve("uninstall", "--yes").returncode == 0
    assert dump(db) == before


def test_a_fresh_install_can_bring_the_example(empty_db):
    printed = reeve("install", "--dry-run", "--with-example")
    assert printed.returncode == 0 and "api.request_account_deletion" in printed.stdout
    done = empty_db.reeve("install", "--with-example", "--runner", "definer")
    assert done.returncode == 0, done.stderr
    assert empty_db.value("select has_function_privilege('queues_runner', 'accounts.do_anonymization(jsonb)', 'execute')")
    assert not empty_db.value("select has_function_privilege('worker_service_user', 'accounts.do_anonymization(jsonb)', 'execute')")


def test_without_the_single_row_functions_the_program_still_works(empty_db):
    db = empty_db
    done = db.reeve("install", "--strict")
    assert done.returncode == 0, done.stderr
    assert not db.value("select has_function_privilege('worker_service_user', 'queues.complete_task(bigint, integer, text, jsonb)', 'execute')")
    db.run("create function public.mine(_payload jsonb) returns jsonb language sql set search_path = pg_catalog, pg_temp"
           " as $$ select jsonb_build_object('status', 'succeeded') $$")
    db.run("select internal.allow_function('public.mine')")
    task = db.value("select queues.enqueue('db_function', '{\"db_function\": \"public.mine\"}')")
    db.work_until_empty(user="worker_service_user")
    assert db.outcome(task) == "succeeded"


def test_install_needs_no_superuser(empty_db):
    empty_db.run("drop role if exists installer")
    empty_db.run("create role installer login createrole")
    empty_db.run(f"grant create on database {empty_db.name} to installer")
    for role in ("queues_owner", "queues_runner", "queues_enqueuer", "queues_observer", "queues_operator", "queues_admin",
                 "worker_service_user"):
        empty_db.run(f"grant {role} to installer with admin option")
    done = empty_db.reeve("install", user="installer")
    assert done.returncode == 0, done.stderr
    assert empty_db.reeve("migrate", user="installer").returncode == 0
    assert empty_db.value("select count(*) from queues.check()") == 0
    assert empty_db.reeve("uninstall", "--yes", user="installer").returncode == 0
    empty_db.run(f"revoke all on database {empty_db.name} from installer")
    empty_db.run("drop owned by installer")
    for role in ("queues_owner", "queues_runner", "queues_enqueuer", "queues_observer", "queues_operator", "queues_admin",
                 "worker_service_user"):
        empty_db.run(f"revoke {role} from installer cascade")
    empty_db.run("drop role installer")


def available(version):
    """The programs of this PostgreSQL are on this machine; scripts/pg_bin VERSION fetches them."""
    return any(path.exists() for path in (Path(f"/usr/lib/postgresql/{version}/bin/postgres"),
                                          ROOT / f"build/embedded/{version}/native/bin/postgres"))


@pytest.mark.parametrize("version", ["", "13", "18"])
def test_whoever_installed_without_being_superuser_can_work(version):
    if version and not available(version):
        pytest.skip(f"no PostgreSQL {version} here")
    with Server(version=version) as server:
        # A server without our roles: whoever installs makes them, and from 16 on is no more than their administrator.
        for role in ("installer", '"Second One"'):
            server.run_sql(f"create role {role} login createrole")
        server.run_sql("create role stranger login")
        for name, role in (("first", "installer"), ("second", '"Second One"')):
            server.run_sql(f"create database {name}")
            server.run_sql(f"grant create on database {name} to {role}")
        db = Database(server, "first")
        try:
            done = db.reeve("install", user="installer")
            assert done.returncode == 0, done.stderr
            assert "this login may become worker_service_user" in done.stdout
            db.run("create function public.who(_payload jsonb) returns jsonb language sql set search_path = pg_catalog, pg_temp"
                   " as $$ select jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('who', current_user)) $$")
            db.run("select internal.allow_function('public.who')")
            task = db.value("select queues.enqueue('db_function', '{\"db_function\": \"public.who\"}')")
            worker = db.work_until_empty(user="installer")
            assert "cannot become" not in worker.log()
            assert db.outcome(task) == "succeeded"
            # Who cannot become the worker is told what to grant.
            worker = db.work(user="stranger")
            assert worker.wait() == 8 and "grant worker_service_user to stranger;" in worker.log(), worker.log()
            server.run_sql("grant worker_service_user to stranger")
            db.work_until_empty(user="stranger")
            # So is who installs beside roles that somebody else has made.
            server.run_sql('grant queues_owner to "Second One"')
            other = Database(server, "second")
            done = reeve("install", "--database-url", other.conninfo("'Second One'"))
            assert done.returncode == 0, done.stderr
            is_told = 'grant worker_service_user to "Second One";' in done.stdout
            assert is_told == (db.value("show server_version_num") >= "160000"), done.stdout
            if is_told:
                server.run_sql('grant worker_service_user to "Second One"')
            worker = other.work_until_empty(user="'Second One'")
            assert "cannot become" not in worker.log()
        finally:
            db.end_workers()
            db.forget_connection()
