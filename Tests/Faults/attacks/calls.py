"""Attacks by a user who sends as many and as expensive calls as the server accepts."""

import itertools
import random

from faults import SERVICE, ttrpc_channel
from google.type import latlng_pb2
from todo.v1 import item_writes_pb2, items_pb2

from .attack import DESCRIPTION_BYTES, Attack, new_item
from .connections import reason


class Search(Attack):
    """Texts and needles that make a naive search quadratic, and calls that end before it does."""

    timeout = 1

    def prepare(self):
        self.fill(new_item(f"Item {number}", description="a" * DESCRIPTION_BYTES) for number in range(8))

    def connections(self):
        data = self.request("ListItems", text="b" + "a" * 511)
        return self.pipelines(2, 4, lambda _: data)


class Duplicates(Attack):
    """20,000 identical items, and adds of one more."""

    def prepare(self):
        self.fill(new_item("Same") for _ in range(20_000))

    def connections(self):
        return self.pipelines(1, 60, lambda _: self.request("AddItem", item=new_item("Same")))


class Batches(Attack):
    """Batches of 500 items, 2 MB each; when the list is full, all items are deleted."""

    # Other writes wait for the transaction of a batch, which is all or nothing.
    floor = 40

    def connections(self):
        everything = self.request("DeleteItems", selection=item_writes_pb2.DELETE_SELECTION_ALL)

        def make(reply):
            if reply and reason(reply) in ("LIST_FULL", "QUOTA_EXCEEDED"):
                return everything
            items = [new_item("Batch", description="b" * 4000) for _ in range(500)]
            return self.request("BatchAddItems", items=items, allow_duplicates=True)

        return self.pipelines(2, 8, make)


class Deletions(Attack):
    """A deletion of 20,000 items at once. Without a limit on the rate, because filling the list would take long."""

    arguments = tuple(
        part for name in ("item-rate", "item-burst", "text-rate", "text-burst")
        for part in ("--limit", f"{name}=100000000"))
    rounds, warm_up = 1, 0

    def prepare(self):
        self.fill(new_item(f"Item {number}", description="f" * 50) for number in range(20_000))

    def connections(self):
        data = self.request("DeleteItems", selection=item_writes_pb2.DELETE_SELECTION_ALL)
        return self.pipelines(1, 1, lambda _: data)


class Edits(Attack):
    """60 edits in flight of one item of 64 KiB."""

    def prepare(self):
        self.item = new_item("Large", description="c" * DESCRIPTION_BYTES)
        self.fill([self.item])

    def connections(self):
        def make(_):
            text = f"{random.getrandbits(64):020}" + "c" * (DESCRIPTION_BYTES - 20)
            item = items_pb2.Item(id=self.item.id, description=text)
            return self.request("UpdateItem", item=item, update_mask={"paths": ["description"]})

        return self.pipelines(1, 60, make)


class Listings(Attack):
    """Full pages, texts that no item contains, and all changes."""

    def prepare(self):
        self.fill(new_item(f"Item {number}", description="d" * 50) for number in range(20_000))

    def connections(self):
        def make(_):
            return random.choice((
                lambda: self.request("ListItems", page_size=1000),
                lambda: self.request("ListItems", page_size=1000, text=f"{random.random()}"),
                lambda: self.request("ListChanges", page_size=1000)))()

        return self.pipelines(4, 32, make)


class History(Attack):
    """Pages of 1,000 changes, all deletions, whose titles cost most. Without a limit on the rate, as "deletions"."""

    arguments = Deletions.arguments
    items = 3_000

    def prepare(self):
        items = [new_item(f"Item {number}") for number in range(self.items)]
        self.fill(items)
        channel = ttrpc_channel.Channel(self.endpoint, [("authorization", f"Bearer {self.token}")])
        for item in items:
            request = item_writes_pb2.DeleteItemRequest(id=item.id)
            channel.call(SERVICE + "DeleteItem", request, item_writes_pb2.DeleteItemResponse, 60)
        channel.close()

    def connections(self):
        def make(_):
            before = random.randrange(self.items // 2, self.items)
            return self.request("ListRevisions", page_size=1000, before_revision=before)

        return self.pipelines(4, 32, make)


class Reversals(Attack):
    """27 reversals in flight of revisions of 45 items of 64 KiB, and then of these reversals."""

    def prepare(self):
        self.count = 27 if self.scale > 1 else 6
        self.fill(new_item(f"Item {number}", description="r" * DESCRIPTION_BYTES) for number in range(45 * self.count))

    def connections(self):
        revisions = itertools.cycle(range(1, 50 * self.count))
        return self.pipelines(1, 27, lambda _: self.request("RevertRevision", revision=next(revisions)))


class Near(Attack):
    """Full pages of items around random places."""

    def prepare(self):
        self.fill(new_item(f"Item {number}", location={"coordinate": self.place()}) for number in range(20_000))

    def place(self):
        return latlng_pb2.LatLng(latitude=random.uniform(-80, 80), longitude=random.uniform(-180, 180))

    def connections(self):
        return self.pipelines(4, 32, lambda _: self.request("ListNearbyItems", page_size=1000, center=self.place()))


class Calls(Attack):
    """Small calls: 8 connections with 256 in flight each."""

    def prepare(self):
        self.item = new_item("Small")
        self.fill([self.item])

    def connections(self):
        data = self.request("GetItem", id=self.item.id)
        return self.pipelines(8, 256, lambda _: data)


class Gazetteer(Attack):
    """Addresses that take long to look up."""

    arguments = ("--geocoder", "gazetteer")

    def connections(self):
        def make(_):
            words = " ".join(random.choice(("new", "san", "saint", "port", "north", "street")) for _ in range(150))
            return self.request("GeocodeAddress", address=words, limit=50)

        return self.pipelines(2, 32, make)


class Geocoder(Attack):
    """Addresses for a geocoder that accepts one request per second."""

    arguments, duration = ("--geocoder", "nominatim:{geocoder}"), 4

    def connections(self):
        return self.pipelines(1, 64, lambda _: self.request("GeocodeAddress", address=f"{random.random()}"))
