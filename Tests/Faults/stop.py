"""Stops the server under load: it ends in time, each accepted write is acknowledged or unknown, and the socket is removed.

    stop.py [TIMES]     5; by hand 200
    stop.py --litter    with a server that leaves its socket behind, to see that the test can fail
"""

import os
import random
import sys
import threading
import time

import faults
from faults import Server, add, check_items, count, expect, main, new_item, shim

CLIENTS = 8


class Writer(threading.Thread):
    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.acknowledged, self.unknown, self.refused = server, [], [], 0

    def run(self):
        try:
            channel = self.server.connect()
            while True:
                item = new_item(f"Item {random.random()}")
                self.unknown = [item.id]
                add(channel, item)
                self.acknowledged.append(item.id)
        except faults.ttrpc_channel.RPCError as error:
            # The server has not processed the request, so the item does not exist.
            if error.reason == "SERVER_SHUTTING_DOWN":
                self.unknown, self.refused = [], self.refused + 1
        except OSError:
            pass


def run(folder):
    times = count(5)
    environment = shim(folder, "litter") if "--litter" in sys.argv else None
    server = Server(folder, "--max-items", "100000000", environment=environment)
    acknowledged, unknown, longest, refused = set(), set(), 0, 0
    for _ in range(times):
        server.start()
        writers = [Writer(server) for _ in range(CLIENTS)]
        for writer in writers:
            writer.start()
        time.sleep(random.uniform(0.05, 0.3))
        start = time.monotonic()
        expect(server.stop(12) == 0, "the server does not stop with status 0")
        longest = max(longest, time.monotonic() - start)
        expect(not os.path.exists(f"{folder}/todo.sock"), "the socket is left behind")
        for writer in writers:
            writer.join(10)
            expect(not writer.is_alive(), "a client waits for a server that has ended")
            acknowledged |= set(writer.acknowledged)
            unknown |= set(writer.unknown)
            refused += writer.refused
    check_items(server, acknowledged, unknown)
    return (
        f"stop: {times} times under load of {CLIENTS} clients, at most {longest:.1f} s; {len(acknowledged)} acknowledged "
        f"items are there, {refused} calls were rejected because the server stops, {len(unknown)} had no response")


main(run)
