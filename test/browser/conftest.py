"""A furnished database with dashboards and browsers, shared by the tests of one file."""
import pytest
from browser import Browser
from shop import furnish
from viewer import Dashboard


class Shop:
    """The database, and its dashboards: one for the administrator who has the printed address, one behind a proxy for the others."""

    def __init__(self, db):
        self.db = db
        self.own = Dashboard(db)
        self.proxied = Dashboard(db, "--login", "proxy", "--proxy", "127.0.0.1")
        self.browsers = {}

    def browser(self, person="admin", scripts=True):
        """The browser of a person, kept for the next test: admin, ann the observer, or olaf the operator."""
        key = (person, scripts)
        if key not in self.browsers:
            self.browsers[key] = Browser(self.proxied, person, scripts)
        browser = self.browsers[key]
        browser.open("/search")
        browser.complaints()
        return browser

    def close(self):
        for browser in self.browsers.values():
            browser.close()


@pytest.fixture(scope="module")
def shop(server):
    db = server.make_database()
    for name, role in (("ann", "observer"), ("olaf", "operator"), ("admin", "admin")):
        if not db.value("select count(*) from pg_roles where rolname = %s", name):
            db.run(f"create role {name} login in role queues_{role}")
    furnish(db)
    shop = Shop(db)
    try:
        yield shop
        db.finish()
    finally:
        shop.close()
        db.drop()
