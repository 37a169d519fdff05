"""The user whose calls neighbours.py times while others attack the server."""

import collections
import random
import threading
import time
import uuid

from faults import SERVICE, new_item, ttrpc_channel
from todo.v1 import changes_pb2, geocoding_pb2, item_reads_pb2, item_writes_pb2, lists_pb2

LISTS = "todo.v1.ListService/"

CALL_SECONDS, GEOCODE_SECONDS = 5, 30
ITEMS = 200


def share_list(endpoint, token, user):
    """Creates a list, invites a user to edit it, and returns its ID."""
    channel = ttrpc_channel.Channel(endpoint, [("authorization", f"Bearer {token}")])
    request = lists_pb2.CreateListRequest(id=str(uuid.uuid4()), name="Shared")
    channel.call(LISTS + "CreateList", request, lists_pb2.CreateListResponse, 30)
    share = lists_pb2.ShareListRequest(id=request.id, user=user, role=lists_pb2.LIST_ROLE_EDITOR)
    channel.call(LISTS + "ShareList", share, lists_pb2.ShareListResponse, 30)
    channel.close()
    return request.id


class Client:
    """A connection that reconnects when it is lost."""

    def __init__(self, endpoint, token):
        self.endpoint, self.metadata, self.channel = endpoint, [("authorization", f"Bearer {token}")], None

    def call(self, method, request, response_type, timeout=CALL_SECONDS):
        try:
            self.channel = self.channel or ttrpc_channel.Channel(self.endpoint, self.metadata)
            return self.channel.call(SERVICE + method, request, response_type, timeout)
        except OSError as error:
            self.channel = None
            raise ttrpc_channel.RPCError(ttrpc_channel.UNAVAILABLE, f"{error}") from None
        except ttrpc_channel.RPCError as error:
            if error.code == ttrpc_channel.UNAVAILABLE and not error.reason:
                self.channel = None
            raise

    def close(self):
        if self.channel:
            self.channel.close()
        self.channel = None


class Operation(threading.Thread):
    """Repeats a call with pauses, and records the milliseconds of each."""

    def __init__(self, call, pause):
        super().__init__(daemon=True)
        self.call, self.pause, self.ends = call, pause, False
        self.milliseconds, self.failures = [], collections.Counter()
        self.start()

    def run(self):
        while not self.ends:
            start = time.monotonic()
            try:
                self.call()
            except ttrpc_channel.RPCError as error:
                self.failures[error.reason or f"{error}"] += 1
            # The time of a failed call counts too, because the call may have waited.
            self.record(time.monotonic() - start)
            time.sleep(self.pause)

    def record(self, seconds):
        """Records a call, and those that a client with regular calls would have made while this one was waiting."""
        while True:
            self.milliseconds.append(1000 * seconds)
            seconds -= self.pause
            if seconds <= self.pause:
                return

    def end(self, seconds):
        self.ends = True
        self.join(seconds)
        if self.is_alive():
            self.failures["no end"] += 1


class Watch(threading.Thread):
    """Watches the list, again when the watch ends, and records when each item arrives."""

    def __init__(self, endpoint, token, list_id):
        super().__init__(daemon=True)
        self.endpoint, self.metadata, self.list_id = endpoint, [("authorization", f"Bearer {token}")], list_id
        self.arrivals, self.failures, self.revision = {}, collections.Counter(), None
        self.start()

    def run(self):
        while True:
            fields = {"now": {}} if self.revision is None else {"after_revision": self.revision}
            try:
                channel = ttrpc_channel.Channel(self.endpoint, self.metadata)
                request = changes_pb2.WatchItemsRequest(list=self.list_id, **fields)
                for message in channel.stream(SERVICE + "WatchItems", request, changes_pb2.WatchItemsResponse):
                    self.receive(message, time.monotonic())
            except (ttrpc_channel.RPCError, OSError) as error:
                self.failures[getattr(error, "reason", "") or f"{error}"] += 1
            time.sleep(0.1)

    def receive(self, message, now):
        for change in message.changes.changes:
            self.arrivals[change.put.item.id] = now
            self.revision = change.revision
        if message.HasField("progress"):
            self.revision = message.progress.revision


