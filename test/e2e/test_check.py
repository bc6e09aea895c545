"""queues.check and reeve doctor: a healthy database is never called sick, however busy it is."""
import json
import threading


def keep_busy(db, is_over, errors):
    """Functions, supervised processes, trees and merges, for a worker to move through every state."""
    try:
        with db.connect(autocommit=True) as connection:
            n = 0
            while not is_over.is_set():
                n += 1
                connection.execute("select queues.enqueue_many('db_function', array_fill('{\"db_function\": \"t.noop\"}'::jsonb, array[5]))")
                connection.execute("select queues.enqueue('db_function', jsonb_build_object('db_function', 't.quick_supervisor', 'id', %s::integer))", [n])
                connection.execute("select worker.enqueue('parent', jsonb_build_object('n', %s::integer))", [n])
                connection.execute("select worker.enqueue('child', jsonb_build_object('n', %s::integer))", [n % 3])
                # Never far ahead of the worker: what counts is movement, not size.
                while not is_over.is_set() and connection.execute("select count(*) > 20 from queues.ready").fetchone()[0]:
                    pass
    except Exception as error:  # pylint: disable=broad-except
        errors.append(error)


def test_check_beside_a_busy_worker_finds_nothing(db):
    db.run("create procedure t.child(_payload jsonb) language plpgsql as $$ begin end $$")
    db.run("""create procedure t.parent(_payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
              begin
                  perform worker.spawn('child', jsonb_build_object('n', 1000 + (_payload->>'n')::integer, 'k', k), worker.current_task_id())
                  from generate_series(1, 3) as k;
              end $$""")
    db.run("""create function t.quick_supervisor(_payload jsonb) returns jsonb
              language sql security definer set search_path = pg_catalog, pg_temp
              as $$ select jsonb_build_object('status', 'succeeded') $$""")
    db.run("create function t.quick_facts(_id bigint, out n bigint) language sql stable as $$ select 0::bigint $$")
    db.run("grant execute on all functions in schema t to worker_service_user")
    db.run("grant execute on all procedures in schema t to worker_service_user")
    db.run("select worker.register_command('child', 't.child', 'default'), worker.register_command('parent', 't.parent', 'default')")
    db.run("select internal.allow_function('t.quick_supervisor', 'supervisor', 't.quick_facts', array['id'])")
    db.work("--concurrency", "4").ready()
    is_over, errors, found = threading.Event(), [], []
    busy = threading.Thread(target=keep_busy, args=(db, is_over, errors))
    busy.start()
    try:
        db.eventually("select count(*) > 20 from queues.process_ended")
        for n in range(100):
            found += db.rows("select * from queues.check()")
            if n % 25 == 0:
                done = db.reeve("doctor", "-o", "json")
                found += [p for p in json.loads(done.stdout) if p["area"] == "invariants" and not p["ok"]]
    finally:
        is_over.set()
        busy.join()
    assert errors == []
    assert found == []
    assert db.value("select count(*) > 20 from queues.task where parent_id is not null"), "there were trees"


def test_doctor_looks_at_all_of_history_when_asked_and_says_where_it_is(db):
    db.enqueue("noop")
    db.work_until_empty()
    quick = db.reeve("doctor")
    full = db.reeve("doctor", "--full")
    assert "note: checking" not in quick.stderr
    for part in ("working_set", "trees", "leases", "completions", "dispatches", "processes"):
        assert f"note: checking {part}" in full.stderr
    # A fact that no working row shows is found by the full form only; what is open is looked at by both.
    db.is_damaged = True
    db.run("alter table queues.task_lease disable trigger user")
    db.run("update queues.task_lease set lease_no = 7")
    assert "lease_numbers" not in db.reeve("doctor").stdout
    assert "lease_numbers" in db.reeve("doctor", "--full").stdout
    task = db.enqueue("noop")
    db.run("delete from queues.ready where task_id = %s", task)
    for arguments in ((), ("--full",)):
        assert "one_place" in db.reeve("doctor", *arguments).stdout
