"""Every page, for each kind of viewer, with and without scripts."""
import json

import pytest
from places import API, least_right, pages

VIEWERS = {"ann": 0, "olaf": 1, "admin": 2}


@pytest.mark.parametrize("scripts", [True, False], ids=["with_scripts", "without_scripts"])
@pytest.mark.parametrize("person", VIEWERS)
def test_each_page_opens_without_a_complaint(shop, person, scripts):
    browser = shop.browser(person, scripts)
    for pattern, path in pages(shop.db):
        browser.open(path)
        if least_right(pattern) > VIEWERS[person]:
            assert "403" in browser.text(".problem"), path
            browser.complaints()
            continue
        assert not browser.all(".problem"), (path, browser.text())
        assert len(browser.all("h1")) == 1 and browser.all("nav[aria-label=Pages] a") and browser.all("main#main")
        assert len(browser.all("nav a[aria-current=page]")) == (pattern != "/search"), path
        assert all(th.get_attribute("scope") for th in browser.all("main th")), path
        assert browser.complaints() == [], path


def test_observers_see_no_payload_and_no_button(shop):
    browser = shop.browser("ann")
    for pattern, path in pages(shop.db):
        if least_right(pattern) == 0:
            browser.open(path)
            assert not browser.all("main a[href*='back='], main form[method=post]"), path
            assert "ask the clerk" not in browser.driver.page_source, path


def test_operators_see_payloads_with_sorted_keys_behind_a_click(shop):
    browser = shop.browser("olaf")
    task = shop.db.value("select min(task_id) from queues.task_completed where outcome = 'failed'")
    browser.open(f"/tasks/{task}")
    block = browser.one("details.json#json-Payload")
    assert block.get_attribute("open") is None
    browser.one("#json-Payload summary").click()
    text = browser.text("#json-Payload pre")
    assert json.loads(text) == {"db_function": "shop.breaks", "why": "ask the clerk"}
    assert text.index("db_function") < text.index("why")


def check(schema, value, where):
    """The parts of JSON Schema that our description uses."""
    kinds = {"null": type(None), "boolean": bool, "integer": int, "number": (int, float), "string": str, "array": list, "object": dict}
    if "type" in schema:
        allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(isinstance(value, kinds[k]) and not (k in ("integer", "number") and isinstance(value, bool)) for k in allowed), \
            f"{where}: {value!r} is no {allowed}"
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            assert key in value, f"{where}: {key} is missing"
        for key, inner in value.items():
            assert "properties" not in schema or key in schema["properties"], f"{where}: {key} is not described"
            check(schema.get("properties", {}).get(key, {}), inner, f"{where}.{key}")
    if isinstance(value, list):
        for i, inner in enumerate(value):
            check(schema.get("items", {}), inner, f"{where}[{i}]")


@pytest.mark.parametrize("person", VIEWERS)
def test_each_page_has_a_twin_that_is_as_described(shop, person):
    viewer = shop.proxied.viewer(headers={"X-Forwarded-User": person})
    for pattern, path in pages(shop.db):
        answer = viewer.get("/api" + path)
        if least_right(pattern) > VIEWERS[person]:
            assert answer.status == 403, path
            continue
        assert answer.status == 200, (path, answer.text)
        schema = API["paths"][pattern]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        check(schema, answer.json(), path)
