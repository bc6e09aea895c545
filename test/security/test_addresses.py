"""Which URLs and addresses a task may call, in every spelling; test_outbound.py sees the same from outside."""
import re
import subprocess

import pytest
from harness import free_port


@pytest.fixture(scope="module")
def the_strict_desk(make_desk, certificates):
    """A worker without any exception for tasks."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": None})


@pytest.fixture
def strict_desk(the_strict_desk, provider):
    return the_strict_desk


LOOPBACK = ["127.0.0.1", "127.255.255.254", "localhost", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "0.0.0.0",
            "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
            "[::ffff:0:127.0.0.1]", "[0:0:0:0:0:0:0:1]"]
SPECIAL = ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.169.254", "192.0.0.1", "192.0.2.1", "192.88.99.1",
           "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[fe80::1]", "[fec0::1]", "[fc00::1]",
           "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]", "[3fff::1]", "[2001::1]", "[100::1]", "[5f00::1]", "[64:ff9b:1::1]"]


@pytest.mark.parametrize("host", LOOPBACK + SPECIAL)
def test_an_address_that_is_not_public_is_refused(strict_desk, provider, host):
    task = strict_desk.http(url=f"https://{host}/")
    strict_desk.done(task)
    error, error_class = strict_desk.failed(task)
    assert error_class == "policy", error
    assert re.fullmatch(r'outbound request refused: address of "[^"]*" is not public \(REEVE_ALLOW_NETWORKS\)', error), error


def test_this_machine_is_refused_by_its_own_addresses(strict_desk):
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    for address in addresses:
        task = strict_desk.http(url=f"https://{address if ':' not in address else f'[{address}]'}/")
        strict_desk.done(task)
        assert strict_desk.failed(task)[1] == "policy"


@pytest.mark.parametrize("url, setting", [
    ("http://93.184.216.34/", 'plain http to "93.184.216.34" (REEVE_ALLOW_HTTP_HOSTS)'),
    ("https://93.184.216.34:3000/", "port 3000 (REEVE_ALLOW_PORTS)"),
    ("https://93.184.216.34:22/", "port 22 (REEVE_ALLOW_PORTS)"),
    ("https://ann:secret-pw@93.184.216.34/", 'user name in the url of "93.184.216.34"'),
])
def test_a_refusal_names_what_would_allow_it(strict_desk, url, setting):
    task = strict_desk.http(url=url)
    strict_desk.done(task)
    assert strict_desk.failed(task) == (f"outbound request refused: {setting}", "policy")


@pytest.mark.parametrize("url", ["ftp://93.184.216.34/", "file:///etc/passwd", "gopher://93.184.216.34/", "dict://93.184.216.34/", "https://",
                                 "//93.184.216.34/", "javascript:alert(1)", "https://exa mple.com/", "https://ex%00ample.com/",
                                 "https://-x.example.com/", "smtp://93.184.216.34/", "unix:///tmp/x", "https://[::1/", "https://a@b@c/", "x"])
def test_a_url_of_another_kind_is_refused(strict_desk, url):
    task = strict_desk.http(url=url)
    strict_desk.done(task)
    error, error_class = strict_desk.failed(task)
    assert (error_class, error.startswith("outbound request refused: ")) == ("policy", True), error


def test_a_refusal_is_a_warning_once_per_host(sender):
    for _ in range(3):
        sender.http(url="https://10.1.2.3/")
    worker = sender.work_off(env={"REEVE_ALLOW_HOSTS": None})
    lines = [line for line in worker.lines if "level=warn" in line and "REEVE_ALLOW_NETWORKS" in line and "task failed" not in line]
    assert len(lines) == 1 and "10.1.2.3" in lines[0]


def test_a_name_that_does_not_exist_is_a_network_error(strict_desk):
    task = strict_desk.http(url="https://no-such-name.invalid/")
    strict_desk.done(task)
    error, error_class = strict_desk.failed(task)
    assert error_class == "network" and "no-such-name.invalid" in error


@pytest.mark.parametrize("missing", [None, "REEVE_ALLOW_HTTP_HOSTS", "REEVE_ALLOW_NETWORKS", "REEVE_ALLOW_PORTS"])
def test_the_three_exceptions_are_needed_together(sender, provider, missing):
    env = {"REEVE_ALLOW_HOSTS": None, "REEVE_ALLOW_HTTP_HOSTS": "127.0.0.1", "REEVE_ALLOW_NETWORKS": "127.0.0.0/30, fd00::/8",
           "REEVE_ALLOW_PORTS": str(provider.port())}
    task = sender.http()
    sender.work_off(env={**env, missing: None} if missing else env)
    if missing is None:
        assert sender.db.outcome(task) == "succeeded"
    else:
        error, error_class = sender.failed(task)
        assert error_class == "policy" and missing in error
        assert provider.requests() == []


def test_an_exception_for_a_host_is_exact(sender, provider):
    port = provider.port()
    tasks = {url: sender.http(url=url) for url in (f"http://127.0.0.1:{port}/echo", f"http://127.0.0.2:{port}/echo",
                                                   f"http://localhost:{port}/echo", f"http://127.0.0.1:{free_port()}/echo")}
    sender.work_off(env={"REEVE_ALLOW_HOSTS": f"127.0.0.1:{port}"})
    outcomes = [sender.db.outcome(task) for task in tasks.values()]
    assert outcomes == ["succeeded", "failed", "failed", "failed"]
    assert all(sender.failed(task)[1] == "policy" for task in list(tasks.values())[1:])


@pytest.mark.parametrize("variable, value", [("REEVE_ALLOW_NETWORKS", "10.0.0.0/99"), ("REEVE_ALLOW_NETWORKS", "nonsense"),
                                             ("REEVE_ALLOW_PORTS", "http")])
def test_an_exception_that_cannot_be_read_stops_the_start(sender, variable, value):
    worker = sender.work(env={variable: value})
    assert worker.wait() == 3
    assert variable in worker.log()
