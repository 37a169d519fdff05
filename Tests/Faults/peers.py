"""Clients and a watch that continue while servers and databases fail, and a check of what they did."""

import collections
import itertools
import sys
import threading
import time
import uuid

import faults
from faults import (
    SERVICE, add, all_items, changes_pb2, expect, item_reads_pb2, item_writes_pb2, items_pb2, new_item, ttrpc_channel)
from todo.v1 import lists_pb2

LISTS = "todo.v1.ListService/"
CLIENTS = 8
# Each client moves every so manieth of its items to the other list.
MOVED = 4
# Every so manieth item of a client has a reminder, which all clients claim. It is not one that is moved.
REMINDED = 8
# When the reminders were due, in seconds.
DUE = 1_767_254_400
# The mark of no client.
NOBODY = 0
# The seconds after which a client repeats a call.
PATIENCE = 2
REPEATABLE = {ttrpc_channel.UNAVAILABLE, ttrpc_channel.DEADLINE_EXCEEDED}


class Peer(threading.Thread):
    """A client that connects again when its connection is lost."""

    def __init__(self, endpoint):
        super().__init__(daemon=True)
        self.endpoint, self.channel, self.error, self.ends = endpoint, None, None, False
        self.start()

    def run(self):
        try:
            while not self.ends:
                self.step()
            self.complete()
        except (faults.Broken, ttrpc_channel.RPCError) as error:
            self.error = error

    def complete(self):
        """Makes the last calls."""

    def attempt(self, body):
        """Runs a body with a channel; false if it has to be repeated."""
        try:
            if self.channel is None or self.channel.lost:
                self.close()
                self.channel = ttrpc_channel.Channel(self.endpoint)
            body(self.channel)
            return True
        except ttrpc_channel.RPCError as error:
            if error.code not in REPEATABLE:
                raise
        except OSError:
            pass
        time.sleep(0.02)
        return False

    def close(self):
        if self.channel:
            self.channel.close()


class Client(Peer):
    """Adds items, moves some to another list, claims reminders, and repeats each call until it is acknowledged.

    The clients of a load share `due`: the IDs of the items with a reminder. Each claim contains the mark of its client.
    """

    def __init__(self, endpoint, other_list, due, mark, careless):
        # The start and the end of each acknowledged call.
        self.other_list, self.careless, self.calls, self.attempts = other_list, careless, [], 0
        self.titles, self.moved = [], []
        self.due, self.mark, self.seen, self.claimed = due, mark, 0, []
        super().__init__(endpoint)

    def step(self):
        item = new_item(f"{self.name} {len(self.titles)}")
        # Claims would take the time in which a careless client adds.
        if len(self.titles) % REMINDED == 0 and not self.careless:
            item.reminders.append(items_pb2.Reminder(time={"seconds": DUE}))

        def attempt(channel):
            # A careless client makes a new ID for each attempt.
            if self.careless:
                item.id = new_item("").id
            add(channel, item, PATIENCE, allow_duplicate=self.careless)

        self.repeat(attempt)
        self.titles.append(item.title)
        if item.reminders:
            self.due.append(item.id)
        if len(self.titles) % MOVED == 0:
            self.repeat(lambda channel: self.move(channel, item))
            self.moved.append(item.title)
        self.complete()
        time.sleep(0.005)

    def complete(self):
        """Claims the reminders that the client has not seen yet."""
        while self.seen < len(self.due):
            self.claim(self.due[self.seen])
            self.seen += 1

    def repeat(self, body):
        while True:
            self.attempts += 1
            start = time.monotonic()
            if self.attempt(body):
                break
        self.calls.append((start, time.monotonic()))

    def move(self, channel, item):
        request = lists_pb2.MoveItemsRequest(ids=[item.id], target_list=self.other_list)
        try:
            channel.call(LISTS + "MoveItems", request, lists_pb2.MoveItemsResponse, PATIENCE)
        except ttrpc_channel.RPCError as error:
            # An earlier attempt without a response has moved it. The check finds out whether one did.
            if error.reason != "ITEM_NOT_FOUND":
                raise

    def claim(self, identifier):
        """Claims a reminder unless another client does. Repeats calls until it is known which of them did."""
        winners = []
        while not winners:
            self.attempt(lambda channel: winners.extend(self.winner(channel, identifier)))
        if winners == [self.mark]:
            self.claimed.append(identifier)

    def winner(self, channel, identifier):
        """Returns the mark of the client that has claimed a reminder, or nothing if that is not known yet."""
        start = time.monotonic()
        request = item_reads_pb2.GetItemRequest(id=identifier)
        try:
            item = channel.call(SERVICE + "GetItem", request, item_reads_pb2.GetItemResponse, PATIENCE).item
        except ttrpc_channel.RPCError as error:
            # The item is lost. The check counts what is.
            if error.reason != "ITEM_NOT_FOUND":
                raise
            return [NOBODY]
        if item.reminders[0].HasField("snooze_time"):
            return [item.reminders[0].snooze_time.seconds]
        # As a server with --notify does, whose mark is in the snooze, too.
        item.reminders[0].acknowledged_time.seconds, item.reminders[0].snooze_time.seconds = DUE, self.mark
        revision = 0 if "--greedy" in sys.argv else item.revision
        request = item_writes_pb2.UpdateItemRequest(
            item=item, update_mask={"paths": ["reminders"]}, if_revision=revision)
        try:
            channel.call(SERVICE + "UpdateItem", request, item_writes_pb2.UpdateItemResponse, PATIENCE)
        except ttrpc_channel.RPCError as error:
            # Another client has claimed it, or an earlier attempt without a response.
            if error.reason != "REVISION_MISMATCH":
                raise
            return []
        self.calls.append((start, time.monotonic()))
        return [self.mark]


