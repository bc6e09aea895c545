"""Servers from Debian that a test starts for itself: Exim for mail, nginx as an object store.

Each has its own folder, ports and configuration; nothing of the machine's own is touched.  They
refuse to run as root, or to deliver then, so root starts them as a user without rights.
"""
import email
import email.policy
import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NOBODY, NOGROUP = "nobody", "nogroup"


def free_ports(count):
    """Ports that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]
    finally:
        for s in sockets:
            s.close()


class Program:
    """A server in a folder of its own, in the foreground, until the test is over."""
    log_name = "log"

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix=f"reeve-{type(self).__name__.lower()}-", dir="/tmp")
        os.chmod(self.dir, 0o755)
        self.process = None

    def start(self, command, port):
        if os.getuid() == 0:
            for path in [Path(self.dir), *Path(self.dir).rglob("*")]:
                shutil.chown(path, NOBODY)
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOGROUP}", "--init-groups", "--", *command]
        with open(f"{self.dir}/output", "wb") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/")
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return self
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, f"{command}: {self.log()}"
                time.sleep(0.02)

    def log(self):
        return "".join(p.read_text(errors="replace") for p in [Path(self.dir) / "output", *Path(self.dir).glob("log/*")] if p.is_file())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
        shutil.rmtree(self.dir, ignore_errors=True)


def copy_certificate(certificates, folder):
    for name in ("good.pem", "good.key"):
        shutil.copy(f"{certificates}/{name}", folder)
        os.chmod(f"{folder}/{name}", 0o644)


EXIM = """
primary_hostname = mail.example.com
spool_directory = {dir}/spool
log_file_path = {dir}/log/%s
pid_file_path = {dir}/pid
keep_environment =
admin_groups = {group}
exim_user = {owner}
exim_group = {group}
local_interfaces = 127.0.0.1
daemon_smtp_ports = {plain} : {tls}
tls_on_connect_ports = {tls}
tls_advertise_hosts = *
tls_certificate = {dir}/good.pem
tls_privatekey = {dir}/good.key
auth_advertise_hosts = ${{if eq{{$tls_in_cipher}}{{}}{{}}{{*}}}}
acl_smtp_rcpt = check_rcpt
deliver_drop_privilege
never_users =
host_lookup =
rfc1413_hosts =
smtp_accept_max = 100
log_selector = +smtp_protocol_error +received_recipients
bounce_return_message = false
ignore_bounce_errors_after = 0s

begin acl
check_rcpt:
  deny message = 5.1.1 no such user
       local_parts = nobody
  defer message = 4.2.0 mailbox is busy
       local_parts = busy
  deny message = 5.7.0 log in first
       domains = private.example.com
       !authenticated = *
  accept

begin routers
all:
  driver = accept
  transport = box

begin transports
box:
  driver = appendfile
  directory = {dir}/maildir
  create_directory
  maildir_format
  envelope_to_add
  return_path_add
  delivery_date_add

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and{{{{eq{{$auth2}}{{{user}}}}}{{eq{{$auth3}}{{{password}}}}}}}}}
  server_set_id = $auth2
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = ${{if and{{{{eq{{$auth1}}{{{user}}}}}{{eq{{$auth2}}{{{password}}}}}}}}}
  server_set_id = $auth1
