"""Two PostgreSQL servers under Patroni, with one etcd, in a folder of their own."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from harness import Server, children_of, eventually, free_port

import psycopg

# The shortest times that Patroni allows.
TTL, LOOP_WAIT, RETRY = 20, 2, 3
DEADLINE = 120


def spawn(command, log):
    """A process of user postgres, in a group of its own; its output goes to a file."""
    who = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    with open(log, "a", encoding="utf-8") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd="/", start_new_session=True, **who)


def end(process):
    if process is not None and process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait(30)


class Node:
    """One server and the Patroni that looks after it."""

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.port, self.rest = free_port(), free_port()
        self.data = f"{cluster.dir}/{name}"
        self.file = f"{cluster.dir}/{name}.json"  # JSON is YAML
        self.process = None
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({
                "scope": "reeve", "name": name,
                "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
                "etcd3": {"host": f"127.0.0.1:{cluster.etcd_port}"},
                "bootstrap": {
                    "dcs": {"ttl": TTL, "loop_wait": LOOP_WAIT, "retry_timeout": RETRY, "synchronous_mode": True,
                            "postgresql": {"use_pg_rewind": True, "parameters": {
                                "max_connections": 200, "deadlock_timeout": "100ms", "wal_log_hints": "on"}}},
                    "initdb": [{"encoding": "UTF8"}, {"locale": "C"}],
                },
                "postgresql": {
                    "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}", "data_dir": self.data,
                    "bin_dir": cluster.bin, "pgpass": f"{cluster.dir}/{name}.pgpass",
                    "remove_data_directory_on_diverged_timelines": True, "remove_data_directory_on_rewind_failure": True,
                    "authentication": {role: {"username": "postgres", "password": "x"} for role in ("superuser", "replication", "rewind")},
                    "parameters": {"unix_socket_directories": cluster.dir, "fsync": "off"},
                    "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
                },
                "watchdog": {"mode": "off"},
            }, file)

    def start(self):
        self.process = spawn(["/usr/bin/patroni", self.file], f"{self.cluster.dir}/{self.name}.log")

    def server_pids(self):
        try:
            with open(f"{self.data}/postmaster.pid", encoding="ascii") as file:
                postmaster = int(file.readline())
        except (OSError, ValueError):
            return []
        return [postmaster, *children_of(postmaster)] if os.path.exists(f"/proc/{postmaster}") else []

    def everybody(self):
        """Patroni first, so that it does not see what happens to its server."""
        return [self.process.pid, *self.server_pids()]

    def signal(self, number):
        for pid in self.everybody():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def crash(self):
        pids = self.server_pids()
        self.signal(signal.SIGKILL)
        self.process.wait(30)
        eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), "its server is gone")

    def stop(self):
        for pid in self.server_pids():
            try:
                os.kill(pid, signal.SIGCONT)
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        end(self.process)

    def ask(self, path, value=None):
        """Status and answer of Patroni; None: it does not answer."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.rest}{path}", None if value is None else json.dumps(value).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60 if value else 3) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return None, ""

    def is_leader(self):
        return self.ask("/primary")[0] == 200

    def is_sync_standby(self):
        return self.ask("/synchronous")[0] == 200


class Cluster(Server):
    """What the tests see is one server with two addresses."""

    def __init__(self):  # pylint: disable=super-init-not-called
        self.maker = self.spare = None
        self.bin = subprocess.run([Server.pg_bin, os.environ.get("PG", "")], capture_output=True, text=True, check=True).stdout.strip()
        self.dir = tempfile.mkdtemp(prefix="reeve-patroni-", dir="/tmp")
        if os.getuid() == 0:
            shutil.chown(self.dir, "postgres")
        os.chmod(self.dir, 0o755)
        self.etcd_port, self.etcd_peers = free_port(), free_port()
        self.etcd = None
        self.nodes = [Node(self, name) for name in ("one", "two")]
        self.order = list(self.nodes)  # how new clients name them

    def __enter__(self):
        try:
            self.start_etcd()
            self.nodes[0].start()
            eventually(self.nodes[0].is_leader, "the first node leads", DEADLINE)
            self.nodes[1].start()
            self.wait_whole()
            self.make_template()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.stop()
        end(self.etcd)
        if not os.environ.get("KEEP"):
            shutil.rmtree(self.dir, ignore_errors=True)

    def start_etcd(self):
        client, peer = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{self.etcd_peers}"
        self.etcd = spawn(["/usr/bin/etcd", "--data-dir", f"{self.dir}/etcd", "--listen-client-urls", client, "--advertise-client-urls",
                           client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster",
                           f"default={peer}", "--unsafe-no-fsync"], f"{self.dir}/etcd.log")

    def stop_etcd(self):
        end(self.etcd)

    def leader(self):
        return next((node for node in self.nodes if node.is_leader()), None)

    def other(self, node):
        return self.nodes[1 - self.nodes.index(node)]

    def wait_whole(self):
        """Until there is a leader and a synchronous standby.  Returns the leader."""
        def ask():
            leader = self.leader()
            return leader if leader is not None and self.other(leader).is_sync_standby() else None
        return eventually(ask, "a leader with a synchronous standby", DEADLINE)

    def wait_leader(self, node):
        return eventually(node.is_leader, f"{node.name} leads", DEADLINE)

    def hosts(self):
        return f"host=127.0.0.1,127.0.0.1 port={self.order[0].port},{self.order[1].port}"

    def url(self, user="postgres"):
        return f"{self.hosts()} user={user} dbname=ours"

    def conninfo(self, database="postgres", user="postgres"):
        return f"{self.hosts()} user={user} dbname={database} target_session_attrs=read-write connect_timeout=5"

    def run_sql(self, sql, database="postgres"):
        end_at = time.monotonic() + DEADLINE
        while True:
            try:
                with psycopg.connect(self.conninfo(database), autocommit=True) as connection:
                    connection.execute(sql)
                return
            except psycopg.OperationalError:
                if time.monotonic() > end_at:
                    raise
