"""A server, or somebody on the way, whose answers are not what they should be: the program drops the connection, or says
what is wrong, and never falls over; when the answers are sound again, everything is done."""
import random
import struct
import time

import pytest

from forwarder import Forwarder
from harness import clean_environment, eventually, reeve


def fields_of(body):
    """The values of a DataRow; None is null."""
    count, at, fields = struct.unpack("!h", body[:2])[0], 2, []
    for _ in range(count):
        size = struct.unpack("!i", body[at:at + 4])[0]
        at += 4
        fields.append(None if size < 0 else body[at:at + size])
        at += max(size, 0)
    return fields


def row_of(fields):
    values = (struct.pack("!i", -1) if f is None else struct.pack("!i", len(f)) + f for f in fields)
    return struct.pack("!h", len(fields)) + b"".join(values)


def null(fields, rng):
    fields[rng.randrange(len(fields))] = None
    return [fields]


def garbage(fields, rng):
    fields[rng.randrange(len(fields))] = rng.choice([b"", b"\xff\xfe", b"{", b"{1,", b"{1,2,3}", b"%s%n", b"9" * 30, b"-1", b"{}",
                                                     b"{\"a\": 1}", b"nan", b"x" * 100000, rng.randbytes(rng.randrange(1, 40))])
    return [fields]


def other_number(fields, rng):
    numbers = [i for i, f in enumerate(fields) if f is not None and f.strip(b"-{}").replace(b",", b"").isdigit()]
    if numbers:
        i = rng.choice(numbers)
        other = str(rng.choice([0, -1, 1, 2, 1000, 1001, 2 ** 31, 2 ** 63 - 1])).encode()
        fields[i] = b"{" + other + b"}" if fields[i].startswith(b"{") else other
    return [fields]


def other_word(fields, rng):
    words = [i for i, f in enumerate(fields) if f is not None and f.isalpha()]
    if words:
        fields[rng.choice(words)] = rng.choice([b"handler", b"execute", b"prepare", b"complete", b"send", b"run", b"email", b"t", b"f",
                                                b"lost", b"function", b"command", b"waiting", b"retry", b"nothing"])
    return [fields]


def missing(fields, rng):
    return []


def twice(fields, rng):
    return [fields, list(fields)]


def shorter(fields, rng):
    return [fields[:-1]]


def mixed(fields, rng):
    rng.shuffle(fields)
    return [fields]


FAULTS = [null, garbage, other_number, other_word, missing, twice, shorter, mixed]


class Liar(Forwarder):
    """Changes rows."""

    def __init__(self, target, lie, seed):
        self.lie, self.random = lie, random.Random(seed)
        self.is_on = False
        self.changed = 0
        super().__init__(target)

    def start(self):
        # Most connections come to be used: one that fails at once is only tried again later and later.
        return {"honest": 0 if self.random.random() < 0.1 else 4}

    def change(self, kind, body, state):
        if kind != b"D" or not self.is_on:
            return [body]
        state["honest"] -= 1
        fields = fields_of(body)
        if state["honest"] >= 0 or not fields or self.random.random() >= 0.2:
            return [body]
        self.changed += 1
        return [row_of(f) for f in self.lie(fields, self.random)]


@pytest.fixture
def make_liar(db):
    liars = []

    def make(lie, seed=1):
        liars.append(Liar(f"{db.server.dir}/.s.PGSQL.{db.server.port}", lie, seed))
        return liars[-1]
    yield make
    for liar in liars:
        liar.close()


def url(liar, db):
    return f"host=127.0.0.1 port={liar.port} user=postgres dbname={db.name} sslmode=disable"


def add_work(db):
    for i in range(3):
        db.enqueue("noop")
        db.enqueue("boom")
        db.enqueue("write_effect", n=i)
    db.run("select queues.enqueue('noop', '{}') from generate_series(1, 5)")
    db.run("select queues.enqueue('sms', '{\"to_number\": \"+1\", \"body\": \"x\"}') from generate_series(1, 3)")


@pytest.mark.parametrize("lie", FAULTS)
def test_a_worker_survives_rows_that_are_not_what_they_should_be(db, make_liar, lie):
    liar = make_liar(lie)
    liar.is_on = True
    workers = []
    seen = {"changed": 0, "at": time.monotonic()}

    def is_lied_to():
        if liar.changed > seen["changed"]:
            seen.update(changed=liar.changed, at=time.monotonic())
        elif time.monotonic() - seen["at"] > 3:
            # It was told that there is nothing to do, and believes it.
            seen["at"] = time.monotonic()
            assert workers[-1].stop() == 0, workers[-1].log()
        if not workers or workers[-1].process.poll() is not None:
            # It may end with an error, if that is what it was told.  It may not fall over.
            assert not workers or workers[-1].process.returncode in (0, 1, 4, 5, 7, 8), workers[-1].log()
            workers.append(db.work("--lease", "2", "--poll-interval", "0.1", "--sms-provider", "log", url=url(liar, db)))
        if db.value("select count(*) from queues.task_state where state <> 'completed'") < 40:
            add_work(db)
        return liar.changed >= 40

    eventually(is_lied_to, "many rows were changed", deadline=60)
    liar.is_on = False
    # What it believes by now, it may believe for ever; another one knows nothing of it.
    if workers[-1].process.poll() is None:
        assert workers[-1].stop() == 0, workers[-1].log()
    workers.append(db.work("--lease", "2", "--sms-provider", "log", url=url(liar, db)))
    eventually(lambda: db.value("select count(*) from queues.task_state where state <> 'completed'") == 0, "all is done", deadline=60)
    for worker in workers:
        if worker.process.poll() is None:
            assert worker.stop() == 0, worker.log()
        assert worker.process.returncode >= 0, worker.log()
        assert "Assertion" not in worker.log() and "Sanitizer" not in worker.log()


COMMANDS = [["task", "list"], ["task", "show", "1"], ["queue", "list"], ["worker", "list"], ["process", "list"], ["doctor"],
            ["function", "list"], ["secret", "list"], ["webhook", "list"], ["enqueue", "noop", "--wait", "0.1"], ["job", "show", "1"],
            ["migrate"], ["uninstall", "--dry-run"], ["task", "list", "-o", "json"], ["doctor", "-o", "json"]]


@pytest.mark.parametrize("lie", FAULTS)
def test_a_command_survives_rows_that_are_not_what_they_should_be(db, make_liar, lie):
    add_work(db)
    for n, command in enumerate(COMMANDS):
        liar = make_liar(lie, seed=n)
        liar.is_on = True
        liar.start = lambda: {"honest": 0}
        liar.random.random = lambda: 0.0  # every row
        done = reeve(*command, "--database-url", url(liar, db), env=clean_environment())
        assert done.returncode >= 0 and "Sanitizer" not in done.stderr, (command, done.stderr)
    db.is_damaged = True  # what is open stays open