class Watch(Peer):
    """Watches the list from its first change, and resumes after the last revision when the stream ends."""

    def __init__(self, endpoint):
        self.revisions, self.resumptions = [], -1
        super().__init__(endpoint)

    def step(self):
        self.resumptions += 1
        self.attempt(self.watch)

    def watch(self, channel):
        request = changes_pb2.WatchItemsRequest(after_revision=self.revisions[-1] if self.revisions else 0)
        for message in channel.stream(SERVICE + "WatchItems", request, changes_pb2.WatchItemsResponse):
            self.revisions += [change.revision for change in message.changes.changes]


class Load:
    """The clients and the watch of a case."""

    def __init__(self, endpoint, careless):
        self.endpoint = endpoint
        channel = ttrpc_channel.Channel(endpoint)
        self.other_list = str(uuid.uuid4())
        request = lists_pb2.CreateListRequest(id=self.other_list, name="Other")
        channel.call(LISTS + "CreateList", request, lists_pb2.CreateListResponse, 30)
        channel.close()
        self.watch = Watch(endpoint)
        due = []
        self.clients = [
            Client(endpoint, self.other_list, due, DUE + 1 + number, careless) for number in range(CLIENTS)]
        self.expect_writes(time.monotonic(), 20)
        time.sleep(1)

    def expect_writes(self, since, seconds):
        """Waits for a write of each client that began after an instant."""
        def waiting(client):
            return not client.calls or client.calls[-1][0] < since
        while any(waiting(client) for client in self.clients):
            for client in self.clients:
                expect(client.error is None, f"a call fails: {client.error}")
            expect(time.monotonic() - since < seconds, f"no writes for {seconds} s")
            time.sleep(0.01)

    def expect_no_writes(self, since, seconds):
        """Expects that no write is acknowledged for some time."""
        time.sleep(max(0, since + seconds - time.monotonic()))
        number = sum(call[1] > since for client in self.clients for call in client.calls)
        expect(not number, f"{number} writes are acknowledged that only one machine has")

    def gap(self, since):
        """The longest time in which a client had no acknowledged write."""
        ends = [[since] + [call[1] for call in client.calls if call[1] > since] for client in self.clients]
        return max(after - before for client in ends for before, after in itertools.pairwise(client))

    def finish(self):
        """Ends the clients, and expects the effect of each acknowledged write once. Returns their number."""
        for client in self.clients:
            client.ends = True
        for client in self.clients:
            client.join(60)
            expect(not client.is_alive(), "a client does not complete its calls")
            client.close()
        channel = ttrpc_channel.Channel(self.endpoint)
        first, moved = all_items(channel), all_items(channel, list=self.other_list)
        channel.close()
        items = first + moved
        titles = [title for client in self.clients for title in client.titles]
        found = collections.Counter(item.title for item in items)
        lost = sum(not found[title] for title in titles)
        expect(not lost, f"{lost} of {len(titles)} acknowledged items are lost")
        expect(len(items) == len(found), f"{len(items) - len(found)} of {len(titles)} items are doubled")
        expect(len(found) == len(titles), "the list has items that no client added")
        expected = {title for client in self.clients for title in client.moved}
        expect({item.title for item in moved} == expected, "items are not in the list to which they were moved")
        revisions = sorted(item.revision for item in moved)
        expect(revisions == list(range(1, len(moved) + 1)), "the revisions of the other list have gaps")
        claims = self.expect_claims(first)
        # Each item took a revision of the first list, and each move and each claim one more.
        self.expect_all_changes(len(items) + len(moved) + claims)
        return len(items)

    def expect_claims(self, items):
        """Expects that each reminder was claimed by one client, and that it knows so. Returns their number."""
        marks = {item.id: item.reminders[0].snooze_time.seconds for item in items if item.reminders}
        claims = collections.Counter(each for client in self.clients for each in client.claimed)
        twice = sum(number > 1 for number in claims.values())
        expect(not twice, f"{twice} of {len(marks)} reminders are claimed by two clients")
        lost = sum(marks[each] != client.mark for client in self.clients for each in client.claimed)
        expect(not lost, f"{lost} of {len(marks)} acknowledged claims are lost")
        expect(marks.keys() == claims.keys(), "reminders are claimed by nobody")
        return len(claims)

    def expect_all_changes(self, revision):
        end = time.monotonic() + 10
        while len(self.watch.revisions) < revision and time.monotonic() < end:
            time.sleep(0.01)
        self.watch.ends = True
        self.watch.close()
        received = self.watch.revisions
        expect(self.watch.error is None, f"a watch fails: {self.watch.error}")
        wrong = next((index for index, each in enumerate(received, 1) if each != index), None)
        expect(wrong is None, f"a watch received the wrong change after revision {wrong and wrong - 1}")
        expect(len(received) == revision, f"a watch received {len(received)} changes of {revision}")
