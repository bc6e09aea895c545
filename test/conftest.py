"""Fixtures of the tests that run the program: a private server, a database per test, the outside world."""
from pathlib import Path

import channels
import harness
import pytest
from programs import Programs
from servers import Exim, Nginx
from smtp import ScriptedSmtp


@pytest.fixture(scope="session")
def server():
    """The server that tests share.  A test that kills or restarts its server uses a private one."""
    with harness.Server(has_spare=True) as server:
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
def programs(db, tmp_path):
    """A database with the task type `work`, whose tasks test/e2e/child.py carries out."""
    db.value("select queues.register_task_type('work', 'program')::text")
    return Programs(db, tmp_path)


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


# --- the outside world ---


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """The folder with the certificates of the test authority."""
    folder = tmp_path_factory.mktemp("certificates")
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def the_provider(certificates):
    with channels.start_provider(certificates) as provider:
        yield provider


@pytest.fixture
def provider(the_provider):
    """Resend, Twilio, files service, object store: well-behaved and with an empty ledger."""
    the_provider.reset()
    yield the_provider
    the_provider.reset()


@pytest.fixture
def sender(db, provider):
    """A database whose tasks reach the provider; the end of the test looks for leaked secrets."""
    sender = channels.Sender(db, provider)
    yield sender
    db.end_workers()
    sender.assert_nothing_leaked()


@pytest.fixture(scope="module")
def make_desk(server, the_provider):
    """Returns a database with a running worker, for tests that can share one."""
    def make(*args, env=None, secrets=(), signers=()):
        for database in _database(server):
            desk = channels.Sender(database, the_provider)
            desk.secrets += secrets
            desk.allow(*signers, hosts=["*"], uses=("sign",))
            desk.work(*args, env=env).ready()
            yield desk
            database.end_workers()
            desk.assert_nothing_leaked()
    return make


@pytest.fixture(scope="module")
def the_desk(make_desk):
    yield from make_desk()


@pytest.fixture
def desk(the_desk, provider):
    the_desk.assert_at_work()
    the_desk.calm(the_desk.mail, the_desk.sms, the_desk.delete, the_desk.http)
    return the_desk


@pytest.fixture(scope="module")
def shared_scripted(certificates, the_provider):
    with ScriptedSmtp() as server:
        yield server


@pytest.fixture(scope="module")
def the_mail_desk(make_desk, shared_scripted):
    """A worker that sends its mail to the scripted server, without TLS."""
    yield from make_desk(env=channels.smtp_env(f"smtp://127.0.0.1:{shared_scripted.port}"))


@pytest.fixture
def mail_desk(the_mail_desk, shared_scripted):
    the_mail_desk.assert_at_work()
    shared_scripted.forget()
    the_mail_desk.calm(the_mail_desk.mail)
    shared_scripted.forget()
    return the_mail_desk


@pytest.fixture(scope="session")
def the_exim(the_provider, certificates):
    if not Path(Exim.path).exists():
        pytest.skip("another mail server is installed here")
    with Exim(certificates) as exim:
        yield exim


@pytest.fixture
def exim(the_exim):
    """A mail server with an empty box."""
    the_exim.forget()
    return the_exim


@pytest.fixture(scope="session")
def nginx(the_provider, certificates):
    with Nginx(certificates, the_provider.url, channels.STORE_SECRET) as nginx:
        yield nginx
