"""Interrupted backups and restores, for kill.py and power.py.

After each cut, the database and the copy pass `todo-server check`. The copy holds what was acknowledged before the last
backup that ended. After a restore, the database is the former one or the copy, and the former one is kept.
"""

import os
import random
import sqlite3
import subprocess
import threading
import time

import faults
from faults import PROGRAM, QUIET, Server, add, expect, new_item

CLIENTS = 4


class Writer(threading.Thread):
    """Adds items until its server has ended, and records the acknowledged items and those of unknown outcome."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.channel, self.acknowledged, self.unknown = server.connect(), [], []
        self.start()

    def run(self):
        try:
            while True:
                item = new_item(f"Item {random.random()}")
                self.unknown = [item.id]
                add(self.channel, item)
                self.acknowledged.append(item.id)
        except (faults.ttrpc_channel.RPCError, OSError):
            self.channel.close()


def administer(database, *arguments, environment=None):
    """Starts an administrative command of todo-server."""
    process = subprocess.Popen(
        [PROGRAM, *arguments, "--store", f"sqlite:{database}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, **QUIET, **(environment or {})})
    faults.started.append(process)
    return process


def expect_consistent(database):
    result = subprocess.run(
        [PROGRAM, "check", "--store", f"sqlite:{database}"], capture_output=True, text=True,
        env={**os.environ, **QUIET})
    expect(result.returncode == 0, f"{os.path.basename(database)} fails its check: {result.stdout}{result.stderr}")


def items(database):
    with sqlite3.connect(database) as connection:
        found = {row[0] for row in connection.execute("SELECT lower(hex(id)) FROM item")}
    connection.close()
    return found


def plain(ids):
    return {each.replace("-", "") for each in ids}


class Maintenance:
    """Alternates backups and restores of one database; `cut(processes, seconds)` ends them within that time.

    `cut` returns whether the first process had ended well before.
    """

    def __init__(self, folder, cut, environment=None):
        self.server = Server(folder, "--max-items", "100000000")
        self.copy, self.cut, self.environment = f"{folder}/copy.sqlite", cut, environment
        self.acknowledged, self.unknown, self.promised, self.ended = set(), set(), None, 0
        self.seconds = 0

    def fill(self):
        """Makes the database large, so that a backup takes time."""
        self.server.start()
        channel = self.server.connect()
        for number in range(200):
            item = new_item(f"Large {number}")
            item.description = "d" * 30_000
            self.acknowledged |= plain([add(channel, item).id])
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")

    def measure(self):
        """The duration of an uninterrupted backup."""
        start = time.monotonic()
        expect(administer(self.server.database, "backup", "--to", self.copy).wait(60) == 0, "a backup fails")
        self.seconds = 1.2 * (time.monotonic() - start)
        os.remove(self.copy)

    def back_up(self):
        self.server.start()
        writers = [Writer(self.server) for _ in range(CLIENTS)]
        time.sleep(0.1)
        before = self.acknowledged | {each for writer in writers for each in plain(list(writer.acknowledged))}
        process = administer(self.server.database, "backup", "--to", self.copy, environment=self.environment)
        ended = self.cut([process, self.server.process], random.uniform(0, self.seconds))
        self.server.process.stdout.close()
        for writer in writers:
            writer.join(10)
            expect(not writer.is_alive(), "a client waits for a server that has ended")
            self.acknowledged |= plain(writer.acknowledged)
            self.unknown |= plain(writer.unknown)
        if ended:
            self.promised, self.ended = before, self.ended + 1
        expect_consistent(self.server.database)
        found = items(self.server.database)
        expect(self.acknowledged <= found <= self.acknowledged | self.unknown, "items are lost, or no client added them")
        if os.path.exists(self.copy):
            expect_consistent(self.copy)
            expect((self.promised or set()) <= items(self.copy), "a backup lacks items")
        else:
            expect(self.promised is None, "a complete backup is missing")

    def restore(self):
        if not os.path.exists(self.copy):
            return
        database, folder = self.server.database, self.server.folder
        former, copied = items(database), items(self.copy)
        ended = self.cut(
            [administer(database, "restore", self.copy, environment=self.environment)],
            random.uniform(0, self.seconds))
        self.ended += ended
        expect_consistent(database)
        found = items(database)
        expect(found == copied or (found == former and not ended), "a restore leaves neither database in place")
        kept = [f"{folder}/{name}" for name in os.listdir(folder) if ".replaced-" in name]
        if found != former:
            expect(any(items(path) == former for path in kept), "a restore does not preserve the former database")
        for path in kept:
            os.remove(path)
        self.acknowledged, self.unknown = found, set()

    def run(self, cycles):
        self.fill()
        self.measure()
        for _ in range(cycles):
            self.back_up()
            self.restore()
        return f"{cycles} cuts of backups and of restores, {self.ended} ended before: databases and copies are whole"
