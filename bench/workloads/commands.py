"""Commands: merging enqueues beside plain ones, and a parent with many children beside as many strangers."""
import threading
import time
from statistics import median

from harness.load import Pgbench, pgbench
from peers.reeve import Reeve
from workloads import Case

ROUNDS = 5
ENQUEUE = "Enqueue commands, 8 clients"
PLAIN, MERGED, LOCKED, PLAIN_FUNCTION = "plain", "merged", "db_function, merged by lock", "db_function, plain"
HELD = "Enqueue commands beside a transaction that merged and stays open, 8 clients"
FREE, OPEN_MERGED, OPEN_LOCKED = "merged, none open", "merged, one open", "db_function, merged by lock, one open"
MOST = "Most rows of the merged command that waited at once"
WAITS = "Samples in which a client waited for a running handler"
DELAY = "From enqueue to the run, merged commands, 10 a second"
ALONE, BESIDE = "no transaction open", "one that merged is open all the time"
FAMILY = "10,000 commands that do nothing, from enqueue to the last end"
STRANGERS, CHILDREN, SERIAL = "unrelated", "children of one parent", "serial children of one parent, a tenth of them"
CLIENTS = 8
WAITING = "select count(*) from queues.ready where lease_no = 0"

SCHEMA = """
create procedure bench.nothing(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$ begin end $$;
create procedure bench.slow(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$ begin perform pg_sleep(0.2); end $$;
create procedure bench.parent(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$ begin
        perform worker.spawn('nothing', '{}', worker.current_task_id(), null, (payload->>'mode')::worker.child_mode)
        from generate_series(1, (payload->>'n')::integer);
    end $$;
create table bench.arrived (item integer, at timestamptz);
create procedure bench.arrive(payload jsonb) language sql security definer set search_path = pg_catalog, pg_temp
    as $$ insert into bench.arrived select i::integer, clock_timestamp() from jsonb_array_elements_text(payload->'ids') as i $$;
select worker.register_command('arrive', 'bench.arrive', 'default', p_dedup_keys => '{}', p_merge_rules => '{"ids": "union"}');
select worker.register_command('nothing', 'bench.nothing', 'default');
select worker.register_command('parent', 'bench.parent', 'default');
select worker.register_command('merged', 'bench.nothing', 'default', p_dedup_keys => '{}',
    p_merge_rules => '{"ids": "union", "n": "sum"}');
select worker.register_command('merged_slow', 'bench.slow', 'default', p_dedup_keys => '{}',
    p_merge_rules => '{"ids": "union", "n": "sum"}');
"""
ITEM = "jsonb_build_object('ids', jsonb_build_array(:client_id::integer), 'n', 1)"
ONE = {
    PLAIN: f"select worker.enqueue('nothing', {ITEM});",
    MERGED: f"select worker.enqueue('merged', {ITEM});",
    LOCKED: "select queues.enqueue('db_function', '{\"db_function\": \"bench.noop\"}', _dedup_key => 'k', _dedup_policy => 'merge');",
    PLAIN_FUNCTION: "select queues.enqueue('db_function', '{\"db_function\": \"bench.noop\"}');",
}


class Commands(Reeve):
    kind = "reeve_commands"

    def prepare(self, database):
        super().prepare(database)
        self.server.sql(database, SCHEMA)


def cases(bench):
    for name in ONE:
        yield Case(f"{ENQUEUE}: {name}", lambda name=name: enqueue(bench, name))
    # There and back, or whoever comes second pays for the writes of the first.
    for name in (FREE, OPEN_MERGED, OPEN_LOCKED, OPEN_MERGED, FREE):
        yield Case(f"{HELD}: {name}", lambda name=name: held(bench, name))
    for name in (ALONE, BESIDE):
        yield Case(f"{DELAY}: {name}", lambda name=name: delay(bench, name))
    yield Case(WAITS, lambda: beside_runs(bench))
    for name in (STRANGERS, CHILDREN, CHILDREN, STRANGERS, SERIAL):
        yield Case(f"{FAMILY}: {name}", lambda name=name: family(bench, name))


class Watch:
    """Asks one number again and again while something else runs, and remembers the greatest and how many."""

    def __init__(self, server, database, query):
        self.most = self.asked = self.positive = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask, args=(server, database, query), daemon=True)
        self._thread.start()

    def _ask(self, server, database, query):
        with server.connect(database) as connection:
            while not self._over.wait(0.02):
                value = connection.execute(query).fetchone()[0]
                self.most, self.asked, self.positive = max(self.most, value), self.asked + 1, self.positive + (value > 0)

    def end(self):
        self._over.set()
        self._thread.join(10)
        return self


