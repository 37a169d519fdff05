"""Backups of a large database, which run while neighbours.py measures its victim, in place of an attack."""

import collections
import os
import sqlite3
import subprocess
import threading

from attacks.attack import Attack
from faults import PROGRAM, QUIET, expect, started

ROWS, TEXT_BYTES = 50_000, 4_000
# The bytes of a row in addition to its texts, as the store counts them, and the title of each row.
ROW_BYTES, TITLE = 128, "Past"


class Backup(Attack):
    """`todo-server backup` of a database of 200 MB, repeatedly. The p99 of other users may double."""

    ratio, duration = 2, 4


def add_history(path):
    """Adds a list with 200 MB of discarded history to a database that no server uses."""
    with sqlite3.connect(path) as connection:
        size = ROWS * (ROW_BYTES + len(TITLE) + TEXT_BYTES)
        number = connection.execute(
            "INSERT INTO owner (name, revision, floor, byte_count) VALUES ('history', ?, ?, ?) RETURNING number",
            (ROWS, ROWS, size)).fetchone()[0]
        connection.execute(
            """
            WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ?)
            INSERT INTO past_change (owner, revision, id, cause, title, description, created_at, updated_at)
            SELECT ?, n, randomblob(16), 0, ?, hex(randomblob(? / 2)), 0, 0 FROM counter
            """, (ROWS, number, TITLE, TEXT_BYTES))
    connection.close()


class BackupLoop:
    """Runs backups in place of the Attacker of neighbours.py."""

    # Others need not wait for any transaction of a backup.
    transaction = 0

    def __init__(self, folder):
        self.database, self.target = f"{folder}/items.sqlite", f"{folder}/backup.sqlite"
        self.counts, self.ends, self.process, self.thread = collections.Counter(), False, None, None

    def command(self, _):
        self.ends = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.ends:
            self.process = subprocess.Popen(
                [PROGRAM, "backup", "--to", self.target, "--store", f"sqlite:{self.database}"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **QUIET})
            started.append(self.process)
            self.counts["begun"] += 1
            errors = self.process.communicate()[1]
            if self.ends:
                return
            expect(self.process.returncode == 0, f"a backup fails: {errors}")
            self.counts["complete"] += 1

    def stop(self):
        self.ends = True
        self.process.terminate()
        self.thread.join()
        return self.counts

    def end(self):
        for path in (self.target, self.target + ".part"):
            if os.path.exists(path):
                os.remove(path)
