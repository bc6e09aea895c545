"""Every kind of work, under each combination of --strict and --runner, by the worker's own login."""
import pytest

from peer import Peer

SETUP = """
    create schema m;
    grant usage on schema m to public;
    create table m.seen (what text, as_role text);
    create function m.note(_what text) returns void language sql security definer set search_path = pg_catalog, pg_temp
        as $$ insert into m.seen values (_what, current_setting('role')) $$;
    create function m.work(_payload jsonb) returns jsonb language sql as $$ select m.note('work'); select '{"status": "succeeded", "payload": {"n": 1}}'::jsonb $$;
    create function m.fail(_payload jsonb) returns jsonb language sql as $$ select m.note('fail'); select '{"status": "refused"}'::jsonb $$;
    create function m.before(_payload jsonb) returns jsonb language sql
        as $$ select m.note('before'); select jsonb_build_object('status', 'succeeded', 'payload', _payload->'request') $$;
    create function m.success(_payload jsonb) returns jsonb language sql as $$ select m.note('success'); select '{"status": "succeeded"}'::jsonb $$;
    create function m.error(_payload jsonb) returns jsonb language sql as $$ select m.note('error'); select '{"status": "succeeded"}'::jsonb $$;
    create function m.facts(_id bigint) returns jsonb language sql stable as $$ select '{"n": 1}'::jsonb $$;
    create function m.supervise(_payload jsonb) returns jsonb language sql as $$ select m.note('supervise'); select '{"status": "succeeded"}'::jsonb $$;
    create function m.job(_n integer) returns integer language sql as $$ select m.note('job'); select _n $$;
    create procedure m.handle(payload jsonb) language plpgsql as $$ begin perform m.note('handle ' || coalesce(payload->>'n', '')); end $$;
    create procedure m.hook(payload jsonb) language plpgsql as $$ begin perform m.note('hook'); end $$;
    create procedure m.tree(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
        as $$ begin perform worker.spawn('leaf', '{}', worker.current_task_id()), m.note('tree'); end $$;
    create function m.merge(_old jsonb, _new jsonb) returns jsonb language sql
        as $$ select jsonb_build_object('n', concat(_old->>'n', _new->>'n')) $$;
    revoke execute on all routines in schema m from public;
    select internal.allow_function('m.work'), internal.allow_function('m.fail'), internal.allow_function('m.before', 'before'),
           internal.allow_function('m.success', 'success'), internal.allow_function('m.error', 'error'), internal.allow_function('m.job', 'job'),
           internal.allow_function('m.supervise', 'supervisor', _facts_function => 'm.facts', _process_keys => array['id']);
    select worker.register_command('merged', 'm.handle', 'default', p_dedup_keys => '{}', p_merge_function => 'm.merge'),
           worker.register_command('hooked', 'm.handle', 'default', 'm.hook', 'm.hook'),
           worker.register_command('leaf', 'm.handle', 'default'), worker.register_command('tree', 'm.tree', 'default', null, 'm.hook');
    grant execute on function m.note(text) to worker_service_user, queues_runner;
    create table m.t (id integer primary key);
"""


@pytest.fixture
def peer():
    peer = Peer()
    peer.open()
    yield peer
    peer.close()


