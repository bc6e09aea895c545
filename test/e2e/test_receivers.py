"""The receivers that docs/webhooks.md shows, run as they stand there."""
import os
import re
import subprocess
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from harness import eventually, free_port

PAGE = Path(__file__).resolve().parents[2] / "docs" / "webhooks.md"
PLAIN, STANDARD = "key-canary-R4dW7s", "whsec_c3RhbmRhcmQgY2FuYXJ5IGtleQ=="
LANGUAGES = {"python": (["/usr/bin/python3"], "py", PLAIN), "js": (["node"], "mjs", PLAIN), "perl": (["perl"], "pl", STANDARD)}


def example(language):
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return text


class Receiver:
    """One of them as a process, and the lines that it wrote."""

    def __init__(self, language, folder):
        command, suffix, self.secret = LANGUAGES[language]
        file = folder / f"receiver.{suffix}"
        file.write_text(example(language))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self.lines = []
        self.process = subprocess.Popen([*command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={"PATH": os.environ["PATH"], "ORDER_KEY": self.secret, "PORT": str(self.port)})
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()
        eventually(lambda: self.post(b"{}") == 401, "the receiver is there and refuses what is not signed")

    def post(self, body, headers=None):
        request = urllib.request.Request(self.url, body, headers or {}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def close(self):
        self.process.kill()
        self.process.wait()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_documented_receiver_verifies_what_it_gets(sender, tmp_path, language):
    receiver = Receiver(language, tmp_path)
    sender.allow("order_key", hosts=["*"], uses=("sign",))
    sender.secrets += (receiver.secret,)
    try:
        sender.db.run("create table t.orders (id integer primary key, v text)")
        sender.db.run("select pgqueue.create_webhook('orders', 't.orders', '{INSERT,UPDATE,DELETE}', %s, _signing_vault => 'order_key',"
                      " _signing_style => %s)", receiver.url, "STANDARD_WEBHOOKS" if receiver.secret == STANDARD else "HMAC")
        sender.work(env={"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_SECRET_ORDER_KEY": receiver.secret}).ready()
        for n in range(150):
            sender.db.run("insert into t.orders values (%s, 'ü \"\\ 😀')", n)
        sender.db.run("update t.orders set v = 'x'")
        sender.db.run("delete from t.orders where id < 50")
        sender.db.eventually("select count(*) = 350 from pgqueue.job_queue where job_status = 'completed' and response_status = 204", deadline=60)
        eventually(lambda: len(receiver.lines) == 350, "it has understood each")
        assert [sum(line.startswith(kind) for line in receiver.lines) for kind in ("INSERT", "UPDATE", "DELETE")] == [150, 150, 50]
        forged = {"X-HMAC-Signature": "0" * 64, "webhook-id": "x", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"}
        assert receiver.post(b'{"type": "INSERT", "record": null}', forged) == 401
    finally:
        receiver.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_documented_receiver_refuses_another_key(sender, tmp_path, language):
    receiver = Receiver(language, tmp_path)
    sender.allow("order_key", hosts=["*"], uses=("sign",))
    try:
        wrong = "whsec_YW5vdGhlciBjYW5hcnkga2V5" if receiver.secret == STANDARD else "another key"
        sender.work(env={"REEVE_ALLOW_HOSTS": "127.0.0.1", "REEVE_SECRET_ORDER_KEY": wrong}).ready()
        job = sender.db.value("insert into pgqueue.job_queue (url, payload, signing_vault, signing_style) values (%s, '{}', 'order_key', %s)"
                              " returning job_id", receiver.url, "STANDARD_WEBHOOKS" if receiver.secret == STANDARD else "HMAC")
        sender.db.eventually("select exists (select 1 from pgqueue.failed_log where job_id = %s and response_status = 401)", job)
        assert receiver.lines == []
    finally:
        receiver.close()
