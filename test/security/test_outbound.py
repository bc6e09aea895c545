"""Where the program connects to, seen from outside: real names, real addresses, a network of our own."""
import re

import channels
import playground
from channels import RESEND_KEY, TWILIO_TOKEN
from harness import eventually
from playground import DENIED, GATEWAY, INSIDE, PUBLIC

import pytest
import smtp
from smtp import ScriptedSmtp

PASSWORD = "smtp-canary-Lq7vNc"


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    if not playground.is_possible():
        pytest.skip("needs the right to make network namespaces")
    with playground.Playground(tmp_path_factory.mktemp("playground")) as ground:
        yield ground


@pytest.fixture(scope="module")
def the_far_provider(ground, certificates, the_provider, tmp_path_factory):
    """The provider, outside: on every address there, on ports 80 and 443."""
    with channels.start_provider(certificates, "--host", "0.0.0.0", "--port", 80, "--tls-port", 443,
                                 "--unix", tmp_path_factory.mktemp("far") / "socket", before=ground.outside()) as provider:
        yield provider


@pytest.fixture
def far(the_far_provider, ground):
    the_far_provider.reset()
    ground.names.forget()
    return the_far_provider


class FarSender(channels.Sender):
    """Its workers run inside, without any exception to the policy."""

    def __init__(self, db, provider, ground, certificates):
        super().__init__(db, provider)
        self.ground, self.certificates = ground, certificates

    def env(self, **more):
        return {k: v for k, v in {"REEVE_CA_FILE": f"{self.certificates}/ca.pem", "REEVE_LOG_LEVEL": "debug", **more}.items() if v is not None}

    def work(self, *args, env=None, **kwargs):
        return self.db.work(*args, env=self.env(**(env or {})), before=self.ground.inside(), **kwargs)


@pytest.fixture
def inside(db, far, ground, certificates):
    sender = FarSender(db, far, ground, certificates)
    yield sender
    db.end_workers()
    sender.assert_nothing_leaked()


@pytest.fixture(scope="module")
def the_inside_desk(server, ground, the_far_provider, certificates):
    """One worker inside for all that need nothing of their own.  It remembers names for a minute."""
    database = server.make_database()
    desk = FarSender(database, the_far_provider, ground, certificates)
    try:
        desk.work().ready()
        yield desk
        database.finish()
        desk.assert_nothing_leaked()
    finally:
        database.drop()


@pytest.fixture
def inside_desk(the_inside_desk, far):
    return the_inside_desk


def test_a_public_name_is_called_without_any_exception(inside_desk, far, ground):
    ground.names.set(shop_example_com=[PUBLIC[0]])
    task = inside_desk.http(url="https://shop.example.com/echo")
    assert inside_desk.done(task) == "succeeded", inside_desk.end(task)
    assert far.requests()[0]["headers"]["host"] == "shop.example.com"
    assert far.counts()["connections"] == {PUBLIC[0]: 1}


@pytest.mark.parametrize("address", DENIED + [INSIDE, "127.0.0.1", "0.0.0.0", "::1", "fd00::1", "::ffff:93.184.216.10", "64:ff9b::a01:101"])
def test_a_name_of_an_address_that_is_not_public_is_never_called(inside_desk, far, ground, address):
    name = "n" + re.sub("[^0-9a-f]", "__", address)
    ground.names.set(**{f"{name}_example_com": [address]})
    task = inside_desk.http(url=f"https://{name.replace('__', '-')}.example.com/echo")
    inside_desk.done(task)
    error, error_class = inside_desk.failed(task)
    assert error_class == "policy" and "is not public (REEVE_ALLOW_NETWORKS)" in error
    assert far.counts()["connections"] == {}


def test_one_denied_address_refuses_the_name(inside_desk, far, ground):
    ground.names.set(mixed_example_com=[PUBLIC[0], "10.1.1.1"], mixed6_example_com=[PUBLIC[0], "fd00::1"])
    tasks = [inside_desk.http(url=f"https://{name}.example.com/echo") for name in ("mixed", "mixed6")]
    for task in tasks:
        inside_desk.done(task)
        assert inside_desk.failed(task)[1] == "policy"
    assert far.counts()["connections"] == {}


