"""Users are invited to a list, change roles and are removed, while they call three servers over one PostgreSQL database.

A script for each member invites the user, makes the member a viewer and an editor again, and ends the membership. The owner does
all this through one server, while the member reads, writes and watches through all of them. Afterwards, the times of the responses
and the list's history determine which calls may have succeeded:

- Once the response has ended a role, no server makes a change that the role permitted, not even one in flight.
- A second later, no server responds to reads or continues a watch. The server that ended the membership stops at once.
- A refused change has no effect. A call is refused for want of a role at most a second after the role was granted.

To each second, the time of the slowest call is added, because a busy machine responds to nobody meanwhile.

    members.py [ROUNDS]   2 for each of 3 members; by hand 100
    members.py --lax      with a database that does not record that access to a list has ended, so that servers trust what they
                          have read, to see that the test can fail
    members.py --deaf     with a database that does not tell servers that a user's lists have changed
"""

import bisect
import collections
import concurrent.futures
import itertools
import math
import os
import random
import sys
import threading
import time
import uuid

from faults import SERVICE, Server, administer, count, expect, item_reads_pb2, item_writes_pb2, main, new_item
from faults import changes_pb2, ttrpc_channel
from postgresql import PostgreSQL
from todo.v1 import history_pb2, lists_pb2

SERVERS = 3
MEMBERS = ("bob", "cat", "eve")
LISTS = "todo.v1.ListService/"
EDITOR, VIEWER = lists_pb2.LIST_ROLE_EDITOR, lists_pb2.LIST_ROLE_VIEWER
# The seconds after which every server knows of a change, unless the machine is busy.
LIMIT = 1
SHORT, LONG = 0.1, LIMIT + 0.5
# Does not let a column of the row grow.
RETAIN = """
    CREATE FUNCTION retain() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.{0} := OLD.{0}; RETURN NEW; END $$;
    CREATE TRIGGER retain BEFORE UPDATE ON {1} FOR EACH ROW EXECUTE FUNCTION retain();
"""

# A call of a member to one of the servers. `reason` is that of its error, and `revision` that of its change.
Call = collections.namedtuple("Call", "begin end server is_write reason revision", defaults=("", None))


class Change:
    """A change of a member's role by a call to one server, and the revisions that the owner made until the next change."""

    def __init__(self, role, server, begin=-math.inf, end=-math.inf):
        self.role, self.server, self.begin, self.end, self.revisions = role, server, begin, end, []


class Script(threading.Thread):
    """Changes the role of one member, and records its changes."""

    def __init__(self, test, number, rounds):
        super().__init__(daemon=True)
        self.test, self.rounds, self.number, self.limit = test, rounds, number, LIMIT
        self.server, self.user = number % SERVERS, MEMBERS[number]
        self.channel, self.changes, self.error = test.connect(self.server, "ann"), [Change(None, self.server)], None

    def run(self):
        try:
            for number in range(self.rounds):
                longest = (number + self.number) % 3
                self.play(*(LONG if each == longest else SHORT for each in range(3)))
        except (ttrpc_channel.RPCError, OSError) as error:
            self.error = error

    def play(self, editing, viewing, ended):
        # The invitation gives no role yet.
        self.call("ShareList", self.channel, user=self.user, role=EDITOR)
        self.write(SHORT)
        server = random.randrange(SERVERS)
        channel = self.test.connect(server, self.user)
        self.change(EDITOR, server, editing, "AcceptList", channel)
        channel.close()
        for role, seconds in ((VIEWER, viewing), (EDITOR, SHORT)):
            self.change(role, self.server, seconds, "ShareList", self.channel, user=self.user, role=role)
        self.change(None, self.server, ended, "UnshareList", self.channel, user=self.user)

    def change(self, new, server, seconds, method, channel, **fields):
        change = Change(new, server, time.monotonic())
        self.call(method, channel, **fields)
        change.end = time.monotonic()
        self.changes.append(change)
        self.write(seconds)

    def call(self, method, channel, **fields):
        request = getattr(lists_pb2, method + "Request")(id=self.test.list, **fields)
        channel.call(LISTS + method, request, getattr(lists_pb2, method + "Response"), 30)

    def write(self, seconds):
        """Adds items as the owner for some time, so that watches have changes to report."""
        end = time.monotonic() + seconds
        while True:
            self.changes[-1].revisions.append(add(self.channel, self.test.list, "Owner"))
            if time.monotonic() > end:
                return
            time.sleep(0.03)

    # MARK: What is possible

    def is_possible(self, roles, begin, end, server, lag):
        """Whether the member had one of the roles at an instant of a call, or another server ended the role less than a lag ago."""
        # From the last change that began before the end of the call.
        for index in reversed(range(bisect.bisect_right(self.changes, end, key=lambda change: change.begin))):
            following = self.changes[index + 1] if index + 1 < len(self.changes) else None
            if following and following.end + lag < begin:
                return False
            is_noticed = following and following.server == server and following.end < begin
            if self.changes[index].role in roles and not is_noticed:
                return True
        return False

    def change_during(self, revision):
        """The change between whose own revisions a revision was made; `None` if it was made closer to the next change."""
        index = bisect.bisect_left(self.changes, revision, key=lambda change: change.revisions[0]) - 1
        return self.changes[index] if index >= 0 and revision < self.changes[index].revisions[-1] else None

    def ends(self):
        """The changes that ended access for longer than the limit, each with the time at which it could begin again."""
        for change, following in itertools.zip_longest(self.changes[1:], self.changes[2:]):
            until = following.begin if following else self.test.end
            if change.role is None and until > change.end + self.limit:
                yield change, until


