"""Gives the server few descriptors: it serves as many as leave it some, over ttrpc and gRPC together. Then none is left
to accept a connection with: it waits without using CPU, serves existing connections, and resumes accepting when there are some.

Only accepting fails: a process that has none at all is ended by libdispatch, which reads /proc once in a while.

    descriptors.py [SECONDS]   how long there is none: 3; by hand 60
    descriptors.py --naive     with a server that gets another error, to verify that the test can fail
"""

import os
import socket
import sys
import threading
import time

import faults
from faults import Server, Switch, add, count, expect, main, new_item

DESCRIPTORS = 66
# The limit of open files minus 64, but at least half of it.
CONNECTIONS = 33
AS_IT_IS, NONE_LEFT, PEER_GONE = 0, 1, 2
# The number of connections that stay while no descriptor is left, and the number that are added then.
KEPT = 8
# The connection preface of HTTP/2, which gRPC uses.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def is_served(channel):
    try:
        return bool(add(channel, new_item("Is anybody there?"), 300, allow_duplicate=True).id)
    except (faults.ttrpc_channel.RPCError, OSError):
        return False


def is_accepted(stranger):
    """Whether the server responds on a gRPC connection, instead of closing it immediately."""
    try:
        stranger.sendall(PREFACE)
        return stranger.recv(9) != b""
    except ConnectionError:
        return False


def crowd(server):
    """Connects four times as often as the server allows, over ttrpc and gRPC in turn; returns the connections of each
    that it serves."""
    host, port = server.grpc_endpoints[0].removeprefix("grpc+tcp://").split(":")
    channels, strangers = [], []
    for _ in range(2 * CONNECTIONS):
        channels.append(server.connect())
        strangers.append(socket.create_connection((host, int(port)), 10))
    served = [channel for channel in channels if is_served(channel)]
    accepted = [stranger for stranger in strangers if is_accepted(stranger)]
    expect(
        len(served) + len(accepted) == CONNECTIONS,
        f"{len(served)} connections are served over ttrpc, {len(accepted)} over gRPC")
    expect(min(len(served), len(accepted)) >= KEPT, "one protocol leaves hardly any connection to the other")
    return served, strangers


def run(folder):
    switch = Switch(folder, "accept")
    limit = ["prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"]
    server = Server(folder, "--grpc-listen", "127.0.0.1:0", environment=switch.environment, wrapper=limit)
    server.start()
    served, strangers = crowd(server)
    free = DESCRIPTORS - len(os.listdir(f"/proc/{server.process.pid}/fd"))
    expect(free >= 8, f"the server has {free} descriptors left")
    for channel in served[KEPT:] + strangers:
        channel.close()
    del served[KEPT:]
    server.settle()
    switch.set(PEER_GONE if "--naive" in sys.argv else NONE_LEFT)
    answers, seconds, computed = [], count(3), server.cpu()
    for _ in range(KEPT):
        channel = server.connect()
        threading.Thread(target=lambda channel=channel: answers.append(is_served(channel)), daemon=True).start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        expect(all(is_served(channel) for channel in served), "an existing connection is not served")
        time.sleep(0.5)
    share = (server.cpu() - computed) / seconds
    expect(not answers, "a connection receives a response before it is accepted")
    # The share is below 2%. A server that does not wait uses all the time that the machine leaves it.
    expect(share < 0.1, f"the server uses {share:.0%} of a processor while it cannot accept")
    start = time.monotonic()
    switch.set(AS_IT_IS)
    while len(answers) < KEPT and time.monotonic() < start + 10:
        time.sleep(0.01)
    recovery = time.monotonic() - start
    expect(answers == [True] * KEPT, f"{sum(answers)} of {KEPT} connections that waited are served")
    expect(is_served(server.connect()), "a new connection is not served")
    expect(server.stop() == 0, "the server does not stop")
    return (
        f"descriptors: {CONNECTIONS} connections of ttrpc and gRPC are served with {DESCRIPTORS} descriptors, {free} are left; with none "
        f"to accept with for {seconds} s it computes {share:.0%} of the time, serves who is there, and accepts "
        f"{recovery:.1f} s after there are some")


main(run)
