"""A browser without JavaScript for the dashboard: it keeps its cookie, follows no redirect, and reads forms."""
import http.client
import json
import re
import ssl
import time
import uuid
from html.parser import HTMLParser
from urllib.parse import urlencode

from harness import REEVE, Worker, clean_environment, eventually


class Dashboard:
    """`reeve serve` for a database."""

    def __init__(self, db, *args, user="postgres", url=None, listen="127.0.0.1:0", tls=False, program=REEVE, **env):
        self.tls = tls
        self.used = set()  # addresses that somebody has opened
        self.program = Worker(["sh", "-c", 'exec "$0" "$@" 1>&2', program, "serve", "--listen", listen, "--database-url", url or db.conninfo(user), *args],
                              clean_environment(**env))
        db.workers.append(self.program)
        self.program.wait_line("msg=listening")
        self.port = int(re.search(r"msg=listening address=\S*:(\d+)", self.program.log()).group(1))

    def addresses(self):
        """What the program has printed so far: one at least."""
        return eventually(lambda: re.findall(r"Open (\S+)", self.program.log()), "an address is printed")

    def fresh_address(self):
        """One that nobody has opened.  Each works once, and the next one is printed after that."""
        address = eventually(lambda: [a for a in self.addresses() if a not in self.used][-1:], "another address is printed")[0]
        self.used.add(address)
        return address

    def viewer(self, **kwargs):
        return Viewer(self, **kwargs)

    def by_token(self):
        """A viewer who has opened a fresh address."""
        viewer = self.viewer()
        path = "/login" + self.fresh_address().partition("/login")[2]
        answer = viewer.get(path)
        assert answer.status == 303, answer.text
        return viewer

    def by_password(self, name, password):
        viewer = self.viewer()
        answer = viewer.post("/login", name=name, password=password)
        assert answer.status == 303, answer.text
        return viewer


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode("utf-8", "replace")

    def json(self):
        return json.loads(self.text)

    @property
    def location(self):
        return self.headers["Location"]


class Forms(HTMLParser):
    """The forms of a page: action -> hidden fields."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.open = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.open = self.forms.setdefault(attrs.get("action", ""), {})
        elif tag == "input" and self.open is not None and attrs.get("type") == "hidden":
            self.open[attrs["name"]] = attrs.get("value", "")

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None


class Viewer:
    def __init__(self, dashboard, headers=None, address="127.0.0.1"):
        self.dashboard, self.cookies, self.headers, self.address = dashboard, {}, headers or {}, address

    def request(self, method, path, body=None, timeout=30, **headers):
        if self.dashboard.tls:
            connection = http.client.HTTPSConnection(self.address, self.dashboard.port, timeout=timeout,
                                                     context=ssl._create_unverified_context())
        else:
            connection = http.client.HTTPConnection(self.address, self.dashboard.port, timeout=timeout)
        headers = {name.replace("_", "-"): value for name, value in {**self.headers, **headers}.items()}
        if self.cookies:
            headers.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return answer

    def get(self, path, **headers):
        return self.request("GET", path, **headers)

    def post(self, path, _headers=None, **fields):
        return self.request("POST", path, body=urlencode(fields), Content_Type="application/x-www-form-urlencoded", **(_headers or {}))

    def token(self):
        """The secret of the forms of this session."""
        answer = self.get("/")
        found = re.search(r'name="token" value="([0-9a-f]+)"', answer.text)
        assert found, f"{answer.status}: {answer.text}"
        return found[1]

    def act(self, path, key=None, **fields):
        """Sends the form of an act."""
        return self.post(path, token=self.token(), key=key or str(uuid.uuid4()), **fields)

    def until(self, path, status, timeout=30):
        eventually(lambda: self.get(path).status == status, f"{path} answers {status}", timeout)
