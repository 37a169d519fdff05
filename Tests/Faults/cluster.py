"""A private fleet on the loopback interface: etcd, three PostgreSQL servers under Patroni, todo-servers and HAProxy.

The configuration files and the commands are those of `fleet/`. All processes run in a temporary folder. A process of its
own, the guard, ends them and removes the folder when the test closes the fleet or has ended, also by SIGKILL.

    cluster.py   starts a fleet, prints its connection URI, and ends it at the end of the input
"""

import json
import os
import pathlib
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from faults import PROGRAM, QUIET, Server, expect
from guard import command, kill_all, postmaster, processes, remove_shared_memory, send

TEMPLATES = pathlib.Path(__file__).parent / "fleet"
HOST = "127.0.0.1"


def free_port():
    """A port below those of outgoing connections, which would take the port of a process that is restarted."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
                return port
            except OSError:
                pass


class Part:
    """A process of the fleet, in a folder of its own."""

    def __init__(self, fleet, name, program, values):
        self.fleet, self.name, self.program, self.process = fleet, name, program, None
        self.folder = f"{fleet.folder}/{name}"
        os.mkdir(self.folder, 0o700)
        for template in TEMPLATES.iterdir():
            if template.suffix:
                self.write(template.name, re.sub(
                    r"@(\w+)@", lambda match: str(values.get(match[1], match[0])), template.read_text()))
        self.write("todo.pgpass", f"*:*:*:todo:{fleet.password}\n")
        fleet.own(self.folder)

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(text)
        self.fleet.own(path)

    def start(self, output=None):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                [TEMPLATES / "start", self.program, self.folder],
                stdin=subprocess.DEVNULL, stdout=output or log, stderr=log,
                env={**os.environ, **QUIET, "TODO_SERVER_PROGRAM": PROGRAM})

    def signal(self, number):
        send(number, *processes(self.folder))

    def freeze(self):
        """Stops every process, also those that are started at the same time."""
        for _ in range(3):
            self.signal(signal.SIGSTOP)

    def kill(self):
        self.process.kill()
        kill_all(self.folder)
        self.process.wait()

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder)


class Member(Part):
    """A PostgreSQL server under Patroni."""

    def __init__(self, fleet, number):
        self.port, self.rest = free_port(), free_port()
        super().__init__(fleet, f"member{number}", "patroni", {
            **fleet.values, "name": f"member{number}", "rest": f"{HOST}:{self.rest}", "sql": f"{HOST}:{self.port}",
            "folder": f"{fleet.folder}/member{number}"})

    def status(self):
        """The response of Patroni; empty if it does not respond."""
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.rest}/patroni", timeout=1) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            return json.load(error)
        except (OSError, ValueError):
            return {}

    def roles(self):
        """The roles of all members as etcd has them: `leader`, `sync_standby` and `replica`; empty if Patroni does not respond."""
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.rest}/cluster", timeout=1) as response:
                return sorted(each["role"] for each in json.load(response)["members"])
        except (OSError, ValueError):
            return []

    def sql(self, statement, database="postgres"):
        """The output of psql; `None` if it fails."""
        environment = {
            **os.environ, "PGPASSWORD": self.fleet.password, "PGCONNECT_TIMEOUT": "2",
            "PGOPTIONS": "-c statement_timeout=10s"}
        uri = f"postgresql://postgres@{HOST}:{self.port}/{database}"
        run = subprocess.run(
            ["psql", "-XAtqc", statement, uri], env=environment, capture_output=True, text=True, timeout=20)
        return run.stdout.strip() if run.returncode == 0 else None

    def wait_for_standby(self, standby, seconds):
        """Waits until a standby has stored everything that this primary had written before the call."""
        position, end = self.sql("SELECT pg_current_wal_flush_lsn()"), time.monotonic() + seconds
        query = f"SELECT flush_lsn >= '{position}' FROM pg_stat_replication WHERE application_name = '{standby.name}'"
        while self.sql(query) != "t":
            expect(time.monotonic() < end, f"{standby.name} has not received the writes after {seconds} s")

    def kill_postmaster(self):
        send(signal.SIGKILL, postmaster(self.folder))

    def end_replication(self):
        """Freezes PostgreSQL, and closes its connection to the primary, whose buffers would be received later."""
        receivers = [pid for pid in processes(self.folder) if "walreceiver" in command(pid)]
        self.freeze()
        send(signal.SIGTERM, *receivers)
        send(signal.SIGCONT, *receivers)

    def lose_disk(self):
        remove_shared_memory(self.folder)
        shutil.rmtree(f"{self.folder}/data")


class TodoServer(Part, Server):
    """A todo-server whose store is the fleet's database."""

    def __init__(self, fleet, number, database="todo"):
        self.address, self.database = f"{HOST}:{free_port()}", database
        self.endpoint = f"tcp://{self.address}"
        hosts = ",".join(f"{HOST}:{member.port}" for member in fleet.members)
        super().__init__(
            fleet, f"server{number}", "todo-server", {"listen": self.address, "hosts": hosts, "database": database})

    def start(self):
        super().start(subprocess.PIPE)
        started = b"listening on" in self.process.stdout.readline()
        expect(started, f"the server does not start: {pathlib.Path(self.folder, 'log').read_text()}")


