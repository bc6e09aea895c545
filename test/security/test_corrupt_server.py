"""A server, or somebody on the way, whose answers are not what they should be.

After each wrong row a worker goes on, or ends and says why.  It never falls over and never goes silent; what it was told does
not become a fact; when the answers are sound again, everything is done.
"""
import collections
import re
import struct

import pytest

from forwarder import Forwarder
from harness import ROOT, clean_environment, eventually, reeve


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


# --- lies: what becomes of a row; turn by turn they go through its fields ---

GARBAGE = [b"", b"\xff\xfe", b"{", b"{1,", b"{1,2,3}", b"%s%n", b"9" * 30, b"-1", b"{}", b"{\"a\": 1}", b"nan", b"x" * 100000, bytes(range(1, 40))]
NUMBERS = [b"1001", b"-1", b"9223372036854775807", b"0", b"2147483648", b"1000", b"1", b"2"]
WORDS = [b"handler", b"execute", b"prepare", b"complete", b"send", b"run", b"email", b"t", b"f", b"lost", b"function", b"command",
         b"waiting", b"retry", b"nothing"]


def put(fields, places, values, turn):
    """Another value in one of these places: each place in turn, then with the next value."""
    if places:
        at = places[turn % len(places)]
        value = values[(turn + turn // len(places)) % len(values)]
        fields[at] = b"{" + value + b"}" if values is NUMBERS and fields[at].startswith(b"{") else value
    return [fields]


def null(fields, turn):
    return put(fields, range(len(fields)), [None], turn)


def garbage(fields, turn):
    return put(fields, range(len(fields)), GARBAGE, turn)


def other_number(fields, turn):
    return put(fields, [i for i, f in enumerate(fields) if f is not None and f.strip(b"-{}").replace(b",", b"").isdigit()], NUMBERS, turn)


def other_word(fields, turn):
    return put(fields, [i for i, f in enumerate(fields) if f is not None and f.isalpha()], WORDS, turn)


def missing(fields, turn):
    return []


def twice(fields, turn):
    return [fields, list(fields)]


def shorter(fields, turn):
    return [fields[:-1]]


def mixed(fields, turn):
    by = 1 + turn % max(len(fields) - 1, 1)
    return [fields[by:] + fields[:by]]


BY_FIELD = [null, garbage, other_number, other_word]
FAULTS = [*BY_FIELD, missing, twice, shorter, mixed]


class Liar(Forwarder):
    """Changes a row when it is told to."""

    def __init__(self, target, lie):
        self.lie = lie
        self.turns = collections.Counter()  # by kind
        self.wanted = None  # a kind of rows; None: it is honest
        self.passed = 0  # rows
        super().__init__(target)

    def start(self):
        return {"rows": 0}

    def arm(self, kind):
        """Change the next row of a kind.  If the lie has nothing to change in forty rows: the next one where it has."""
        self.any_from = self.passed + 40
        self.wanted = kind

    @property
    def has_lied(self):
        return self.wanted is None

    def change(self, kind, body, state):
        if kind != b"D":
            return [body]
        fields = fields_of(body)
        state["rows"] += 1
        self.passed += 1
        about = kind_of(fields, state)
        if self.wanted is None or (self.wanted != about and self.passed < self.any_from):
            return [body]
        changed = self.tell(fields, about)
        if changed != [body]:
            self.wanted = None
        return changed

    def tell(self, fields, about):
        self.turns[about] += 1
        return [row_of(f) for f in self.lie(fields, self.turns[about] - 1)]


def kind_of(fields, state):
    """What a row is about."""
    if state["rows"] == 1:
        return "greeting"
    if fields[0] in (b"type", b"queue"):
        return "settings"
    if (fields[0] or b"").startswith(b"pg_catalog"):
        return "path"
    return "state" if len(fields) == 1 else "claim" if len(fields) in CLAIM_COLUMNS else "outcome"


# The form of an answer has one letter for each column.
CLAIM_COLUMNS = [len(form) for form in re.findall(
    r'\[STATEMENT_CLAIM(?:_NEXT)?\] = "(\w+)"', (ROOT / "src/db/statements.c").read_text(encoding="utf-8"))]
assert len(CLAIM_COLUMNS) == 2
# Kinds of rows, each with the fields that are changed one after the other.  A worker may believe a lie for a while, so the parts run side by side.
PARTS = {"start": [("greeting", range(2)), ("settings", range(2)), ("path", range(1))], "state": [("state", range(1))],
         "outcome": [("outcome", range(6))], **{f"claim_{n}": [("claim", range(n, n + 3))] for n in range(0, 18, 3)}}
AT_START = ("greeting", "settings", "path")


@pytest.fixture
def make_liar(db):
    liars = []

    def make(lie):
        liars.append(Liar(f"{db.server.dir}/.s.PGSQL.{db.server.port}", lie))
        return liars[-1]
    yield make
    for liar in liars:
        liar.close()


def url(liar, db):
    return f"host=127.0.0.1 port={liar.port} user=postgres dbname={db.name} sslmode=disable"


def add_work(db):
    """Returns the tasks that leave a trace."""
    db.run("select queues.enqueue('noop', '{}') from generate_series(1, 5)")
    db.run("select queues.enqueue('sms', '{\"to_number\": \"+1\", \"body\": \"x\"}') from generate_series(1, 3)")
    db.enqueue_many("boom", 3)
    return db.enqueue_many("write_effect", 3)


class Victim:
    """A worker that is lied to, and started again when it has ended."""

    def __init__(self, db, liar):
        self.db, self.liar = db, liar
        self.worker = None

    def start(self):
        self.worker = self.db.work("--lease", "2", "--poll-interval", "0.1", "--sms-provider", "log", url=url(self.liar, self.db))

    def stop(self):
        if self.worker is not None and not self.has_ended():
            assert self.worker.stop() == 0, self.worker.log()
        self.worker = None

    def has_ended(self):
        """It may end, if that is what it was told.  Then it says why."""
        if self.worker.process.poll() is None:
            return False
        assert self.worker.wait() in (1, 4, 5, 7, 8), self.worker.log()
        assert "level=error" in self.worker.log(), self.worker.log()
        return True

    def lie(self, kind):
        if kind in AT_START:
            self.stop()
        self.liar.arm(kind)
        if self.worker is None:
            self.start()
        eventually(lambda: self.liar.has_lied, f"a row of the kind {kind} was changed")
        passed = self.liar.passed
        eventually(lambda: self.has_ended() or self.liar.passed >= passed + 4, f"it goes on or ends after a lie about {kind}")
        if kind in AT_START or self.has_ended():
            self.stop()  # What it believes now, it may believe for long.


# A lie about the whole row is told once.
CASES = [(lie, part) for lie in FAULTS for part in PARTS if lie in BY_FIELD or part in ("start", "state", "outcome", "claim_0")]


@pytest.mark.parametrize("lie, part", CASES, ids=lambda x: getattr(x, "__name__", x))
def test_a_worker_goes_on_or_says_why_it_ends_after_any_wrong_row_and_nothing_is_lost(db, make_liar, lie, part):
    liar = make_liar(lie)
    victim = Victim(db, liar)
    traced = []
    for kind, fields in PARTS[part]:
        liar.turns[kind] = fields[0]
        for _ in fields if lie in BY_FIELD else fields[:1]:
            traced += add_work(db)
            victim.lie(kind)
    victim.stop()
    victim.start()
    victim.worker.ready()
    db.wait_drained()
    victim.stop()
    # Whatever a worker was told: a success and its effect are one fact.
    assert db.rows("select c.task_id, c.outcome from queues.task_completed as c left join t.effect as e using (task_id)"
                   " where c.task_id = any(%s) group by 1, 2 having (c.outcome = 'succeeded')::int <> count(e.task_id)", traced) == []
    assert db.value("select count(*) from queues.task_completed where task_id = any(%s)", traced) == len(traced)


COMMANDS = [["task", "list"], ["task", "show", "1"], ["queue", "list"], ["worker", "list"], ["process", "list"], ["doctor"],
            ["function", "list"], ["secret", "list"], ["webhook", "list"], ["enqueue", "noop", "--wait", "0.1"], ["job", "show", "1"],
            ["migrate"], ["uninstall", "--dry-run"], ["task", "list", "-o", "json"], ["doctor", "-o", "json"]]


@pytest.mark.parametrize("lie", FAULTS)
def test_a_command_survives_rows_that_are_not_what_they_should_be(db, make_liar, lie):
    add_work(db)
    liar = make_liar(lie)
    liar.change = lambda kind, body, state: liar.tell(fields_of(body), "all") if kind == b"D" else [body]
    for command in COMMANDS:
        done = reeve(*command, "--database-url", url(liar, db), env=clean_environment())
        assert 0 <= done.returncode <= 9, (command, done.stderr)
        assert done.returncode in (0, 1) or done.stderr, command
    db.is_damaged = True  # what is open stays open
