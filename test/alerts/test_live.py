"""Each alert, against a real Prometheus and Alertmanager: its fault is caused, the alert arrives, the fault is repaired, and the
alert is resolved.  The rules are those of contrib, with shorter times and lower thresholds.  `make test-alerts` runs this."""
import json
import re
import shutil
import signal
import subprocess
import urllib.request

import channels
import pytest
import setup_page
from harness import HERE, REEVE, ROOT, Worker, clean_environment, eventually, free_port

RULES = (ROOT / "contrib/prometheus/reeve.rules.yml").read_text()
# Hours and minutes would make a test of days.
SHORTER = [(r"for: \d+m", "for: 1s"), (r"_seconds > 3600", "_seconds > 3"), (r"_seconds > 300", "_seconds > 8"),
           (r"_seconds > 120", "_seconds > 5"), (r"_seconds > 60", "_seconds > 3"), (r"== 1\) > 300", "== 1) > 8"),
           (r"\[(5m|15m|1h)\]", "[15s]"), (r"\) > 10$", ") > 0"), (r"\) > 3$", ") > 0")]
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
        config = setup_page.file("prometheus.yml").replace("scrape_interval: 15s", "scrape_interval: 1s\n  evaluation_interval: 1s")
        config = config.replace('"127.0.0.1:9464"', ", ".join(f'"127.0.0.1:{port}"' for port in workers))
        config = config.replace("127.0.0.1:9465", f"127.0.0.1:{exporter}").replace("127.0.0.1:9093", f"127.0.0.1:{self.alerts_port}")
        (folder / "prometheus.yml").write_text(config)
        (folder / "alertmanager.yml").write_text(setup_page.file("alertmanager.yml"))
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
        """The alerts that Alertmanager has been told and that have not ended: name -> receivers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.alerts_port}/api/v2/alerts?active=true", timeout=5) as answer:
                return {alert["labels"]["alertname"]: {r["name"] for r in alert["receivers"]} for alert in json.load(answer)}
        except OSError:
            return {}

    def wait_firing(self, *names, cause=lambda: None):
        """cause: the fault, if it has to last."""
        eventually(lambda: (cause(), set(names) <= set(self.firing()))[1], f"{names} fire", 240)
        for name, receivers in self.firing().items():
            severity = re.search(rf"alert: {name}\n.*?severity: (\w+)", RULES, re.S).group(1)
            assert receivers == {"pager" if severity == "page" else "tickets"}, (name, receivers)

    def wait_silent(self, *names):
        """Prometheus tells Alertmanager the end of an alert, and Alertmanager drops it."""
        eventually(lambda: not set(names) & set(self.firing()), f"{names} fall silent", 240)


def address(port):
    return ("--listen", f"127.0.0.1:{port}")


@pytest.fixture
def site(own_db, provider, tmp_path):
    """A database and its monitoring; neither a worker nor an exporter runs yet."""
    db = own_db
    db.ports = [free_port() for _ in range(4)]
    db.run("select queues.create_queue('behind')")
    db.run("grant pg_read_all_stats to worker_service_user")
    db.value("select queues.register_task_type('work', 'program')::text")
    monitoring = Monitoring(tmp_path, db.ports[:3], db.ports[3])
    try:
        yield channels.Sender(db, provider), monitoring
    finally:
        monitoring.close()


def start_exporter(db):
    exporter = Worker([REEVE, "metrics", *address(db.ports[3]), "--database-url", db.conninfo()], clean_environment())
    db.workers.append(exporter)
    return exporter


def start(sender, n, *args):
    """A worker for all but the queue `behind` and the type sms."""
    return sender.work(*address(sender.db.ports[n]), "--queue", "default", "--queue", "email", "--lease", "2s", "--stall-after", "3s", *args,
                       env={"TWILIO_ACCOUNT_SID": None, "TWILIO_AUTH_TOKEN": None}).ready()


def kill_with_sessions(db, worker):
    """The worker dies, and so do its sessions, as if its machine had gone."""
    worker.kill()
    db.terminate("reeve work")


@needs_servers
def test_alerts_fire_and_fall_silent(site):
    sender, alerts = site
    db, provider = sender.db, sender.provider
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

    # The only worker dies with a task: nobody takes its lease back, and nobody fires schedules.
    stuck = db.enqueue("slow", seconds=300)
    victim = start(sender, 0)
    db.eventually("select exists (select 1 from queues.running where task_id = %s)", stuck)
    kill_with_sessions(db, victim)
    db.value("select queues.schedule('each_second', '* * * * * *', 'noop')")
    workers = []
    expect("ReeveNoWorkers", "ReeveWorkerDown", "ReeveExpiredLeases", "ReeveSchedulesBehind",
           repair=lambda: (db.value("select queues.cancel_task(%s)", stuck), workers.extend([start(sender, 0), start(sender, 1), start(sender, 2)])))
    db.run("select queues.unschedule('each_second')")

    # A queue that nobody serves, and a type that nobody serves.
    late = db.enqueue("noop", queue="behind", at="2020-01-01")
    expect("ReeveQueueBehind", repair=lambda: db.value("select queues.pause_queue('behind')"))
    db.value("select queues.cancel_task(%s)", late)
    sms = sender.sms()
    expect("ReeveUnservedTypes", repair=lambda: db.value("select queues.cancel_task(%s)", sms))

    # Workers that find nothing, and one that stands still: others take its leases, and it learns this when it wakes.
    db.value("select queues.pause_queue('default')")
    held = db.enqueue("noop")
    with db.connect() as holder:
        holder.execute("select 1 from queues.ready where task_id = %s for update", (held,))
        db.value("select queues.resume_queue('default')")
        expect("ReeveWorkerStalled", repair=holder.rollback)
    db.wait_outcome(held)
    slow = [db.enqueue("slow", seconds=40) for _ in range(6)]
    db.eventually("select count(*) = 6 from queues.running where task_id = any(%s)", slow)
    workers[0].signal(signal.SIGSTOP)
    alerts.wait_firing("ReeveWorkerDown")
    db.terminate("reeve work")
    db.eventually("select count(*) > 6 from queues.task_lease where task_id = any(%s)", slow)
    expect("ReeveWorkerDown", repair=lambda: workers[0].signal(signal.SIGCONT))
    expect("ReeveLeasesLost", repair=lambda: [db.value("select queues.cancel_task(%s)", task) for task in slow])
    db.wait_drained()

    # Tasks that fail, and tasks that kill their sessions.
    expect("ReeveTasksFailing", cause=lambda: db.enqueue("boom"), repair=db.wait_drained)
    dead = db.enqueue("die", max_crashes=1)
    db.wait_outcome(dead)
    expect("ReeveQuarantined", repair=lambda: db.value("select queues.retry_task(%s, now() + interval '1 day')", dead))

    # A schedule whose work fails.
    db.value("select queues.schedule('broken', '* * * * * *', _function => 't.boom', _pause_after_failures => 1)")
    expect("ReeveSchedulesStopped", repair=lambda: db.run("select queues.unschedule('broken')"))

    # Handlers that fail after a call.
    mails = [sender.mail(extra={"success_failures": 1000000}) for _ in range(3)]
    db.eventually("select count(*) >= 6 from queues.task_lease where task_id = any(%s)", mails)

    def hurry():
        db.run("select queues.reschedule_task(task_id, clock_timestamp()) from queues.ready where task_id = any(%s)", mails)

    def give_up():
        hurry()
        db.eventually("select count(*) = 3 from queues.task_completed where task_id = any(%s)"
                      " and (select count(queues.reschedule_task(task_id, clock_timestamp())) >= 0 from queues.ready where task_id = any(%s))", mails, mails)
        db.run("select queues.retry_task(task_id, now() + interval '1 day') from unnest(%s::bigint[]) as task_id", mails)
    expect("ReeveHandlersFailing", cause=hurry, repair=give_up)
    alerts.wait_silent("ReeveQuarantined")

    # A worker dies in the middle of a call that may not be repeated.
    rule = provider.script("hang", when="after")
    doubt = sender.mail(on_in_doubt="fail")
    eventually(lambda: provider.hits(rule) == 1, "the provider has the mail")
    for worker in workers:
        worker.kill()
    workers[:] = [start(sender, n) for n in range(3)]
    assert db.wait_outcome(doubt) == "in_doubt"
    expect("ReeveInDoubt", repair=lambda: db.value("select queues.retry_task(%s, now() + interval '1 day')", doubt))

    # A process that makes no progress.
    db.run("""create function t.idle(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
              as $f$ begin perform queues.enqueue('db_function', _payload); return '{"status": "scheduled"}'; end $f$""")
    db.run("grant execute on function t.idle(jsonb) to worker_service_user")
    db.run("select internal.allow_function('t.idle', 'supervisor', _process_keys => array['id'])")
    db.enqueue("idle", id=1)
    db.eventually("select exists (select 1 from queues.process_ended where reason = 'run_limit')")
    expect("ReeveProcessAtDeadEnd", repair=lambda: db.run(
        "select queues.revive_process(process_id, now() + interval '1 day') from queues.process"))

    # A program whose children die.
    workers.pop().stop()
    program = db.run_program(*address(db.ports[2]), "--kill-grace", "0.3", program=["/usr/bin/python3", str(HERE / "child.py")]).ready()
    eventually(lambda: db.value("select queues.enqueue('work', '{\"do\": \"succeed\"}') > 0"), "a task")

    def die():
        db.value("select queues.enqueue('work', '{\"do\": \"die\"}')")
    expect("ReeveChildrenDying", cause=die, repair=lambda: (db.run("select queues.cancel_task(task_id) from queues.ready"), program.stop()))

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
    assert seen == set(re.findall(r"alert: (\w+)", RULES))
    db.is_damaged = True
