"""Eight clients read and change one item, with "only if its revision is N": their results are linearizable.

Each call is taken to happen at one instant between its beginning and its end. Revisions say in which order the changes
happened; what is left to find are instants for them that suit all that was seen.

    history.py [CALLS]   4000; by hand 100000
    history.py --moves [CALLS]  clients move the item between two lists, and read it in either; 4000, by hand 100000
    history.py --reminders [CALLS]  clients claim a reminder, and set it again once it is acknowledged; 4000, by hand 100000
    history.py --postgresql [--reminders] [CALLS]  spreads the clients over three servers on one PostgreSQL database; 1500
    history.py --stale   with clients that now and then read from a cache, to see that the test can fail
    history.py --double  with clients that repeat a change without its condition when that does not hold
    history.py [--postgresql] --reminders --double  the same with claims
    history.py --moves --blind   with clients that now and then do not find the item where it is
"""

import bisect
import collections
import itertools
import os
import random
import sys
import threading
import time
import uuid

import faults
from faults import SERVICE, Server, add, count, expect, item_reads_pb2, item_writes_pb2, items_pb2, main, new_item
from postgresql import PostgreSQL
from todo.v1 import lists_pb2

CLIENTS = 8
SERVERS = 3
LISTS = "todo.v1.ListService/"
# When the first reminder was due, in seconds.
DUE = 1_767_254_400
MARKS = itertools.count(DUE + 1_000_000)

# The state of the item at a revision that a call read or created. `condition` is the revision that a change required;
# `change` computes the new state from the previous state. A repeated call of a change that is `repeatable` returns the item as
# the first one left it, also if another client made that one.
Event = collections.namedtuple(
    "Event", "begin end revision state condition change repeatable", defaults=(None, None, False))


class Client(threading.Thread):
    def __init__(self, channel, item, calls):
        super().__init__(daemon=True)
        self.channel, self.id, self.calls = channel, item.id, calls
        self.known, self.events, self.refused, self.error = item.revision, [], 0, None
        self.cache = None
        self.methods = [self.get, self.list, self.check, self.uncheck, self.edit, self.edit]

    @staticmethod
    def state(item):
        return item.title, item.done

    def run(self):
        try:
            for number in range(self.calls):
                random.choice(self.methods)(number)
        except (faults.Broken, faults.ttrpc_channel.RPCError, OSError) as error:
            self.error = error

    def get(self, _):
        begin = time.monotonic_ns()
        request = item_reads_pb2.GetItemRequest(id=self.id)
        self.saw(begin, self.call("GetItem", request, item_reads_pb2.GetItemResponse).item)

    def list(self, _):
        begin = time.monotonic_ns()
        request = item_reads_pb2.ListItemsRequest()
        self.saw(begin, self.call("ListItems", request, item_reads_pb2.ListItemsResponse).items[0])

    def check(self, _):
        request = item_writes_pb2.CheckItemRequest(id=self.id)
        self.change("CheckItem", request, item_writes_pb2.CheckItemResponse, lambda before: (before[0], True))

    def uncheck(self, _):
        request = item_writes_pb2.UncheckItemRequest(id=self.id)
        self.change("UncheckItem", request, item_writes_pb2.UncheckItemResponse, lambda before: (before[0], False))

    def edit(self, number):
        title = f"{self.name} {number}"
        request = item_writes_pb2.UpdateItemRequest(
            item={"id": self.id, "title": title}, update_mask={"paths": ["title"]})
        self.change("UpdateItem", request, item_writes_pb2.UpdateItemResponse, lambda before: (title, before[1]))

    def change(self, method, request, response_type, change):
        condition = request.if_revision = self.known
        begin = time.monotonic_ns()
        try:
            item = self.call(method, request, response_type).item
        except faults.ttrpc_channel.RPCError as error:
            if error.reason != "REVISION_MISMATCH":
                raise
            if "--double" not in sys.argv:
                self.refused += 1
                return self.saw_revision(begin, condition, int(error.metadata["current_revision"]))
            request.if_revision = 0
            item = self.call(method, request, response_type).item
        if item.revision == condition:
            return self.saw(begin, item)
        self.known = item.revision
        repeatable = method != "UpdateItem"
        self.events.append(
            Event(begin, time.monotonic_ns(), item.revision, self.state(item), condition, change, repeatable))

    def saw(self, begin, item):
        self.known = self.see(begin, item.revision, self.state(item))

    def see(self, begin, *version):
        """Records a revision and its state, and returns the revision."""
        if "--stale" in sys.argv and self.cache and random.random() < 0.1:
            version = self.cache
        self.cache = version
        self.events.append(Event(begin, time.monotonic_ns(), *version))
        return version[0]

    def saw_revision(self, begin, condition, current):
        expect(current != condition, "a change is rejected although its condition holds")
        self.known = current
        self.events.append(Event(begin, time.monotonic_ns(), current, None))

    def call(self, method, request, response_type):
        return self.channel.call(SERVICE + method, request, response_type, 30)


