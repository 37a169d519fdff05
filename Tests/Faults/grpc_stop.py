"""Stops one of two gRPC servers under load: a client that has both addresses loses no call.

    grpc_stop.py [TIMES]     8; by hand 50
    grpc_stop.py --abrupt    kills the server instead, to see that the test can fail
"""

import collections
import os
import random
import sys
import threading
import time

from faults import SERVICE, Server, count, expect, main, new_item

import grpc
from todo.v1 import item_writes_pb2

THREADS, PIPELINED = 4, 30
DEADLINE_SECONDS = 30


class Caller(threading.Thread):
    """Keeps some calls in flight until it is told to stop, and records how they end."""

    def __init__(self, channel):
        super().__init__(daemon=True)
        self.add = channel.unary_unary(
            "/" + SERVICE + "AddItem", item_writes_pb2.AddItemRequest.SerializeToString,
            item_writes_pb2.AddItemResponse.FromString)
        self.is_ending, self.answered, self.failures = False, 0, collections.Counter()
        self.start()

    def call(self):
        request = item_writes_pb2.AddItemRequest(item=new_item("Buy milk"), allow_duplicate=True)
        return self.add.future(request, timeout=DEADLINE_SECONDS)

    def run(self):
        calls = collections.deque(self.call() for _ in range(PIPELINED))
        while calls:
            try:
                calls.popleft().result()
                self.answered += 1
            except grpc.RpcError as error:
                self.failures[f"{error.code().name}: {error.details()}"[:200]] += 1
            if not self.is_ending:
                calls.append(self.call())


def stop_once(stopped, addresses):
    """Stops one server while callers use both, and returns the number of answered calls and the failures."""
    channel = grpc.insecure_channel("ipv4:" + ",".join(addresses), options=[("grpc.lb_policy_name", "round_robin")])
    callers = [Caller(channel) for _ in range(THREADS)]
    time.sleep(random.uniform(0.3, 0.8))
    if "--abrupt" in sys.argv:
        stopped.kill()
    else:
        expect(stopped.stop() == 0, "the server does not stop with status 0")
    time.sleep(0.2)
    for caller in callers:
        caller.is_ending = True
    for caller in callers:
        caller.join(DEADLINE_SECONDS)
        expect(not caller.is_alive(), "a call does not end")
    channel.close()
    return sum(caller.answered for caller in callers), sum((caller.failures for caller in callers), collections.Counter())


def run(folder):
    servers = []
    for name in ("stopped", "healthy"):
        os.mkdir(f"{folder}/{name}")
        server = Server(
            f"{folder}/{name}", "--grpc-listen", "127.0.0.1:0", "--max-items", "100000000", store="memory:")
        server.start()
        servers.append(server)
    stopped, healthy = servers
    answered, times = 0, count(8)
    for _ in range(times):
        if stopped.process.poll() is not None:
            stopped.start()
        addresses = [server.grpc_endpoints[0].removeprefix("grpc+tcp://") for server in servers]
        number, failures = stop_once(stopped, addresses)
        expect(not failures, f"{failures.total()} of {number + failures.total()} calls fail: {dict(failures)}")
        answered += number
    expect(healthy.stop() == 0, "the healthy server does not stop")
    return f"grpc_stop: {times} shutdowns under load, all {answered} calls answered"


main(run)
