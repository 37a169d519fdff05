"""Kills migrations of a database of an earlier version: the next one completes each, and every item is as it was.

    migration.py [CUTS]           10 of 20,000 items; by hand 500
    migration.py --large [CUTS]   1,000,000 items, and 0 cuts: a migration without a cut takes less than 30 s
    migration.py --tampered       with an item that is changed before the migration continues, to see that the test can fail

The database is the kept one of version 13 of the schema, whose items are multiplied.
"""

import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time

from faults import PROGRAM, check_integrity, count, expect, main, root

KEPT = root / "Tests" / "ToDoStoresTests" / "Golden" / "schema-13.sqlite"
BATCH = 100_000
# The seconds that a migration of 1,000,000 items may take.
LIMIT = 30
MULTIPLY = """
    WITH RECURSIVE next (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM next WHERE n < ?)
    INSERT INTO item (
      owner, id, title, description, due_time, created_at, updated_at, completed_at, revision, fingerprint, added_as, item_number)
    SELECT 1, randomblob(16), 'Item ' || (last_number + n), 'Note', 1770000000000000 + n * 1000000, last_number + n, last_number + n,
      iif(n % 4 = 0, last_number + n, NULL), revision + n, randomblob(16), randomblob(16), last_number + n
    FROM owner, next WHERE owner.name = 'local'
"""
COUNT = """
    UPDATE owner SET revision = revision + ?1, last_number = last_number + ?1, item_count = item_count + ?1 WHERE name = 'local'
"""
# What no migration changes.
ITEMS = """
    SELECT id, title, description, due_time, created_at, updated_at, completed_at, revision, item_number FROM item ORDER BY item_number
"""


def make(path, items):
    """Makes a database of version 13 with a number of items."""
    shutil.copy(KEPT, path)
    os.chmod(path, 0o600)
    with sqlite3.connect(path) as connection:
        # As a server's is.
        connection.execute("PRAGMA journal_mode = WAL")
        while items:
            number = min(items, BATCH)
            connection.execute(MULTIPLY, (number,))
            connection.execute(COUNT, (number,))
            items -= number
        connection.commit()
    connection.close()


def contents(path):
    """Returns a number for the items, without holding them all."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        result = hash(tuple(hash(row) for row in connection.execute(ITEMS)))
    connection.close()
    return result


def version(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return found


def migrate(path):
    """Begins a migration."""
    return subprocess.Popen([PROGRAM, "migrate", "--store", f"sqlite:{path}"], stdout=subprocess.DEVNULL)


def complete(path, before):
    """Migrates a database, and expects the items that it had. Returns the seconds."""
    begin = time.monotonic()
    expect(migrate(path).wait() == 0, "a migration fails")
    seconds = time.monotonic() - begin
    expect(version(path) > version(KEPT), "the database is not migrated")
    expect(contents(path) == before, "items have changed")
    check_integrity(path)
    return seconds


def cut(path, seconds):
    """Kills a migration after a time; returns whether it had not ended."""
    process = migrate(path)
    time.sleep(seconds)
    was_running = process.poll() is None
    process.kill()
    process.wait()
    if "--tampered" in sys.argv:
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE item SET title = 'Other' WHERE item_number = 7")
        connection.close()
    return was_running


def run(folder):
    is_large = "--large" in sys.argv
    items, cuts = (1_000_000, count(0)) if is_large else (20_000, count(10))
    base, path = pathlib.Path(folder, "base.sqlite"), pathlib.Path(folder, "items.sqlite")
    make(base, items)
    before, interrupted = contents(base), 0
    shutil.copy(base, path)
    seconds = complete(path, before)
    expect(not is_large or seconds < LIMIT, f"a migration of {items} items takes {seconds:.1f} s")
    megabytes, target = path.stat().st_size / 1e6, version(path)
    for _ in range(cuts):
        for each in pathlib.Path(folder).glob("items*"):
            each.unlink()
        shutil.copy(base, path)
        interrupted += cut(path, random.uniform(0, seconds))
        complete(path, before)
    return (f"migration: {items} items, {megabytes:.0f} MB, from version {version(KEPT)} to {target} in {seconds:.1f} s; "
            f"{interrupted} of {cuts} cuts came before the end, and the next migration completed each: every item is as it was")


main(run)