class Claimer(Client):
    """Claims the reminder of the item, as a server with --notify does, and sets the next one once it is claimed.

    The state is the time of the reminder, and the end of the snooze: a mark of the claim, as a server's, or 0.
    """

    def __init__(self, channel, item, calls):
        super().__init__(channel, item, calls)
        self.methods = [self.get, self.list, self.claim, self.claim]

    @staticmethod
    def state(item):
        return item.reminders[0].time.seconds, item.reminders[0].snooze_time.seconds

    def claim(self, number):
        mark = next(MARKS)

        def change(before):
            time_of_reminder, claimed = before
            return (time_of_reminder + 1, 0) if claimed else (time_of_reminder, mark)

        self.get(number)
        request = item_writes_pb2.UpdateItemRequest(
            item={"id": self.id, "reminders": [reminder(*change(self.cache[1]))]}, update_mask={"paths": ["reminders"]})
        self.change("UpdateItem", request, item_writes_pb2.UpdateItemResponse, change)


def reminder(seconds, mark=0):
    """Returns a reminder at a time, which is claimed if there is a mark."""
    result = items_pb2.Reminder(time={"seconds": seconds})
    if mark:
        result.acknowledged_time.seconds, result.snooze_time.seconds = seconds, mark
    return result


class Mover(Client):
    """Moves the item between two lists. The number of moves is taken as its revision, and the list as its state."""

    def __init__(self, channel, item, calls, lists):
        super().__init__(channel, item, calls)
        self.lists, self.absences = lists, []
        self.methods = [self.get, self.get, self.move]

    def get(self, _):
        begin, place = time.monotonic_ns(), random.randrange(2)
        request = item_reads_pb2.GetItemRequest(id=self.id, list=self.lists[place])
        try:
            item = self.call("GetItem", request, item_reads_pb2.GetItemResponse).item
        except faults.ttrpc_channel.RPCError as error:
            if error.reason != "ITEM_NOT_FOUND":
                raise
            self.absences.append((begin, time.monotonic_ns(), place))
            return
        if "--blind" in sys.argv and random.random() < 0.1:
            self.absences.append((begin, time.monotonic_ns(), place))
        self.see(begin, self.moves(item, place), place)

    def move(self, _):
        begin, place = time.monotonic_ns(), random.randrange(2)
        request = lists_pb2.MoveItemsRequest(
            ids=[self.id], source_list=self.lists[1 - place], target_list=self.lists[place])
        item = self.channel.call(LISTS + "MoveItems", request, lists_pb2.MoveItemsResponse, 30).items[0]
        number = self.moves(item, place)
        if number == 0:
            self.see(begin, number, place)
            return
        self.events.append(
            Event(begin, time.monotonic_ns(), number, place, number - 1, lambda before: 1 - before, True))

    @staticmethod
    def moves(item, place):
        """The number of moves: each takes one revision of both lists, and the first list had one for the addition."""
        return item.revision - 1 if place == 0 else item.revision


def verify_absences(events, absences):
    """Expects that, while a call did not find the item in a list, the item can have been in the other one."""
    versions = collections.defaultdict(list)
    for event in events:
        versions[event.revision].append(event)
    # From the first response with a version until the last request that returned it, or until the next move began, it was there.
    stays = ([], [])
    for revision, seen in versions.items():
        begins = [event.begin for event in versions.get(revision + 1, []) if event.condition is not None]
        until = max(min(begins), *(event.begin for event in seen)) if begins else float("inf")
        stays[seen[0].state].append((min(event.end for event in seen), until))
    for each in stays:
        each.sort()
    for begin, end, place in absences:
        index = bisect.bisect(stays[place], (begin, float("inf"))) - 1
        expect(index < 0 or stays[place][index][1] < end, "the item is not found in the list in which it is")


def verify_claims(events):
    """Expects that each reminder but the last was claimed by one call."""
    claims = collections.Counter(event.state[0] for event in events if event.condition is not None and event.state[1])
    twice = sum(number > 1 for number in claims.values())
    expect(not twice, f"{twice} reminders are claimed twice")
    last = max(event.state[0] for event in events if event.state)
    expect(set(claims) >= set(range(DUE, last)), "the next reminder is set although nobody has claimed the one before")


