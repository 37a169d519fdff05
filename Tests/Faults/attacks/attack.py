"""The base class of all attacks."""

import collections
import functools
import sys
import time
import uuid

from faults import SERVICE, ttrpc_channel
from todo.v1 import (
    changes_pb2, geocoding_pb2, history_pb2, item_reads_pb2, item_writes_pb2, items_pb2, lists_pb2)

from .connections import Connection, Pipeline, envelope

LISTS = "todo.v1.ListService/"
PREPARE_SECONDS = 120
BATCH_ITEMS, BATCH_BYTES = 500, 3_000_000
DESCRIPTION_BYTES = 65_536
# The attacks by name, in the order of their definitions.
ALL = {}


class Attack:
    """One attack. The class attributes are read by neighbours.py."""

    # The server's arguments, the factor of the duration, the memory that the attack may cost, the timeout of calls, and
    # the ratio and the milliseconds above which a time counts as harm.
    arguments, duration, mebibytes, timeout, ratio, floor = (), 1, 384, 10, 5, 20
    # The number of times that the attack is measured at most, and the seconds between its start and the measurement.
    rounds, warm_up = 2, 0.3
    # Whether the server must end the calls, and whether the attack runs only if it is named.
    is_ended, is_by_hand = False, False
    # Whether it is measured again even if it does no harm at first: its replies, or a memory limit of its own, say more then.
    is_repeated = False
    # Whether the victim's calls are in a list that it shares with the attacker.
    is_in_shared_list = False
    # The kinds of replies that count as harm, and those without which the attack has no effect.
    harmful, required = (), ()
    # How many milliseconds one transaction of the attack takes on its own, if others may wait for it.
    transaction = 0

    def __init__(self, endpoints, token, scale):
        self.endpoint, self.grpc_endpoint, self.http_endpoint = endpoints
        self.token, self.scale = token, scale
        self.counts, self.prepare_until = collections.Counter(), time.monotonic() + PREPARE_SECONDS

    def __init_subclass__(cls):
        cls.is_repeated = bool(cls.is_ended or cls.harmful or cls.mebibytes < Attack.mebibytes)
        name = cls.__name__
        if not name.endswith("Attack"):
            protocol = next((each for each in ("GRPC", "HTTP") if name.startswith(each)), "")
            ALL["-".join(filter(None, [protocol, name.removeprefix(protocol)])).lower()] = cls

    def prepare(self):
        """Fills the attacker's list."""

    def connections(self):
        """Returns the connections that attack."""
        raise NotImplementedError

    def request(self, method, **fields):
        """Returns the data of a request frame with the attacker's token."""
        modules = (changes_pb2, geocoding_pb2, history_pb2, item_reads_pb2, item_writes_pb2, lists_pb2)
        module = next(each for each in modules if hasattr(each, method + "Request"))
        message = getattr(module, method + "Request")(**fields)
        service = LISTS if module is lists_pb2 else SERVICE
        return envelope(service + method, message, self.token, self.timeout)

    def greeting(self):
        """Returns the data of a small request, whose reply authenticates its connection."""
        return self.request("GetItem", id=str(uuid.UUID(int=1)))

    def pipelines(self, number, depth, make):
        """Returns connections that keep requests in flight; `make` returns the data of one, given the last reply."""
        behaviour = functools.partial(Pipeline, self.counts, make, depth, self.greeting())
        return [Connection(self.endpoint, "127.66.0.1", behaviour) for _ in range(number)]

    def fill(self, items):
        """Adds items as fast as the server accepts them."""
        channel = ttrpc_channel.Channel(self.endpoint, [("authorization", f"Bearer {self.token}")])
        # Before this call the server accepts only small frames.
        channel.call(SERVICE + "ListItems", item_reads_pb2.ListItemsRequest(), item_reads_pb2.ListItemsResponse, 60)
        batch, size = [], 0
        for item in items:
            if len(batch) == BATCH_ITEMS or size + item.ByteSize() > BATCH_BYTES:
                self.add(channel, batch)
                batch, size = [], 0
            batch.append(item)
            size += item.ByteSize()
        self.add(channel, batch)
        channel.close()

    def add(self, channel, items):
        """Adds a batch; when the server rejects it, for example for its rate, tries again."""
        request = item_writes_pb2.BatchAddItemsRequest(items=items, allow_duplicates=True)
        while True:
            try:
                return channel.call(SERVICE + "BatchAddItems", request, item_writes_pb2.BatchAddItemsResponse, 60)
            except ttrpc_channel.RPCError as error:
                if time.monotonic() > self.prepare_until:
                    sys.exit(f"the attacker cannot fill its list: {error.reason}: {error}")
                time.sleep(0.2)


def new_item(title, **fields):
    return items_pb2.Item(id=str(uuid.uuid4()), title=title, **fields)
