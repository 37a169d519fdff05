"""Reminders that several clients claim while kills interrupt them, for kill.py.

A client claims a reminder as `todo remind` does: it reads the item, and leases the reminder in an edit that requires the revision
that it read. Then it tells the user, and confirms that. After each kill, each reminder was told by one client at most, no
acknowledged claim is lost, and none was made by nobody. Every reminder was told or is due again, and one that was told is due again
only if its confirmation was not acknowledged.
"""

import collections
import random
import sys
import threading
import time

import faults
from faults import (
    SERVICE, Server, add, all_items, check_integrity, expect, item_reads_pb2, item_writes_pb2, items_pb2, new_item)

CLIENTS = 8
ITEMS = 40
# When the reminders were due, in seconds.
DUE = 1_767_254_400
LEASE = 60


class Client(threading.Thread):
    """Claims the reminders of items in an order of its own until its server has ended."""

    def __init__(self, server, ids):
        super().__init__(daemon=True)
        self.server, self.ids = server, random.sample(ids, len(ids))
        self.told, self.confirmed, self.unknown, self.error = [], [], [], None

    def run(self):
        channel = self.server.connect()
        try:
            for each in self.ids:
                self.claim(channel, each)
        except faults.ttrpc_channel.RPCError as error:
            self.error = error.reason
        except OSError:
            pass
        channel.close()

    def claim(self, channel, identifier):
        request = item_reads_pb2.GetItemRequest(id=identifier)
        item = channel.call(SERVICE + "GetItem", request, item_reads_pb2.GetItemResponse, 10).item
        if item.reminders[0].HasField("acknowledged_time"):
            return
        item.reminders[0].acknowledged_time.seconds = DUE
        if "--hasty" not in sys.argv:
            item.reminders[0].snooze_time.seconds = DUE + LEASE
        self.unknown = [identifier]
        try:
            item = self.update(channel, item)
        except faults.ttrpc_channel.RPCError as error:
            # Another client has claimed it.
            if error.reason != "REVISION_MISMATCH":
                raise
            self.unknown = []
            return
        self.unknown = []
        self.told.append(identifier)
        if "--hasty" not in sys.argv:
            item.reminders[0].ClearField("snooze_time")
            self.update(channel, item)
        self.confirmed.append(identifier)

    def update(self, channel, item):
        request = item_writes_pb2.UpdateItemRequest(
            item=item, update_mask={"paths": ["reminders"]}, if_revision=item.revision)
        if "--careless" in sys.argv:
            request.ClearField("if_revision")
        return channel.call(SERVICE + "UpdateItem", request, item_writes_pb2.UpdateItemResponse, 10).item


class Reminding:
    """Items with a reminder each, in one database. `forget` is called after each kill."""

    def __init__(self, folder, forget):
        self.server, self.forget = Server(folder, "--max-items", "100000000"), forget
        self.claims, self.again = 0, 0

    def add_items(self, cycle):
        self.server.start()
        channel = self.server.connect()
        items = [new_item(f"Item {number} of {cycle}") for number in range(ITEMS)]
        for item in items:
            reminder = items_pb2.Reminder()
            reminder.time.seconds = DUE
            item.reminders.append(reminder)
            add(channel, item)
        channel.close()
        return [item.id for item in items]

    def claim(self, ids):
        """Kills the server while the clients claim reminders; returns them."""
        clients = [Client(self.server, ids) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        time.sleep(random.uniform(0.005, 0.05))
        self.server.kill()
        for client in clients:
            client.join(10)
            expect(not client.is_alive(), "a client waits for a server that has ended")
            expect(not client.error, f"a claim fails with {client.error}")
        self.forget(self.server)
        return clients

    def check(self, ids, clients):
        self.server.start()
        channel = self.server.connect()
        states = {item.id: item.reminders[0] for item in all_items(channel)}
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")
        claimed = {each for each in ids if states[each].HasField("acknowledged_time")}
        due = {each for each in ids if each not in claimed or states[each].HasField("snooze_time")}
        told = collections.Counter(each for client in clients for each in client.told)
        confirmed = {each for client in clients for each in client.confirmed}
        unknown = {each for client in clients for each in client.unknown}
        twice = sum(number > 1 for number in told.values())
        expect(not twice, f"{twice} reminders are claimed by two clients")
        expect(not set(told) - claimed, f"{len(set(told) - claimed)} acknowledged claims are lost")
        wrong = claimed - set(told) - unknown
        expect(not wrong, f"{len(wrong)} reminders are acknowledged, and no client claimed them")
        untold = set(ids) - set(told) - due
        expect(not untold, f"{len(untold)} reminders were not told, and are not due again")
        again = confirmed & due
        expect(not again, f"{len(again)} reminders are due again, although that they were told is confirmed")
        self.claims += len(told)
        self.again += len(set(told) & due)

    def run(self, cycles):
        for cycle in range(cycles):
            ids = self.add_items(cycle)
            self.check(ids, self.claim(ids))
        check_integrity(self.server.database)
        expect(self.claims > 0, "no claim is acknowledged")
        return (
            f"{cycles} kills, {CLIENTS} clients, {self.claims} acknowledged claims of reminders: none twice, none lost; "
            f"{self.again} are due again although they were told")
