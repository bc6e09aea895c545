"""Deleting a file: a signed address from the files service, a DELETE there, and no trace of it."""
import json

from channels import FILES_KEY
from harness import free_port

import pytest


@pytest.fixture(scope="module")
def the_nginx_desk(make_desk, nginx):
    """A worker that may delete at nginx, and only there."""
    yield from make_desk(env={"REEVE_ALLOW_HOSTS": f"127.0.0.1:{nginx.port}", "REEVE_FILE_DELETE_HOSTS": "127.0.0.1"})


@pytest.fixture
def nginx_desk(the_nginx_desk, nginx, provider):
    provider.settings(store_url=nginx.url)
    return the_nginx_desk


def deletes(provider):
    return [r for r in provider.requests() if r["method"] == "DELETE"]


def test_a_file_is_deleted_at_the_object_store(nginx_desk, nginx, provider):
    nginx.put("/objects/files/987")
    task = nginx_desk.delete(987)
    nginx_desk.done(task)
    assert nginx_desk.end(task) == ("succeeded", [], [])
    assert not nginx.has("/objects/files/987")
    result = {"file_id": 987, "delete_status": "deleted"}
    assert nginx_desk.result(task) == result
    assert nginx_desk.handled(task, "success")[0]["worker_payload"] == result

    request, = provider.requests()
    assert (request["method"], request["path"]) == ("POST", "/signed_delete_url")
    assert request["headers"]["x-file-service-api-key"] == FILES_KEY
    assert request["headers"]["content-type"] == "application/json"
    assert json.loads(request["body"]) == {"file_id": 987}


def test_a_file_that_is_gone_already_is_a_success(nginx_desk, nginx):
    task = nginx_desk.delete(31337)
    nginx_desk.done(task)
    assert nginx_desk.end(task) == ("succeeded", [], [])
    assert nginx_desk.result(task) == {"file_id": 31337, "delete_status": "already_gone"}


def test_an_address_that_has_expired_is_no_success_at_the_store(nginx_desk, nginx, provider):
    # nginx says 410 for it, as it would for an object that is gone for good: then gone is gone.
    nginx.put("/objects/files/988")
    provider.files(**{"988": {"url": f"{nginx.url}/objects/files/988?signature=wrong&expires=9999999999"}})
    task = nginx_desk.delete(988)
    nginx_desk.done(task)
    assert nginx_desk.failed(task) == ("delete returned status 403", "refused")
    assert nginx.has("/objects/files/988")


def test_ids_that_are_texts_are_passed_on(desk, provider):
    provider.files(**{"a/b ä": {"path": "/objects/odd"}})
    task = desk.delete("a/b ä")
    assert desk.done(task) == "succeeded"
    assert json.loads(provider.requests()[0]["body"]) == {"file_id": "a/b ä"}
    assert desk.result(task) == {"file_id": "a/b ä", "delete_status": "deleted"}


def test_the_delete_carries_none_of_our_headers(desk, provider):
    desk.done(desk.delete())
    request, = deletes(provider)
    assert request["body"] == ""
    assert set(request["headers"]) <= {"host", "accept", "user-agent", "content-length"}
    assert FILES_KEY not in request["head"]


@pytest.mark.parametrize("status", [400, 403, 404, 410, 429, 500, 301, 302])
def test_a_files_service_that_refuses_is_quoted(desk, provider, status):
    provider.script("refuse", status=status, body={"error": "no"}, headers={"Location": provider.url + "/echo"}, path="/signed_delete_url")
    task = desk.delete()
    desk.done(task)
    assert desk.failed(task)[0] == f"files service returned status {status}"
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://example.com/", "ftp://example.com/x", "smtp://example.com/", "not a url",
                                 "//example.com/x", "javascript:alert(1)"])
def test_an_address_of_another_kind_is_refused(desk, provider, url):
    provider.files(**{"1": {"url": url}})
    task = desk.delete(1)
    desk.done(task)
    error, error_class = desk.failed(task)
    assert error.startswith("signed delete url refused") and error_class == "policy"
    assert deletes(provider) == []


@pytest.mark.parametrize("url, host", [
    ("http://evil.example.com/objects/x?signature=abc", "evil.example.com"), ("https://127.0.0.1.example.com/x?signature=abc", "127.0.0.1.example.com"),
    ("http://user@evil.example.com/x?signature=abc", "evil.example.com"), ("http://127.0.0.1@evil.example.com/?signature=a", "evil.example.com"),
])
def test_an_address_elsewhere_is_refused_by_its_host(nginx_desk, provider, url, host):
    provider.files(**{"1": {"url": url}})
    task = nginx_desk.delete(1)
    nginx_desk.done(task)
    assert nginx_desk.failed(task) == (f'signed delete url refused: host "{host}"', "policy")