class Victim:
    """Adds, reads and lists items, connects, and watches its list, all at the same time.

    `list_id` is the list in which it does; by default, the user's default list.
    """

    def __init__(self, endpoint, token, geocodes=False, list_id=""):
        self.endpoint, self.token, self.list_id = endpoint, token, list_id
        self.clients = {name: Client(endpoint, token) for name in ("add", "get", "list", "geocode")}
        self.watch, self.sent = Watch(endpoint, token, list_id), {}
        self.operations = {"add": (self.add, 0.02), "get": (self.get, 0.01), "list": (self.list, 0.01),
                           "connect": (self.connect, 0.02)}
        if geocodes:
            self.operations["geocode"] = (self.geocode, 0.05)
        items = [new_item(f"Mine {number}") for number in range(ITEMS)]
        self.ids = [item.id for item in items]
        request = item_writes_pb2.BatchAddItemsRequest(items=items, list=list_id)
        self.clients["add"].call("BatchAddItems", request, item_writes_pb2.BatchAddItemsResponse, 30)
        while self.watch.revision is None:
            time.sleep(0.01)

    def add(self):
        item = new_item(f"Mine {uuid.uuid4()}")
        self.sent[item.id] = time.monotonic()
        try:
            request = item_writes_pb2.AddItemRequest(item=item, list=self.list_id)
            self.clients["add"].call("AddItem", request, item_writes_pb2.AddItemResponse)
        except ttrpc_channel.RPCError:
            # Its arrival is not awaited.
            del self.sent[item.id]
            raise

    def get(self):
        request = item_reads_pb2.GetItemRequest(id=random.choice(self.ids), list=self.list_id)
        self.clients["get"].call("GetItem", request, item_reads_pb2.GetItemResponse)

    def list(self):
        request = item_reads_pb2.ListItemsRequest(list=self.list_id)
        self.clients["list"].call("ListItems", request, item_reads_pb2.ListItemsResponse)

    def connect(self):
        client = Client(self.endpoint, self.token)
        try:
            request = item_reads_pb2.GetItemRequest(id=self.ids[0], list=self.list_id)
            client.call("GetItem", request, item_reads_pb2.GetItemResponse)
        finally:
            client.close()

    def geocode(self):
        request = geocoding_pb2.GeocodeAddressRequest(address=f"{random.random()}")
        self.clients["geocode"].call("GeocodeAddress", request, geocoding_pb2.GeocodeAddressResponse, GEOCODE_SECONDS)

    def measure(self, seconds, observe):
        """Returns the milliseconds of each operation and the failures; calls `observe` ten times a second."""
        self.sent.clear()
        self.watch.failures.clear()
        running = {name: Operation(*arguments) for name, arguments in self.operations.items()}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            observe()
            time.sleep(0.1)
        for name, operation in running.items():
            operation.end((GEOCODE_SECONDS if name == "geocode" else CALL_SECONDS) + 3)
        milliseconds = {name: operation.milliseconds for name, operation in running.items()}
        failures = {name: operation.failures for name, operation in running.items()}
        milliseconds["watch"], failures["watch"] = self.deliveries(), self.watch.failures.copy()
        return milliseconds, failures

    def deliveries(self):
        """Returns the milliseconds from each add to its arrival at the watch."""
        sent, end = dict(self.sent), time.monotonic() + CALL_SECONDS
        while not sent.keys() <= self.watch.arrivals.keys() and time.monotonic() < end:
            time.sleep(0.01)
        now = time.monotonic()
        return [1000 * (self.watch.arrivals.get(each, now) - start) for each, start in sent.items()]
