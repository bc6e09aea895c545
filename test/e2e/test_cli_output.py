"""Tables on a terminal and elsewhere, --watch, JSON."""
import re

import pytest

from harness import reeve
from terminal import Terminal

LONG = "a text that is far too long for any column of any terminal, with 漢字 in it, and it goes on and on and on"


@pytest.fixture
def listed(db):
    """A database with tasks in several states."""
    db.enqueue("noop"), db.enqueue("boom", text=LONG)
    db.work_until_empty()
    db.enqueue("noop", at="2100-01-01")
    return db


def columns_of(text):
    return text.split("\n")[0].split()


def shown_width(line):
    return sum(2 if ord(c) > 0x2e80 else 1 for c in line)


def on_terminal(db, *args, **kwargs):
    terminal = Terminal(*args, "--database-url", db.conninfo(), **kwargs)
    code, text = terminal.end()
    assert code == 0, text
    return terminal.raw, text


@pytest.mark.parametrize("columns", [20, 40, 80, 120, 200])
def test_a_list_fits_the_terminal(listed, columns):
    _, text = on_terminal(listed, "task", "list", columns=columns)
    assert max(map(shown_width, text.split("\n"))) <= columns
    assert columns_of(text)[0] == "task_id"
    if columns >= 120:
        assert columns_of(text)[-1] == "last_error" and re.search("boom.*…", text)
    if columns <= 40:
        assert "last_error" not in text and "state" in text


def test_elsewhere_a_list_is_whole_and_plain(listed):
    done = listed.reeve("task", "list")
    assert LONG in done.stdout and "\x1b" not in done.stdout and "…" not in done.stdout
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", done.stdout) and " ago" not in done.stdout
    assert listed.reeve("task", "list", env=None).stdout == done.stdout
    assert "\x1b[3" in listed.reeve("task", "list", "--color", "always").stdout


def test_states_have_colours_on_a_terminal_unless_the_user_wants_none(listed):
    raw, _ = on_terminal(listed, "task", "list")
    assert "\x1b[31mfailed" in raw and "\x1b[32msucceeded" in raw and "\x1b[33mscheduled" in raw
    for args, env in ((["--color", "never"], {}), ([], {"NO_COLOR": "1"})):
        raw, text = on_terminal(listed, "task", "list", *args, **env)
        assert "\x1b" not in raw and "failed" in text
    raw, _ = on_terminal(listed, "task", "list", NO_COLOR="")
    assert "\x1b[31mfailed" in raw


def test_times_are_relative_on_a_terminal(listed):
    _, text = on_terminal(listed, "task", "list", columns=200)
    assert re.search(r"in \d{5} d", text) and re.search(r"\d s ago|now|\d min ago", text)


def test_wide_has_more_columns_and_whole_texts(listed):
    narrow, wide = listed.reeve("worker", "list").stdout, listed.reeve("worker", "list", "-o", "wide").stdout
    assert set(columns_of(narrow)) < set(columns_of(wide)) and "worker_id" in columns_of(wide)
    _, text = on_terminal(listed, "task", "list", "-o", "wide", columns=40)
    assert LONG in text


def test_characters_that_a_terminal_obeys_are_not_printed(db):
    db.enqueue("boom", text="\x1b[2Jevil\x07\nsecond line")
    db.work_until_empty()
    raw, _ = on_terminal(db, "task", "list", "--color", "never", columns=200)
    assert "evil" in raw and "\x1b" not in raw and "\x07" not in raw
    assert len(raw.strip().split("\n")) == 2


def test_watch_prints_again_and_ctrl_c_ends_it_in_order(listed):
    terminal = Terminal("task", "list", "--watch", "0.1", "--database-url", listed.conninfo(), lines=10)
    terminal.read_until("every 0.1 s: reeve task list", count=2)
    new = listed.enqueue("noop", at="2100-01-01")
    terminal.read_until(rf"\n{new} ")
    code, text = terminal.press("\x03").end()
    assert code == 0
    assert "scheduled" in text


def test_watch_keeps_to_the_height_of_the_terminal(db):
    for _ in range(30):
        db.enqueue("noop", at="2100-01-01")
    terminal = Terminal("task", "list", "--watch", "0.1", "--database-url", db.conninfo(), lines=12)
    terminal.read_until("and 22 more rows", count=2)
    assert terminal.press("\x03").end()[0] == 0
    assert len(terminal.raw.split("\x1b[2J")[1].split("\n")) <= 13


@pytest.mark.parametrize("user, code", [("nobody_at_all", 5), ("worker_service_user", 8)])
def test_watch_ends_when_the_server_refuses(db, user, code):
    assert db.reeve("task", "list", "--watch", user=user).returncode == code


def test_a_database_without_our_schema_is_named_as_such(server):
    for command, remedy in ((["queue", "list"], "reeve install"), (["task", "list"], "reeve install"), (["task", "show", "1"], "reeve install"),
                            (["worker", "list"], "reeve doctor"), (["audit", "list"], "reeve doctor"), (["doctor"], "reeve install")):
        done = reeve(*command, "--database-url", server.conninfo("template1"))
        assert done.returncode in (4, 8) and re.search(f"^hint: .*{remedy}", done.stderr, re.M), (command, done.stderr)
