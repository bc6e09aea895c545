"""Shared parts of the tests of HTTP jobs: secrets, jobs and their results, signatures."""
import base64
import hmac

import psycopg
from harness import clean_environment

TOKEN = "job-canary-Q7xV2m"
SERVICE_ROLE = "role-canary-P3nL8w"
KEY = "key-canary-J5tR9b"
EDGE = "/functions/v1"
VAULT_KEY = "00112233445566778899aabbccddeeff" * 2
ALGORITHMS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")


class Jobs:
    def __init__(self, desk):
        self.desk, self.db, self.provider = desk, desk.db, desk.provider

    def insert(self, path="/echo", url=None, **columns):
        """Insert a job; values are given as they are."""
        names = ["url", *columns]
        values = [url or self.provider.url + path,
                  *(psycopg.types.json.Jsonb(v) if isinstance(v, (dict, list)) else v for v in columns.values())]
        with self.db.connect() as connection:
            return connection.execute(f"insert into pgqueue.job_queue ({', '.join(names)}) values ({', '.join(['%s'] * len(names))})"
                                      " returning job_id", values).fetchone()[0]

    def job(self, job, *columns):
        row = self.db.rows(f"select {', '.join(columns)} from pgqueue.job_queue where job_id = %s", job)[0]
        return row if len(columns) > 1 else row[0]

    def wait(self, job, status):
        self.db.eventually("select exists (select 1 from pgqueue.job_queue where job_id = %s and job_status::text = %s)", job, status)
        return job

    def deliver(self, *args, status="completed", **columns):
        return self.wait(self.insert(*args, **columns), status)

    def sent(self, job):
        """The requests that the receiver got for this job."""
        return self.provider.requests(key=str(self.job(job, "job_uuid")))

    def effects(self, which="true"):
        """The number of effects of each of these jobs; jobs of other tests may still run."""
        ours = {str(row[0]) for row in self.db.rows(f"select job_uuid from pgqueue.job where {which}")}
        return {key: count for key, count in self.provider.effects(api="plain").items() if key in ours}

    def hurry(self, job):
        assert self.db.value("select pgqueue.reschedule_job(%s, now())", job)


def mac(key, body, algorithm, encoding):
    digest = hmac.new(key, body, algorithm).digest()
    return digest.hex() if encoding == "hex" else base64.b64encode(digest).decode()


def set_secret(db, name, value):
    done = db.reeve("secret", "set", name, input=value + "\n", env=clean_environment(REEVE_VAULT_KEY=VAULT_KEY))
    assert done.returncode == 0, done.stderr
