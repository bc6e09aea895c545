"""A worker that runs out of descriptors: it does less at once, and no task fails for it."""
import os
import subprocess

from jobs import Jobs

import pytest


def urls(provider):
    """The provider by its address, and by a name that has to be looked up."""
    return [provider.url, provider.url.replace("127.0.0.1", "localhost")]


def allow_both(provider):
    return {"REEVE_ALLOW_HOSTS": f"127.0.0.1:{provider.port()},localhost:{provider.port()}", "REEVE_EMAIL_RATE": "0"}


def enqueue_some(sender, count):
    """Calls of every channel, by address and by name."""
    tasks, jobs = [], []
    for n in range(count):
        for url in urls(sender.provider):
            tasks.append(sender.enqueue("http", {"request": {"url": f"{url}/echo", "method": "POST", "body": {"n": n}}}))
            jobs.append(Jobs(sender).insert(url=f"{url}/echo"))
        tasks.append(sender.mail(subject=f"Order {n}"))
        tasks.append(sender.sms(body=f"Code {n}"))
        tasks.append(sender.delete(file_id=987 + n))
    return tasks, jobs


def assert_nothing_failed(sender, tasks, jobs):
    sender.db.wait_drained(deadline=120)
    assert sender.db.rows("select error_message, error_class from queues.error") == []
    assert {sender.db.outcome(task) for task in tasks} == {"succeeded"}
    assert sender.db.rows("select distinct job_status::text, retry_count from pgqueue.job_queue where job_id = any(%s)", jobs) \
        == [("completed", 0)]
    assert "host fails" not in sender.db.workers[0].log(), "nobody is blamed"


@pytest.mark.parametrize("limit", [48, 90])
def test_a_worker_with_few_descriptors_carries_fewer_calls_and_fails_none(sender, provider, limit):
    provider.settings(delay=0.2)
    tasks, jobs = enqueue_some(sender, 15)
    worker = sender.work("--channel-concurrency", 500, "--per-host", 200, env=allow_both(provider),
                         before=["prlimit", f"--nofile={limit}:{limit}"]).ready()
    assert "fewer calls at once than asked for" in worker.log()
    assert_nothing_failed(sender, tasks, jobs)


def test_a_worker_takes_the_descriptors_that_it_may_have(sender):
    worker = sender.work("--channel-concurrency", 500, before=["prlimit", "--nofile=64:4096"]).ready()
    assert "fewer calls at once than asked for" not in worker.log()


def test_descriptors_that_run_out_while_it_works_are_no_failure_of_a_task(sender, provider):
    worker = sender.work("--channel-concurrency", 200, "--per-host", 200, env=allow_both(provider)).ready()
    # The first calls keep their connections.
    sender.done(sender.mail())
    provider.settings(delay=0.2)
    held = len(os.listdir(f"/proc/{worker.process.pid}/fd"))
    subprocess.run(["prlimit", "--pid", str(worker.process.pid), f"--nofile={held + 8}:{held + 8}"], check=True)
    tasks, jobs = enqueue_some(sender, 15)
    worker.wait_line("out of descriptors")
    assert_nothing_failed(sender, tasks, jobs)


def test_calls_are_many_again_when_descriptors_are_back(sender, provider):
    """All hang at once in the end, so as many as there are places."""
    worker = sender.work("--channel-concurrency", 40, "--per-host", 40, env=allow_both(provider)).ready()
    provider.settings(delay=0.2)
    held = len(os.listdir(f"/proc/{worker.process.pid}/fd"))
    subprocess.run(["prlimit", "--pid", str(worker.process.pid), f"--nofile={held + 2}:4096"], check=True)
    tasks, jobs = enqueue_some(sender, 6)
    worker.wait_line("out of descriptors")
    subprocess.run(["prlimit", "--pid", str(worker.process.pid), "--nofile=4096:4096"], check=True)
    assert_nothing_failed(sender, tasks, jobs)
    worker.wait_line("as many calls at once as before")
