"""Measures deliveries of HTTP jobs and the cost of webhooks; prints one line per figure."""
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

import psycopg

N = int(os.environ.get("N", "20000"))
NGINX = """worker_processes 1; daemon off; pid {dir}/pid; error_log {dir}/log;
events {{ worker_connections 4096; }}
http {{ access_log off; keepalive_requests 1000000; client_body_temp_path {dir}/b; proxy_temp_path {dir}/p;
        fastcgi_temp_path {dir}/f; uwsgi_temp_path {dir}/u; scgi_temp_path {dir}/s;
        server {{ listen 127.0.0.1:{port} backlog=4096; location / {{ return 200 "ok"; }} }} }}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class World:
    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix="reeve-bench-")
        self.port = free_port()
        with open(f"{self.dir}/conf", "w", encoding="utf-8") as conf:
            conf.write(NGINX.format(dir=self.dir, port=self.port))
        self.nginx = subprocess.Popen(["/usr/sbin/nginx", "-c", f"{self.dir}/conf"], stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{self.port}/"
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        subprocess.run(["createdb", "bench"], check=True)
        subprocess.run(["build/reeve", "install", "--database-url", "dbname=bench"], check=True, capture_output=True)
        self.db = psycopg.connect("dbname=bench", autocommit=True)
        return self

    def __exit__(self, *_):
        self.nginx.terminate()
        self.nginx.wait()
        shutil.rmtree(self.dir, ignore_errors=True)

    def worker(self, *args):
        return subprocess.Popen(["build/reeve", "work", "--database-url", "dbname=bench", "--log-level", "error",
                                 "--allow-hosts", "127.0.0.1", *args], stderr=subprocess.DEVNULL)

    def bare(self):
        out = subprocess.run(["build/bare", self.url, str(N), "64"], capture_output=True, text=True, check=True).stdout
        return float(out.split()[0])

    def value(self, sql):
        return self.db.execute(sql).fetchone()[0]


def deliveries(world):
    bare = [world.bare()]
    world.db.execute("insert into pgqueue.job_queue (url, payload) select %s, jsonb_build_object('n', n, 'text', 'some text of a webhook')"
                     " from generate_series(1, %s) as n", (world.url + "x", N))
    world.db.execute("vacuum analyze")
    began = time.monotonic()
    worker = world.worker("--until-empty", "--channel-concurrency", "342", "--per-host", "256")
    assert worker.wait() == 0
    rate = N / (time.monotonic() - began)
    bare.append(world.bare())
    wrong = world.value("select count(*) from pgqueue.job_queue where job_status <> 'completed'") + world.value("select count(*) from queues.error")
    yard = statistics.mean(bare)
    print(f"deliveries: {rate:.0f}/s, bare libcurl loop {bare[0]:.0f} and {bare[1]:.0f}/s, ratio {100 * rate / yard:.1f} %, errors {wrong}", flush=True)


def webhook_cost(world):
    """Processor time of the session: the clock of a shared machine says little."""
    db = world.db
    db.execute("create table orders (id bigint primary key, customer_id bigint, status text, total numeric(10, 2), note text, updated_at timestamptz)")
    db.execute("create index on orders (status)")
    db.execute("create index on orders (customer_id)")
    db.execute("insert into orders select n, n % 1000, 'new', n * 1.5, 'some note about order ' || n, now() from generate_series(1, 10000) as n")
    pid = world.value("select pg_backend_pid()")

    def used():
        with open(f"/proc/{pid}/schedstat", encoding="utf-8") as stat:
            return int(stat.read().split()[0]) / 1e6

    def measure(times):
        for n in range(3):
            db.execute("vacuum orders")
            before = used()
            db.execute("update orders set status = %s, updated_at = clock_timestamp()", (f"s{n}",))
            times.append(used() - before)

    plain, hooked = [], []
    for _ in range(8):
        measure(plain)
        db.execute("select pgqueue.create_webhook('orders', 'orders', '{UPDATE}', 'https://example.org/hook')")
        measure(hooked)
        db.execute("select pgqueue.drop_webhook('orders')")
    without, with_it = statistics.median(plain), statistics.median(hooked)
    print(f"update of 10,000 rows: {without:.0f} ms of processor time, with a webhook {with_it:.0f} ms, ratio {with_it / without:.2f}"
          f" (least of each: {min(plain):.0f} and {min(hooked):.0f} ms)", flush=True)
    db.execute("select queues.cancel_task(r.task_id) from queues.ready as r")


def dead_endpoint(world):
    dead = free_port()
    world.db.execute("insert into pgqueue.job_queue (url) select %s from generate_series(1, 100000)", (f"http://127.0.0.1:{dead}/",))
    world.db.execute("vacuum analyze")
    worker = world.worker("--channel-concurrency", "64")
    first = world.value("select max(job_id) from pgqueue.job")
    time.sleep(3)
    for n in range(200):
        world.db.execute("insert into pgqueue.job_queue (url, payload) values (%s, %s)", (world.url + "live", psycopg.types.json.Jsonb({"n": n})))
        time.sleep(0.05)
    end = time.monotonic() + 60
    while world.value(f"select count(*) from pgqueue.job_ended where job_id > {first}") < 200 and time.monotonic() < end:
        time.sleep(0.2)
    p50, p99, count = world.db.execute(
        "select percentile_cont(0.5) within group (order by s), percentile_cont(0.99) within group (order by s), count(*)"
        " from (select extract(epoch from d.dispatched_at - t.scheduled_at) as s from queues.task as t"
        "       join queues.task_dispatched as d using (task_id) join pgqueue.job_run as k using (task_id) where k.job_id > %s) as x",
        (first,)).fetchone()
    worker.terminate()
    worker.wait()
    print(f"one endpoint dead with 100,000 jobs: another one waits {p50 * 1000:.0f} ms (p50), {p99 * 1000:.0f} ms (p99), {count} jobs")


with World() as world:
    deliveries(world)
    webhook_cost(world)
    dead_endpoint(world)