def verify(first, events):
    """Expects that each event has an instant within its call; returns the number of changes."""
    changes, sights = {}, collections.defaultdict(list)
    for event in events:
        if event.condition is None:
            sights[event.revision].append(event)
            continue
        earlier = changes.get(event.condition)
        if earlier and event.repeatable and earlier.revision == event.revision:
            # One of the two calls made the change, and the other one saw it: the one that began first is taken as the change.
            earlier, event = sorted((earlier, event), key=lambda event: event.begin)
            sights[event.revision].append(event)
            changes[event.condition] = earlier
            continue
        expect(not earlier, f"revision {event.condition} was changed twice")
        changes[event.condition] = event
    version, steps = first, 0
    # The earliest instant at which the item can have become this version: not before its change began, and not before a
    # call began that read the previous version.
    earliest = first.begin
    while True:
        seen = sights.pop(version.revision, [])
        for event in seen:
            expect(event.state in (None, version.state), f"revision {version.revision} is read with another state")
            expect(event.end >= earliest, f"revision {version.revision} is read, and later the previous revision")
        following = changes.pop(version.revision, None)
        if following is None:
            break
        expect(following.revision > version.revision, "revisions do not increase")
        wanted = following.change(version.state)
        expect(following.state == wanted, f"revision {following.revision} has another state than was requested")
        earliest = max(earliest, following.begin, *(event.begin for event in seen))
        expect(following.end >= earliest, f"revision {version.revision} is read after the next revision was created")
        version, steps = following, steps + 1
    expect(not changes and not sights, "a revision is read that was never created")
    return steps


def start_servers(folder):
    """Starts one server with a database file, or several with one PostgreSQL database."""
    if "--postgresql" not in sys.argv:
        servers = [Server(folder)]
    else:
        uri = PostgreSQL().create_database("todo")
        folders = [f"{folder}/{number}" for number in range(SERVERS)]
        for each in folders:
            os.mkdir(each)
        servers = [Server(each, store=uri) for each in folders]
    for server in servers:
        server.start()
    return servers


def client_class():
    if "--moves" in sys.argv:
        return Mover
    return Claimer if "--reminders" in sys.argv else Client


def start_clients(servers, item, calls):
    """Starts the clients, whose calls alternate between the servers."""
    channels = [servers[number % len(servers)].connect() for number in range(CLIENTS)]
    if "--moves" not in sys.argv:
        clients = [client_class()(channel, item, calls // CLIENTS) for channel in channels]
    else:
        other = str(uuid.uuid4())
        request = lists_pb2.CreateListRequest(id=other, name="Other")
        channels[0].call(LISTS + "CreateList", request, lists_pb2.CreateListResponse, 30)
        clients = [Mover(channel, item, calls // CLIENTS, ("", other)) for channel in channels]
    for client in clients:
        client.start()
    return clients


def summary(clients, events, changes):
    if "--moves" not in sys.argv:
        refused = sum(client.refused for client in clients)
        kind = "claims and new reminders" if "--reminders" in sys.argv else "changes"
        return f"{changes} {kind}, {refused} refused as their condition did not hold"
    absences = [absence for client in clients for absence in client.absences]
    verify_absences(events, absences)
    return f"{changes} moves, and {len(absences)} that did not find the item in one of the lists"


def run(folder):
    servers = start_servers(folder)
    calls = count(1500 if len(servers) > 1 else 4000)
    begin = time.monotonic_ns()
    item = new_item("From the beginning")
    if "--reminders" in sys.argv:
        item.reminders.append(reminder(DUE))
    item = add(servers[0].connect(), item)
    version = (0, 0) if "--moves" in sys.argv else (item.revision, client_class().state(item))
    first = Event(begin, time.monotonic_ns(), *version)
    clients = start_clients(servers, item, calls)
    for client in clients:
        client.join(1800)
        expect(not client.is_alive() and client.error is None, f"a client fails: {client.error}")
    for server in servers:
        expect(server.stop() == 0, "the server does not stop")
    events = [event for client in clients for event in client.events]
    if "--reminders" in sys.argv:
        verify_claims([first, *events])
    changes = verify(first, events)
    where = f" to {len(servers)} servers" if len(servers) > 1 else ""
    result = summary(clients, [first, *events], changes)
    return f"history: {len(events)} calls of {CLIENTS} clients{where}, {result}: there is an order"


main(run)
