"""Chromium, driven through WebDriver, as a viewer of the dashboard."""
import tempfile

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from harness import eventually

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage", "--lang=en-GB")


class Browser:
    """A browser with a profile of its own.  person: the name that a proxy gives; None: log in by the printed address."""

    def __init__(self, dashboard, person=None, scripts=True, width=1280, height=900, dark=False, login=True):
        self.dashboard, self.person = dashboard, person
        self.profile = tempfile.TemporaryDirectory(prefix="reeve-browser-", ignore_cleanup_errors=True)
        options = Options()
        for argument in (*ARGUMENTS, f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"):
            options.add_argument(argument)
        if not scripts:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.resize(width, height)
        self.colours(dark)
        if person is not None:
            self.driver.execute_cdp_cmd("Network.enable", {})
            self.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"X-Forwarded-User": person}})
        elif login:
            self.driver.get(dashboard.fresh_address())
            eventually(lambda: self.driver.title, "the first page")

    def close(self):
        self.driver.quit()
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def colours(self, dark):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, path):
        self.driver.get(f"http://127.0.0.1:{self.dashboard.port}{path}")

    @property
    def path(self):
        return "/" + self.driver.current_url.split("/", 3)[3]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector="main"):
        """The text of an element; an update may replace the element meanwhile."""
        for _ in range(5):
            try:
                return self.one(selector).text
            except StaleElementReferenceException:
                pass
        return self.one(selector).text

    def wait_loaded(self):
        """Wait until the page of the address is whole and its scripts have run; keys before that are lost."""
        eventually(lambda: self.driver.execute_script("return document.readyState") == "complete", "the page is loaded")

    def link(self, words, within="main"):
        """The link or button with these words."""
        self.wait_loaded()
        found = [e for e in self.all(f"{within} a, {within} button") if e.text.strip().rstrip("\u2026 ") == words and e.get_dom_attribute("id") != "live"]
        assert found, f"no {words!r} in {self.text()!r}"
        return found[0]

    def press(self, words, within="main"):
        self.link(words, within).click()

    def fill(self, name, value):
        field = self.one(f"main form.question [name='{name}']")
        field.clear()
        field.send_keys(value)

    def notice(self):
        """The words of the notice, once there is one."""
        def ask():
            try:
                return self.one(".notice").text
            except (NoSuchElementException, StaleElementReferenceException):
                return None
        return eventually(ask, "a notice")

    def complaints(self):
        """What the browser has complained about since the last question: errors of scripts, breaches of the policy, missing files."""
        return [line["message"] for line in self.driver.get_log("browser")]
