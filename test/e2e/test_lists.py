"""Lists and counts as a person reads them: filters, the way to the next page, and how far a look went."""
import re

from harness import clean_environment, eventually


def cursor(done):
    found = re.search(r"--cursor (\d+)", done.stderr)
    return found and found.group(1)


def test_a_list_says_how_to_go_on(db):
    tasks = [db.enqueue("noop", at="2100-01-01") for _ in range(5)]
    done = db.reeve("task", "list", "--limit", 2)
    assert done.returncode == 0 and "note: there may be more; to go on: --cursor" in done.stderr
    shown = [row["task_id"] for row in db.json("task", "list", "--limit", "2")]
    while cursor(done):
        page = cursor(done)
        done = db.reeve("task", "list", "--limit", 2, "--cursor", page)
        shown += [row["task_id"] for row in db.json("task", "list", "--limit", "2", "--cursor", page)]
    assert shown == sorted(tasks, reverse=True)
    assert done.stderr == "", "the last page says nothing"


def test_a_filter_that_finds_little_says_how_far_it_looked(db):
    db.run("insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue)"
           " select 'noop', '{}', now() - interval '3 days', now(), 'default' from generate_series(1, 30000)")
    db.run("insert into queues.task_completed (task_id, completed_at, outcome) select task_id, now() - interval '2 days', 'succeeded' from queues.task")
    done = db.reeve("task", "list", "--type", "http")
    assert done.returncode == 0
    assert re.fullmatch(r"note: looked at \d+, back to .*; to look further back: --cursor \d+\n", done.stderr), done.stderr
    for _ in range(30):
        if not cursor(done):
            break
        done = db.reeve("task", "list", "--type", "http", "--cursor", cursor(done))
    assert done.stderr == "" and done.returncode == 0


def test_every_filter_of_a_list_reaches_its_column(db):
    for n in range(2):
        db.enqueue("boom", text=f"refused {n}")
    db.enqueue("noop", at="2100-01-01")
    db.work_until_empty()
    assert len(db.json("task", "list", "--error-like", "%refused 1%")) == 1
    assert len(db.json("task", "list", "--outcome", "failed", "--since", "1h")) == 2
    assert len(db.json("task", "list", "--until", "1h")) == 0
    assert len(db.json("task", "list", "--state", "scheduled")) == 1
    assert len(db.json("task", "list", "--queue", "default", "--type", "db_function")) == 3
    db.run("insert into pgqueue.job_queue (url) select 'https://x.invalid/' || n from generate_series(1, 3) as n")
    assert len(db.json("job", "list", "--url", "https://x.invalid/2", "--type", "POST", "--status", "new")) == 1
    assert len(db.json("job", "list", "--until", "1h")) == 0
    assert db.json("process", "list", "--state", "live", "--type", "t.none", "--since", "1d", "--until", "2100-01-01") == []
    assert db.reeve("process", "list", "--state", "bogus").returncode == 3
    assert db.reeve("task", "list", "--cursor", "x").returncode == 8
    assert "is not a cursor" in db.reeve("task", "list", "--cursor", "x").stderr
    assert "hint: A time is" in db.reeve("task", "list", "--since", "soon").stderr


def test_shared_counts_say_their_age(db):
    db.run("insert into internal.kept_count (counted_at, took, counts) values (clock_timestamp() - interval '2 seconds', '1 hour', '{\"default\": {\"ready\": 7}}')")
    done = db.reeve("queue", "list")
    assert re.match(r"note: counted [0-9.]+ s ago, for all who ask\n", done.stderr), done.stderr
    assert [row["ready"] for row in db.json("queue", "list") if row["queue"] == "default"] == [7]
    db.run("delete from internal.kept_count")
    db.enqueue("noop", at="2100-01-01")
    done = db.reeve("queue", "list")
    assert done.stderr == "" and [row["scheduled"] for row in db.json("queue", "list") if row["queue"] == "default"] == [1]


def test_costly_counts_are_made_once_for_all(db):
    db.run("insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue) select 'noop', '{}', now(), '2100-01-01', 'default' from generate_series(1, 200000)")
    db.run("insert into queues.ready (queue_id, priority, available_at, task_id, type_id) select q.queue_id, 0, t.scheduled_at, t.task_id, y.type_id"
           " from queues.task as t join queues.queue as q on q.queue = t.queue join queues.registered_task_type as y on y.task_type = t.task_type")

    def kept():
        db.reeve("queue", "list")
        return db.value("select count(*) from internal.kept_count")

    # Where nothing may be written there is an answer as well.
    done = db.reeve("queue", "list", env=clean_environment(PGOPTIONS="-c default_transaction_read_only=on"))
    assert done.returncode == 0 and "200000" in done.stdout, done.stderr
    assert db.value("select count(*) from internal.kept_count") == 0
    eventually(kept)
    first = db.value("select counted_at from internal.kept_count")
    db.run("update internal.kept_count set took = '1 hour'")
    assert [row["scheduled"] for row in db.json("queue", "list") if row["queue"] == "default"] == [200000]
    assert db.value("select counted_at from internal.kept_count") == first


def test_an_observer_sees_a_task_without_its_texts(db):
    task = db.enqueue("boom", text="canary")
    db.work_until_empty()
    db.run("create role look_observer login in role queues_observer")
    try:
        done = db.reeve("task", "show", task, user="look_observer")
        assert done.returncode == 0 and "completed" in done.stdout and "canary" not in done.stdout, done.stderr
        shown = db.reeve("task", "show", task, "-o", "json", user="look_observer")
        assert shown.returncode == 0 and "canary" not in shown.stdout
        assert "canary" in db.reeve("task", "show", task).stdout
    finally:
        db.run("drop role look_observer")


def test_the_audit_and_acts_have_pages(db):
    for n in range(5):
        db.run("select queues.pause_queue('default')")
        db.run("select act_id from queues.preview_bulk('task_retry', _all => true)")
    for command, key in (("audit", "audit_id"), ("bulk", "act_id")):
        shown, more = [], []
        while True:
            rows = db.json(command, "list", "--limit", "2", *more)
            shown += [row[key] for row in rows]
            page = cursor(db.reeve(command, "list", "--limit", 2, *more))
            if not page:
                break
            more = ["--cursor", page]
        assert shown == db.value("select array_agg(%s order by %s desc) from queues.%s" % (key, key, "audit" if command == "audit" else "bulk_act"))
    assert db.json("bulk", "list", "--since", "1h") != [] and db.reeve("audit", "list", "--since", "0s").returncode == 0


def test_an_empty_list_names_a_queue_or_type_that_does_not_exist(db):
    done = db.reeve("task", "list", "--queue", "defualt", "--type", "htpp")
    assert done.returncode == 0
    assert done.stderr == 'note: there is no queue "defualt"; see: reeve queue list\nnote: there is no type "htpp"; see: reeve type list\n'
    assert db.reeve("task", "list", "--queue", "default", "--type", "http").stderr == ""
