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
from faults import PROGRAM, Server, administer, all_changes, all_items, count, expect, main, new_item
from postgresql import PostgreSQL
from todo.v1 import history_pb2, item_reads_pb2, item_writes_pb2

USERS, ITEMS, BATCH = 4, 1_500, 500
CUTS = count(3)
IS_TAMPERED = "--tampered" in sys.argv


class List:
    """A user's list."""

    def __init__(self, store, user):
        administer(store, "user", "add", user)
        self.metadata = [("authorization", f"Bearer {administer(store, 'token', 'add', user)}")]

    def connect(self, server):
        channel = faults.ttrpc_channel.Channel(server.endpoints[1], self.metadata)
        # Before this call the server accepts only small frames.
        call(channel, "ListItems", item_reads_pb2)
        return channel

    def fill(self, channel):
        """Adds, edits, checks, deletes and restores items."""
        items = [new_item(f"Item {number} {random.random()}") for number in range(ITEMS)]
        for first in range(0, ITEMS, BATCH):
            call(channel, "BatchAddItems", item_writes_pb2, items=items[first:first + BATCH])
        for item in random.sample(items, 30):
            item.description = "edited"
            call(channel, "UpdateItem", item_writes_pb2, item=item, update_mask={"paths": ["description"]})
        for item in random.sample(items, 30):
            call(channel, "CheckItem", item_writes_pb2, id=item.id)
        deleted = random.sample(items, 30)
        for item in deleted:
            call(channel, "DeleteItem", item_writes_pb2, id=item.id)
        for item in deleted[:10]:
            call(channel, "UndeleteItem", item_writes_pb2, id=item.id)

    def contents(self, channel):
        """Returns the items with the deleted ones, the changes and the history."""
        return all_items(channel, show_deleted=True), all_changes(channel), history(channel)


def call(channel, name, module, **fields):
    request, response = getattr(module, name + "Request"), getattr(module, name + "Response")
    return channel.call(faults.SERVICE + name, request(**fields), response, 60)


def history(channel):
    records, has_more = [], True
    while has_more:
        before = records[-1].revision if records else 0
        page = call(channel, "ListRevisions", history_pb2, before_revision=before, page_size=100)
        records += page.revisions
        has_more = page.has_more
    return records


def serve(folder, store, lists, body):
    """Starts a server with a store, and returns the results of `body` for the lists."""
    server, results = Server(folder, "--listen", "tcp://127.0.0.1:0", store=store), []
    server.start()
    for each in lists:
        with contextlib.closing(each.connect(server)) as channel:
            results.append(body(each, channel))
    expect(server.stop() == 0, "the server does not stop")
    return results


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

    lists = [List(first, f"user{number}") for number in range(USERS)]
    serve(folder, first, lists, List.fill)
    before = serve(folder, first, lists, List.contents)
    expect(all(min(map(len, each)) > 100 for each in before), "the lists are not filled")
    copy(first, middle, check_database)
    expect(serve(folder, middle, lists, List.contents) == before, "the copy on PostgreSQL differs from its source")
    copy(middle, last, check_file)
    expect(serve(folder, last, lists, List.contents) == before, "the copy in the file differs from its source")
    expect(not glob.glob(f"{folder}/*.moving*"), "an incomplete copy is left behind")
    faults.check_integrity(f"{folder}/last.sqlite")
    return f"move: {USERS} lists of {ITEMS} items, {CUTS} cuts in each direction: the copies are complete"


main(run)
