"""Sets the server's clock a day on, ten years on and back: deadlines, revisions, connections and watches are unaffected.

    clock.py [ROUNDS]   how often all the jumps: 1; by hand 20
    clock.py --all      with a server that measures durations by a clock which jumps too, to see that the test can fail
"""

import random
import struct
import sys
import threading
import time

import faults
from faults import SERVICE, Server, Watcher, add, all_items, check_integrity, count, expect, item_writes_pb2, main, \
    new_item, shim

DAY = 86_400
# Also to a time before the start, and finally back to the true time.
JUMPS = [DAY, -DAY, 3652 * DAY, -3652 * DAY, 60, -60, 0]
# The duration of an address lookup.
LOOKUP_SECONDS = 0.5
DEADLINE_EXCEEDED = faults.ttrpc_channel.DEADLINE_EXCEEDED


class Clock:
    """The difference of the server's clock from the true time, in seconds."""

    def __init__(self, path):
        self.path, self.shift = path, 0
        with open(path, "wb") as file:
            file.write(bytes(8))

    def set(self, shift):
        self.shift = shift
        with open(self.path, "r+b") as file:
            file.write(struct.pack("=q", shift))


class Lookup(threading.Thread):
    """Adds an item with an address, which takes time, and records the result and the duration."""

    def __init__(self, channel, timeout):
        super().__init__(daemon=True)
        self.channel, self.timeout, self.item, self.error = channel, timeout, None, None
        self.start()

    def run(self):
        item = new_item(f"Item {random.random()}")
        item.location.address = f"{random.random()} Main Street"
        start = time.monotonic()
        try:
            self.item = add(self.channel, item, self.timeout)
        except (faults.ttrpc_channel.RPCError, OSError) as error:
            self.error = error
        self.seconds = time.monotonic() - start


def expect_now(timestamp, clock, what):
    seconds = timestamp.seconds + timestamp.nanos / 1e9 - time.time() - clock.shift
    expect(abs(seconds) < 2, f"{what} is {seconds:.0f} s away from the server's clock")


def jump(server, channel, clock, shift):
    """Sets the clock while calls are in flight, and returns the number of changes."""
    enough, too_little = Lookup(channel, 4 * LOOKUP_SECONDS), Lookup(channel, LOOKUP_SECONDS / 2)
    time.sleep(LOOKUP_SECONDS / 5)
    clock.set(shift)
    for each in (enough, too_little):
        each.join(10)
        expect(not each.is_alive(), "a call does not end")
    expect(enough.item, f"a call with enough time fails: {enough.error}")
    expect(enough.seconds < 2 * LOOKUP_SECONDS, f"a call takes {enough.seconds:.1f} s")
    expect(getattr(too_little.error, "code", None) == DEADLINE_EXCEEDED, f"a deadline is not enforced: {too_little.error}")
    expect(too_little.seconds < LOOKUP_SECONDS, f"a deadline is enforced only after {too_little.seconds:.1f} s")
    expect_now(enough.item.create_time, clock, "an item's time")
    # Changes of an item that was created at another time of the clock.
    request = item_writes_pb2.CheckItemRequest(id=enough.item.id)
    before = add(channel, new_item(f"Item {random.random()}"))
    checked = channel.call(SERVICE + "CheckItem", request, item_writes_pb2.CheckItemResponse, 10).item
    expect(enough.item.revision < before.revision < checked.revision, "revisions do not increase")
    expect_now(checked.complete_time, clock, "the time at which an item was done")
    return 3


def run(folder):
    clock = Clock(f"{folder}/shift")
    environment = {**shim(folder, "clock"), "CLOCK_SHIFT": clock.path}
    if "--all" in sys.argv:
        environment["CLOCK_SHIFTS_ALL"] = "1"
    server = Server(
        folder, "--geocoder", f"simulated:latency={int(LOOKUP_SECONDS * 1000)}ms", environment=environment)
    server.start()
    channel, idle, watcher, revision, rounds = server.connect(), server.connect(), Watcher(server), 0, count(1)
    oldest = add(idle, new_item("From the beginning"))
    revision += 1
    for shift in rounds * JUMPS:
        revision += jump(server, channel, clock, shift)
        watcher.expect_all(revision)
    request = item_writes_pb2.CheckItemRequest(id=oldest.id, if_revision=oldest.revision)
    idle.call(SERVICE + "CheckItem", request, item_writes_pb2.CheckItemResponse, 10)
    watcher.expect_all(revision + 1)
    items = all_items(channel)
    expect(max(item.revision for item in items) == revision + 1, "revisions do not increase by one")
    expect(server.stop() == 0, "the server does not stop")
    check_integrity(server.database)
    return (
        f"clock: {rounds * len(JUMPS)} jumps up to ten years on and back: deadlines are enforced, connections stay, and "
        f"{revision + 1} changes are emitted to a watch once")


main(run)