def test_an_address_on_a_private_network_is_refused_unless_allowed(sender, provider):
    task = sender.delete()
    sender.work_off(env={"REEVE_ALLOW_HOSTS": None})
    error, error_class = sender.failed(task)
    assert error.startswith("outbound request refused: ") and error_class == "policy"
    assert deletes(provider) == []


def test_a_very_long_address_is_refused_or_used_but_never_stored(desk, provider):
    provider.files(**{"1": {"url": provider.url + "/objects/" + "x" * 20000 + "?signature=abc"}})
    task = desk.delete(1)
    desk.done(task)
    assert desk.failed(task)[0] == "delete returned status 403"
    provider.files(**{"2": {"url": provider.url + "/objects/" + "x" * 10_000_000 + "?signature=abc"}})
    task = desk.delete(2)
    desk.done(task)
    assert len(desk.failed(task)[0]) < 300


@pytest.mark.parametrize("status, end", [
    (200, "deleted"), (202, "deleted"), (204, "deleted"), (404, "already_gone"), (410, "already_gone"),
    (301, None), (302, None), (307, None), (400, None), (403, None), (412, None), (429, None), (500, None), (503, None),
])
def test_what_the_store_says_decides(desk, provider, status, end):
    provider.script("refuse", status=status, method="DELETE", headers={"Location": provider.url + "/echo"})
    task = desk.delete()
    desk.done(task)
    if end:
        assert desk.end(task) == ("succeeded", [], [])
        assert desk.result(task) == {"file_id": 987, "delete_status": end}
    else:
        assert desk.failed(task)[0] == f"delete returned status {status}"
    assert len(provider.requests()) == 2


@pytest.mark.parametrize("path", ["/signed_delete_url", "/objects/*"])
@pytest.mark.parametrize("do, when", [("reset", "before"), ("reset", "after"), ("hang", "after")])
def test_deleting_again_is_safe_so_a_lost_answer_is_a_plain_failure(desk, provider, path, do, when):
    provider.script(do, when=when, path=path, times=None)
    task = desk.delete(timeout="1 second")
    desk.done(task)
    assert desk.failed(task)[1] == "network"
    assert "in_doubt" not in desk.handled(task, "error")[0]
    provider.forget_script()
    again = desk.delete()
    assert desk.done(again) == "succeeded"
    deleted_before = path != "/signed_delete_url" and when == "after"
    assert desk.result(again)["delete_status"] == ("already_gone" if deleted_before else "deleted")


def test_both_steps_share_one_time_limit(desk, provider):
    provider.script("wait", seconds=1.2, path="/signed_delete_url")
    provider.script("wait", seconds=1.2, path="/objects/*")
    task = desk.delete(timeout="2 seconds")
    desk.done(task)
    assert desk.failed(task)[1] == "network"


def test_a_missing_id_is_named(desk, provider):
    task = desk.send("file_delete", {"bucket": "b"})
    desk.done(task)
    assert desk.failed(task) == ('file_delete payload: missing "file_id"', "payload")
    assert provider.requests() == []


def test_a_files_service_that_is_not_there_is_a_network_error(sender):
    task = sender.delete()
    sender.work_off(env={"FILE_SERVICE_URL": f"http://127.0.0.1:{free_port()}"})
    assert sender.failed(task)[1] == "network"


def test_without_credentials_nothing_is_claimed_and_nothing_lost(sender, provider):
    task = sender.delete()
    worker = sender.work(env={"FILE_SERVICE_API_KEY": None}).ready()
    assert sender.db.wait_outcome(sender.mail()) == "succeeded"
    worker.wait_line("FILE_SERVICE_API_KEY")
    assert sender.db.leases(task) == 0
    doctor = sender.db.reeve("doctor")
    assert "FILE_SERVICE_API_KEY" in doctor.stdout + doctor.stderr
    assert worker.stop() == 0
    sender.work_off()
    assert sender.db.outcome(task) == "succeeded"


def test_the_address_is_nowhere_but_at_the_store(desk, provider):
    tasks = [desk.delete(n) for n in range(3)]
    provider.script("refuse", status=500, path="/objects/files/1", times=None)
    for task in tasks:
        desk.done(task)
    queries = [r["query"] for r in deletes(provider)]
    assert len(queries) == 3 and all("signature=" in q for q in queries)
    facts = "".join(desk.facts().values())
    assert "signature" not in facts
    for query in queries:
        assert query not in "".join(worker.log() for worker in desk.db.workers)