class Caller(threading.Thread):
    """Reads and changes items as a member through one server until the test ends, and records each call."""

    def __init__(self, test, server, user):
        super().__init__(daemon=True)
        self.test, self.server, self.user, self.calls, self.error = test, server, user, [], None
        self.channel, self.methods = test.connect(server, user), [self.get, self.list]
        # Through one server a member only reads, because a write makes its server look up the role again, for reads too.
        if server != (MEMBERS.index(user) + 1) % SERVERS:
            self.methods += [self.add, self.edit]

    def run(self):
        try:
            while not self.test.ends.is_set():
                self.record(random.choice(self.methods))
                time.sleep(0.005)
        except (ttrpc_channel.RPCError, OSError) as error:
            self.error = error

    def record(self, method):
        is_write, begin = method in (self.add, self.edit), time.monotonic()
        try:
            result = {"revision": method()}
        except ttrpc_channel.RPCError as error:
            if error.reason not in ("LIST_NOT_FOUND", "NOT_PERMITTED"):
                raise
            result = {"reason": error.reason}
        self.calls.append(Call(begin, time.monotonic(), self.server, is_write, **result))

    def get(self):
        request = item_reads_pb2.GetItemRequest(id=self.test.item, list=self.test.list)
        self.channel.call(SERVICE + "GetItem", request, item_reads_pb2.GetItemResponse, 30)

    def list(self):
        request = item_reads_pb2.ListItemsRequest(page_size=1, list=self.test.list)
        self.channel.call(SERVICE + "ListItems", request, item_reads_pb2.ListItemsResponse, 30)

    def add(self):
        return add(self.channel, self.test.list, self.user)

    def edit(self):
        request = item_writes_pb2.UpdateItemRequest(
            item={"id": self.test.item, "title": unique(self.user)}, update_mask={"paths": ["title"]}, list=self.test.list)
        return self.channel.call(SERVICE + "UpdateItem", request, item_writes_pb2.UpdateItemResponse, 30).item.revision


class Watch:
    """A watch through one server: the time of its first message, and the time and the revision of each change."""

    def __init__(self, server):
        self.server, self.begin, self.start, self.end, self.arrivals = server, time.monotonic(), None, None, []


class Watcher(threading.Thread):
    """Watches the list as a member through one server, again when the watch ends."""

    def __init__(self, test, server, user):
        super().__init__(daemon=True)
        self.test, self.server, self.watches, self.error = test, server, [], None
        self.channel = test.connect(server, user)

    def run(self):
        try:
            while not self.test.ends.is_set() and not self.error:
                self.watch()
                time.sleep(0.02)
        except OSError as error:
            self.error = error

    def watch(self):
        watch = Watch(self.server)
        self.watches.append(watch)
        request = changes_pb2.WatchItemsRequest(now={}, list=self.test.list)
        try:
            for message in self.channel.stream(SERVICE + "WatchItems", request, changes_pb2.WatchItemsResponse):
                now = time.monotonic()
                watch.start = watch.start or now
                watch.arrivals += [(now, change.revision) for change in message.changes.changes]
        except ttrpc_channel.RPCError as error:
            watch.end = time.monotonic()
            if error.reason != "LIST_NOT_FOUND":
                self.error = error


