"""Cuts connections before, after and in the middle of replies: clients repeat, and each change has exactly one effect.

    once.py [CHANGES]     500; by hand 10000
    once.py --careless    with clients that make a new id for each attempt, to see that the test can fail
"""

import random
import socket
import sys
import threading

import faults
from faults import Server, add, all_items, count, expect, main, new_item

CLIENTS = 8


class Proxy:
    """Forwards bytes between clients and the server, and cuts connections at random."""

    def __init__(self, server, path):
        self.server, self.endpoint, self.cuts = server, f"unix://{path}", 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.server.endpoint.removeprefix("unix://"))
            threading.Thread(target=self.forward, args=(client, server), daemon=True).start()
            threading.Thread(target=self.answer, args=(server, client), daemon=True).start()

    def forward(self, client, server):
        try:
            while data := client.recv(65536):
                server.sendall(data)
        except OSError:
            pass
        self.close(client, server)

    def answer(self, server, client):
        try:
            while data := server.recv(65536):
                # Never, before the reply, in the middle of it, or after it.
                where = random.choice([None] * 6 + [0, random.randrange(len(data)), len(data)])
                client.sendall(data[:where])
                if where is not None:
                    self.cuts += 1
                    break
        except OSError:
            pass
        self.close(client, server)

    @staticmethod
    def close(*sockets):
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()


class Client(threading.Thread):
    def __init__(self, endpoint, count, careless):
        super().__init__(daemon=True)
        self.endpoint, self.count, self.careless, self.titles, self.attempts = endpoint, count, careless, [], 0

    def run(self):
        channel = None
        for number in range(self.count):
            item = new_item(f"{self.name} {number}")
            self.titles.append(item.title)
            while True:
                self.attempts += 1
                if self.careless:
                    item.id = new_item("").id
                try:
                    channel = channel or faults.ttrpc_channel.Channel(self.endpoint)
                    add(channel, item, allow_duplicate=self.careless)
                    break
                except (faults.ttrpc_channel.RPCError, OSError):
                    if channel:
                        channel.close()
                    channel = None


def run(folder):
    careless = "--careless" in sys.argv
    changes = count(500)
    server = Server(folder)
    server.start()
    proxy = Proxy(server, f"{folder}/proxy.sock")
    clients = [Client(proxy.endpoint, changes // CLIENTS, careless) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(1800)
        expect(not client.is_alive(), "a client does not complete its calls")
    channel = server.connect()
    found = sorted(item.title for item in all_items(channel))
    revision = max(item.revision for item in all_items(channel))
    channel.close()
    server.stop()
    titles = sorted(title for client in clients for title in client.titles)
    expect(found == titles, f"{len(titles)} items were added and {len(found)} exist")
    expect(revision == len(titles), f"{len(titles)} changes made {revision} revisions")
    attempts = sum(client.attempts for client in clients)
    return f"once: {len(titles)} changes in {attempts} attempts over {proxy.cuts} cuts: each has one effect"


main(run)
