"""Every act: its question, its effect, and the way back, with and without scripts."""
import json

import pytest
from harness import eventually
from places import API

DONE = set()


@pytest.fixture(params=[True, False], ids=["with_scripts", "without_scripts"])
def scripts(request):
    return request.param


def begin(browser, path, words, within="main"):
    """Presses a button of a page; the question is shown, and nothing has been done."""
    def look():
        # What the server has read less than two seconds ago may be older than the thing.
        browser.open(path)
        try:
            return browser.link(words, within)
        except AssertionError:
            return None
    eventually(look, f"{words} on {path}").click()
    assert browser.one("form.question"), words
    DONE.add(browser.path.partition("?")[0])


def send(browser, **fields):
    """Fills the question and says yes; returns the notice."""
    for name, value in fields.items():
        browser.fill(name, value)
    browser.one("form.question button.main").click()
    notice = browser.notice()
    assert not browser.all(".notice.bad"), notice
    assert browser.complaints() == []
    return notice


def task(db, more="'{}'", at="now() + interval '1 hour'"):
    return db.value(f"select queues.enqueue('noop', {more}::jsonb, {at})")


def failed(db):
    """A task that has failed and was not retried."""
    return db.value("select max(c.task_id) from queues.task_completed as c where c.outcome = 'failed'"
                    " and not exists (select 1 from queues.task as t where t.retry_of = c.task_id)"
                    " and (select t.task_type from queues.task as t where t.task_id = c.task_id) = 'db_function'")


def test_a_task_is_retried_and_the_new_one_is_shown(shop, scripts):
    browser, old = shop.browser("olaf", scripts), failed(shop.db)
    begin(browser, f"/tasks/{old}", "Retry")
    assert "runs again as task" in send(browser, at="2h")
    new = int(browser.path.partition("/tasks/")[2])
    assert shop.db.value("select retry_of from queues.task where task_id = %s", new) == old


def test_a_task_is_cancelled_with_a_reason_and_the_filter_stays(shop, scripts):
    browser, waiting = shop.browser("olaf", scripts), task(shop.db)
    begin(browser, "/tasks?state=scheduled&type=noop", "Cancel", f"tr[data-key='{waiting}']")
    assert "is cancelled" in send(browser, reason="sent by hand")
    assert browser.path == "/tasks?state=scheduled&type=noop"
    assert shop.db.value("select outcome from queues.task_completed where task_id = %s", waiting) == "cancelled"


def test_no_means_that_nothing_happens(shop, scripts):
    browser, waiting = shop.browser("olaf", scripts), task(shop.db)
    begin(browser, f"/tasks/{waiting}", "Cancel")
    browser.press("No, go back")
    assert browser.path == f"/tasks/{waiting}" and not browser.all(".notice")
    assert shop.db.value("select state from queues.task_state where task_id = %s", waiting) == "scheduled"


def test_a_task_gets_another_time(shop, scripts):
    browser, waiting = shop.browser("olaf", scripts), task(shop.db)
    begin(browser, f"/tasks/{waiting}", "Reschedule")
    assert "new time" in send(browser, at="3h")
    assert shop.db.value("select available_at > now() + interval '2 hours' from queues.ready where task_id = %s", waiting)


def test_a_copy_of_a_task_has_the_edited_payload(shop, scripts):
    browser, old = shop.browser("admin", scripts), failed(shop.db)
    begin(browser, f"/tasks/{old}", "Enqueue a copy")
    assert json.loads(browser.one("textarea").get_attribute("value"))["db_function"] == "shop.breaks"
    send(browser, payload='{"db_function": "shop.pack", "parcel": "<b>5</b>"}', at="2h")
    new = int(browser.path.partition("/tasks/")[2])
    assert shop.db.value("select payload->>'parcel' from queues.task where task_id = %s", new) == "<b>5</b>"


def test_a_payload_that_is_no_json_is_refused_in_words(shop, scripts):
    browser, old = shop.browser("admin", scripts), failed(shop.db)
    begin(browser, f"/tasks/{old}", "Enqueue a copy")
    browser.fill("payload", '{"parcel": <5>')
    browser.one("form.question button.main").click()
    assert "json" in browser.notice() and browser.all(".notice.bad")
    assert browser.one("textarea").get_attribute("value") == '{"parcel": <5>'
    # The browser tells of the status of the refusal, and of nothing else.
    assert not [c for c in browser.complaints() if "409" not in c]


def test_a_queue_is_paused_for_a_while_and_resumed(shop, scripts):
    browser = shop.browser("olaf", scripts)
    begin(browser, "/queues", "Pause", "tr[data-key='reports']")
    assert "is paused" in send(browser, **{"for": "1h"})
    assert shop.db.value("select paused from queues.queue_state where queue = 'reports'")
    begin(browser, "/queues", "Resume", "tr[data-key='reports']")
    assert "is resumed" in send(browser)
    assert not shop.db.value("select paused from queues.queue_state where queue = 'reports'")


def test_limits_of_a_queue_are_for_administrators(shop, scripts):
    shop.browser("olaf", scripts).open("/queues")
    assert "Limits" not in [a.text for a in shop.browser("olaf", scripts).all("td.acts a")]
    browser = shop.browser("admin", scripts)
    begin(browser, "/queues", "Limits", "tr[data-key='reports']")
    most = "5" if scripts else "6"
    send(browser, max_running=most)
    assert shop.db.value("select max_running::text from queues.queue where queue = 'reports'") == most


