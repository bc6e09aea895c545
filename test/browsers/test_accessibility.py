"""axe-core finds nothing at level AA, on any page, light and dark, wide and on a phone."""
from pathlib import Path

import pytest
from places import pages

AXE = (Path(__file__).resolve().parents[2] / "build/browsers/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
RUN = """
const done = arguments[0];
axe.run(document, {runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}})
  .then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + (n.any[0] || n.all[0] || n.none[0] || {}).message).join(' | '))),
        e => done(['axe failed: ' + e]));
"""


def found(browser, path):
    browser.open(path)
    browser.driver.execute_script(AXE)
    return browser.driver.execute_async_script(RUN)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_any_page(shop, dark, width):
    browser = shop.browser("admin")
    browser.colours(dark)
    browser.resize(width, 900)
    problems = {path: found(browser, path) for _, path in pages(shop.db)}
    assert {path: p for path, p in problems.items() if p} == {}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_questions_problems_and_the_login(shop, dark):
    browser = shop.browser("admin")
    browser.resize(1280, 900)
    browser.colours(dark)
    task = shop.db.value("select min(task_id) from queues.task_completed where outcome = 'failed'")
    paths = [f"/tasks/{task}/retry", f"/tasks/{task}/copy", "/queues/default/set", "/queues/default/pause", "/bulk/preview?kind=task_retry",
             "/jobs/replay", "/tasks/999999999", "/nothing"]
    problems = {path: found(browser, path) for path in paths}
    browser.dashboard, proxied = shop.own, browser.dashboard
    problems["/login"] = found(browser, "/login")
    browser.dashboard = proxied
    assert {path: p for path, p in problems.items() if p} == {}


def test_axe_finds_what_is_wrong(shop):
    browser = shop.browser("admin")
    browser.colours(False)
    browser.open("/tasks")
    browser.driver.execute_script(AXE)
    browser.driver.execute_script("const i = document.createElement('img'); i.src = '/assets/icon.svg'; document.querySelector('main').append(i);"
                                  "document.querySelector('.title h1').style.color = '#bbb'")
    found = " ".join(browser.driver.execute_async_script(RUN))
    assert "image-alt" in found and "color-contrast" in found
