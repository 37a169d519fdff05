"""Expects a sync between each request and its response; then makes syncs fail: no write is acknowledged.

    sync.py [ADDS]       200; by hand 10000
    sync.py --forgetful  with syncs that are said to be done and are not, to see that the first part can fail
    sync.py --deaf       with a server that takes failed syncs for done, to see that the second can
"""

import random
import re
import subprocess
import sys
import threading
import time

import faults
from faults import Server, Switch, add, all_items, check_integrity, count, expect, main, new_item

CLIENTS = 8
REAL, FORGETFUL, FAILING = 0, 1, 2
CALLS = "fsync,fdatasync,read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg"
# An ID in a message; its length, 36, is '$'.
ID = re.compile(r"\$([0-9a-f]{8}-[0-9a-f-]{27})")
LINE = re.compile(r"(\d+) +(?:<\.\.\. )?(\w+)(?:\((?:\d+<([^>]*))?| resumed)")


class Writer(threading.Thread):
    """Adds items up to a number or the first error, and records the times."""

    def __init__(self, server, number):
        super().__init__(daemon=True)
        self.channel, self.number, self.error = server.connect(), number, None
        # The ID and the start time of the call.
        self.acknowledged, self.unknown = [], None
        self.start()

    def run(self):
        try:
            for _ in range(self.number):
                item = new_item(f"Item {random.random()}")
                self.unknown = (item.id, time.monotonic())
                add(self.channel, item)
                self.acknowledged.append(self.unknown)
                self.unknown = None
        except (faults.ttrpc_channel.RPCError, OSError) as error:
            self.error = error


def check_trace(path, ids):
    """Expects a sync that began after each request was read and ended before its response was written."""
    began, syncs, requests, answers = {}, [], {}, {}
    with open(path) as file:
        for number, line in enumerate(file):
            match = LINE.match(line)
            if not match:
                continue
            thread, call, _ = match.groups()
            if call in ("fsync", "fdatasync"):
                if "resumed" not in line:
                    began[thread] = number
                if line.rstrip().endswith("= 0"):
                    syncs.append((began[thread], number))
                continue
            where = requests if call.startswith(("read", "recv")) else answers
            for each in ID.findall(line):
                where.setdefault(each, number)
    expect(ids <= requests.keys() & answers.keys(), "the trace lacks requests or responses")
    without = [
        each for each in ids
        if not any(requests[each] < begin and end < answers[each] for begin, end in syncs)]
    expect(not without, f"{len(without)} of {len(ids)} writes are acknowledged without a sync")
    return len(syncs)


def answers_wait_for_syncs(folder, syncs, adds):
    trace = f"{folder}/trace"
    server = Server(
        folder, environment=syncs.environment,
        wrapper=["strace", "-D", "-f", "-q", "-s", "100000", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", trace])
    server.start()
    if "--forgetful" in sys.argv:
        syncs.set(FORGETFUL)
    writers = [Writer(server, adds // CLIENTS) for _ in range(CLIENTS)]
    for writer in writers:
        writer.join(600)
        expect(not writer.is_alive() and writer.error is None, f"a client fails: {writer.error}")
    expect(server.stop() == 0, "the server does not stop")
    end = time.monotonic() + 10
    # strace pads the process ID, which may have one digit.
    exited = re.compile(rf"^{server.process.pid} +\+\+\+ exited", re.MULTILINE)
    while not exited.search(open(trace).read()[-1000:]):
        expect(time.monotonic() < end, "the trace has no end")
        time.sleep(0.05)
    ids = {each for writer in writers for each, _ in writer.acknowledged}
    return ids, check_trace(trace, ids)


def failures_are_reported(folder, syncs, ids):
    """The items acknowledged before syncs began to fail, those of unknown outcome, and the errors of the writers."""
    server = Server(folder, environment=syncs.environment)
    server.start()
    writers = [Writer(server, 1_000_000) for _ in range(CLIENTS)]
    time.sleep(0.5)
    syncs.set(FORGETFUL if "--deaf" in sys.argv else FAILING)
    moment, reported = time.monotonic(), set()
    for writer in writers:
        writer.join(2)
        after = [each for each, began in writer.acknowledged if began > moment]
        expect(not after, f"{len(after)} writes are acknowledged after syncs fail")
        expect(not writer.is_alive(), "a write has no response")
        reported.add(getattr(writer.error, "reason", "") or "nothing")
    acknowledged = ids | {each for writer in writers for each, _ in writer.acknowledged}
    unknown = {writer.unknown[0] for writer in writers}
    try:
        expect(server.process.wait(15) != 0, "the server ends with status 0")
    except subprocess.TimeoutExpired:
        server.kill()
        expect(False, "the server continues")
    return acknowledged, unknown, f"receive {', '.join(sorted(reported))}, and the server stops"


def run(folder):
    syncs = Switch(folder, "sync")
    ids, number_of_syncs = answers_wait_for_syncs(folder, syncs, count(200))
    syncs.set(REAL)
    acknowledged, unknown, ending = failures_are_reported(folder, syncs, ids)
    server = Server(folder)
    server.start()
    found = [item.id for item in all_items(server.connect())]
    add(server.connect(), new_item("After the restart"))
    expect(server.stop() == 0, "the server does not stop")
    check_integrity(server.database)
    expect(acknowledged <= set(found), "acknowledged items are lost")
    expect(len(found) == len(set(found)) and set(found) <= acknowledged | unknown, "the list has items that no client added")
    return (
        f"sync: {len(ids)} adds shared {number_of_syncs} syncs, one before each answer; when syncs fail, "
        f"{len(unknown)} writers {ending}; after a restart {len(acknowledged)} acknowledged items are there, and "
        f"{len(set(found) & unknown)} of the others")


main(run)
