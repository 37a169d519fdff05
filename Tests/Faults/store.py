"""The database fails while clients add items: each acknowledged item exists once, and writes soon work again.

    store.py [ROUNDS] [FAULT...]   each fault 2 times; by hand 20. As root: it mounts a file system
    store.py --forgetful           with a database that acknowledges commits before they are on its disk, to see that
                                   the test can fail
    store.py --careless            with clients that make a new ID for each attempt, to see that the test can fail

`FAULTS` lists the faults. The clients do not wait long between attempts, so that the times are those of the server.
"""

import collections
import contextlib
import os
import random
import sys
import threading
import time

import faults
from faults import Server, Watcher, add, all_changes, all_items, count, expect, main, new_item
from postgresql import ROLE, PostgreSQL

CLIENTS = 8
# The deadlines of the calls: every other client repeats calls that the server still works on.
IMPATIENT, PATIENT = 0.7, 30
PAUSE, RETRY_PAUSE = 0.005, 0.02
RECOVERY_SECONDS = 5
UNAVAILABLE, DEADLINE_EXCEEDED = faults.ttrpc_channel.UNAVAILABLE, faults.ttrpc_channel.DEADLINE_EXCEEDED
RESOURCE_EXHAUSTED = 8
TERMINATE = f"SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE usename = '{ROLE}'"
CAREFUL = "--careless" not in sys.argv
IS_BROKEN = not CAREFUL or "--forgetful" in sys.argv
ROUNDS = count(20 if IS_BROKEN else 2)


