"""A private PostgreSQL server for the fault tests. It ends with the test, also if the test is killed.

If the tests run as root, the server runs as the user `postgres`, because PostgreSQL does not run as root.
"""

import atexit
import contextlib
import glob
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

from faults import expect

# The role of todo-server. As it is no superuser, the test itself can always connect.
ROLE = "todo"
# Waits for the end of the test. The arguments are the folder, and the command that stops the server.
WATCH = """
trap '' INT TERM HUP
cat
folder="$1"
shift
"$@"
! mountpoint -q "$folder/disk" || umount -l "$folder/disk"
cd / && rm -rf "$folder"
"""
READY = b"Z\0\0\0\5I"


class PostgreSQL:
    """A server with its data in a temporary folder, on a Unix socket and a loopback port."""

    def __init__(self, *settings):
        """Starts a server. Its settings are texts such as `max_connections=20`."""
        self.programs = programs()
        # In /tmp, because the path of a Unix socket is limited to about 100 bytes.
        self.folder = tempfile.mkdtemp(prefix="todo-postgresql-", dir="/tmp")
        self.data, self.disk, self.port = f"{self.folder}/data", f"{self.folder}/disk", free_port()
        self.prefix = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        stop = self.command("pg_ctl", "stop", "-D", self.data, "-m", "immediate", "-w", "-t", "60")
        self.watcher = subprocess.Popen(
            ["sh", "-c", WATCH, "sh", self.folder, *stop], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=self.folder, start_new_session=True)
        atexit.register(self.end)
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
                 "--no-instructions")
        with open(f"{self.data}/postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"listen_addresses = '127.0.0.1'\nport = {self.port}\n")
            file.write(f"unix_socket_directories = '{self.folder}'\n")
            file.writelines(f"{setting}\n" for setting in settings)
        self.start()
        self.sql(f"CREATE ROLE {ROLE} LOGIN")

    # MARK: The server

    def start(self, seconds=60):
        """Starts the server, and waits until it accepts connections."""
        end = time.monotonic() + seconds
        # Until the processes of a killed server have ended, another one cannot use its data.
        while self.run("pg_ctl", "start", "-D", self.data, "-l", f"{self.folder}/log", "-w", check=False):
            expect(time.monotonic() < end, f"PostgreSQL does not start: {self.log()}")
            time.sleep(0.05)

    def stop(self, mode):
        """Stops the server: `fast`, or `immediate` as in a crash."""
        self.run("pg_ctl", "stop", "-D", self.data, "-m", mode, "-w", "-t", "60")

    def kill(self):
        """Kills the first process of the server. The others end when they notice that."""
        process = int(pathlib.Path(self.data, "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(process, signal.SIGKILL)

    def set(self, **settings):
        """Changes settings of the running server."""
        for name, value in settings.items():
            self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")

    def end(self):
        """Stops the server, and removes its folder."""
        if not self.watcher.stdin.closed:
            self.watcher.stdin.close()
            self.watcher.wait()

    def log(self):
        with contextlib.suppress(FileNotFoundError), open(f"{self.folder}/log", encoding="utf-8") as file:
            return file.read()[-2000:]

    # MARK: Databases

    def create_database(self, name, location=None):
        """Creates a database, with its files in a folder if there is a location, and returns its URI."""
        place = ""
        if location:
            self.sql(f"CREATE TABLESPACE {name} LOCATION '{location}'")
            place = f"TABLESPACE {name}"
        self.sql(f"CREATE DATABASE {name} OWNER {ROLE} {place}")
        return f"postgresql://{ROLE}@127.0.0.1:{self.port}/{name}"

    def mount(self, megabytes):
        """Mounts an empty disk of a fixed size, and returns its path. Requires root."""
        os.mkdir(self.disk)
        options = f"size={megabytes}m,mode=755"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.disk], check=True)
        shutil.chown(self.disk, "postgres", "postgres")
        return self.disk

    # MARK: Sessions

    def sql(self, text, database="postgres"):
        """Runs statements as the superuser, and returns the rows as text."""
        result = subprocess.run([*self.psql(database), "-c", text], capture_output=True, text=True, timeout=60)
        expect(result.returncode == 0, f"psql fails: {result.stderr}")
        return result.stdout.strip()

    @contextlib.contextmanager
    def session(self, text, database):
        """A session of the superuser that runs statements and stays open, for example with a lock."""
        with subprocess.Popen(self.psql(database), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            process.stdin.write(f"{text};\n\\echo ready\n")
            process.stdin.flush()
            expect(process.stdout.readline() == "ready\n", f"psql fails: {text}")
            yield

    def occupy(self):
        """Opens a session that does nothing, and returns its socket; None if the server has no connection left."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        # The start of a session: protocol version 3.0, and its parameters.
        start = struct.pack(">I", 3 << 16) + f"user\0{ROLE}\0database\0postgres\0application_name\0other\0\0".encode()
        connection.sendall(struct.pack(">I", len(start) + 4) + start)
        reply = b""
        with contextlib.suppress(OSError):
            while not reply.endswith(READY) and (data := connection.recv(4096)):
                reply += data
        if reply.endswith(READY):
            return connection
        connection.close()
        return None

    def psql(self, database):
        """The command of a session as the superuser, on the Unix socket."""
        return [f"{self.programs}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder,
                "-p", str(self.port), "-U", "postgres", "-d", database]

    # MARK: Programs

    def command(self, program, *arguments):
        return [*self.prefix, f"{self.programs}/{program}", *arguments]

    def run(self, program, *arguments, check=True):
        """Runs a program of PostgreSQL as the user of the server, and returns its status."""
        output = f"{self.folder}/output"
        # Into a file, because a server that the program starts would keep a pipe open.
        with open(output, "w+", encoding="utf-8") as file:
            status = subprocess.run(
                self.command(program, *arguments), stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                cwd=self.folder).returncode
            file.seek(0)
            expect(status == 0 or not check, f"{program} fails: {file.read()}")
        return status


def programs():
    """The folder of PostgreSQL's programs: the newest version of Debian's packages, or of the search path."""
    packages = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    newest = max(packages, key=lambda path: int(path.split("/")[4]), default=shutil.which("initdb"))
    expect(newest, "PostgreSQL is not installed; install the package postgresql")
    return os.path.dirname(newest)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
