"""Shared parts of the fault tests: server processes, and clients that record acknowledged writes."""

import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / ".build-interop" / "python"), str(root / "Tests" / "Interop" / "python")]

import ttrpc_channel  # noqa: E402, found by the path above
from todo.v1 import changes_pb2, item_reads_pb2, item_writes_pb2, items_pb2  # noqa: E402

PROGRAM = os.environ.get("TODO_SERVER_PROGRAM", str(root / ".build" / "debug" / "todo-server"))
# The crash reporter outlives the crashed program, and holds its output open.
QUIET = {"SWIFT_BACKTRACE": "enable=no"}
SERVICE = "todo.v1.ToDoService/"


started = []


class Broken(Exception):
    """A guarantee was violated."""


def expect(condition, what):
    if not condition:
        raise Broken(what)


def count(default):
    """The number among the script's arguments, which determines the length of the test."""
    return int(next((argument for argument in sys.argv[1:] if argument.isdigit()), default))


def shim(folder, name):
    """The environment that loads `shims/NAME.c` between a program and the system."""
    library = f"{folder}/{name}.so"
    source = pathlib.Path(__file__).parent / "shims" / f"{name}.c"
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": library}


class Switch:
    """A shim whose behavior is the first byte of a file, initially 0."""

    def __init__(self, folder, name):
        self.path = f"{folder}/{name}.mode"
        with open(self.path, "wb") as file:
            file.write(bytes(1))
        self.environment = {**shim(folder, name), name.upper(): self.path}

    def set(self, mode):
        # Never truncated, because the shim would read past the end.
        with open(self.path, "r+b") as file:
            file.write(bytes([mode]))


class Server:
    """todo-server with a database file or another store, on a Unix socket and the listeners of its arguments."""

    def __init__(self, folder, *arguments, environment=None, wrapper=(), store=None):
        self.folder, self.database = folder, f"{folder}/items.sqlite"
        self.store = store or f"sqlite:{self.database}"
        self.endpoint = f"unix://{folder}/todo.sock"
        self.arguments, self.environment, self.process = arguments, environment or {}, None
        self.wrapper, self.endpoints, self.grpc_endpoints = wrapper, [], []

    def start(self):
        self.process = subprocess.Popen(
            [*self.wrapper, PROGRAM, "serve", "--listen", self.endpoint, "--store", self.store,
             "--geocoder", "none", "--log-level", "error", *self.arguments],
            stdout=subprocess.PIPE, env={**os.environ, **QUIET, **self.environment})
        started.append(self.process)
        expected = 1 + self.arguments.count("--listen") + self.arguments.count("--grpc-listen")
        lines = [self.process.stdout.readline().decode() for _ in range(expected)]
        expect(all("listening on" in line for line in lines), "the server does not start")
        endpoints = [line.split()[-1] for line in lines]
        self.endpoints = [endpoint for endpoint in endpoints if not endpoint.startswith("grpc+")]
        self.grpc_endpoints = [endpoint for endpoint in endpoints if endpoint.startswith("grpc+")]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self, seconds=15):
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Broken(f"the server does not stop within {seconds} s") from None
        self.process.stdout.close()
        return status

    def kilobytes(self):
        """The memory that only the server has: not the pages of files, which the system may take back at any time."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("RssAnon:"))

    def cpu(self):
        """The CPU seconds of the server."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def settle(self):
        """Waits until the server is idle."""
        before = self.cpu() - 1
        while self.cpu() - before > 0.01:
            before = self.cpu()
            time.sleep(0.2)

    def connect(self):
        return ttrpc_channel.Channel(self.endpoint)


def new_item(title):
    return items_pb2.Item(id=str(uuid.uuid4()), title=title)


def add(channel, item, timeout=10, allow_duplicate=False):
    request = item_writes_pb2.AddItemRequest(item=item, allow_duplicate=allow_duplicate)
    return channel.call(SERVICE + "AddItem", request, item_writes_pb2.AddItemResponse, timeout).item


def all_items(channel, **filters):
    items, token = [], ""
    while True:
        request = item_reads_pb2.ListItemsRequest(page_size=1000, page_token=token, **filters)
        page = channel.call(SERVICE + "ListItems", request, item_reads_pb2.ListItemsResponse, 30)
        items += page.items
        token = page.next_page_token
        if not token:
            return items


def all_changes(channel):
    changes, has_more = [], True
    while has_more:
        after = changes[-1].revision if changes else 0
        request = changes_pb2.ListChangesRequest(after_revision=after, page_size=1000)
        page = channel.call(SERVICE + "ListChanges", request, changes_pb2.ListChangesResponse, 30)
        changes += page.changes
        has_more = page.has_more
    return changes


def administer(store, *arguments):
    """Runs a command of todo-server on a store, and returns its output."""
    command = [PROGRAM, *arguments, "--store", store]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Watcher(threading.Thread):
    """Watches the list from its first change until it is closed, and records the revision of each change."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.channel, self.revisions, self.error = server.connect(), [], None
        self.start()

    def run(self):
        request = changes_pb2.WatchItemsRequest(after_revision=0)
        try:
            for message in self.channel.stream(SERVICE + "WatchItems", request, changes_pb2.WatchItemsResponse):
                self.revisions += [change.revision for change in message.changes.changes]
        except (ttrpc_channel.RPCError, OSError) as error:
            self.error = error

    def expect_all(self, revision):
        """Expects that the watch received each change up to a revision, once and in order."""
        end = time.monotonic() + 10
        while len(self.revisions) < revision and not self.error and time.monotonic() < end:
            time.sleep(0.01)
        expect(self.error is None, f"a watch ends: {self.error}")
        received = len(self.revisions)
        expect(self.revisions == list(range(1, revision + 1)), f"a watch received {received} changes of {revision}")


def check_integrity(database):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        expect(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is damaged")


def check_items(server, acknowledged, unknown):
    """Restarts the server, and expects each acknowledged item once, and otherwise only items of unknown outcome."""
    server.start()
    channel = server.connect()
    found = [item.id for item in all_items(channel)]
    channel.close()
    expect(server.stop() == 0, "the server does not stop")
    check_integrity(server.database)
    lost = acknowledged - set(found)
    expect(not lost, f"{len(lost)} of {len(acknowledged)} acknowledged items are lost")
    expect(len(found) == len(set(found)), "items are duplicated")
    expect(set(found) <= acknowledged | unknown, "the list has items that no client added")


def main(run):
    """Runs a test in its own folder, and prints the result."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(run(folder), flush=True)
        except Broken as error:
            sys.exit(f"BROKEN: {error}")
        finally:
            for process in started:
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
