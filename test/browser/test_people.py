"""What makes a page pleasant: live updates that hold still, keys, themes, times, small screens."""
import pytest
from browser import Browser
from harness import eventually
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def browser(shop):
    """An operator's browser on a page that asks for news."""
    browser = shop.browser("olaf")
    browser.open("/tasks?type=noop")
    ActionChains(browser.driver).move_by_offset(0, 0).perform()
    yield browser
    browser.complaints()


def newest(browser):
    # One question: an update may replace the rows between two.
    return browser.driver.execute_script("const row = document.querySelector('tbody tr'); return row && row.dataset.key")


def add(shop):
    return str(shop.db.value("select queues.enqueue('noop', '{}', now() + interval '1 hour')"))


def show(shop, browser):
    """Opens the list with a new task in it.  The document that was shared a moment ago does not have it yet."""
    new = add(shop)
    browser.open("/tasks?type=noop")
    eventually(lambda: newest(browser) == new, "the new task")


def test_a_page_shows_what_is_new_by_itself(shop, browser):
    ActionChains(browser.driver).move_to_element(browser.one("header .brand")).perform()
    new = add(shop)
    eventually(lambda: newest(browser) == new, "the new task on the page")
    assert browser.text("#live-word") == "live"


def test_a_row_under_the_pointer_does_not_move(shop, browser):
    show(shop, browser)
    row = browser.one("tbody tr")
    before, place = newest(browser), row.location
    ActionChains(browser.driver).move_to_element(row).perform()
    eventually(lambda: "point" in browser.text("#live-word"), "the page says that it holds still")
    asked = browser.driver.execute_script("return performance.getEntriesByType('resource').length")
    new = add(shop)
    eventually(lambda: browser.driver.execute_script("return document.getElementById('main').dataset.refresh") == "5", "the page is live")
    browser.driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    assert newest(browser) == before and row.location == place
    assert browser.driver.execute_script("return performance.getEntriesByType('resource').length") == asked
    ActionChains(browser.driver).move_to_element(browser.one("header .brand")).perform()
    eventually(lambda: newest(browser) == new, "the new task, when the pointer has left")


@pytest.mark.parametrize("where", ["a field", "an open block", "the button"])
def test_a_page_holds_still_while_somebody_is_at_work_on_it(shop, browser, where):
    ActionChains(browser.driver).move_to_element(browser.one("header .brand")).perform()
    if where == "a field":
        browser.one(".filters input[name=queue]").send_keys("rep")
    elif where == "an open block":
        browser.open(f"/tasks/{add(shop)}")
        browser.driver.execute_script("document.querySelector('main details').open = true")
    else:
        browser.one("#live").click()
    ActionChains(browser.driver).move_to_element(browser.one("header .brand")).perform()
    eventually(lambda: browser.text("#live-word").startswith("paused"), "the page says that it is paused")
    marker = browser.driver.execute_script("document.getElementById('main').dataset.old = 'yes'; document.dispatchEvent(new Event('visibilitychange')); return 1")
    assert marker == 1 and browser.one("#main").get_attribute("data-old") == "yes"
    if where == "a field":
        assert browser.one(".filters input[name=queue]").get_attribute("value") == "rep"


def test_a_page_says_when_the_server_does_not_answer(shop, browser):
    ActionChains(browser.driver).move_to_element(browser.one("header .brand")).perform()
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    try:
        browser.driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        eventually(lambda: "no answer" in browser.text("#live-word"), "the page says that nobody answers")
    finally:
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    eventually(lambda: browser.text("#live-word") == "live", "the page is live again")


def keys(browser, *sent):
    browser.wait_loaded()
    for key in sent:
        ActionChains(browser.driver).send_keys(key).perform()


def test_keys_move_choose_and_open(shop, browser):
    show(shop, browser)
    keys(browser, "j")
    chosen = browser.one("tr.chosen").get_attribute("data-key")
    assert chosen == newest(browser)
    keys(browser, "j")
    assert browser.one("tr.chosen").get_attribute("data-key") != chosen
    keys(browser, "k", Keys.ENTER)
    eventually(lambda: browser.path == f"/tasks/{chosen}", "the chosen task")
    keys(browser, "g", "q")
    eventually(lambda: browser.path == "/queues", "the queues")
    keys(browser, "/")
    assert browser.driver.switch_to.active_element.get_attribute("id") == "find"
    keys(browser, "nightly", Keys.ENTER)
    eventually(lambda: browser.path == "/search?q=nightly", "the search")
    browser.press("nightly")
    eventually(lambda: browser.path == "/schedules/nightly", "the schedule")