"""


class Exim(Program):
    """A mail server that delivers everything into one maildir.

    STARTTLS on one port, TLS from the first byte on the other, AUTH only under TLS.  nobody@ is
    refused, busy@ put off, and @private.example.com is for those who have logged in.
    """

    path = "/usr/sbin/exim4"
    user, password = "mailer", "exim-pass-4711"

    def __init__(self, certificates):
        super().__init__()
        try:
            copy_certificate(certificates, self.dir)
            for name in ("spool", "log", "maildir"):
                os.mkdir(f"{self.dir}/{name}")
            self.port, self.tls_port = free_ports(2)
            config = Path(f"{self.dir}/exim.conf")
            is_root = os.getuid() == 0
            owner = NOBODY if is_root else pwd.getpwuid(os.getuid()).pw_name
            group = NOGROUP if is_root else grp.getgrgid(os.getgid()).gr_name
            config.write_text(EXIM.format(dir=self.dir, plain=self.port, tls=self.tls_port, user=self.user, password=self.password,
                                          owner=owner, group=group))
            self.start([self.path, "-C", str(config), "-bdf", "-q1m"], self.port)
        except BaseException:
            self.__exit__()
            raise

    def messages(self):
        """What was delivered, oldest first, parsed."""
        found = sorted(Path(f"{self.dir}/maildir/new").glob("*"), key=lambda p: p.stat().st_mtime_ns)
        return [email.message_from_bytes(p.read_bytes(), policy=email.policy.default) for p in found]

    def forget(self):
        for path in Path(f"{self.dir}/maildir/new").glob("*"):
            path.unlink()


NGINX = """
daemon off;
worker_processes 1;
pid {dir}/pid;
error_log stderr warn;
events {{ worker_connections 512; }}
http {{
    access_log {dir}/access.log;
    client_body_temp_path {dir}/tmp/body;
    proxy_temp_path {dir}/tmp/proxy;
    fastcgi_temp_path {dir}/tmp/fastcgi;
    uwsgi_temp_path {dir}/tmp/uwsgi;
    scgi_temp_path {dir}/tmp/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {dir}/root;
        location / {{
            secure_link $arg_signature,$arg_expires;
            secure_link_md5 "$secure_link_expires$uri {secret}";
            if ($secure_link = "") {{ return 403; }}
            if ($secure_link = "0") {{ return 410; }}
            dav_methods DELETE;
        }}
    }}
    server {{
        listen 127.0.0.1:{tls_port} ssl http2;
        ssl_certificate {dir}/good.pem;
        ssl_certificate_key {dir}/good.key;
        location / {{
            proxy_pass {behind};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Protocol $server_protocol;
        }}
    }}
}}
"""


class Nginx(Program):
    """An object store that wants signed addresses, and a front with TLS and HTTP/2 for the provider."""

    path = "/usr/sbin/nginx"

    def __init__(self, certificates, behind, secret="store_test", tls_port=None):
        super().__init__()
        try:
            copy_certificate(certificates, self.dir)
            for name in ("root", "tmp", "root/objects", "root/objects/files"):
                os.mkdir(f"{self.dir}/{name}")
            self.port, self.tls_port = free_ports(2)
            self.tls_port = tls_port or self.tls_port
            config = Path(f"{self.dir}/nginx.conf")
            config.write_text(NGINX.format(dir=self.dir, port=self.port, tls_port=self.tls_port, secret=secret, behind=behind))
            self.start([self.path, "-p", self.dir, "-c", str(config), "-e", "stderr"], self.port)
        except BaseException:
            self.__exit__()
            raise
        self.url = f"http://127.0.0.1:{self.port}"
        self.tls_url = f"https://localhost:{self.tls_port}"

    def signal_workers(self, number):
        """To the processes that serve, not to their parent, which listens before it has any."""
        children, end = "", time.monotonic() + 30
        while not children:
            assert time.monotonic() < end, "nginx has no worker"
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        for pid in children.split():
            os.kill(int(pid), number)

    def put(self, path):
        """Store an object, as somebody who uploaded it."""
        file = Path(f"{self.dir}/root{path}")
        for folder in reversed(file.parents):
            if folder.is_relative_to(f"{self.dir}/root") and not folder.exists():
                folder.mkdir()
                folder.chmod(0o777)
        file.write_bytes(b"an object")

    def has(self, path):
        return Path(f"{self.dir}/root{path}").exists()

    def requests(self):
        """Method, path with query, and status of each request that reached it."""
        found = []
        for line in Path(f"{self.dir}/access.log").read_text().splitlines():
            request, rest = line.split('"')[1:3]
            method, path, protocol = request.split(" ")
            found.append((method, path, protocol, int(rest.split()[0])))
        return found
