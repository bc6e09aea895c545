"""Schedules under real workers: every slot has one account, whatever dies and whatever the clock does."""
import signal

from harness import Database, Server

import pytest
from test_clock import ClockedServer

# Every slot from the first one to the last decision, without the account that it should have; by plain enumeration.
UNACCOUNTED = """
select s.schedule_name, t.slot
from queues.schedule as s join queues.schedule_due as d using (schedule_id)
cross join lateral generate_series(s.anchor + s.every, d.decided_to, s.every) as t(slot)
where not exists (select 1 from queues.schedule_fire as f where f.schedule_id = s.schedule_id
                  and f.decision not in ('by_hand', 'backfill') and t.slot between f.first_slot and f.last_slot)
  and not coalesce(t.slot between d.skip_first and d.skip_last, false) and t.slot is distinct from d.waiting_slot
"""
TWICE = """
select f.schedule_id, f.first_slot from queues.schedule_fire as f
join queues.schedule_fire as g on g.schedule_id = f.schedule_id and g.fire_id > f.fire_id
 and f.first_slot <= g.last_slot and g.first_slot <= f.last_slot
where f.schedule_id % 20 = 0
"""


def assert_accounts(db):
    assert db.rows(UNACCOUNTED) == []
    assert db.rows(TWICE) == []
    assert db.rows("select schedule_id, first_slot from queues.schedule_fire where task_id is not null group by 1, 2 having count(*) > 1") == []
    assert db.value("select count(*) from queues.schedule_fire as f where f.task_id is not null"
                    " and not exists (select 1 from queues.task as t where t.task_id = f.task_id)") == 0
    db.assert_healthy()


def every_second(db, count, **more):
    named = "".join(f", {key} => '{value}'" for key, value in more.items())
    db.run(f"select queues.schedule('s' || n, _every => '1 second', _task_type => 'noop'{named}) from generate_series(1, {count}) as n")


def test_every_worker_fires_whatever_it_serves_and_whatever_is_paused(db):
    db.run("select queues.pause_queue('default')")
    db.work("--queue", "maintenance", "--types", "db_function").ready()
    db.run("select queues.schedule('a', _every => '1 second', _task_type => 'noop', _overlap => 'allow')")
    db.eventually("select count(*) >= 3 from queues.schedule_fire")
    assert db.value("select count(*) from queues.task_completed") == 0
    assert_accounts(db)


def test_a_schedule_that_is_made_while_workers_sleep_fires_at_its_time(db):
    db.work("--poll-interval", 60).ready()
    db.wait_asleep()
    db.run("select queues.schedule('a', _every => '1 second', _function => 't.noop')")
    db.eventually("select count(*) >= 3 from queues.task_completed")
    assert db.value("select max(late) < interval '5 seconds' from queues.schedule_fire")


def test_a_backlog_delays_no_decision(db):
    # The backlog cannot shrink: all connections of the worker wait for a lock.
    db.run("create function t.stuck(_payload jsonb) returns jsonb language plpgsql as $$ begin"
           " perform pg_advisory_xact_lock(4711); return '{\"status\": \"succeeded\"}'; end $$")
    db.run("select internal.allow_function('t.stuck')")
    db.run("select queues.pause_queue('maintenance')")
    db.run("select queues.schedule(q, _every => '1 second', _task_type => 'noop', _overlap => 'allow', _queue => q)"
           " from unnest(array['default', 'maintenance']) as q")
    with db.connect() as holder:
        holder.execute("select pg_advisory_lock(4711)")
        db.enqueue_many("stuck", 100000)
        worker = db.work("--concurrency", 2).ready()
        db.eventually("select count(*) = 2 from pg_stat_activity where wait_event = 'advisory' and query like '%%execute%%'")
        db.eventually("select min(n) >= 3 from (select count(f.fire_id) filter (where f.decision = 'on_time') as n from queues.schedule as s"
                      " left join queues.schedule_fire as f using (schedule_id) group by s.schedule_id) as x")
        assert db.value("select count(*) from queues.task_completed") == 0
        assert_accounts(db)
        assert db.value("select min(n) from (select count(*) as n from queues.ready group by queue_id) as x") >= 3
    db.run("select queues.cancel_task(task_id) from queues.running")
    worker.kill()


@pytest.mark.parametrize("point", ["schedule.sent=kill@3", "schedule.answered=kill@3", "claim.committed=kill@2"])
def test_a_worker_that_dies_while_it_fires_loses_no_slot(db, point):
    every_second(db, 20, _overlap="allow", _catch_up="all")
    victim = db.work(failpoints=point)
    assert victim.wait() == -signal.SIGKILL
    before = db.value("select count(*) from queues.schedule_fire")
    db.work().ready()
    db.eventually("select count(*) > %s + 60 from queues.schedule_fire", before)
    assert_accounts(db)
    # With "all", no slot but those that nobody has decided about is unfired.
    assert db.value("select count(*) from queues.schedule_fire where task_id is null") == 0


