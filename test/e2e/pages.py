"""The pages that a program shows with --listen."""
import http.client
import re


class Pages:
    """The pages of a program that was started with --listen 127.0.0.1:0."""

    def __init__(self, worker):
        self.worker = worker
        worker.wait_line("msg=listening")
        self.port = int(re.search(r"msg=listening address=127\.0\.0\.1:(\d+)", worker.log()).group(1))

    def request(self, path, method="GET", timeout=30, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            connection.close()

    def status(self, path):
        return self.request(path)[0]

    def metrics(self):
        """Name with labels -> value."""
        status, text, _ = self.request("/metrics")
        assert status == 200
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if not line.startswith("#")}

    def completed(self):
        """(queue, type, outcome) -> number."""
        found = {}
        for name, value in self.metrics().items():
            match = re.fullmatch(r'reeve_tasks_completed_total\{queue="(.*)",type="(.*)",outcome="(.*)"\}', name)
            if match and value > 0:
                found[match.groups()] = value
        return found
