"""Shared parts of the channel tests: the outside world, tasks that send, and data that must never leak."""
import email
import email.policy
import json

from client import Provider
from harness import eventually

# Credentials and personal data that may appear only on the wire to the right peer.
RESEND_KEY = "re_canary_Kz4uPq7Xv2"
TWILIO_SID = "AC" + "0123456789abcdef" * 2
TWILIO_TOKEN = "twilio-canary-T9wLm3"
FILES_KEY = "files-canary-Hc8sRd"
STORE_SECRET = "store-canary-Yb5nQe"
SECRETS = (RESEND_KEY, TWILIO_TOKEN, FILES_KEY, STORE_SECRET)

MAIL = {"from_address": "Shop <shop@example.com>", "to_address": "ann.canary@example.com", "subject": "Your order",
        "html": "<p>Thank you</p>"}
SMS = {"to_number": "+4915112345678", "body": "Your code is 4711"}
FILE = {"file_id": 987}
PERSONAL = ("ann.canary@example.com", "+4915112345678")  # never in a log

HANDLERS = {"before_handler": "t.prepare", "success_handler": "t.note_success", "error_handler": "t.note_error"}


def start_provider(certificates, *arguments, **kwargs):
    return Provider("--resend-key", RESEND_KEY, "--twilio-sid", TWILIO_SID, "--twilio-token", TWILIO_TOKEN, "--files-key", FILES_KEY,
                    "--store-secret", STORE_SECRET, "--certificates", certificates, *arguments, **kwargs)


def smtp_env(url, certificates=None):
    """A worker whose mail goes to this server.  certificates: the trusted authority."""
    env = {"RESEND_API_KEY": None, "SMTP_URL": url}
    if certificates is not None:
        env["REEVE_CA_FILE"] = f"{certificates}/ca.pem"
    return env


def parsed(accepted):
    return email.message_from_bytes(accepted["data"], policy=email.policy.default)


