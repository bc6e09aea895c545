"""Texts from the database that would like to be more than texts: none is run, and each is shown as it is."""
import json
from html.parser import HTMLParser

import pytest
from conftest import Shop
from places import pages

EVIL = ("<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">", "'-alert(1)-'", "javascript:document.title='owned'",
        "</title></textarea></details><svg onload=document.title='owned'>", "&lt;b&gt;&#0;", "{{7*7}}${7*7}%s%n", "a\u202egnp.exe", "\u200bnothing\u2066", "\x1b[31mred\x07",
        "../../etc/passwd", "?a=b&c=d#e", "\U0001f99c\u0301")


@pytest.fixture(scope="module")
def evil_shop(server):
    db = server.make_database()
    if not db.value("select count(*) from pg_roles where rolname = 'admin'"):
        db.run("create role admin login in role queues_admin")
    for i, text in enumerate(EVIL):
        payload = json.dumps({text: text, "list": [text]})
        db.run("select queues.enqueue('noop', %s::jsonb)", payload)
        db.run("insert into queues.error (task_id, created_at, error_message, source) select max(task_id), now(), %s, 'function' from queues.task", text)
        db.run("select queues.cancel_task(max(task_id), %s) from queues.task", text)
        name = f"{i} {text}"
        for statement in ("select queues.create_queue(%s, null, null, 'x')", "select queues.pause_queue(%s)"):
            try:
                db.run(statement, name)
            except Exception:  # a queue may not have this name
                break
        try:
            db.run("select queues.schedule(%s, '0 3 * * *', 'noop')", name)
            db.run("select queues.pause_schedule(%s, %s)", name, text)
        except Exception:  # a schedule may not have this name
            pass
        try:
            db.run("insert into pgqueue.job_queue (job_type, url, payload) values ('POST', %s, %s::jsonb)", "https://example.com/" + text, payload)
        except Exception:  # no URL may look like this
            pass
        db.run("insert into queues.audit (acted_at, actor, action, object, detail) values (now(), %s, %s, %s, %s::jsonb)", text, text, text, payload)
        db.run("insert into queues.worker_started (worker_id, worker_name, version, host, single_instance, started_at)"
               " values (gen_random_uuid(), %s, %s, %s, false, now())", text, text, text)
    shop = Shop(db)
    try:
        yield shop
    finally:
        shop.close()
        db.drop()


class Addresses(HTMLParser):
    """Every address in a document."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert not [name for name, _ in attrs if name.startswith("on") or name == "style"], attrs
        self.found += [value for name, value in attrs if name in ("href", "src", "action", "formaction")]


def addresses(db):
    for pattern, path in pages_that_exist(db):
        yield path
    for (task,) in db.rows("select task_id from queues.task order by task_id desc limit 13"):
        yield f"/tasks/{task}"
        yield f"/tasks/{task}/copy"
    for (job,) in db.rows("select job_id from pgqueue.job"):
        yield f"/jobs/{job}"


def pages_that_exist(db):
    for pattern, path in pages(db):
        if "{" not in pattern:
            yield pattern, path


@pytest.mark.parametrize("scripts", [True, False], ids=["with_scripts", "without_scripts"])
def test_nothing_is_run_and_nothing_is_refused_by_the_policy(evil_shop, scripts):
    browser = evil_shop.browser("admin", scripts)
    for path in addresses(evil_shop.db):
        browser.open(path)
        assert "Reeve" in browser.driver.title, path
        assert browser.complaints() == [], path
        for address in Addresses(browser.driver.page_source).found:
            assert address == "#main" or (address.startswith("/") and not address.startswith("//")), (path, address)


def test_each_text_is_shown_as_it_is(evil_shop):
    browser = evil_shop.browser("admin", False)
    browser.open("/audit")
    shown = browser.text("tbody")
    for text in EVIL:
        for mark in "\u202e\u200b\u2066\x1b\x07":
            text = text.replace(mark, f"U+{ord(mark):04X}")
        assert text in shown, text


def test_filters_with_evil_values_come_back_as_values(evil_shop):
    browser = evil_shop.browser("admin", True)
    for text in EVIL:
        field = None
        browser.open("/tasks")
        field = browser.one("input[name=type]")
        browser.driver.execute_script("arguments[0].value = arguments[1]; arguments[0].form.submit()", field, text)
        assert "Reeve" in browser.driver.title
        assert browser.one("h1")
        assert not [c for c in browser.complaints() if "400" not in c]


def test_a_huge_text_is_cut_and_the_rest_is_a_link_away(evil_shop):
    db = evil_shop.db
    task = db.value("select queues.enqueue('noop', jsonb_build_object('big', repeat('<b>x</b> ', 60000)))")
    browser = evil_shop.browser("admin", True)
    browser.open(f"/tasks/{task}")
    assert len(browser.driver.page_source) < 200000
    assert browser.one("details.json a").get_attribute("href").endswith(f"/api/tasks/{task}")


def test_numbers_that_no_machine_holds_and_deep_documents_are_shown(evil_shop):
    db = evil_shop.db
    browser = evil_shop.browser("admin", True)
    task = db.value("select queues.enqueue('noop', '{\"n\": 1e400, \"d\": 12345678901234567890123}')")
    browser.open(f"/tasks/{task}")
    assert "12345678901234567890123" in browser.one("#json-Payload pre").get_attribute("textContent")
    deep = db.value("select queues.enqueue('noop', ('{\"a\":' || repeat('[', 60) || repeat(']', 60) || '}')::jsonb)")
    browser.open(f"/tasks/{deep}")
    assert browser.one("h1") and browser.complaints() == []
