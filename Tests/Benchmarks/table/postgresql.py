"""A private PostgreSQL server, and pgbench."""

import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time

from . import machine, programs
from .programs import Failed, Process, output

# Checkpoints and their writes stay out of the measured seconds.
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",
}
# The connection settings of the server's store, so that pgbench has the same plans.
PLANS = (
    "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c enable_hashjoin=off -c enable_mergejoin=off "
    "-c jit=off -c plan_cache_mode=force_generic_plan"
)
PROGRAMS = ("initdb", "postgres", "psql", "pgbench")


def folder_of_programs():
    """The folder of PostgreSQL's programs, the newest version first, or `None`."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(re.findall(r"\d+", path)[-1]))
    folders = [*reversed(found), os.path.dirname(shutil.which("initdb") or "")]
    return next((folder for folder in folders if all(os.path.exists(f"{folder}/{name}") for name in PROGRAMS)), None)


class PostgreSQL(Process):
    """A PostgreSQL server with a new data directory on disk and a Unix socket. It ends with this script.

    If the script runs as root, the server runs as the user `postgres`, because PostgreSQL does not run as root.
    """

    def __init__(self, parent):
        self.process, self.folder, self.socket = None, None, None
        self.programs = folder_of_programs()
        if not self.programs:
            raise Failed("PostgreSQL is not installed; install Debian's postgresql and postgresql-client")
        try:
            self.folder = self._make_folder(parent, "benchmark-postgresql-")
            # In /tmp, because the path of a Unix socket is limited to about 100 bytes.
            self.socket = self._make_folder(None, "todo-benchmark-")
            self._start()
        except BaseException:
            self.stop()
            raise

    def _make_folder(self, parent, prefix):
        folder = tempfile.mkdtemp(dir=parent, prefix=prefix)
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
        return folder

    def _start(self):
        user = ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.getuid() == 0 else []
        # SIGINT is a fast shutdown.
        prefix = ["setpriv", *user, "--pdeathsig", "INT"]
        data = f"{self.folder}/data"
        options = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale", "C.UTF-8"]
        output(*prefix, f"{self.programs}/initdb", "-D", data, *options, cwd=self.folder)
        settings = {**SETTINGS, "unix_socket_directories": self.socket}
        with open(f"{self.folder}/log", "wb") as log:
            self.process = subprocess.Popen(
                [*prefix, f"{self.programs}/postgres", "-D", data]
                + [word for name, value in settings.items() for word in ("-c", f"{name}={value}")],
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        for _ in range(300):
            try:
                self.query("SELECT 1")
                break
            except Failed:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        if self.process.poll() is not None:
            raise Failed(f"PostgreSQL does not start: {machine.read(f'{self.folder}/log')[-500:]}")
        for name in ("fsync", "synchronous_commit"):
            if (value := self.query(f"SHOW {name}")) != "on":
                raise Failed(f"PostgreSQL has {name} = {value}")

    def stop(self):
        # SIGTERM would wait for the clients.
        if self.process:
            self.process.send_signal(signal.SIGINT)
        super().stop()
        for folder in (self.folder, self.socket):
            if folder:
                shutil.rmtree(folder, ignore_errors=True)

    @property
    def version(self):
        return self.query("SHOW server_version").split()[0]

    def cpu_seconds(self):
        """User and system time of all processes of the server, including those that have ended."""
        id = self.process.pid
        total = sum(map(int, machine.read(f"/proc/{id}/stat").rpartition(")")[2].split()[11:15])) / machine.TICK
        for child in machine.read(f"/proc/{id}/task/{id}/children").split():
            try:
                total += machine.cpu_seconds(child)
            except (FileNotFoundError, ProcessLookupError):
                pass
        return total

    # Databases

    def uri(self, database):
        return f"postgresql:///{database}?host={self.socket}&user=postgres"

    def query(self, sql, database="postgres"):
        options = ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", self.uri(database), "-c", sql]
        return output(f"{self.programs}/psql", *options).strip()

    def create(self, name, template="template0"):
        """Creates a database. The checkpoint makes every run start alike."""
        self.query(f"CREATE DATABASE {name} TEMPLATE {template}")
        self.query("CHECKPOINT")

    def drop(self, name):
        self.query(f"DROP DATABASE {name} WITH (FORCE)")

    # pgbench

    def initialize_pgbench(self, database):
        self.create(database)
        output(f"{self.programs}/pgbench", "-i", "-q", "-s", 1, self.uri(database))
        self.query("CHECKPOINT")

    def pgbench(self, database, connections, seconds, *arguments):
        """Starts pgbench, which measures for some seconds. `rate` reads its output."""
        return subprocess.Popen(
            [f"{self.programs}/pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", "1"]
            + ["-T", str(seconds), *map(str, arguments), self.uri(database)],
            env={**programs.ENVIRONMENT, "PGOPTIONS": PLANS},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @staticmethod
    def rate(text):
        """The transactions a second in the output of pgbench."""
        failed = re.search(r"number of failed transactions: (\d+)", text)
        found = re.search(r"^tps = ([\d.]+)", text, re.MULTILINE)
        if not found or (failed and int(failed.group(1))):
            raise Failed(f"pgbench failed: {text[-500:]}")
        return float(found.group(1))


# The work of an AddItem of todo-load, in a transaction of its own. The ID grows with time, as those of todo-load do.
# The order in the search for a duplicate suits only its index. Without it, the plan may read the whole list.
_ID = "encode(int8send(:revision::bigint * 65536 + :client_id) || int8send(:low::bigint), 'hex')::uuid"
_HASH = "encode(int8send(:high::bigint) || int8send(:low::bigint), 'hex')::uuid"
ADD = f"""
\\set list LIST
\\set low random(1, 9000000000000000000)
\\set high random(1, 9000000000000000000)
BEGIN;
SELECT revision, last_number AS number FROM list WHERE name = :list FOR NO KEY UPDATE \\gset
SELECT revision AS found FROM item WHERE list = :list AND id = {_ID};
SELECT i.id FROM unnest(ARRAY[593292, 593293, 593294]) AS k (latitude), LATERAL (
  SELECT id FROM item WHERE list = :list AND hash = {_HASH} AND spot_latitude = k.latitude
    AND spot_longitude BETWEEN 180685 AND 180687 AND completed_at IS NULL AND deleted_at IS NULL
  ORDER BY spot_longitude LIMIT 1) AS i;
INSERT INTO item (list, id, number, revision, created_at, due_order, place, hash, spot_latitude, spot_longitude,
    added_as, content, size)
  VALUES (:list, {_ID}, :number::bigint + 1, :revision::bigint + 1, 1700000000000000 + :revision::bigint,
    1800000000000000, 3770000000000000000, {_HASH}, 593293, 180686, convert_to(repeat('f', 24), 'UTF8'),
    convert_to(repeat('x', 130), 'UTF8'), 130);
INSERT INTO change (list, revision, id, cause, time, was_done, client, size)
  VALUES (:list, :revision::bigint + 1, {_ID}, 1, 1700000000000000 + :revision::bigint, false, 'todo-load', 64);
UPDATE list SET revision = :revision::bigint + 1, item_count = item_count + 1, byte_count = byte_count + 194,
  last_number = :number::bigint + 1 WHERE name = :list;
COMMIT;
"""
