"""Reminders that several clients claim while kills interrupt them, for kill.py.

A client claims a reminder as `todo remind` does: it reads the item, and acknowledges the reminder in an edit that requires the
revision that it read. After each kill, each reminder was claimed by one client at most, no acknowledged claim is lost, and none
was made by nobody.
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


class Client(threading.Thread):
    """Claims the reminders of items in an order of its own until its server has ended."""

    def __init__(self, server, ids):
        super().__init__(daemon=True)
        self.server, self.ids = server, random.sample(ids, len(ids))
        self.claimed, self.unknown, self.error = [], [], None

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
        request = item_writes_pb2.UpdateItemRequest(
            item=item, update_mask={"paths": ["reminders"]}, if_revision=item.revision)
        if "--careless" in sys.argv:
            request.ClearField("if_revision")
        self.unknown = [identifier]
        try:
            channel.call(SERVICE + "UpdateItem", request, item_writes_pb2.UpdateItemResponse, 10)
            self.claimed.append(identifier)
        except faults.ttrpc_channel.RPCError as error:
            # Another client has claimed it.
            if error.reason != "REVISION_MISMATCH":
                raise
        self.unknown = []


class Reminding:
    """Items with a reminder each, in one database. `forget` is called after each kill."""

    def __init__(self, folder, forget):
        self.server, self.forget = Server(folder, "--max-items", "100000000"), forget
        self.claims = 0

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
        states = {item.id: item.reminders[0].HasField("acknowledged_time") for item in all_items(channel)}
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")
        claimed = collections.Counter(each for client in clients for each in client.claimed)
        unknown = {each for client in clients for each in client.unknown}
        twice = sum(number > 1 for number in claimed.values())
        expect(not twice, f"{twice} reminders are claimed by two clients")
        lost = sum(not states.get(each) for each in claimed)
        expect(not lost, f"{lost} acknowledged claims are lost")
        wrong = sum(states.get(each, False) and not claimed[each] and each not in unknown for each in ids)
        expect(not wrong, f"{wrong} reminders are acknowledged, and no client claimed them")
        self.claims += len(claimed)

    def run(self, cycles):
        for cycle in range(cycles):
            ids = self.add_items(cycle)
            self.check(ids, self.claim(ids))
        check_integrity(self.server.database)
        expect(self.claims > 0, "no claim is acknowledged")
        return f"{cycles} kills, {CLIENTS} clients, {self.claims} acknowledged claims of reminders: none twice, none lost"