@pytest.mark.parametrize("runner", ["invoker", "definer"])
@pytest.mark.parametrize("strict", [(), ("--strict",)], ids=["open", "strict"])
def test_every_kind_of_work_is_done_in_each_mode(empty_db, peer, strict, runner):
    db = empty_db
    done = db.reeve("install", "--runner", runner, *strict)
    assert done.returncode == 0, done.stderr
    db.run(SETUP)
    mail = '{"from_address": "a@example.org", "to_address": "b@example.org", "subject": "s", "html": "h"}'
    tasks = [db.value(*q) for q in (
        ("select queues.enqueue('noop', '{}')",),
        ("""select queues.enqueue('db_function', '{"db_function": "m.work"}')""",),
        ("""select queues.enqueue('db_function', '{"db_function": "m.work", "success_handler": "m.success"}')""",),
        ("""select queues.enqueue('db_function', '{"db_function": "m.supervise", "id": 1}')""",),
        ("select queues.enqueue('email', jsonb_build_object('before_handler', 'm.before', 'success_handler', 'm.success', 'request', %s::jsonb))", mail),
        ("select queues.enqueue('http', jsonb_build_object('success_handler', 'm.success', 'request', jsonb_build_object('url', %s::text)))", peer.url + "/x"),
        ("select worker.enqueue('merged', '{\"n\": \"a\"}')",), ("select worker.enqueue('merged', '{\"n\": \"b\"}')",),
        ("select worker.enqueue('hooked', '{\"n\": \"h\"}')",), ("select worker.enqueue('tree')",))]
    refused = [db.value("""select queues.enqueue('db_function', '{"db_function": "m.fail", "error_handler": "m.error"}')"""),
               db.value("select queues.enqueue('http', jsonb_build_object('error_handler', 'm.error', 'request', jsonb_build_object('url', %s::text)))",
                        peer.url + "/gone")]
    db.run("insert into pgqueue.job_queue (job_type, url, payload) values ('FUNC', 'm.job', '{\"_n\": 5}')")
    db.run("insert into pgqueue.job_queue (url, payload) values (%s, '{\"n\": 5}')", peer.url + "/job")
    db.run("select comms.create_and_kickoff_email_task('a@example.org', 'b@example.org', 'Hello', '<p>hi</p>')")
    db.run("select comms.create_and_kickoff_sms_task('+15558675310', 'hi')")
    db.run("select pgqueue.create_webhook('t', 'm.t', '{INSERT}', %s)", peer.url + "/hook")
    db.run("insert into m.t select generate_series(1, 120)")
    worker = db.work(user="worker_service_user", env=peer.env(REEVE_EMAIL_PROVIDER="log", REEVE_SMS_PROVIDER="log")).ready()
    for task in tasks:
        assert db.wait_outcome(task) == "succeeded", (task, db.errors(task), worker.log())
    assert [db.wait_outcome(task) for task in refused] == ["non_success", "failed"]
    db.eventually("select count(*) = 122 from pgqueue.job_queue where job_status = 'completed'")
    db.eventually("select count(*) = 1 from comms.send_email_task_succeeded")
    db.eventually("select count(*) = 1 from comms.send_sms_task_succeeded")
    db.wait_drained()
    assert worker.stop() == 0
    seen = dict(db.rows("select what, count(*) from m.seen group by what"))
    assert seen == {"work": 2, "success": 3, "error": 2, "fail": 1, "supervise": 1, "before": 1, "job": 1, "handle ab": 1, "handle h": 1,
                    "hook": 3, "handle ": 1, "tree": 1}
    assert db.value("select facts from queues.process_run order by process_id limit 1") == {"n": 1}
    assert db.rows("select distinct error_message from queues.error where task_id <> all(%s)", refused) == []
    db.assert_healthy()


@pytest.mark.parametrize("runner", ["invoker", "definer"])
def test_strict_takes_away_what_the_program_does_not_need(empty_db, runner):
    db = empty_db
    assert db.reeve("install", "--runner", runner, "--strict").returncode == 0
    may = {r[0] for r in db.rows(
        "select p.proname::text from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace"
        " where n.nspname in ('queues', 'internal', 'worker') and has_function_privilege('worker_service_user', p.oid, 'execute')")}
    assert not may & {"run_function", "dequeue_next_available_task", "dequeue_available_task", "held_lease", "complete_task", "fail_task",
                      "process_tasks", "lease_next", "test_worker", "registered_call"}
    # A migration keeps it so.
    assert db.reeve("migrate").returncode == 0
    assert not db.value("select has_function_privilege('worker_service_user', 'internal.run_function(text, jsonb)', 'execute')")
