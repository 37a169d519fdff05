"""Kills `todo-server migrate-store` while it copies lists to PostgreSQL and back: the completed copy is the source.

    move.py [CUTS]        3 in each direction; by hand 100
    move.py --tampered    with items that are removed from the copy after a cut, to see that the test can fail
"""

import contextlib
import glob
import os
import random
import subprocess
import sys
import time

import faults
from faults import PROGRAM, Server, changes_pb2, count, expect, item_reads_pb2, item_writes_pb2, main, new_item
from postgresql import PostgreSQL
from todo.v1 import history_pb2

USERS, ITEMS, BATCH = 4, 1_500, 500
CUTS = count(3)
IS_TAMPERED = "--tampered" in sys.argv


def administer(store, *arguments):
    command = [PROGRAM, *arguments, "--store", store]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class List:
    """A user's list."""

    def __init__(self, token):
        self.token = token

    @contextlib.contextmanager
    def channel(self, server):
        channel = faults.ttrpc_channel.Channel(server.endpoints[1], [("authorization", f"Bearer {self.token}")])
        yield lambda name, module, **fields: channel.call(
            faults.SERVICE + name, getattr(module, name + "Request")(**fields), getattr(module, name + "Response"), 60)
        channel.close()

    def fill(self, server):
        """Adds, edits, checks, deletes and restores items."""
        with self.channel(server) as call:
            # Before this call the server accepts only small frames.
            call("ListItems", item_reads_pb2)
            items = [new_item(f"Item {number} {random.random()}") for number in range(ITEMS)]
            for first in range(0, ITEMS, BATCH):
                call("BatchAddItems", item_writes_pb2, items=items[first:first + BATCH])
            for item in random.sample(items, 30):
                item.description = "edited"
                call("UpdateItem", item_writes_pb2, item=item, update_mask={"paths": ["description"]})
            for item in random.sample(items, 30):
                call("CheckItem", item_writes_pb2, id=item.id)
            deleted = random.sample(items, 30)
            for item in deleted:
                call("DeleteItem", item_writes_pb2, id=item.id)
            for item in deleted[:10]:
                call("UndeleteItem", item_writes_pb2, id=item.id)

    def contents(self, server):
        """Returns the items, the deleted items, the changes and the revisions."""
        items, changes, records = [], [], []
        with self.channel(server) as call:
            page = None
            while page is None or page.next_page_token:
                token = page.next_page_token if page else ""
                page = call("ListItems", item_reads_pb2, page_size=1000, show_deleted=True, page_token=token)
                items += page.items
            page = None
            while page is None or page.has_more:
                after = changes[-1].revision if changes else 0
                page = call("ListChanges", changes_pb2, page_size=1000, after_revision=after)
                changes += page.changes
            page = None
            while page is None or page.has_more:
                before = records[-1].revision if records else 0
                page = call("ListRevisions", history_pb2, page_size=100, before_revision=before)
                records += page.revisions
        return items, changes, records


def served(folder, store, lists, body):
    """Starts a server with a store, and returns what `body` returns for each list."""
    server = Server(folder, "--listen", "tcp://127.0.0.1:0", store=store)
    server.start()
    result = [body(each, server) for each in lists]
    expect(server.stop() == 0, "the server does not stop")
    return result


def copy(source, target, check):
    """Copies a store with cuts, and checks the copy after each."""
    command = [PROGRAM, "migrate-store", "--from", source, "--to", target]
    for _ in range(CUTS):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        faults.started.append(process)
        # It reports each list.
        for _ in range(random.randint(1 if IS_TAMPERED else 0, USERS - 1)):
            line = process.stderr.readline()
            expect(" of " in line, f"the copy fails: {line.strip()}")
        time.sleep(random.uniform(0, 0.1))
        process.kill()
        process.wait()
        process.stderr.close()
        check()
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    expect(result.returncode == 0, f"the copy is not completed: {result.stderr.strip().splitlines()[-1:]}")


def run(folder):
    database = PostgreSQL()
    first, last = f"sqlite:{folder}/first.sqlite", f"sqlite:{folder}/last.sqlite"
    middle = database.create_database("todo")

    def check_database():
        if not database.sql("SELECT to_regclass('move_source')", "todo"):
            return
        server = subprocess.run([PROGRAM, "serve", "--listen", "tcp://127.0.0.1:0", "--store", middle],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        expect(server.returncode != 0, "a server opens a copy that is not complete")
        if IS_TAMPERED:
            database.sql("DELETE FROM item WHERE number = 7 AND list IN (SELECT list FROM move_list)", "todo")

    def check_file():
        expect(not os.path.exists(f"{folder}/last.sqlite"), "a copy that is not complete has its final name")

    lists = []
    for number in range(USERS):
        administer(first, "user", "add", f"user{number}")
        lists.append(List(administer(first, "token", "add", f"user{number}")))
    served(folder, first, lists, List.fill)
    before = served(folder, first, lists, List.contents)
    expect(all(min(map(len, each)) > 100 for each in before), "the lists are not filled")
    copy(first, middle, check_database)
    expect(served(folder, middle, lists, List.contents) == before, "the copy on PostgreSQL differs from its source")
    copy(middle, last, check_file)
    expect(served(folder, last, lists, List.contents) == before, "the copy in the file differs from its source")
    expect(not glob.glob(f"{folder}/*.moving*"), "an incomplete copy is left behind")
    faults.check_integrity(f"{folder}/last.sqlite")
    return f"move: {USERS} lists of {ITEMS} items, {CUTS} cuts in each direction: the copies are complete"


main(run)
