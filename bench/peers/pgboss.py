"""pg-boss: single sends and inserts through its own API, fetch of 1000 in two loops."""
from peers import node
from peers.base import Peer, Skip


class PgBoss(Peer):
    kind = "pgboss"
    name = "pg-boss, fetch 1000 x 2"

    def script(self, mode, database, **options):
        return node.script("pgboss.mjs", mode, url=self.server.url(database), **options)

    def prepare(self, database):
        self.script("migrate", database).wait(60)

    def fill(self, database, count):
        self.script("fill", database, count=count).wait(300)

    def enqueue(self, database, by, clients, seconds):
        process = self.script("enqueue", database, by=by, clients=clients, seconds=seconds)
        try:
            report = process.hear("count", seconds + 60)
            process.wait(30)
        finally:
            process.kill()
        return report["count"] / report["seconds"]

    def feed_timed(self, database, rate, seconds):
        process = self.script("feed", database, rate=rate, seconds=seconds, clients=8)
        try:
            report = process.hear("sent", seconds + 60)
            process.wait(30)
        finally:
            process.kill()
        return report["sent"]

    def start(self, database):
        return node.Running([self.script("work", database)])

    def drain(self, database, count, limit=300):
        process = self.script("drain", database)
        try:
            report = process.hear("total", limit)
            process.wait(30)
        finally:
            process.kill()
        if report["total"] != count:
            raise RuntimeError(f"{report['total']} of {count} jobs were done")
        return report["end"] - report["start"], [process]

    def many(self, count):
        raise Skip("its API is not SQL")
