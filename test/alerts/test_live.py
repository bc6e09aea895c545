"""Each alert, against a real Prometheus and Alertmanager: its fault is caused, the alert arrives, the fault is repaired, and the
alert is resolved.  The rules are those of contrib, with shorter times and lower thresholds.  `make test-alerts` runs this."""
import json
import re
import shutil
import signal
import subprocess
import urllib.request

import pytest
from harness import REEVE, ROOT, Worker, clean_environment, eventually, free_port

RULES = (ROOT / "contrib/prometheus/reeve.rules.yml").read_text()
# Hours and minutes would make a test of days.
SHORTER = [(r"for: \d+m", "for: 1s"), (r"_seconds > 3600", "_seconds > 3"), (r"_seconds > 300", "_seconds > 8"),
           (r"_seconds > 60", "_seconds > 3"), (r"== 1\) > 300", "== 1) > 8"), (r"\[(5m|15m|1h)\]", "[15s]"), (r"\) > 10$", ") > 0"),
           (r"\) > 3$", ") > 0")]
needs_servers = pytest.mark.skipif(shutil.which("prometheus") is None or shutil.which("prometheus-alertmanager") is None,
                                   reason="there is no Prometheus or no Alertmanager: scripts/bootstrap alerts")


class Monitoring:
    """Prometheus with our rules, and Alertmanager, set up as docs/observability.md says."""

    def __init__(self, folder, workers, exporter):
        self.port, self.alerts_port = free_port(), free_port()
        rules = RULES
        for pattern, text in SHORTER:
            rules = re.sub(pattern, text, rules, flags=re.M)
        (folder / "reeve.rules.yml").write_text(rules)
        page = (ROOT / "docs/observability.md").read_text()
        config = re.search(r"```yaml\n# prometheus.yml\n(.*?)```", page, re.S).group(1)
        config = config.replace("15s", "1s").replace("scrape_interval: 1s", "scrape_interval: 1s\n  evaluation_interval: 1s")
        config = config.replace('"127.0.0.1:9464"', ", ".join(f'"127.0.0.1:{port}"' for port in workers))
        config = config.replace("127.0.0.1:9465", f"127.0.0.1:{exporter}")
        config += f"alerting:\n  alertmanagers: [{{static_configs: [{{targets: ['127.0.0.1:{self.alerts_port}']}}]}}]\n"
        (folder / "prometheus.yml").write_text(config)
        (folder / "alertmanager.yml").write_text("route: {receiver: nobody}\nreceivers: [{name: nobody}]\n")
        self.programs = [
            subprocess.Popen(["prometheus-alertmanager", f"--config.file={folder}/alertmanager.yml", f"--storage.path={folder}/am",
                              f"--web.listen-address=127.0.0.1:{self.alerts_port}", "--cluster.listen-address="],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
            subprocess.Popen(["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb",
                              f"--web.listen-address=127.0.0.1:{self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]

    def close(self):
        for program in self.programs:
            program.terminate()
        for program in self.programs:
            program.wait(60)

    def firing(self):
        """The alerts that Alertmanager has been told and that have not ended."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.alerts_port}/api/v2/alerts?active=true", timeout=5) as answer:
                return {alert["labels"]["alertname"] for alert in json.load(answer)}
        except OSError:
            return set()

    def wait_firing(self, *names, cause=lambda: None):
        """cause: the fault, if it has to last."""
        eventually(lambda: (cause(), set(names) <= self.firing())[1], f"{names} fire", 180)

    def wait_silent(self, *names):
        # Alertmanager keeps an alert that Prometheus has dropped for a while; Prometheus knows at once.
        def active():
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/alerts", timeout=5) as answer:
                return {alert["labels"]["alertname"] for alert in json.load(answer)["data"]["alerts"]
                        if alert["state"] == "firing"}
        eventually(lambda: not set(names) & active(), f"{names} fall silent", 180)


def address(port):
    return ("--listen", f"127.0.0.1:{port}")


@pytest.fixture
def site(own_db, tmp_path):
    """A database and its monitoring; neither a worker nor an exporter runs yet."""
    db = own_db
    db.ports = [free_port(), free_port(), free_port()]
    db.run("select queues.create_queue('behind')")
    db.run("grant pg_read_all_stats to worker_service_user")
    monitoring = Monitoring(tmp_path, db.ports[:2], db.ports[2])
    try:
        yield db, monitoring
    finally:
        monitoring.close()


def start_exporter(db):
    exporter = Worker([REEVE, "metrics", *address(db.ports[2]), "--database-url", db.conninfo()], clean_environment())
    db.workers.append(exporter)
    return exporter


def start(db, n, *args, **kwargs):
    return db.work(*address(db.ports[n]), "--queue", "default", "--lease", "2s", "--stall-after", "3s", *args, **kwargs).ready()


@needs_servers
def test_alerts_fire_and_fall_silent(site):
    db, alerts = site
    seen = set()

    def expect(*names, repair, cause=lambda: None):
        alerts.wait_firing(*names, cause=cause)
        repair()
        alerts.wait_silent(*names)
        seen.update(names)

    # The exporter is not there, then it is, then it dies.
    exporters = []
    expect("ReeveMetricsDown", repair=lambda: exporters.append(start_exporter(db)))
    exporters[0].kill()
    expect("ReeveMetricsDown", repair=lambda: exporters.append(start_exporter(db)))

    # No worker, and a lease that nobody takes back.
    stuck = db.enqueue("noop")
    db.value("select queues.start_worker('00000000-0000-4000-8000-0000000000aa', 'gone', '0', queues.schema_version())")
    db.rows("select * from queues.claim('00000000-0000-4000-8000-0000000000aa')")
    db.run("update queues.running set leased_at = now() - interval '1 hour', expires_at = now() - interval '1 hour' where task_id = %s",
           stuck)
    workers = []
    expect("ReeveNoWorkers", "ReeveWorkerDown", "ReeveExpiredLeases",
           repair=lambda: workers.extend([start(db, 0), start(db, 1)]))

    # A queue that nobody serves, and a type that nobody serves.
    late = db.enqueue("noop", queue="behind", at="2020-01-01")
    expect("ReeveQueueBehind", repair=lambda: db.value("select queues.pause_queue('behind')"))
    db.value("select queues.cancel_task(%s)", late)
    mail = db.value("select queues.enqueue('sms', '{\"request\": {\"to\": \"+4712345678\", \"body\": \"x\"}}')")
    expect("ReeveUnservedTypes", repair=lambda: db.value("select queues.cancel_task(%s)", mail))

    # Workers that stand still, and one that finds nothing.
    db.value("select queues.pause_queue('default')")
    held = db.enqueue("noop")
    with db.connect() as holder:
        holder.execute("select 1 from queues.ready where task_id = %s for update", (held,))
        db.value("select queues.resume_queue('default')")
        expect("ReeveWorkerStalled", repair=holder.rollback)
    db.wait_outcome(held)
    slow = [db.enqueue("slow", seconds=20, times=4) for _ in range(4)]
    db.eventually("select count(*) = 4 from queues.running where task_id = any(%s)", slow)
    workers[0].signal(signal.SIGSTOP)
    alerts.wait_firing("ReeveWorkerDown")
    db.terminate("reeve work")
    db.eventually("select count(*) > 4 from queues.task_lease where task_id = any(%s)", slow)
    expect("ReeveWorkerDown", repair=lambda: workers[0].signal(signal.SIGCONT))

    # Tasks that fail, that die, and that are in doubt.
    expect("ReeveTasksFailing", cause=lambda: db.enqueue("boom"), repair=db.wait_drained)
    dead = db.enqueue("die", max_crashes=1)
    db.wait_outcome(dead)
    expect("ReeveQuarantined", repair=lambda: db.value("select queues.retry_task(%s, now() + interval '1 day')", dead))
    seen_lost = "ReeveLeasesLost" in alerts.firing()
    doubt = db.value("select queues.enqueue('http', '{\"request\": {\"method\": \"POST\", \"url\": \"https://example.org/\"}}',"
                     " now() + interval '1 day', _on_in_doubt => 'fail')")
    db.run("set session_replication_role = replica")
    db.run("delete from queues.ready where task_id = %s", doubt)
    db.run("insert into queues.task_completed (task_id, completed_at, outcome) values (%s, now(), 'in_doubt')", doubt)
    db.run("set session_replication_role = origin")
    expect("ReeveInDoubt", repair=lambda: db.value("select queues.retry_task(%s, now() + interval '1 day')", doubt))
    db.run("insert into queues.process (supervisor, ids, created_at) values ('t.noop', '{}', now())")
    db.run("insert into queues.process_run (process_id, run_no, task_id, ran_at) select process_id, 1, 0, now() from queues.process")
    db.run("insert into queues.process_ended select process_id, 1, now(), 'run_limit', 'made by a test' from queues.process")

    def forget_process():
        db.run("set session_replication_role = replica")
        db.run("delete from queues.process_ended")
        db.run("delete from queues.process_run")
        db.run("delete from queues.process")
        db.run("set session_replication_role = origin")
    expect("ReeveProcessAtDeadEnd", repair=forget_process)

    # A session that forgot its transaction.
    with db.connect() as forgotten:
        forgotten.execute("set transaction isolation level repeatable read")
        forgotten.execute("select 1")
        expect("ReeveOldSnapshot", repair=forgotten.rollback)

    # Too many names.
    db.run("insert into queues.queue (queue) select 'made_' || n from generate_series(1, 5100) as n")
    expect("ReeveTooManySeries", repair=lambda: db.run("delete from queues.queue where queue like 'made%'"))

    # The database itself.
    db.server.stop()

    def restart():
        db.forget_connection()
        db.server.start()
    expect("ReeveDatabaseDown", "ReeveFiguresStale", repair=restart)
    if seen_lost:
        seen.add("ReeveLeasesLost")
    not_caused = set(re.findall(r"alert: (\w+)", RULES)) - seen
    # Handlers that fail and leases that are lost need a provider and a frozen call; promtool tests these two rules.
    assert not_caused <= {"ReeveHandlersFailing", "ReeveLeasesLost"}, not_caused
    db.is_damaged = True
