"""Halts the server under load: each call returns or ends at its deadline, and each change has exactly one effect.

    pause.py [SECONDS]   how long, twice: 3; by hand 30
    pause.py --careless  with clients that make a new id for each attempt, to see that the test can fail
"""

import random
import signal
import sys
import threading
import time

import faults
from faults import Server, Watcher, add, all_items, check_integrity, count, expect, main, new_item

CLIENTS = 8
DEADLINE_EXCEEDED = faults.ttrpc_channel.DEADLINE_EXCEEDED
# The maximum time from its deadline to the end of a call. The clients themselves wait a second longer.
SLACK = 2


class Client(threading.Thread):
    """Adds items on one connection, and repeats requests without a response by their deadline."""

    def __init__(self, channel, careless, patience):
        super().__init__(daemon=True)
        self.channel, self.careless, self.patience = channel, careless, patience
        self.titles, self.late, self.longest, self.error, self.ends = [], 0, 0, None, False

    def run(self):
        try:
            while not self.ends:
                self.put(new_item(f"{self.name} {len(self.titles)}"))
        except (faults.Broken, faults.ttrpc_channel.RPCError, OSError) as error:
            self.error = error

    def put(self, item):
        self.titles.append(item.title)
        while True:
            start, timeout = time.monotonic(), random.uniform(0.3, 1) * self.patience
            try:
                add(self.channel, item, timeout, allow_duplicate=self.careless)
                return
            except faults.ttrpc_channel.RPCError as error:
                if error.code != DEADLINE_EXCEEDED:
                    raise
                self.late += 1
                if self.careless:
                    item.id = new_item("").id
            finally:
                seconds = time.monotonic() - start
                self.longest = max(self.longest, seconds)
                expect(seconds < timeout + SLACK, f"a call with {timeout:.1f} s of time ends after {seconds:.1f} s")


def run(folder):
    careless, seconds = "--careless" in sys.argv, count(3)
    server = Server(folder, "--max-items", "100000000")
    server.start()
    watcher = Watcher(server)
    # Deadlines during the halt, and others long after it.
    clients = [Client(server.connect(), careless, 1 if number % 2 else 10 * seconds) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for _ in range(2):
        time.sleep(0.5)
        # This client connects before the halt, and sends its first request during it.
        clients.append(Client(server.connect(), careless, 10 * seconds))
        server.process.send_signal(signal.SIGSTOP)
        clients[-1].start()
        time.sleep(seconds)
        server.process.send_signal(signal.SIGCONT)
    time.sleep(0.5)
    for client in clients:
        client.ends = True
    for client in clients:
        client.join(20 * seconds)
        expect(not client.is_alive(), "a call does not end")
        expect(client.error is None, f"a client fails: {client.error}")
    items = all_items(server.connect())
    titles = sorted(title for client in clients for title in client.titles)
    expect(sorted(item.title for item in items) == titles, f"{len(titles)} items were added and {len(items)} exist")
    revision = max(item.revision for item in items)
    expect(revision == len(titles), f"{len(titles)} changes made {revision} revisions")
    watcher.expect_all(revision)
    expect(server.stop() == 0, "the server does not stop")
    check_integrity(server.database)
    late, longest = sum(client.late for client in clients), max(client.longest for client in clients)
    return (
        f"pause: {seconds} s, twice, under load of {CLIENTS} clients: {late} calls ended at their "
        f"deadlines, the others returned, after {longest:.1f} s at most; {len(titles)} changes have one effect "
        f"each, and are emitted once")


main(run)