class Sender:
    """A database with a worker that knows the provider, and the queries of these tests."""

    def __init__(self, db, provider):
        self.db, self.provider = db, provider
        self.secrets = list(SECRETS)
        self.failures = 0

    def env(self, **more):
        """All channels, at the provider.  None removes a variable."""
        url = self.provider.url
        env = {"RESEND_API_KEY": RESEND_KEY, "REEVE_RESEND_URL": url,
               "TWILIO_ACCOUNT_SID": TWILIO_SID, "TWILIO_AUTH_TOKEN": TWILIO_TOKEN, "TWILIO_FROM_NUMBER": "+15005550006",
               "REEVE_TWILIO_URL": url,
               "FILE_SERVICE_URL": url, "FILE_SERVICE_API_KEY": FILES_KEY,
               "REEVE_ALLOW_HOSTS": f"127.0.0.1:{self.provider.port()}",
               "REEVE_LOG_LEVEL": "debug", **more}
        return {k: v for k, v in env.items() if v is not None}

    def work(self, *args, env=None, **kwargs):
        return self.db.work(*args, env=self.env(**(env or {})), **kwargs)

    def work_off(self, *args, env=None, **kwargs):
        """Run a worker until nothing is left to do."""
        worker = self.work(*args, env=env, **kwargs).ready()
        self.db.wait_drained()
        assert worker.stop() == 0, worker.log()
        return worker

    def allow(self, *names, hosts=None, uses=("header", "sign")):
        """Tasks and jobs may use these secrets, for the provider."""
        for name in names:
            self.db.run("select internal.allow_secret(%s, %s, array['queues_enqueuer']::name[], %s)", name,
                        hosts or [f"127.0.0.1:{self.provider.port()}"], list(uses))

    def enqueue(self, task_type, payload, timeout=None, on_in_doubt=None, key=None, queue=None):
        return self.db.value("select queues.enqueue(%s::text, %s::jsonb, _queue => %s, _timeout => %s::interval,"
                             " _on_in_doubt => %s, _idempotency_key => %s)",
                             task_type, json.dumps(payload), queue, timeout, on_in_doubt, key)

    def send(self, task_type, send, timeout=None, on_in_doubt=None, key=None, queue=None, **payload):
        """Enqueue a task whose before handler returns `send`."""
        return self.enqueue(task_type, {**HANDLERS, "send": send, **payload}, timeout, on_in_doubt, key, queue)

    def mail(self, timeout=None, on_in_doubt=None, key=None, extra=None, **fields):
        return self.send("email", {k: v for k, v in {**MAIL, **fields}.items() if v is not None}, timeout, on_in_doubt, key,
                         **(extra or {}))

    def sms(self, timeout=None, on_in_doubt=None, extra=None, **fields):
        return self.send("sms", {k: v for k, v in {**SMS, **fields}.items() if v is not None}, timeout, on_in_doubt, **(extra or {}))

    def delete(self, file_id=987, timeout=None, extra=None):
        return self.send("file_delete", {"file_id": file_id}, timeout, **(extra or {}))

    def http(self, path="/echo", method="GET", timeout=None, url=None, extra=None, on_in_doubt=None, **request):
        return self.send("http", {"url": url or self.provider.url + path, "method": method, **request}, timeout, on_in_doubt,
                         **(extra or {}))

    # --- results ---

    def done(self, task):
        """Wait for a worker that runs already."""
        return eventually(lambda: self.db.outcome(task) or self.assert_at_work(), f"task {task} is done")

    def assert_at_work(self):
        """A worker is alive: a test need not wait for a dead one."""
        assert any(worker.process.poll() is None for worker in self.db.workers), "\n".join(w.log() for w in self.db.workers)

    def calm(self, *calls):
        """A good answer of each peer of these tasks, so that the faults of one test do not count in the next."""
        failures = self.db.value("select count(*) from queues.error where error_class in ('network', 'server', 'in_doubt')")
        if failures == self.failures:
            return
        self.provider.reset()
        for task in [call() for call in calls]:
            assert self.db.wait_outcome(task, deadline=60) == "succeeded"
        self.failures = failures
        self.provider.reset()

    def uuid(self, task):
        return str(self.db.value("select task_uuid from queues.task where task_id = %s", task))

    def result(self, task):
        return self.db.value("select result from queues.task_completed where task_id = %s", task)

    def end(self, task):
        """Outcome, error texts and error classes."""
        rows = self.db.rows("select error_message, error_class from queues.error where task_id = %s order by error_id", task)
        return self.db.outcome(task), [r[0] for r in rows], [r[1] for r in rows]

    def failed(self, task):
        """The one error of a task that failed: text and class."""
        outcome, errors, classes = self.end(task)
        assert (outcome, len(errors)) == ("failed", 1), (outcome, errors)
        return errors[0], classes[0]

    def handled(self, task, kind=None):
        """Inputs of the handlers whose runs were committed."""
        return [r[0] for r in self.db.rows("select input from t.handled where task_id = %s and kind = coalesce(%s, kind) order by at",
                                           task, kind)]

    def kinds(self, task):
        return [r[0] for r in self.db.rows("select kind from t.handled where task_id = %s order by at", task)]

    def leases_ended(self, task):
        return [r[0] for r in self.db.rows("select how from queues.task_lease_ended where task_id = %s order by lease_no", task)]

    def dispatches(self, task):
        return self.db.rows("select lease_no, adapter, idempotency_key from queues.task_dispatched where task_id = %s order by 1", task)

    def hurry(self, task):
        """Run its handler again now rather than after its wait."""
        self.db.eventually("select exists (select 1 from queues.ready where task_id = %s and available_at > clock_timestamp())", task)
        assert self.db.value("select queues.reschedule_task(%s, clock_timestamp())", task)

    # --- leaks ---

    def facts(self):
        """Everything that the engine has stored, as text, without the payloads that the test gave it."""
        tables = [r[0] for r in self.db.rows("select format('%I.%I', schemaname, tablename) from pg_tables"
                                             " where schemaname in ('queues', 'internal', 'pgqueue', 'comms', 'files') and tablename not in"
                                             " ('task', 'migration', 'job', 'job_secret', 'webhook', 'webhook_secret')")]
        return {table: self.db.value(f"select coalesce(string_agg(x::text, E'\\n'), '') from {table} as x") for table in tables}

    def assert_nothing_leaked(self):
        facts = self.facts()
        for secret in self.secrets:
            for table, text in facts.items():
                assert secret not in text, f"a secret is in {table}"
            for worker in self.db.workers:
                assert secret not in worker.log(), f"a secret is in the log:\n{worker.log()}"
        for worker in self.db.workers:
            for text in (*PERSONAL, "signature="):
                assert text not in worker.log(), f"{text} is in the log:\n{worker.log()}"
            for line in worker.lines:
                assert line.isprintable(), f"control characters in the log: {line!r}"
