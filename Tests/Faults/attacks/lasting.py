"""Attacks by long-lived connections, which read nothing, finish nothing, or never authenticate."""

import functools
import random
import uuid

from faults import SERVICE
from health.v1 import health_pb2
from todo.v1 import item_reads_pb2

from .attack import DESCRIPTION_BYTES, Attack, new_item
from .calls import Edits
from .connections import Connection, Pipeline, Unfinished, Unread, envelope

CONNECTIONS_PER_ADDRESS = 100


class Tail(Edits):
    """60 edits in flight of one item of 64 KiB, and 64 watches that their client does not read."""

    def connections(self):
        watches = [self.request("WatchItems", now={})] * 16
        unread = [Connection(self.endpoint, "127.66.0.2", lambda: Unread(watches)) for _ in range(4)]
        return unread + super().connections()


class Snapshots(Attack):
    """Unread watches with a snapshot: 30 of a list of 13 MB, in the long form 100 of 64 MB."""

    mebibytes = 96

    def prepare(self):
        number = 1000 if self.scale > 1 else 200
        self.fill(new_item(f"Item {number}", description="e" * DESCRIPTION_BYTES) for number in range(number))

    def connections(self):
        watches = [self.request("WatchItems", with_snapshot={})] * 10
        number = 10 if self.scale > 1 else 3
        return [Connection(self.endpoint, "127.66.0.1", lambda: Unread(watches)) for _ in range(number)]


class Tokens(Attack):
    """Wrong tokens: 40 connections from four addresses, each with 8 calls in flight."""

    def connections(self):
        def make(_):
            token = f"todo_{random.getrandbits(64):016x}_{random.getrandbits(256):064x}"
            return envelope(SERVICE + "GetItem", item_reads_pb2.GetItemRequest(id=str(uuid.UUID(int=1))), token)

        behaviour = functools.partial(Pipeline, self.counts, make, 8)
        return [Connection(self.endpoint, f"127.66.0.{1 + number % 4}", behaviour) for number in range(40)]


class Frames(Attack):
    """64 connections, each with a frame of 4 MiB without its last byte."""

    def connections(self):
        behaviour = functools.partial(Unfinished, self.greeting(), 4 << 20)
        return [Connection(self.endpoint, "127.66.0.1", behaviour) for _ in range(64)]


class Strangers(Attack):
    """Unauthenticated connections, more than the server accepts, each with a watch of the server's health."""

    arguments = ("--limit", "connections=300")

    def connections(self):
        data = envelope("grpc.health.v1.Health/Watch", health_pb2.HealthCheckRequest())
        return [
            Connection(self.endpoint, f"127.66.1.{1 + number // CONNECTIONS_PER_ADDRESS}", lambda: Unread([data]))
            for number in range(400)]