@pytest.mark.parametrize("address", DENIED)
def test_an_address_that_is_not_public_is_never_called(inside_desk, far, address):
    tasks = [inside_desk.http(url=f"{scheme}://{address}/latest/meta-data") for scheme in ("http", "https")]
    for task in tasks:
        inside_desk.done(task)
        assert inside_desk.failed(task)[1] == "policy"
    assert far.counts()["connections"] == {}


def test_a_name_is_looked_up_once_and_the_answer_is_used(inside_desk, far, ground):
    # A second look would find the address of somebody else's machine.
    ground.names.set(rebind_example_com=[[PUBLIC[0]], ["169.254.169.254"], ["10.1.1.1"]])
    for _ in range(5):
        far.script("close", when="after", path="/echo")  # so that each call needs a connection of its own
        inside_desk.done(inside_desk.http(url="https://rebind.example.com/echo", method="POST"))
    assert set(far.counts()["connections"]) == {PUBLIC[0]}
    assert ground.names.asked["rebind.example.com", 1] == 1


@pytest.mark.parametrize("how", ["silent", "unreachable"])
def test_another_address_of_the_name_is_tried_if_one_is_dead(inside_desk, far, ground, how):
    dead = ["93.184.216.98", "93.184.216.99"]
    if how == "unreachable":
        dead = ["93.184.217.98", "93.184.217.99"]
        for address in dead:
            ground.ip(ground.inner, "route", "replace", "unreachable", f"{address}/32")
    ground.names.set(**{f"{how}_example_com": [*dead[:1 if how == "silent" else 2], PUBLIC[1]]})
    task = inside_desk.http(url=f"https://{how}.example.com/echo")
    assert inside_desk.done(task) == "succeeded", inside_desk.end(task)
    assert far.counts()["connections"] == {PUBLIC[1]: 1}


@pytest.mark.parametrize("name", ["nowhere.example", "x.broken.example"])
def test_a_name_that_cannot_be_resolved_is_a_network_error(inside_desk, far, name):
    task = inside_desk.http(url=f"https://{name}/")
    inside_desk.done(task)
    error, error_class = inside_desk.failed(task)
    assert error_class == "network" and name in error


def test_a_redirect_to_a_denied_address_goes_nowhere(inside_desk, far, ground):
    ground.names.set(shop_example_com=[PUBLIC[0]])
    for location in ("http://169.254.169.254/latest", "https://10.1.1.1/", "//192.168.5.5/"):
        far.script("redirect", location=location)
        task = inside_desk.http(url="https://shop.example.com/echo", headers={"Authorization": "Bearer x"})
        inside_desk.done(task)
        assert inside_desk.failed(task)[0] == "http status 302"
    assert set(far.counts()["connections"]) <= {PUBLIC[0]}


def test_a_signed_address_on_a_private_network_is_never_called(inside, far, ground):
    far.files(**{"1": {"url": "https://10.1.1.1/objects/x?signature=abc"}, "2": {"url": "https://store.example.com/objects/x?signature=abc"}})
    ground.names.set(files_example_com=[PUBLIC[0]], store_example_com=["169.254.169.254"])
    tasks = [inside.delete(1), inside.delete(2)]
    inside.work_off(env={"FILE_SERVICE_URL": "https://files.example.com", "FILE_SERVICE_API_KEY": channels.FILES_KEY})
    assert [inside.failed(task)[1] for task in tasks] == ["policy", "policy"]
    assert set(far.counts()["connections"]) == {PUBLIC[0]}


def test_the_base_url_of_a_provider_is_trusted_and_tasks_are_not(inside, far):
    mail = inside.mail()
    task = inside.http(url="http://10.1.1.1/echo")
    inside.work_off(env={"RESEND_API_KEY": RESEND_KEY, "REEVE_RESEND_URL": "http://10.1.1.1"})
    assert inside.db.outcome(mail) == "succeeded"
    assert inside.failed(task)[1] == "policy"
    assert [r["path"] for r in far.requests()] == ["/emails"]