def test_a_process_is_revived_and_ended(shop, scripts):
    browser = shop.browser("olaf", scripts)
    process = shop.db.value("select max(process_id) from queues.process_state where state = 'ended'")
    begin(browser, f"/processes/{process}", "Revive")
    assert "runs again" in send(browser)
    begin(browser, f"/processes/{process}", "End")
    assert "is ended" in send(browser, reason="order was cancelled")
    assert shop.db.value("select state from queues.process_state where process_id = %s", process) == "ended"


def test_a_job_runs_again_is_rescheduled_and_cancelled(shop, scripts):
    browser = shop.browser("olaf", scripts)
    job = shop.db.value("select min(job_id) from pgqueue.job_queue where job_status not in ('new', 'processing', 'failed')")
    begin(browser, f"/jobs/{job}", "Run again")
    assert "runs again" in send(browser)
    begin(browser, f"/jobs/{job}", "Reschedule")
    assert "new time" in send(browser, at="2h")
    begin(browser, f"/jobs/{job}", "Cancel")
    send(browser)
    assert shop.db.value("select job_status::text from pgqueue.job_queue where job_id = %s", job) not in ("new", "processing", "failed")


def test_failed_jobs_of_a_time_are_replayed(shop, scripts):
    browser = shop.browser("olaf", scripts)
    begin(browser, "/jobs", "Replay a time")
    assert "run again" in send(browser, url="http://nowhere.example/", since="2h")


def test_a_webhook_is_paused_resumed_and_tested(shop, scripts):
    browser = shop.browser("olaf", scripts)
    begin(browser, "/webhooks/orders", "Pause")
    send(browser)
    assert not shop.db.value("select enabled from pgqueue.webhooks where name = 'orders'")
    begin(browser, "/webhooks/orders", "Resume")
    send(browser)
    begin(browser, "/webhooks/orders", "Send a test")
    send(browser)
    assert browser.path.startswith("/jobs/")


def test_a_schedule_is_paused_resumed_and_fired(shop, scripts):
    browser = shop.browser("olaf", scripts)
    begin(browser, "/schedules/nightly", "Pause")
    send(browser, reason="move to the new disk")
    assert shop.db.value("select pause_reason from queues.schedule_state where schedule_name = 'nightly'") == "move to the new disk"
    begin(browser, "/schedules/nightly", "Resume")
    send(browser)
    begin(browser, "/schedules/nightly", "Fire now")
    send(browser)
    assert browser.path.startswith("/tasks/")


def test_all_that_match_a_filter_are_counted_shown_and_then_acted_on(shop, scripts):
    browser, db = shop.browser("olaf", scripts), shop.db
    db.run("select queues.enqueue('noop', '{}', now() + interval '1 hour', _queue => 'reports') from generate_series(1, 7)")
    begin(browser, "/tasks?state=scheduled&queue=reports&type=noop", "Cancel all that match")
    assert "Nothing is done to them yet" in browser.text() and "cancel tasks" in browser.text()
    assert "7 match" in send(browser, reason="wrong file")
    act = browser.path.partition("/bulk/")[2]
    assert "7 match" in browser.text(".lead") and len(browser.all("main tbody tr")) == 7
    # What comes later is not meant.
    later = db.value("select queues.enqueue('noop', '{}', now() + interval '1 hour', _queue => 'reports')")
    begin(browser, f"/bulk/{act}", "Start")
    send(browser)
    db.work_until_empty("--name", "bulk")
    assert db.value("select done from queues.bulk_state where act_id = %s", int(act)) == 7
    assert db.value("select state from queues.task_state where task_id = %s", later) == "scheduled"
    browser.open(f"/bulk/{act}")
    eventually(lambda: browser.driver.refresh() or "7 of 7" in browser.text(), "the progress")
    db.run("select queues.cancel_task(%s)", later)


def test_an_act_on_many_is_extended_and_stopped(shop, scripts):
    browser, db = shop.browser("olaf", scripts), shop.db
    act = db.value("select act_id from queues.preview_bulk('task_retry', _all => true, _outcome => 'succeeded', _scan => 5)")
    begin(browser, f"/bulk/{act}", "Look further back")
    assert "match now" in send(browser)
    begin(browser, f"/bulk/{act}", "Drop it")
    assert "is stopped" in send(browser)
    assert db.value("select state from queues.bulk_state where act_id = %s", act) == "stopped"


def test_the_audit_names_the_person(shop):
    browser = shop.browser("olaf")
    browser.open("/audit?actor=olaf")
    assert "pause_queue" in browser.text("tbody")


def test_a_form_that_is_sent_twice_acts_once(shop, scripts):
    browser, old = shop.browser("olaf", scripts), failed(shop.db)
    begin(browser, f"/tasks/{old}", "Retry")
    send(browser, at="2h")
    browser.driver.back()
    before = shop.db.value("select count(*) from queues.task where retry_of = %s", old)
    browser.one("form.question button.main").click()
    browser.notice()
    assert shop.db.value("select count(*) from queues.task where retry_of = %s", old) == before


def test_each_act_of_the_description_was_tried(shop):
    described = {pattern for pattern, methods in API["paths"].items() if "post" in methods}
    tried = {pattern for pattern in described for path in DONE
             if path.startswith(pattern.partition("{")[0]) and path.endswith(pattern.rpartition("}")[2])}
    assert described <= tried