def test_workers_and_the_server_are_killed_under_a_thousand_schedules(server_of_its_own):
    server = server_of_its_own
    db = server.make_database()
    every_second(db, 1000, _overlap="allow")
    points = ["schedule.sent=kill@4", "schedule.answered=kill@6", "claim.committed=kill@5", "schedule.sent=kill@9"]
    other = db.work().ready()
    for n, point in enumerate(points):
        victim = db.work(failpoints=point)
        assert victim.wait() == -signal.SIGKILL
        if n % 2:
            server.kill()
            db.forget_connection()
            server.start()
            db.eventually("select 1")
    other.kill()
    last = db.work().ready()
    now = db.value("select clock_timestamp()")
    db.eventually("select min(decided_to) > %s from queues.schedule_due", now)
    assert last.stop() == 0
    assert_accounts(db)
    assert db.value("select count(distinct schedule_id) from queues.schedule_fire where task_id is not null") == 1000
    db.drop()


@pytest.fixture
def server_of_its_own():
    with Server() as server:
        server.make_template()
        yield server


def test_an_hour_without_workers_is_caught_up_as_each_policy_says():
    with ClockedServer() as server:
        server.make_template()
        db = Database(server, server._create("ours"))
        start = db.value("select date_trunc('minute', clock_timestamp())")
        for policy in ("skip", "once", "all"):
            db.run("select queues.schedule(%s, '* * * * *', 'noop', _zone => 'UTC', _overlap => 'allow', _catch_up => %s)", policy, policy)
        server.step(3600)
        worker = db.work().ready()
        db.eventually("select min(decided_to) > %s + interval '59 minutes' from queues.schedule_due", start)
        fired = dict(db.rows("select schedule_name, count(*) from queues.schedule_fire where task_id is not null group by 1"))
        rows = db.value("select count(*) from queues.schedule_fire where task_id is null")
        slots = db.value("select internal.count_slots(row(cron, every, anchor, zone, starts_at, ends_at, excluded)::internal.plan, created_at, decided_to)"
                         " from queues.schedule join queues.schedule_due using (schedule_id) where schedule_name = 'all'")
        assert fired["all"] == slots and slots >= 59
        assert fired["once"] <= 2 and fired.get("skip", 0) <= 2  # the newest, and a minute that came meanwhile
        assert rows <= 2
        # The clock goes back: nothing is fired twice, and nothing is in the future.
        server.step(-1800)
        before = db.value("select count(*) from queues.schedule_fire")
        marker = db.enqueue("noop")
        assert db.wait_outcome(marker) == "succeeded"
        assert db.value("select count(*) from queues.schedule_fire") == before
        assert worker.stop() == 0
        db.assert_healthy()
        db.drop()


def test_the_command_line_makes_and_shows_schedules(db):
    done = db.reeve("schedule", "add", "nightly", "30 2 * * MON-FRI", "noop", "--zone", "Europe/Oslo")
    assert done.returncode == 0 and "at 02:30 on weekdays, Europe/Oslo; next in" in done.stdout, done.stderr
    done = db.reeve("schedule", "add", "nightly", "30 3 * * MON-FRI", "noop", "--zone", "Europe/Oslo", "--overlap", "allow")
    assert "changed: " in done.stdout and "expression" in done.stdout
    assert [row["name"] for row in db.json("schedule", "list")] == ["nightly"]
    assert len(db.json("schedule", "next", "nightly", "3")) == 3
    assert db.json("schedule", "next", "0 6 * * *", "1", "Asia/Tokyo")[0]["words"] == "at 06:00 every day, Asia/Tokyo"
    assert db.reeve("schedule", "fire", "nightly").returncode == 0
    assert "by_hand" in db.reeve("schedule", "show", "nightly").stdout
    assert db.reeve("schedule", "pause", "nightly", "on purpose").returncode == 0
    assert "paused by" in db.reeve("schedule", "show", "nightly").stdout
    assert db.reeve("schedule", "resume", "nightly").returncode == 0
    assert db.json("schedule", "backfill", "nightly", "2026-01-05", "2026-01-10")[0]["slots"] == 5
    done = db.reeve("schedule", "add", "bad", "61 * * * *", "noop")
    assert done.returncode == 8 and 'minute "61"' in done.stderr and "Example" in done.stderr
    assert db.reeve("schedule", "remove", "nightly").returncode == 0
    assert db.reeve("schedule", "show", "nightly").returncode == 9


def test_a_crontab_is_imported(db, tmp_path):
    db.run("create function t.nightly(_payload jsonb) returns jsonb language sql as $$ select '{\"status\": \"succeeded\"}'::jsonb $$;"
           " revoke all on function t.nightly(jsonb) from public; select internal.allow_function('t.nightly')")
    crontab = tmp_path / "crontab"
    crontab.write_text("CRON_TZ=Europe/Oslo\n# name: nightly\n30 2 * * * psql -c 'select t.nightly()'\n@daily /bin/true\n")
    shown = db.json("schedule", "import", str(crontab), "--dry-run")
    assert [row["problem"] is None for row in shown] == [True, False]
    assert db.value("select count(*) from queues.schedule") == 0
    db.json("schedule", "import", str(crontab), "--function", "t.nightly")
    assert db.rows("select schedule_name, zone from queues.schedule order by 1") == [("crontab-4", "Europe/Oslo"), ("nightly", "Europe/Oslo")]
    assert db.reeve("schedule", "import", "/nowhere").returncode == 2