def test_the_real_hosts_are_called_by_default_and_not_too_often(inside, far, ground):
    ground.names.set(api_resend_com=[PUBLIC[0]], api_twilio_com=[PUBLIC[1]])
    tasks = [inside.mail() for _ in range(5)] + [inside.sms()]
    inside.work_off(env={"RESEND_API_KEY": RESEND_KEY, "TWILIO_ACCOUNT_SID": channels.TWILIO_SID, "TWILIO_AUTH_TOKEN": TWILIO_TOKEN,
                         "TWILIO_FROM_NUMBER": "+15005550006"})
    assert {inside.db.outcome(task) for task in tasks} == {"succeeded"}
    assert {r["headers"]["host"] for r in far.requests()} == {"api.resend.com", "api.twilio.com"}
    times = [r["at"] for r in far.requests(api="resend")]
    # Two a second, after what a bucket may hold.
    assert times[-1] - times[0] >= 3 / 2 - 0.3


# --- mail servers elsewhere ---


@pytest.fixture
def far_smtp(ground, far, certificates):
    ground.names.set(mail_example_com=[PUBLIC[2]])
    listener = ground.listen(PUBLIC[2], 587)
    with ScriptedSmtp(certificates, listener=listener) as server:
        yield server


def smtp_env(port=587):
    return {"SMTP_URL": f"smtp://mailer:{PASSWORD}@mail.example.com:{port}"}


def test_mail_goes_out_only_under_tls(inside, far_smtp):
    inside.secrets.append(PASSWORD)
    task = inside.mail()
    inside.work_off(env=smtp_env())
    assert inside.end(task) == ("succeeded", [], [])
    message, = far_smtp.accepted
    assert message["is_tls"] and message["login"] == ("mailer", PASSWORD)


@pytest.mark.parametrize("reply", [None, "454 4.7.0 not now", smtp.close])
def test_a_server_without_starttls_gets_neither_password_nor_mail(inside, far_smtp, reply):
    inside.secrets.append(PASSWORD)
    if reply is None:
        far_smtp.offers.remove("STARTTLS")
    else:
        far_smtp.script(starttls=reply)
    task = inside.mail()
    inside.work_off(env=smtp_env())
    assert inside.failed(task)[1] in ("network", "refused", "server")
    commands = " ".join(far_smtp.commands())
    assert "AUTH" not in commands and "MAIL" not in commands
    assert far_smtp.accepted == []


@pytest.mark.parametrize("certificate", ["expired", "wrong_name", "self_signed"])
def test_a_server_with_a_bad_certificate_gets_nothing(inside, ground, far, certificates, certificate):
    inside.secrets.append(PASSWORD)
    ground.names.set(mail_example_com=[PUBLIC[2]])
    with ScriptedSmtp(certificates, certificate=certificate, listener=ground.listen(PUBLIC[2], 587)) as server:
        task = inside.mail()
        inside.work_off(env=smtp_env())
        assert inside.failed(task)[1] == "network"
        assert not any(c.startswith(("AUTH", "MAIL")) for c in server.commands())


# --- names that hang ---


def test_a_hundred_names_that_hang_stop_nobody_else(inside, far, ground):
    ground.names.set(shop_example_com=[PUBLIC[0]], api_resend_com=[PUBLIC[1]],
                     **{f"new{n}_example_com": [PUBLIC[n % 3]] for n in range(10)})
    worker = inside.work("--channel-concurrency", 256, env={"RESEND_API_KEY": RESEND_KEY, "REEVE_EMAIL_RATE": "0"}).ready()
    assert inside.done(inside.http(url="https://shop.example.com/status/200")) == "succeeded"
    assert inside.done(inside.mail()) == "succeeded"
    hanging = [inside.http(url=f"https://h{n}.hang.example/", timeout="60 seconds") for n in range(100)]
    eventually(lambda: any(name.endswith("hang.example") for name, _ in ground.names.asked), "they are looked up")
    others = [[inside.http(url=f"https://new{n}.example.com/status/200") for n in range(10)], [inside.mail() for _ in range(20)],
              [inside.http(url="https://shop.example.com/status/200") for _ in range(100)]]
    # Behind a hundred names that share a few threads, and hang ten seconds each, they would wait far longer than this does.
    for tasks in others:
        for task in tasks:
            assert inside.done(task) == "succeeded"
    for task in hanging:
        inside.done(task)
        error, error_class = inside.failed(task)
        assert error_class == "network" and "could not resolve" in error
    assert worker.longest_stall_ms() < 4000, worker.log()
    assert worker.stop() == 0
    assert GATEWAY not in worker.log()
