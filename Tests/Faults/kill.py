"""Kills the server while clients write: each acknowledged item exists once, and the database is intact.

    kill.py [CYCLES]      20; by hand 1000
    kill.py --maintenance [CYCLES]  kills backups and restores; 5, by hand 200
    kill.py --moves [CYCLES]  kills the server while clients move items between lists; 20, by hand 1000
    kill.py --reminders [CYCLES]  kills the server while clients claim the same reminders; 20, by hand 1000
    kill.py --notifications [CYCLES]  kills the server while it sends reminders to a webhook; 10, by hand 1000
    kill.py [--moves] --forgetful  with a disk that forgets the log at each kill, to see that the test can fail
    kill.py --moves --piecemeal  with clients that move an item by adding it to one list and deleting it from the other
    kill.py --reminders --careless  with clients whose claims do not require the revision that they read
    kill.py --reminders --hasty  with clients that acknowledge a reminder before they tell
    kill.py --notifications --forgetful  with reminders that are acknowledged before they are sent
"""

import os
import random
import sys
import threading
import time

import faults
import maintenance
import moving
import notifying
import reminding
from faults import Server, add, check_items, count, expect, main, new_item

CLIENTS = 8


class Writer(threading.Thread):
    """Adds items until its server has ended, and records the acknowledged items and those of unknown outcome."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.acknowledged, self.unknown = server, [], []

    def run(self):
        channel = self.server.connect()
        try:
            while True:
                item = new_item(f"Item {random.random()}")
                self.unknown = [item.id]
                add(channel, item)
                self.acknowledged.append(item.id)
        except (faults.ttrpc_channel.RPCError, OSError):
            channel.close()


def kill(processes, seconds):
    time.sleep(seconds)
    ended = processes[0].poll() == 0
    for process in processes:
        process.kill()
        process.wait()
    return ended


def forget(server):
    """Forgets the log, if the disk is to do so."""
    if "--forgetful" in sys.argv and os.path.exists(server.database + "-wal"):
        os.truncate(server.database + "-wal", 0)


def run(folder):
    if "--maintenance" in sys.argv:
        return "kill: " + maintenance.Maintenance(folder, kill).run(count(5))
    if "--moves" in sys.argv:
        return "kill: " + moving.Moving(folder, forget).run(count(20))
    if "--reminders" in sys.argv:
        return "kill: " + reminding.Reminding(folder, forget).run(count(20))
    if "--notifications" in sys.argv:
        return "kill: " + notifying.Notifying(folder).run(count(10))
    cycles = count(20)
    server = Server(folder, "--max-items", "100000000")
    acknowledged, unknown = set(), set()
    for _ in range(cycles):
        server.start()
        writers = [Writer(server) for _ in range(CLIENTS)]
        for writer in writers:
            writer.start()
        time.sleep(random.uniform(0.05, 0.3))
        server.kill()
        for writer in writers:
            writer.join(10)
            expect(not writer.is_alive(), "a client waits for a server that has ended")
            acknowledged |= set(writer.acknowledged)
            unknown |= set(writer.unknown)
        forget(server)
    check_items(server, acknowledged, unknown)
    return f"kill: {cycles} kills, {CLIENTS} clients, {len(acknowledged)} acknowledged items: none lost, none duplicated"


main(run)
