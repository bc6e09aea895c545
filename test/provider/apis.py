"""The services that the program talks to: Resend, Twilio, a files service, an object store.

An API gets a request and either refuses it with a Reply, or returns a function that makes the
effect and its Reply.  Between the two the request is being worked on, which may take a while.
"""
import base64
import binascii
import email.utils
import hashlib
import json
import os
import re
import urllib.parse

from http1 import Reply

KEY_LIFE = 24 * 3600  # seconds that Resend remembers a key
ADDRESS = re.compile(r"^(?:[^<>\r\n]*<)?[^@\s<>,]+@[^@\s<>,]+\.[^@\s<>,]+>?$")
NUMBER = re.compile(r"^\+[1-9][0-9]{6,14}$")
TWILIO = re.compile(r"^/2010-04-01/Accounts/([^/]+)/Messages\.json$")


def as_json(status, value, **kwargs):
    return Reply(status, json.dumps(value).encode(), "application/json; charset=utf-8", **kwargs)


def new_uuid():
    text = os.urandom(16).hex()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def basic_login(request):
    """User and password of a basic authorization."""
    scheme, _, value = request.header("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        user, _, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return user, password


class Resend:
    """POST /emails, with keys that are remembered for a day."""
    name = "resend"

    def __init__(self, world, api_key):
        self.world, self.api_key = world, api_key
        self.known = {}    # key -> (body, answer, time)
        self.working = {}  # key -> body

    @staticmethod
    def key(request):
        return request.header("idempotency-key")

    @staticmethod
    def error(status, name, message, **kwargs):
        return as_json(status, {"statusCode": status, "name": name, "message": message}, **kwargs)

    def __call__(self, request):
        if request.path != "/emails":
            return self.error(404, "not_found", "The requested endpoint does not exist")
        if request.method != "POST":
            return self.error(405, "method_not_allowed", "This endpoint does not support the specified HTTP method")
        authorization = request.header("authorization", "")
        if not authorization.startswith("Bearer "):
            return self.error(401, "missing_api_key", "Missing API key in the authorization header")
        if authorization[7:] != self.api_key:
            return self.error(403, "invalid_api_key", "API key is invalid")
        key = self.key(request)
        if key is not None and not 1 <= len(key) <= 256:
            return self.error(400, "invalid_idempotency_key", "The key must be between 1-256 chars")
        try:
            body = json.loads(request.body)
        except ValueError:
            return self.error(400, "validation_error", "The request body is not valid JSON")
        if key is not None:
            again = self.seen(key, body)
            if again is not None:
                return again
        problem = self.problem(body)
        if problem is not None:
            return problem
        if key is not None:
            self.working[key] = body
        return lambda: self.accept(key, body)

    def seen(self, key, body):
        """The answer to a key that was used before."""
        if key in self.working:
            if self.working[key] == body:
                return self.error(409, "concurrent_idempotent_requests",
                                  "Same idempotency key used while original request is still in progress")
            return self.error(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload")
        known = self.known.get(key)
        if known is None or self.world.now() - known[2] > KEY_LIFE:
            return None
        if known[0] != body:
            return self.error(409, "invalid_idempotent_request", "Same idempotency key used with a different request payload")
        return Reply(200, known[1], "application/json; charset=utf-8")

    def problem(self, body):
        if not isinstance(body, dict):
            return self.error(422, "validation_error", "The request body must be an object")
        for field in ("from", "to", "subject"):
            if not body.get(field):
                return self.error(422, "missing_required_field", f"Missing `{field}` field")
        if not body.get("html") and not body.get("text"):
            return self.error(422, "missing_required_field", "Missing `html` or `text` field")
        if not isinstance(body["from"], str) or not ADDRESS.match(body["from"]):
            return self.error(422, "invalid_from_address", "Invalid `from` field")
        to = [body["to"]] if isinstance(body["to"], str) else body["to"]
        if not isinstance(to, list) or len(to) > 50 or not all(isinstance(a, str) and ADDRESS.match(a) for a in to):
            return self.error(422, "validation_error", "Invalid `to` field. The email address needs to follow the"
                              " `email@example.com` or `Name <email@example.com>` format")
        return None

    def accept(self, key, body):
        number = new_uuid()
        answer = b'{"id":"' + number.encode() + b'"}'
        if key is not None:
            self.working.pop(key, None)
            self.known[key] = (body, answer, self.world.now())
        self.world.effect(self.name, key or number, number)
        return Reply(200, answer, "application/json; charset=utf-8")


class Twilio:
    """POST /2010-04-01/Accounts/{sid}/Messages.json: there is no key, so each call is a message."""
    name = "twilio"

    def __init__(self, world, sid, token):
        self.world, self.sid, self.token = world, sid, token

    @staticmethod
    def key(request):
        """Who is told what: the only way to recognise a repeat."""
        fields = urllib.parse.parse_qs(request.body.decode("utf-8", "replace"))
        return "|".join(fields.get(name, [""])[0] for name in ("To", "Body"))

    @staticmethod
    def error(status, code, message):
        return as_json(status, {"code": code, "message": message,
                                "more_info": f"https://www.twilio.com/docs/errors/{code}", "status": status})

    def __call__(self, request):
        account = TWILIO.match(request.path).group(1)
        if request.method != "POST":
            return self.error(405, 20004, "Method not allowed")
        if basic_login(request) != (self.sid, self.token):
            return self.error(401, 20003, "Authenticate")
        if account != self.sid:
            return self.error(404, 20404, f"The requested resource {request.path} was not found")
        if not request.header("content-type", "").startswith("application/x-www-form-urlencoded"):
            return self.error(400, 20001, "Unsupported content type")
        form = urllib.parse.parse_qs(request.body.decode("utf-8", "replace"), keep_blank_values=True)
        field = {name: values[0] for name, values in form.items()}
        if not field.get("To"):
            return self.error(400, 21604, "A 'To' phone number is required.")
        if not field.get("From") and not field.get("MessagingServiceSid"):
            return self.error(400, 21603, "A 'From' phone number is required.")
        if not field.get("Body"):
            return self.error(400, 21602, "Message body is required.")
        if len(field["Body"]) > 1600:
            return self.error(400, 21617, "The concatenated message body exceeds the 1600 character limit")
        if not NUMBER.match(field["To"]) or field["To"] == "+15005550001":
            return self.error(400, 21211, f"The 'To' number {field['To']} is not a valid phone number.")
        return lambda: self.accept(request, field)

    def accept(self, request, field):
        sid = "SM" + os.urandom(16).hex()
        now = email.utils.formatdate(self.world.now(), usegmt=False)
        service = field.get("MessagingServiceSid")
        self.world.effect(self.name, self.key(request), sid)
        return as_json(201, {
            "account_sid": self.sid, "api_version": "2010-04-01", "body": field["Body"], "date_created": now, "date_sent": None,
            "date_updated": now, "direction": "outbound-api", "error_code": None, "error_message": None,
            "from": field.get("From"), "messaging_service_sid": service, "num_media": "0",
            "num_segments": "0" if service else "1", "price": None, "price_unit": None, "sid": sid,
            "status": "accepted" if service else "queued", "subresource_uris": {}, "to": field["To"],
            "uri": f"/2010-04-01/Accounts/{self.sid}/Messages/{sid}.json"})


def sign(secret, path, expires):
    """The signature of a path, as nginx's secure_link_md5 "$secure_link_expires$uri secret" has it."""
    digest = hashlib.md5(f"{expires}{path} {secret}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class Files:
    """POST /signed_delete_url: an address that may delete one object, for a while."""
    name = "files"

    def __init__(self, world, api_key, secret):
        self.world, self.api_key, self.secret = world, api_key, secret
        self.files = {}  # id -> {"path": ...} or {"url": ...}; others are /objects/files/<id>

    @staticmethod
    def key(request):
        return None

    def __call__(self, request):
        if request.method != "POST":
            return as_json(405, {"error": "method not allowed"})
        if request.header("x-file-service-api-key") != self.api_key:
            return as_json(403, {"error": "wrong api key"})
        try:
            file_id = json.loads(request.body)["file_id"]
        except (ValueError, KeyError, TypeError):
            return as_json(400, {"error": "file_id is missing"})
        known = self.files.get(str(file_id), {})
        if known.get("missing"):
            return as_json(404, {"error": "no such file"})
        path = known.get("path", f"/objects/files/{urllib.parse.quote(str(file_id))}")
        expires = int(self.world.now()) + 300
        url = known.get("url")
        if url is None:
            url = f"{self.world.store_url}{path}?signature={sign(self.secret, path, expires)}&expires={expires}"
        return lambda: as_json(200, {"url": url})


class Store:
    """DELETE of an object by its signed address.  Every object is there until it is deleted."""
    name = "store"

    def __init__(self, world, secret):
        self.world, self.secret = world, secret
        self.gone = set()

    @staticmethod
    def key(request):
        return request.path

    def __call__(self, request):
        if request.method != "DELETE":
            return Reply(405, b"<Error><Code>MethodNotAllowed</Code></Error>", "application/xml")
        query = urllib.parse.parse_qs(request.query)
        expires = query.get("expires", ["0"])[0]
        if query.get("signature") != [sign(self.secret, request.path, expires)] or int(expires) < self.world.now():
            return Reply(403, b"<Error><Code>AccessDenied</Code></Error>", "application/xml")
        if request.path in self.gone:
            return Reply(404, b"<Error><Code>NoSuchKey</Code></Error>", "application/xml")
        return lambda: self.accept(request)

    def accept(self, request):
        self.gone.add(request.path)
        self.world.effect(self.name, request.path, request.path)
        return Reply(204, content_type=None)


class Plain:
    """/echo gives a request back, /status/NNN answers with that status."""
    name = "plain"

    def __init__(self, world):
        self.world = world

    @staticmethod
    def key(request):
        return request.header("idempotency-key")

    def __call__(self, request):
        if request.path.startswith("/status/"):
            status = request.path[8:]
            if not status.isdigit() or not 100 <= int(status) <= 999:
                return as_json(404, {"error": "no such status"})
            status = int(status)
        elif request.path == "/echo":
            status = 200
        else:
            return as_json(404, {"error": "not found"})
        return lambda: self.accept(request, status)

    def accept(self, request, status):
        if 200 <= status < 300:
            self.world.effect(self.name, self.key(request), request.target)
        if request.path == "/echo":
            value = {"method": request.method, "path": request.path, "query": request.query, "headers": request.headers,
                     "body": request.body.decode("utf-8", "replace")}
        else:
            value = {"status": status}
        reply = as_json(status, value, headers=(("X-Provider", "reeve-test"),))
        if request.method == "HEAD" or status in (204, 304) or status < 200:
            reply.body = b""
        return reply
