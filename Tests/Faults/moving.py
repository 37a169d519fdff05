"""Moves of items between two lists, which kills interrupt, for kill.py.

After each kill, each item is in one list: the one to which its last acknowledged move took it. The items of a move without a
response are all in one list.
"""

import random
import sys
import threading
import time
import uuid

import faults
from faults import SERVICE, Server, all_items, check_integrity, expect, item_writes_pb2, new_item
from todo.v1 import lists_pb2

CLIENTS = 8
ITEMS = 12
LISTS = "todo.v1.ListService/"


class Client(threading.Thread):
    """Moves its items until its server has ended, and records in which list each is, by its title."""

    def __init__(self, server, lists, items):
        super().__init__(daemon=True)
        self.server, self.lists, self.items = server, lists, items
        self.moving, self.moves, self.error = [], 0, None

    def run(self):
        channel = self.server.connect()
        try:
            while True:
                source, target = random.sample(self.lists, 2)
                there = [title for title, (place, _) in self.items.items() if place == source]
                self.moving = random.sample(there, min(len(there), random.randint(1, 5)))
                if self.moving:
                    self.move(channel, source, target)
                    self.moves += 1
        except faults.ttrpc_channel.RPCError as error:
            self.error = error.reason
        except OSError:
            pass
        channel.close()

    def move(self, channel, source, target):
        ids = [self.items[title][1] for title in self.moving]
        if "--piecemeal" in sys.argv:
            ids = [self.move_piecemeal(channel, title, source, target) for title in self.moving]
        else:
            request = lists_pb2.MoveItemsRequest(ids=ids, source_list=source, target_list=target)
            channel.call(LISTS + "MoveItems", request, lists_pb2.MoveItemsResponse, 10)
        for title, each in zip(self.moving, ids):
            self.items[title] = target, each

    def move_piecemeal(self, channel, title, source, target):
        """Adds a copy and deletes the item, so that there are two meanwhile."""
        copy = new_item(title)
        request = item_writes_pb2.AddItemRequest(item=copy, list=target)
        channel.call(SERVICE + "AddItem", request, item_writes_pb2.AddItemResponse, 10)
        request = item_writes_pb2.DeleteItemRequest(id=self.items[title][1], list=source)
        channel.call(SERVICE + "DeleteItem", request, item_writes_pb2.DeleteItemResponse, 10)
        return copy.id


class Moving:
    """Clients with items of their own in two lists of one database. `forget` is called after each kill."""

    def __init__(self, folder, forget):
        self.server, self.forget = Server(folder, "--max-items", "100000000"), forget
        self.lists = [str(uuid.uuid4()) for _ in range(2)]
        self.items = [{} for _ in range(CLIENTS)]

    def prepare(self):
        self.server.start()
        channel = self.server.connect()
        for number, each in enumerate(self.lists):
            request = lists_pb2.CreateListRequest(id=each, name=f"List {number}")
            channel.call(LISTS + "CreateList", request, lists_pb2.CreateListResponse, 10)
        for number, items in enumerate(self.items):
            for title in (f"Item {each} of {number}" for each in range(ITEMS)):
                item = new_item(title)
                request = item_writes_pb2.AddItemRequest(item=item, list=self.lists[0])
                channel.call(SERVICE + "AddItem", request, item_writes_pb2.AddItemResponse, 10)
                items[title] = self.lists[0], item.id
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")

    def move(self):
        """Kills the server while the clients move items; returns them."""
        self.server.start()
        clients = [Client(self.server, self.lists, items) for items in self.items]
        for client in clients:
            client.start()
        time.sleep(random.uniform(0.05, 0.3))
        self.server.kill()
        for client in clients:
            client.join(10)
            expect(not client.is_alive(), "a client waits for a server that has ended")
            expect(not client.error, f"a move fails with {client.error}")
        self.forget(self.server)
        return clients

    def check(self, clients):
        """Expects each item where its client left it, and continues from there."""
        self.server.start()
        channel = self.server.connect()
        found = [(item.title, (each, item.id)) for each in self.lists for item in all_items(channel, list=each)]
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")
        places = dict(found)
        expect(len(places) == len(found), f"{len(found) - len(places)} items are in both lists")
        for client in clients:
            missing = client.items.keys() - places.keys()
            expect(not missing, f"{len(missing)} items are in neither list")
            expect(len({places[title][0] for title in client.moving}) < 2, "some items of a move have moved, others not")
            lost = [title for title, place in client.items.items()
                    if title not in client.moving and places[title] != place]
            expect(not lost, f"{len(lost)} items are not where the last acknowledged move took them")
            client.items.update((title, places[title]) for title in client.moving)
        expect(len(places) == CLIENTS * ITEMS, "the lists have items that no client added")

    def run(self, cycles):
        self.prepare()
        moves = 0
        for _ in range(cycles):
            clients = self.move()
            self.check(clients)
            moves += sum(client.moves for client in clients)
        check_integrity(self.server.database)
        expect(moves > 0, "no move is acknowledged")
        return f"{cycles} kills, {CLIENTS} clients, {moves} acknowledged moves: each item is in one list"
