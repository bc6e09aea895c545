"""A peer for HTTP calls: it records each request and answers on demand."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 2048

    def handle_error(self, request, client_address):
        pass  # The program hung up; that is its right.


class Peer:
    """/hold... is answered after open(), /signed... with a URL to delete, /gone with 404, /busy with 429, .../echo with what it was sent,
    anything else at once."""

    def __init__(self):
        peer = self
        self.paths = []
        self.keys = []  # of each request, or None
        self.answered = []  # paths of the requests that were answered
        self._may_answer = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                sent = self.rfile.read(int(self.headers.get("content-length") or 0))
                peer.keys.append(self.headers.get("idempotency-key"))
                peer.paths.append(self.path)
                if self.path.startswith("/hold"):
                    peer._may_answer.wait(120)
                body = sent if self.path.endswith("/echo") else json.dumps({"url": peer.url + "/object"} if self.path.startswith("/signed") else {"id": "x"}).encode()
                self.send_response({"/gone": 404, "/busy": 429}.get(self.path, 200))
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                peer.answered.append(self.path)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_):
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def open(self):
        """Answer the held requests, and all later ones."""
        self._may_answer.set()

    def count(self, path):
        return sum(p.startswith(path) for p in list(self.paths))

    def close(self):
        self.open()
        self._server.shutdown()
        self._server.server_close()

    # --- tasks and workers that know it ---

    def env(self, **more):
        return {"REEVE_ALLOW_HOSTS": f"127.0.0.1:{self.port}", "REEVE_LOG_LEVEL": "debug", **more}

    def enqueue(self, db, path="/x", count=1, first=0, **payload):
        """HTTP tasks that call us; their bodies are counted from `first`."""
        return [db.value("select queues.enqueue('http', %s::jsonb)",
                         json.dumps({"request": {"method": "POST", "url": f"{self.url}{path}", "body": {"n": n}}, **payload}))
                for n in range(first, first + count)]