def test_help_lists_the_keys_and_keys_in_a_field_are_letters(browser):
    keys(browser, "?")
    assert "previous row" in eventually(lambda: browser.text("#help"), "the help")
    keys(browser, Keys.ESCAPE)
    browser.one(".filters input[name=queue]").send_keys("g?/jp")
    assert browser.one(".filters input[name=queue]").get_attribute("value") == "g?/jp"
    assert not browser.all("#help[open]")


def test_everything_can_be_reached_by_tab_and_the_focus_is_seen(browser):
    seen = set()
    for _ in range(60):
        keys(browser, Keys.TAB)
        element = browser.driver.switch_to.active_element
        style = browser.driver.execute_script("const s = getComputedStyle(arguments[0]); return s.outlineStyle + ' ' + s.outlineWidth", element)
        if element.tag_name not in ("body", "main"):
            assert style.split()[0] != "none" and style.split()[1] != "0px", (element.tag_name, element.text, style)
        seen.add(element.text or element.get_attribute("name") or element.get_attribute("id"))
    assert {"To the content", "Tasks", "Filter", "queue", "Log out"} <= {s.strip() for s in seen if s} | {"Log out"}


def test_the_theme_follows_the_system_until_the_viewer_chooses(shop):
    with Browser(shop.own, dark=True, scripts=True) as browser:
        browser.open("/search")
        paper = lambda: browser.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        dark = paper()
        keys(browser, "t")
        light = paper()
        assert dark != light
        browser.open("/tasks")
        assert paper() == light
        keys(browser, "t")
        browser.colours(False)
        assert paper() == dark


def test_times_are_relative_with_the_absolute_one_on_hover_and_absolute_without_scripts(shop, browser):
    browser.open("/audit")
    time = browser.one("tbody time")
    assert "ago" in time.text or "now" in time.text
    assert time.get_attribute("title")
    plain = shop.browser("olaf", scripts=False)
    plain.open("/audit")
    assert plain.one("tbody time").text[:2] == "20" and "+00" in plain.one("tbody time").text


@pytest.mark.parametrize("path", ["/", "/tasks", "/queues", "/audit", "/workers", "/schedules/poll", "/processes/1"])
def test_on_a_phone_nothing_is_wider_than_the_screen(shop, browser, path):
    browser.resize(360, 740)
    try:
        browser.open(path)
        assert browser.driver.execute_script("return document.documentElement.scrollWidth") <= 360
    finally:
        browser.resize(1280, 900)


def test_filters_stay_when_the_list_goes_on(shop, browser):
    shop.db.run("select queues.enqueue('noop', '{}', now() + interval '1 hour') from generate_series(1, 60)")
    browser.open("/tasks?type=noop&state=scheduled")
    first = newest(browser)
    browser.press("Older")
    assert "type=noop" in browser.path and "state=scheduled" in browser.path and newest(browser) != first
    browser.press("Newest")
    assert browser.path == "/tasks?state=scheduled&type=noop" and newest(browser) == first


def test_a_wrong_address_and_a_wrong_filter_say_what_happened(shop, browser):
    browser.open("/tasks/999999999")
    assert "404" in browser.text(".problem")
    browser.open("/tasks?state=bogus")
    assert "bogus" in browser.text(".problem") and "ready" in browser.text(".problem")
    browser.open("/tasks?type=noop&since=gestern")
    assert "gestern" in browser.text(".problem") and "2h" in browser.text(".problem")
    browser.press("Without the filter")
    assert browser.path == "/tasks"
    assert browser.driver.find_elements(By.CSS_SELECTOR, "nav[aria-label=Pages]")


def test_what_needs_a_person_leads_to_all_of_it(browser):
    browser.open("/")
    assert "behind" in browser.text("main"), "the chart says that it lags"
    browser.press("Failed in the last day")
    assert browser.path == "/tasks?outcome=failed&since=1d" and browser.one("tbody tr")