class Client(threading.Thread):
    """Adds items, and repeats each until it is acknowledged."""

    def __init__(self, channel, patience, length):
        super().__init__(daemon=True)
        self.channel, self.patience, self.length = channel, patience, length
        self.titles, self.acknowledged, self.errors = set(), set(), collections.Counter()
        self.last, self.error, self.ends = 0, None, False

    def run(self):
        try:
            while not self.ends:
                item = new_item(f"{self.name} {len(self.titles)}")
                # Random, so that the database cannot compress it.
                item.description = os.urandom(self.length // 2).hex()
                self.titles.add(item.title)
                while not self.attempt(item):
                    time.sleep(RETRY_PAUSE)
                time.sleep(PAUSE)
        except (faults.Broken, OSError) as error:
            self.error = error

    def attempt(self, item):
        try:
            add(self.channel, item, self.patience, allow_duplicate=not CAREFUL)
        except faults.ttrpc_channel.RPCError as error:
            self.check(error)
            if not CAREFUL:
                item.id = new_item("").id
            return False
        self.acknowledged.add(item.id)
        self.last = time.monotonic()
        return True

    def check(self, error):
        """Expects an error that PROTOCOL.md specifies for a database that fails. None of them has a RetryInfo."""
        known = {
            "STORE_UNAVAILABLE": (UNAVAILABLE, "todo.v1"), "STORE_FULL": (RESOURCE_EXHAUSTED, "todo.v1"),
            "DEADLINE_EXCEEDED": (DEADLINE_EXCEEDED, "ttrpc")}
        self.errors[error.reason] += 1
        is_known = known.get(error.reason) == (error.code, error.domain)
        is_known = is_known and ("detail" in error.metadata or error.reason != "STORE_UNAVAILABLE")
        expect(is_known, f"a call fails with {error.code} {error.domain} {error.reason} {error.metadata}: {error}")


class Load:
    """A server with a database of its own, its clients, and a watch."""

    def __init__(self, folder, database, uri, length=0):
        os.mkdir(folder)
        self.database, self.name = database, uri.rpartition("/")[2]
        self.server = Server(folder, "--max-items", "100000000", store=uri)
        self.server.start()
        self.watcher = Watcher(self.server)
        self.clients = [
            Client(self.server.connect(), PATIENT if number % 2 else IMPATIENT, length) for number in range(CLIENTS)]
        for client in self.clients:
            client.start()
        self.wait_for_writes("the start")

    def wait_for_writes(self, event):
        """Waits until each client has added an item, and returns the seconds."""
        begin = time.monotonic()
        while not all(client.last > begin for client in self.clients):
            for client in self.clients:
                expect(client.error is None, f"a client fails: {client.error}")
            expect(time.monotonic() < begin + 60, f"a client cannot add an item for 60 s after {event}")
            time.sleep(0.005)
        seconds = time.monotonic() - begin
        expect(seconds < RECOVERY_SECONDS, f"writes work only {seconds:.1f} s after {event}")
        return seconds

    @property
    def errors(self):
        return sum((client.errors for client in self.clients), collections.Counter())

    def end(self):
        """Ends the clients and verifies the list. Returns the number of items."""
        for client in self.clients:
            client.ends = True
        for client in self.clients:
            client.join(60)
            expect(not client.is_alive() and client.error is None, f"a client fails: {client.error}")
        channel = self.server.connect()
        titles = self.check_items(channel)
        added = set().union(*(client.titles for client in self.clients))
        expect(titles == added, "the list has other items than the clients added")
        revisions = [change.revision for change in all_changes(channel)]
        expect(revisions == list(range(1, len(titles) + 1)), f"{len(titles)} items made the wrong revisions")
        watched = self.watcher.revisions
        expect(watched == revisions[:len(watched)], f"a watch of {len(watched)} changes skips or repeats a revision")
        expect(self.server.stop() == 0, "the server does not stop")
        return len(titles)

    def check_items(self, channel):
        """Expects each acknowledged item, and no item twice. Returns the titles of the list."""
        acknowledged = set().union(*(client.acknowledged.copy() for client in self.clients))
        items = all_items(channel)
        lost = len(acknowledged - {item.id for item in items})
        expect(not lost, f"{lost} of {len(acknowledged)} acknowledged items are lost")
        titles = collections.Counter(item.title for item in items)
        twice = sum(number > 1 for number in titles.values())
        expect(not twice, f"{twice} of {len(titles)} items exist more than once")
        return set(titles)


# Each fault begins and ends in its function.


def stop(load):
    load.database.stop("immediate")
    time.sleep(1.2)
    load.database.start()


def kill(load):
    load.database.kill()
    time.sleep(1.2)
    load.database.start()


def terminate(load):
    """Ends every connection of the server, ten times."""
    for _ in range(10):
        load.database.sql(TERMINATE)


def lock(load):
    """Statements wait longer than the server's `lock_timeout`, and in the long form longer than `statement_timeout`."""
    with load.database.session("BEGIN; LOCK TABLE item IN ACCESS EXCLUSIVE MODE", load.name):
        time.sleep(6 if ROUNDS <= 2 else 12)


def connections(load):
    """Other sessions take every connection, also those that the server had."""
    end = time.monotonic() + 2.5
    with contextlib.ExitStack() as others:
        while time.monotonic() < end:
            while connection := load.database.occupy():
                others.callback(connection.close)
            load.database.sql(f"{TERMINATE} AND application_name <> 'other'")


def full(load):
    """The disk of the tables is full. Reads work."""
    before = load.errors["STORE_FULL"]
    path = f"{load.database.disk}/ballast"
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    end = time.monotonic() + 30
    while load.errors["STORE_FULL"] < before + CLIENTS:
        expect(time.monotonic() < end, "the disk is full, and no call fails with STORE_FULL")
        time.sleep(0.01)
    all_items(load.server.connect())
    os.remove(path)


FAULTS = {"stop": stop, "terminate": terminate, "kill": kill, "lock": lock, "connections": connections, "full": full}


def inject(load, names):
    """Lets faults happen one after the other; returns the longest recovery of each in seconds."""
    longest = {}
    for name in names:
        before = load.errors
        for _ in range(ROUNDS):
            time.sleep(random.uniform(0.1, 0.4))
            FAULTS[name](load)
            longest[name] = max(longest.get(name, 0), load.wait_for_writes(f"the fault '{name}'"))
            if IS_BROKEN:
                load.check_items(load.server.connect())
        # A terminated connection need not make a call fail, because the server repeats the transaction.
        expect(load.errors != before or name == "terminate", f"the fault '{name}' has no effect")
    return longest


def run(folder):
    names = ["stop"] if IS_BROKEN else [name for name in FAULTS if name in sys.argv] or list(FAULTS)
    database = PostgreSQL("max_connections=24")
    if "--forgetful" in sys.argv:
        database.set(synchronous_commit="off", wal_writer_delay="10s")
    longest, items, errors = {}, 0, collections.Counter()
    if others := [name for name in names if name != "full"]:
        load = Load(f"{folder}/first", database, database.create_database("todo"))
        longest |= inject(load, others)
        items, errors = items + load.end(), errors + load.errors
    if "full" in names:
        disk = database.mount(32 + 8 * ROUNDS)
        load = Load(f"{folder}/second", database, database.create_database("small", disk), length=2000)
        longest |= inject(load, ["full"])
        items, errors = items + load.end(), errors + load.errors
    recoveries = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in longest.items())
    reasons = ", ".join(f"{number} {reason}" for reason, number in errors.most_common())
    return (
        f"store: each fault {ROUNDS} times, {CLIENTS} clients, {items} items: none lost, none duplicated, no revision "
        f"missing; writes worked again after at most: {recoveries}; errors: {reasons}")


main(run)