def unique(user):
    return f"{user} {uuid.uuid4()}"


def add(channel, list_id, user):
    request = item_writes_pb2.AddItemRequest(item=new_item(unique(user)), list=list_id)
    return channel.call(SERVICE + "AddItem", request, item_writes_pb2.AddItemResponse, 30).item.revision


class Unavailable(Exception):
    """The database has not responded in time, so nothing is known of a call."""


def check_availability(threads):
    if any(getattr(thread.error, "reason", None) == "STORE_UNAVAILABLE" for thread in threads):
        raise Unavailable


class Sharing:
    """The servers, and a list that ann shares."""

    def __init__(self, folder):
        self.database, self.ends, self.end = PostgreSQL(), threading.Event(), None
        uri = self.database.create_database("todo")
        self.servers = [Server(f"{folder}/{number}", store=uri) for number in range(SERVERS)]
        self.start(uri)
        self.create_list()
        if "--lax" in sys.argv:
            self.database.sql(RETAIN.format("access_version", "list"), "todo")
        if "--deaf" in sys.argv:
            self.database.sql(RETAIN.format("version", "list_set"), "todo")

    def start(self, uri):
        users = "ann", *MEMBERS
        for server in self.servers:
            os.mkdir(server.folder)
        # The first command creates the tables.
        administer(uri, "user", "add", users[0])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda user: administer(uri, "user", "add", user), users[1:]))
            starts = [pool.submit(server.start) for server in self.servers]
            self.tokens = dict(zip(users, pool.map(lambda user: administer(uri, "token", "add", user), users)))
            for start in starts:
                start.result()

    def create_list(self):
        channel = self.connect(0, "ann")
        self.list, item = str(uuid.uuid4()), new_item("First")
        request = lists_pb2.CreateListRequest(id=self.list, name="Shared")
        channel.call(LISTS + "CreateList", request, lists_pb2.CreateListResponse, 30)
        request = item_writes_pb2.AddItemRequest(item=item, list=self.list)
        self.item = channel.call(SERVICE + "AddItem", request, item_writes_pb2.AddItemResponse, 30).item.id

    def connect(self, server, user):
        return ttrpc_channel.Channel(self.servers[server].endpoint, [("authorization", f"Bearer {self.tokens[user]}")])

    def run(self, rounds):
        """Plays the scripts, and returns the callers, the watchers and the scripts, by user."""
        scripts = {user: Script(self, number, rounds) for number, user in enumerate(MEMBERS)}
        callers, watchers = ({user: [kind(self, server, user) for server in range(SERVERS)] for user in MEMBERS}
                             for kind in (Caller, Watcher))
        threads = [*itertools.chain(*callers.values()), *itertools.chain(*watchers.values()), *scripts.values()]
        for thread in threads:
            thread.start()
        for script in scripts.values():
            script.join(60 + 10 * rounds)
            check_availability([script])
            expect(len(script.changes) == 1 + 4 * rounds, f"a script does not complete: {script.error}")
        self.end = time.monotonic()
        self.ends.set()
        for caller in itertools.chain(*callers.values()):
            caller.join(40)
        check_availability(threads)
        for thread in threads:
            expect(thread.error is None, f"a call fails: {thread.error}")
            expect(not thread.is_alive() or isinstance(thread, Watcher), "a call has no response")
        return scripts, callers, watchers

    def history(self):
        """Returns the revisions of each user, as the list's history has them."""
        channel, revisions, before, has_more = self.connect(0, "ann"), collections.defaultdict(set), 0, True
        while has_more:
            request = history_pb2.ListRevisionsRequest(before_revision=before, page_size=1000, list=self.list)
            page = channel.call(SERVICE + "ListRevisions", request, history_pb2.ListRevisionsResponse, 30)
            for each in page.revisions:
                revisions[each.user].add(each.revision)
            before, has_more = page.revisions[-1].revision, page.has_more
        return revisions


# MARK: Verification


def verify_calls(script, calls):
    """Expects that the member had a role that permits each call that succeeded, and lacked it if the call was refused."""
    for call in calls:
        where, lag = (call.begin, call.end, call.server), script.limit
        what = "a change" if call.is_write else "a read"
        if call.reason == "NOT_PERMITTED":
            expect(call.is_write and script.is_possible([VIEWER], *where, lag), f"{what} of an editor is refused")
        elif call.reason:
            expect(script.is_possible([None], *where, lag), f"{what} of a member is refused")
        elif call.is_write:
            expect(script.is_possible([EDITOR], *where, 0), f"{what} succeeds after the member's role has ended")
        else:
            expect(script.is_possible([EDITOR, VIEWER], *where, lag), f"{what} succeeds after the membership has ended")


