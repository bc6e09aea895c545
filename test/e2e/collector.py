"""A collector of traces: it takes spans by OTLP/HTTP as JSON, reads them strictly, and misbehaves on demand."""
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from harness import eventually

INTERNAL, CLIENT, CONSUMER = 1, 3, 5
ERROR = 2


def read_value(value):
    """An AnyValue: whole numbers are texts."""
    (kind, content), = value.items()
    if kind == "intValue":
        assert re.fullmatch(r"-?\d+", content), value
        return int(content)
    assert kind == "stringValue" and isinstance(content, str), value
    return content


def read_attributes(attributes):
    assert all(set(a) == {"key", "value"} for a in attributes), attributes
    found = {a["key"]: read_value(a["value"]) for a in attributes}
    assert len(found) == len(attributes), attributes
    return found


class Span:
    """A span, as the specification of OTLP/JSON wants it."""

    def __init__(self, span, resource):
        assert set(span) <= {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano", "attributes",
                             "links", "status"}, span
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"]) and re.fullmatch("[0-9a-f]{16}", span["spanId"]), span
        assert re.fullmatch("[0-9a-f]{16}", span["parentSpanId"]) and span["kind"] in (INTERNAL, CLIENT, CONSUMER), span
        assert all(re.fullmatch(r"\d{19}", span[at]) for at in ("startTimeUnixNano", "endTimeUnixNano")), span
        assert span.get("status", {"code": ERROR}) == {"code": ERROR}, span
        self.trace, self.id, self.parent, self.name, self.kind = (span[k] for k in ("traceId", "spanId", "parentSpanId", "name", "kind"))
        self.start, self.end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
        self.has_failed = "status" in span
        self.attributes = read_attributes(span["attributes"])
        self.task, self.lease = self.attributes["reeve.task_id"], self.attributes["reeve.lease_no"]
        self.links = [(link["traceId"], link["spanId"]) for link in span.get("links", [])]
        self.resource = resource
        assert self.start <= self.end, span

    def __repr__(self):
        return f"{self.name}({self.task}, {self.lease})"


def read_request(body):
    """The spans of an ExportTraceServiceRequest."""
    request = json.loads(body)
    assert set(request) == {"resourceSpans"}, request
    spans = []
    for group in request["resourceSpans"]:
        assert set(group) == {"resource", "scopeSpans"} and set(group["resource"]) == {"attributes"}, group
        for scoped in group["scopeSpans"]:
            assert set(scoped) == {"scope", "spans"} and scoped["scope"]["name"] == "reeve", scoped
            spans += [Span(span, read_attributes(group["resource"]["attributes"])) for span in scoped["spans"]]
    return spans


class Collector:
    """answer: status of the answers; None: none comes before open()."""

    def __init__(self, answer=200):
        collector = self
        self.answer = answer
        self.spans = []     # those that were taken
        self.bodies = []    # of all requests
        self.headers = []   # of all requests
        self.problems = []  # requests that no collector should take
        self._may_answer = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                status = collector.answer
                if status is None:
                    collector._may_answer.wait(120)
                    status = 200
                collector.headers.append(dict(self.headers))
                collector.bodies.append(body)
                try:
                    assert (self.path, self.headers["content-type"]) == ("/v1/traces", "application/json")
                    spans = read_request(body)
                    if status == 200:
                        collector.spans += spans
                except Exception as problem:
                    collector.problems.append(repr(problem))
                self.send_response(status)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def open(self):
        self._may_answer.set()

    def of(self, task, lease=1):
        """The spans of a lease, by name; the span of the lease itself is under its task type."""
        return {s.name: s for s in list(self.spans) if (s.task, s.lease) == (task, lease)}

    def wait(self, task, lease=1):
        """The same, once the span of the lease itself is there; all spans of a lease come together."""
        eventually(lambda: any((s.task, s.lease, s.kind) == (task, lease, CONSUMER) for s in list(self.spans)), f"spans of task {task}")
        return self.of(task, lease)

    def close(self):
        self.open()
        self._server.shutdown()
        self._server.server_close()
        assert self.problems == []
