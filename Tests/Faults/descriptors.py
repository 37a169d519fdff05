"""Leaves the server no descriptor: it waits without computing, serves who is connected, and goes on when there are some.

    descriptors.py [SECONDS]   how long there is none: 3; by hand 60
    descriptors.py --naive     with a server that takes that for something else, to see that the test can fail
"""

import os
import resource
import socket
import sys
import threading
import time

import faults
from faults import Server, add, count, expect, main, new_item, shim

DESCRIPTORS = 64
# As many as it may have files open, less 64, but half of them at least.
CONNECTIONS = 32
# How many stay while there are no descriptors, and how many more come then.
KEPT = 8


def exhaust(server):
    """Allows the server what it has open and nothing more."""
    used = {int(name) for name in os.listdir(f"/proc/{server.process.pid}/fd")}
    free = next(number for number in range(DESCRIPTORS) if number not in used)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (free, DESCRIPTORS))


def is_served(channel):
    try:
        return bool(add(channel, new_item("Is anybody there?"), 300, allow_duplicate=True).id)
    except (faults.ttrpc_channel.RPCError, OSError):
        return False


def crowd(server):
    """Connects twice as often as the server allows; returns the connections that it serves."""
    channels = [server.connect() for _ in range(2 * CONNECTIONS)]
    served = [channel for channel in channels if is_served(channel)]
    expect(len(served) == CONNECTIONS, f"{len(served)} connections are served")
    return served


def run(folder):
    environment = shim(folder, "naive") if "--naive" in sys.argv else None
    server = Server(folder, environment=environment, wrapper=["prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"])
    server.start()
    served = crowd(server)
    for channel in served[KEPT:]:
        channel.close()
    del served[KEPT:]
    server.settle()
    exhaust(server)
    answers, seconds, computed = [], count(3), server.cpu()
    for _ in range(KEPT):
        channel = server.connect()
        threading.Thread(target=lambda channel=channel: answers.append(is_served(channel)), daemon=True).start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        expect(all(is_served(channel) for channel in served), "a connection that was there is not served")
        time.sleep(0.5)
    share = (server.cpu() - computed) / seconds
    expect(not answers, "a connection is answered without a descriptor for it")
    expect(share < 0.2, f"the server computes {share:.0%} of the time while it cannot accept")
    start = time.monotonic()
    for channel in served:
        channel.close()
    while len(answers) < KEPT and time.monotonic() < start + 10:
        time.sleep(0.01)
    recovery = time.monotonic() - start
    expect(answers == [True] * KEPT, f"{sum(answers)} of {KEPT} connections that waited are served")
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    expect(is_served(server.connect()), "a new connection is not served")
    expect(server.stop() == 0, "the server does not stop")
    return (
        f"descriptors: with {DESCRIPTORS} descriptors, {CONNECTIONS} connections are served; with none left for {seconds} s the "
        f"server computes {share:.0%} of the time, serves who is there, and accepts {recovery:.1f} s after there are some")


main(run)