def verify_revisions(script, calls, recorded):
    """Expects the member's acknowledged changes in the history, and none that was made while the role did not permit it."""
    acknowledged = {call.revision for call in calls if call.revision is not None}
    expect(acknowledged <= recorded, "acknowledged changes are missing in the history")
    expect(recorded <= acknowledged, f"{len(recorded - acknowledged)} refused changes are in the history")
    found = [script.change_during(revision) for revision in recorded]
    late = sum(change is not None and change.role != EDITOR for change in found)
    expect(not late, f"{late} changes are made after the response that ended the member's role")


def verify_watch(script, watch):
    """Expects that a watch begins and goes on while the user is a member, and tells nothing else."""
    where, members = (watch.server, script.limit), [EDITOR, VIEWER]
    started = watch.start is None or script.is_possible(members, watch.begin, watch.start, *where)
    expect(started, "a watch begins after the membership has ended")
    for instant, revision in watch.arrivals:
        # The server may have sent it before the response.
        is_member = script.is_possible(members, instant, instant, None, script.limit)
        expect(is_member, "a watch tells something after the membership has ended")
        change = script.change_during(revision)
        tells = change and change.role is None and change.server == watch.server
        expect(not tells, "a watch tells of a change that was made after the same server had ended the membership")
    if watch.end is not None:
        expect(script.is_possible([None], watch.begin, watch.end, *where), "the watch of a member ends")
    if watch.start is not None:
        for change, _ in script.ends():
            limit = change.end + script.limit
            goes_on = watch.begin < limit < (watch.end or math.inf)
            expect(not goes_on, "a watch goes on after the membership has ended")


def delays(script, calls, watches):
    """Returns how long reads and watches went on after a membership had ended, each at most, in seconds."""
    reads, ends = [0], [0]
    for change, until in script.ends():
        reads += [call.begin - change.end for call in calls
                  if not call.is_write and not call.reason and change.end < call.begin and call.end < until]
        ends += [watch.end - change.end for watch in watches
                 if watch.start and watch.begin < change.begin and watch.end and change.begin < watch.end < until]
    return max(reads), max(ends)


def run(folder):
    # The disk of a busy machine can be too slow for a database.
    for attempt in range(3):
        os.mkdir(f"{folder}/{attempt}")
        test = Sharing(f"{folder}/{attempt}")
        try:
            return verify(test, count(2))
        except Unavailable:
            print("members: the database was unavailable, so the test begins again", flush=True)
            test.ends.set()
            for server in test.servers:
                server.kill()
    expect(False, "the database is unavailable again and again")


def verify(test, rounds):
    scripts, callers, watchers = test.run(rounds)
    recorded, totals, longest = test.history(), collections.Counter(), (0, 0)
    slowest = max(call.end - call.begin for caller in itertools.chain(*callers.values()) for call in caller.calls)
    for user, script in scripts.items():
        calls = [call for caller in callers[user] for call in caller.calls]
        watches = [watch for watcher in watchers[user] for watch in watcher.watches]
        script.limit = LIMIT + slowest
        verify_calls(script, calls)
        verify_revisions(script, calls, recorded[user])
        for watch in watches:
            verify_watch(script, watch)
        longest = tuple(map(max, longest, delays(script, calls, watches)))
        totals.update((call.is_write, bool(call.reason)) for call in calls)
        totals["told"] += sum(len(watch.arrivals) for watch in watches)
        expect(any(watch.arrivals for watch in watches), f"no watch of {user} tells anything")
        totals["late"] += sum(change.end + script.limit < call.begin < until for change, until in script.ends() for call in calls)
    expect(totals["late"] or LIMIT + slowest > LONG, "no call begins late enough after a membership has ended")
    for server in test.servers:
        expect(server.stop() == 0, "a server does not stop")
    return (f"members: {rounds} rounds of {len(MEMBERS)} members, {totals[True, False]} changes and {totals[False, False]} reads, "
            f"{totals[True, True]} and {totals[False, True]} refused, {totals['told']} changes told by watches: none after the end "
            f"of a role. Reads went on for at most {longest[0]:.2f} s, watches for {longest[1]:.2f} s; the slowest call took "
            f"{slowest:.2f} s")


main(run)
