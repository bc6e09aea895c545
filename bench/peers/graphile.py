"""graphile-worker: its default, and the fastest configuration that it documents."""
from peers import node
from peers.base import Peer

SPEC = ("row('noop', '{}'::json, null::text, null::timestamptz, null::smallint, null::text, null::smallint,"
        " null::text[])::graphile_worker.job_spec")


class Graphile(Peer):
    kind = "graphile"
    table = "graphile_worker._private_jobs"
    claims = r"skip locked"
    one = "select graphile_worker.add_job('noop', '{}'::json);"
    timed = "select graphile_worker.add_job('noop', json_build_object('at', extract(epoch from clock_timestamp())));"

    def __init__(self, bench, fast=False, processes=1, label=None):
        super().__init__(bench)
        self.fast, self.processes = fast, processes
        self.name = f"graphile-worker {'fast' if fast else 'default'}" + (f", {label}" if label else "")
        self.hundred = self.many(100)

    def many(self, count):
        return f"select count(*) from graphile_worker.add_jobs(array(select {SPEC} from generate_series(1, {count})));"

    def prepare(self, database):
        node.run("graphile.mjs", "migrate", url=self.server.url(database))

    def fill(self, database, count, priority="null"):
        spec = SPEC.replace("null::text, null::smallint", f"null::text, ({priority})::smallint", 1)
        self.server.sql(database, "select count(*) from graphile_worker.add_jobs(array("
                        f"select {spec} from generate_series(1, {count}) as i))")

    def start(self, database):
        return node.Running([node.script("graphile.mjs", "work", url=self.server.url(database), fast=self.fast)
                             for _ in range(self.processes)])

    def drain(self, database, count, limit=300):
        running = self.start(database)
        try:
            running.wait_for(count, limit)
            running.stop()
        finally:
            running.kill()
        left = self.server.value(database, "select count(*) from graphile_worker._private_jobs")
        if left:
            raise RuntimeError(f"{left} of {count} jobs are left")
        return running.seconds(), running.processes
