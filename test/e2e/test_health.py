"""reeve health: the health check of a container, which has no other program than this one."""
import socket
import subprocess
import threading

import pytest
from harness import REEVE, clean_environment, eventually
from test_observe import watched


def health(*args, **environment):
    return subprocess.run([REEVE, "health", *args], env=clean_environment(**environment), capture_output=True, text=True, check=False, timeout=60)


def test_a_worker_that_can_work_is_healthy(db):
    _, pages = watched(db)
    eventually(lambda: pages.status("/readyz") == 200, "the worker is ready")
    done = health("--listen", f"127.0.0.1:{pages.port}")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.strip()
    assert health("/livez", REEVE_LISTEN=f"127.0.0.1:{pages.port}").stdout == "ok\n"
    assert health(REEVE_LISTEN=f"0.0.0.0:{pages.port}").returncode == 0  # a server on every address is asked here


def test_a_worker_without_its_database_is_not_healthy_and_says_why(own_db, own_server):
    _, pages = watched(own_db)
    own_server.stop()
    eventually(lambda: pages.status("/readyz") == 503, "the worker is not ready")
    done = health("--listen", f"127.0.0.1:{pages.port}")
    assert done.returncode == 1 and "database" in done.stdout
    assert health("/livez", "--listen", f"127.0.0.1:{pages.port}").returncode == 0
    own_server.start()


def test_a_page_that_is_not_there_is_not_health(db):
    _, pages = watched(db)
    assert health("/nothing", "--listen", f"127.0.0.1:{pages.port}").returncode == 1


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 xyz no\r\n\r\n", b"HTTP/1.1 200 OK\r\n", None],
                         ids=["nothing", "another protocol", "no status", "no end of the head", "silence"])
def test_whoever_does_not_answer_by_http_is_not_healthy(answer):
    with socket.create_server(("127.0.0.1", 0)) as peer:
        visitors = []

        def serve():
            visitor, _ = peer.accept()
            visitors.append(visitor)
            if answer is not None:
                visitor.sendall(answer)
                visitor.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=serve)
        thread.start()
        done = health("--listen", f"127.0.0.1:{peer.getsockname()[1]}")
        thread.join()
        visitors[0].close()
    assert done.returncode == 1 and ("not HTTP" in done.stderr or "timed out" in done.stderr), done.stderr


@pytest.mark.parametrize("args, reason", [(["/a b"], "is not a path"), (["readyz"], "is not a path"), (["--listen", "nowhere"], "is not HOST:PORT"),
                                          (["--listen", "127.0.0.1:1"], "Connection refused")])
def test_a_wrong_address_or_path_is_refused_with_the_reason(args, reason):
    done = health(*args)
    assert done.returncode == 1 and reason in done.stderr, done.stderr