def enqueue(bench, name):
    peer = Commands(bench)
    count = bench.count(20_000 if name == LOCKED else 100_000, step=CLIENTS)
    with bench.database(peer) as database:
        bench.server.settle(database)
        # Only where few rows wait: counting many would slow the clients down.
        watch = Watch(bench.server, database, WAITING) if name == MERGED else None
        with bench.server.measure(database) as costs:
            rate = pgbench(bench.server, database, ONE[name], CLIENTS, transactions=count // CLIENTS)["tps"]
            if watch:
                watch.end()  # the server is measured when all have gone
        bench.results.add(ENQUEUE, name, rate, baseline=PLAIN, **costs.per_task(count))
        if watch:
            bench.results.add(MOST, "without a worker", watch.most, unit="rows")
            run_merged(bench, peer, database, "merged", count)
    return f"{rate:,.0f} /s"


def run_merged(bench, peer, database, command, count):
    """All that was merged arrives, and nothing twice."""
    worker = peer.worker(database, "--until-empty")
    worker.wait(120)
    done = bench.server.value(database, "select sum((payload->>'n')::bigint) from worker.tasks"
                              " where command = %s and state = 'completed'", [command])
    if done != count:
        raise RuntimeError(f"{done} of {count} merged items were handed to a run")
    peer.check(database)


def held(bench, name):
    """Another client has merged and keeps its transaction open all the time."""
    peer = Commands(bench)
    seconds = bench.seconds(3)
    one = ONE[LOCKED if name == OPEN_LOCKED else MERGED]
    with bench.database(peer) as database:
        statement = one.replace(":client_id", "0")
        bench.server.sql(database, statement)
        with bench.server.connect(database) as other:
            if name != FREE:
                other.execute("begin")
                other.execute(statement)
            load = Pgbench(bench.server, database, f"set lock_timeout = '{seconds}s';\n{one}", CLIENTS, seconds=seconds)
            try:
                rate = load.finish()["tps"]
            except (RuntimeError, TypeError):
                rate = 0.0  # every client waited to the end
            other.rollback()
    bench.results.add(HELD, name, rate, baseline=FREE)
    return f"{rate:,.0f} /s"


def delay(bench, name):
    """Another client has merged and keeps its transaction open: do the commands of others come later?"""
    peer = Commands(bench)
    count = 10 * max(1, bench.seconds(60) // min(bench.rounds, ROUNDS))
    send = "select worker.enqueue('arrive', jsonb_build_object('ids', jsonb_build_array(%s::integer)))"
    sent = {}
    with bench.database(peer) as database:
        with bench.server.connect(database) as client, bench.server.connect(database) as other:
            client.execute(send, [-1])
            other.execute("begin")
            if name == BESIDE:
                other.execute(send, [-2])
            worker = peer.start(database)
            for item in range(count):
                sent[item] = client.execute("select clock_timestamp()").fetchone()[0]
                client.execute(send, [item])
                time.sleep(0.1)
            while client.execute("select count(*) from bench.arrived where item >= 0").fetchone()[0] < count:
                time.sleep(0.01)
            took = [(at - sent[item]).total_seconds() * 1000
                    for item, at in client.execute("select item, at from bench.arrived where item >= 0").fetchall()]
            if client.execute("select count(*) from bench.arrived where item = -2").fetchone()[0]:
                raise RuntimeError("what was not committed has run")
            other.rollback()
            worker.stop()
    bench.results.add(DELAY, name, median(took), unit="ms", baseline=ALONE)
    bench.results.add(DELAY, f"{name}, worst", max(took), unit="ms", baseline=ALONE)
    return f"median {median(took):.1f} ms, worst {max(took):.1f} ms"


def beside_runs(bench):
    """A worker runs the command all the time; do enqueuers ever wait for its handler?"""
    peer = Commands(bench)
    seconds = bench.seconds(5)
    query = """select count(*) from pg_stat_activity as a, unnest(pg_blocking_pids(a.pid)) as b
               join pg_stat_activity as w on w.pid = b and w.application_name = 'reeve work'
               where a.datname = current_database() and a.application_name = 'pgbench'"""
    with bench.database(peer) as database:
        worker = peer.worker(database)
        watch = Watch(bench.server, database, query)
        rows = Watch(bench.server, database, WAITING)
        try:
            load = pgbench(bench.server, database, ONE[MERGED].replace("'merged'", "'merged_slow'"), CLIENTS, seconds=seconds)
        finally:
            worker.stop()
            watch.end()
            rows.end()
        run_merged(bench, peer, database, "merged_slow", load["transactions"])
    bench.results.add(WAITS, "merged", watch.positive, unit=f"of {watch.asked} samples")
    bench.results.add(MOST, "beside a worker", rows.most, unit="rows")
    return f"{watch.positive} of {watch.asked} samples, {load['tps']:,.0f} /s, {rows.most} rows at most"


def family(bench, name):
    peer = Commands(bench, concurrency=2)
    count = bench.count(10_000)
    if name == SERIAL:
        count //= 10
    statements = {
        STRANGERS: f"select count(worker.enqueue('nothing')) from generate_series(1, {count})",
        CHILDREN: f"select worker.enqueue('parent', '{{\"n\": {count}}}')",
        SERIAL: f"select worker.enqueue('parent', '{{\"n\": {count}, \"mode\": \"serial\"}}')",
    }
    left = "select not exists (select 1 from queues.ready) and not exists (select 1 from queues.running)"
    with bench.database(peer) as database:
        bench.server.settle(database)
        with bench.server.measure(database) as costs:
            running = peer.start(database)
            try:
                start = time.monotonic()
                bench.server.sql(database, statements[name])
                with bench.server.connect(database) as connection:
                    while not connection.execute(left).fetchone()[0]:
                        time.sleep(0.005)
                took = time.monotonic() - start
            finally:
                running.stop()
        peer.check(database)
    bench.results.add(FAMILY, name, took, unit="s", baseline=STRANGERS, **costs.per_task(count))
    return f"{took:.2f} s"
