"""Attacks by a user with many lists, invitations, moves and reminders."""

import itertools
import random
import time
import uuid

from faults import SERVICE, ttrpc_channel
from todo.v1 import item_writes_pb2, items_pb2, lists_pb2

from .attack import LISTS, Attack, new_item
from .connections import Connection, Unread

REMINDERS = 8


class ListsAttack(Attack):
    """An attack with lists that the attacker has made."""

    number = 2

    def prepare(self):
        self.lists = [str(uuid.uuid4()) for _ in range(self.number)]
        channel = ttrpc_channel.Channel(self.endpoint, [("authorization", f"Bearer {self.token}")])
        for number, each in enumerate(self.lists):
            request = lists_pb2.CreateListRequest(id=each, name=f"List {number}")
            channel.call(LISTS + "CreateList", request, lists_pb2.CreateListResponse, 60)
        channel.close()


class Lists(ListsAttack):
    """Lists that get other names, and are deleted and undeleted: each time, all programs of the user learn of it."""

    number = 90

    def connections(self):
        def make(_):
            each = random.choice(self.lists)
            renamed = {"id": each, "name": f"List {random.getrandbits(64)}"}
            return random.choice((
                lambda: self.request("UpdateList", list=renamed, update_mask={"paths": ["name"]}),
                lambda: self.request("DeleteList", id=each),
                lambda: self.request("UndeleteList", id=each),
                lambda: self.request("ListLists", show_deleted=True)))()

        return self.pipelines(4, 32, make)


class Invitations(ListsAttack):
    """Invitations of the victim to lists, as many as can be open, and their withdrawal: each changes the victim's lists."""

    number = 10

    def connections(self):
        def make(_):
            each, role = random.choice(self.lists), random.choice((lists_pb2.LIST_ROLE_EDITOR, lists_pb2.LIST_ROLE_VIEWER))
            return random.choice((
                lambda: self.request("ShareList", id=each, user="ann", role=role),
                lambda: self.request("UnshareList", id=each, user="ann")))()

        return self.pipelines(4, 32, make)


class Moves(ListsAttack):
    """Moves of 1,000 items at once between two lists, and back."""

    # Other writes wait for the transaction of a move, which is all or nothing.
    floor = 40

    def prepare(self):
        super().prepare()
        self.items = [new_item(f"Item {number}", description="m" * 200) for number in range(1_000)]
        self.fill(self.items)
        channel = ttrpc_channel.Channel(self.endpoint, [("authorization", f"Bearer {self.token}")])
        # The first move is faster, because the list has not had the items before.
        self.transaction = min([self.move(channel, *pair) for pair in self.there_and_back() * 2][1:])
        channel.close()

    def there_and_back(self):
        return [("", self.lists[0]), (self.lists[0], "")]

    def move(self, channel, source, target):
        """Moves all items, and returns how many milliseconds it took."""
        request = lists_pb2.MoveItemsRequest(
            ids=[item.id for item in self.items], source_list=source, target_list=target, allow_duplicates=True)
        start = time.monotonic()
        channel.call(LISTS + "MoveItems", request, lists_pb2.MoveItemsResponse, 60)
        return 1000 * (time.monotonic() - start)

    def connections(self):
        ids, pairs = [item.id for item in self.items], itertools.cycle(self.there_and_back())

        def make(_):
            source, target = next(pairs)
            return self.request("MoveItems", ids=ids, source_list=source, target_list=target, allow_duplicates=True)

        return self.pipelines(1, 2, make)


class Members(ListsAttack):
    """An editor of the victim's list edits and moves its items, invites the victim to other lists, and watches without reading."""

    # The writes of a list take turns, whoever makes them.
    is_in_shared_list, floor = True, 40
    is_by_hand = True

    def prepare(self):
        super().prepare()
        channel = ttrpc_channel.Channel(self.endpoint, [("authorization", f"Bearer {self.token}")])
        request = lists_pb2.ListListsRequest(show_invitations=True)
        found = channel.call(LISTS + "ListLists", request, lists_pb2.ListListsResponse, 60).set.lists
        self.shared = next(each.id for each in found if each.role)
        channel.call(LISTS + "AcceptList", lists_pb2.AcceptListRequest(id=self.shared), lists_pb2.AcceptListResponse, 60)
        self.items = [new_item(f"Item {number}", description="m" * 1_000) for number in range(64)]
        for item in self.items:
            request = item_writes_pb2.AddItemRequest(item=item, list=self.shared, allow_duplicate=True)
            channel.call(SERVICE + "AddItem", request, item_writes_pb2.AddItemResponse, 60)
        channel.close()

    def connections(self):
        def make(_):
            ids, pair = [random.choice(self.items).id], random.sample([self.shared, self.lists[0]], 2)
            edited = {"id": ids[0], "description": f"{random.getrandbits(64):020}" + "m" * 1_000}
            return random.choice((
                lambda: self.request("UpdateItem", item=edited, update_mask={"paths": ["description"]}, list=self.shared),
                lambda: self.request("MoveItems", ids=ids, source_list=pair[0], target_list=pair[1], allow_duplicates=True),
                lambda: self.request("ShareList", id=self.lists[1], user="ann", role=lists_pb2.LIST_ROLE_VIEWER),
                lambda: self.request("UnshareList", id=self.lists[1], user="ann")))()

        watches = [self.request("WatchItems", now={}, list=self.shared)] * 16
        unread = [Connection(self.endpoint, "127.66.0.2", lambda: Unread(watches)) for _ in range(4)]
        return unread + self.pipelines(4, 32, make)


class Reminders(Attack):
    """10,000 items that repeat, with 8 reminders each: checks of them, edits of the reminders, and full pages."""

    def prepare(self):
        self.items = [self.item(number) for number in range(10_000)]
        self.fill(self.items)

    def item(self, number):
        item = new_item(f"Chore {number}", reminders=self.reminders())
        item.due_time.FromJsonString("2026-12-01T08:00:00Z")
        item.repetition.CopyFrom(items_pb2.Repetition(recurrence_rule="FREQ=DAILY", time_zone="Europe/Berlin"))
        return item

    def reminders(self):
        return [items_pb2.Reminder(seconds_before=60 * number) for number in random.sample(range(10_000), REMINDERS)]

    def connections(self):
        def make(_):
            each = random.choice(self.items).id
            edited = {"id": each, "reminders": self.reminders()}
            return random.choice((
                lambda: self.request("CheckItem", id=each),
                lambda: self.request("UpdateItem", item=edited, update_mask={"paths": ["reminders"]}),
                lambda: self.request("ListItems", page_size=1000)))()

        return self.pipelines(2, 32, make)