class HAProxy(Part):
    """HAProxy in front of three todo-servers."""

    def __init__(self, fleet, servers):
        address = f"{HOST}:{free_port()}"
        self.endpoint = f"tcp://{address}"
        super().__init__(
            fleet, "haproxy", "haproxy", {"listen": address, **{each.name: each.address for each in servers}})
        self.start()
        # Until every server was checked.
        time.sleep(1)


class Fleet:
    """etcd and three PostgreSQL servers; todo-servers and HAProxy on request."""

    def __init__(self, synchronous=True):
        # PostgreSQL does not run as root.
        self.user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        self.folder = tempfile.mkdtemp(prefix="todo-fleet-")
        self.own(self.folder)
        self.password = f"{random.getrandbits(64):x}"
        self.guard = subprocess.Popen(
            [sys.executable, TEMPLATES.parent / "guard.py", self.folder], stdin=subprocess.PIPE, cwd="/",
            start_new_session=True)
        client, peer = (f"{HOST}:{free_port()}" for _ in range(2))
        versions = sorted(pathlib.Path("/usr/lib/postgresql").iterdir(), key=lambda path: int(path.name))
        self.values = {
            "etcd": client, "synchronous": str(synchronous).lower(), "network": f"{HOST}/32", "memory": "32MB",
            "shared_memory": "mmap", "programs": f"{versions[-1]}/bin", "password": self.password}
        self.etcd = Part(self, "etcd", "etcd", {
            "name": "etcd1", "client": client, "peer": peer, "cluster": f"etcd1=http://{peer}"})
        self.members = [Member(self, number) for number in (1, 2, 3)]
        self.synchronous = synchronous

    def own(self, path):
        if self.user:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def start(self):
        self.etcd.start()
        for member in self.members:
            member.start()
        self.wait_until_complete(120)

    def primary(self):
        """The primary; `None` while there is none."""
        return next((member for member in self.members if member.status().get("role") in ("master", "primary")), None)

    def wait_until_complete(self, seconds=60):
        """Waits until the primary has two standbys, of which one is synchronous and may take over.

        A standby takes over only if etcd names it as synchronous, which Patroni writes 2 s after PostgreSQL has made it so.
        """
        end = time.monotonic() + seconds
        query = """SELECT sync_state FROM pg_stat_replication
                   WHERE application_name ~ '^member' AND state = 'streaming' ORDER BY 1"""
        expected = "async\nsync" if self.synchronous else "async\nasync"
        roles = ["leader", "replica", "sync_standby" if self.synchronous else "replica"]
        while True:
            states = [member.status().get("state") for member in self.members]
            if (states == ["running"] * 3 and (primary := self.primary()) and primary.sql(query) == expected
                    and primary.roles() == roles):
                return primary
            expect(time.monotonic() < end, f"the fleet is not complete after {seconds} s: {states}")
            time.sleep(0.2)

    def uri(self, database="todo"):
        hosts = ",".join(f"{HOST}:{member.port}" for member in self.members)
        return f"postgresql://todo:{self.password}@{hosts}/{database}?target_session_attrs=read-write"

    def close(self):
        self.guard.stdin.close()
        self.guard.wait()


if __name__ == "__main__":
    fleet = Fleet()
    try:
        fleet.start()
        print(fleet.uri(), flush=True)
        sys.stdin.read()
    finally:
        fleet.close()
