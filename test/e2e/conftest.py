"""Fixtures of the end-to-end tests: a private server, a database per test, the program."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import harness  # noqa: E402


@pytest.fixture(scope="session")
def server():
    """The server that tests share.  Tests that kill or restart use one of their own."""
    with harness.Server() as server:
        server.make_template()
        yield server


@pytest.fixture
def own_server():
    """A server that the test may kill."""
    with harness.Server() as server:
        server.make_template()
        yield server


def _database(server):
    database = server.make_database()
    try:
        yield database
        database.finish()
    finally:
        database.drop()


@pytest.fixture
def db(server):
    """A database of its own, adopted, with the helper functions; checked at the end."""
    yield from _database(server)


@pytest.fixture
def own_db(own_server):
    yield from _database(own_server)


@pytest.fixture
def empty_db(server):
    """A database without our schema."""
    database = server.make_database(template="template1")
    try:
        yield database
        database.end_workers()
    finally:
        database.drop()
