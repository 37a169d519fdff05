"""Sends mutated frames to a real server over many connections, and verifies that it survives them.

The frames are those of Protos/vectors, and requests with its messages, mutated at random in the header, the envelope, the
message or the length. After each, the server must answer the next valid frame or close the connection. At the end it must
serve, with no more descriptors open and hardly more memory than after the first tenth.

    mutate.py [FRAMES]       the number of frames; default 100,000 (about half a minute), by hand 1,000,000
    mutate.py --seed N       repeats the frames of a run that printed this seed; the server's scheduling may differ
    mutate.py --leak         keeps connections open that it should close, to verify that the test can fail
    mutate.py --growth MIB   the growth of memory that counts as noise; default 24

TODO_SERVER_PROGRAM names another server than the debug build. What was last sent to a server that failed stays in
.build-asan.
"""

import json
import random
import socket

import mutation
import ttrpc
from mutation import THREADS, Broken, expect, root
from ttrpc import DATA, REQUEST, RESPONSE, STREAMING


class Seeds:
    """The frames to mutate, and messages of requests, which get a new envelope."""

    def __init__(self):
        vectors = root / "Protos" / "vectors"
        self.frames, self.messages = [], []
        for each in json.loads((vectors / "frames.json").read_text()):
            data = bytes.fromhex(each["hex"])
            self.frames.append((data[8], data[9], data[10:]))
        for each in json.loads((vectors / "messages.json").read_text()):
            package, _, name = each["message"].rpartition(".")
            if name.endswith("Request"):
                self.messages += [(*method, bytes.fromhex(each["hex"])) for method in self.methods(package, name)]

    @staticmethod
    def methods(package, message):
        name = message.removesuffix("Request")
        if package == "grpc.health.v1":
            return [(package + ".Health", "Check"), (package + ".Health", "Watch")]
        service = "ConnectionService" if name in ("CancelCall", "Authenticate") else "ToDoService"
        return [(f"{package}.{service}", name)]


class Mutator:
    """Creates almost valid frames with a seeded generator."""

    EDGES = [0, 1, 2, 0x7F, 0x80, 0xFF]
    NUMBERS = [0, 1, 2, 3, 1 << 31, (1 << 32) - 1]

    def __init__(self, seeds, seed):
        self.seeds, self.random = seeds, random.Random(seed)

    def frame(self, next_number):
        """Returns a frame, and whether its length is as its header says."""
        dice = self.random.random
        if dice() < 0.6:
            service, method, payload = self.random.choice(self.seeds.messages)
            kind, flags = REQUEST, 1 if method in STREAMING else 0
            data = ttrpc.envelope(service, method, self.mutated(payload))
            if dice() < 0.3:
                data = self.mutated(data)
        else:
            kind, flags, data = self.random.choice(self.seeds.frames)
            data = self.mutated(data)
            # They would close most connections at once.
            if kind == RESPONSE and dice() < 0.95:
                kind, flags = self.random.choice([(REQUEST, 0), (REQUEST, 1), (DATA, 0), (DATA, 1)])
        if dice() < 0.05:
            kind = self.random.randrange(256)
        if dice() < 0.1:
            flags = self.random.randrange(256)
        if dice() < 0.1:
            next_number = self.random.choice([*self.NUMBERS, max(0, next_number - self.random.randrange(1, 2000))])
        length = len(data)
        if dice() < 0.02:
            length = self.random.choice([0, length + 1, max(0, length - 1), 4 << 20, (4 << 20) + 1, (1 << 24) - 1, 1 << 31])
        return ttrpc.frame(kind, next_number, flags, data, length), length == len(data)

    def mutated(self, data):
        data = bytearray(data)
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 4, 8])):
            self.random.choice(self.WAYS)(self, data)
        return bytes(data)

    def place(self, data):
        return self.random.randrange(len(data) + 1)

    def flip(self, data):
        if data:
            data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)

    def set(self, data):
        if data:
            data[self.random.randrange(len(data))] = self.random.choice([*self.EDGES, self.random.randrange(256)])

    def insert(self, data):
        place = self.place(data)
        data[place:place] = self.random.randbytes(self.random.choice([1, 1, 2, 8, 100]))

    def insert_varint(self, data):
        place = self.place(data)
        data[place:place] = ttrpc.varint(1 << self.random.randrange(70)) if self.random.random() < 0.5 else b"\xff" * 10

    def delete(self, data):
        place = self.place(data)
        del data[place : place + self.random.choice([1, 1, 2, 8, 100])]

    def repeat(self, data):
        begin, end = sorted((self.place(data), self.place(data)))
        data[begin:begin] = data[begin:end] * self.random.choice([1, 1, 2, 50])
        del data[100_000:]

    def cut(self, data):
        del data[self.place(data) :]

    def splice(self, data):
        other = self.random.choice(self.seeds.messages)[2]
        data[self.place(data) :] = other[self.random.randrange(len(other) + 1) :]

    def nest(self, data):
        for _ in range(self.random.choice([1, 2, 40])):
            data[:] = ttrpc.field(self.random.randrange(1, 6), bytes(data))
            if len(data) > 100_000:
                break

    WAYS = [flip, flip, set, set, insert, insert_varint, delete, repeat, cut, splice, nest]


class Server(mutation.Server):
    def __init__(self, folder):
        self.path = f"{folder}/todo.sock"
        super().__init__(folder, "--listen", f"unix://{self.path}", "--listen", "tcp://127.0.0.1:0")
        self.port = int(self.lines[1].rpartition(":")[2])

    def connect(self, over_tcp):
        if over_tcp:
            return socket.create_connection(("127.0.0.1", self.port), 10)
        channel = socket.socket(socket.AF_UNIX)
        channel.settimeout(10)
        channel.connect(self.path)
        return channel


class Sender(mutation.Sender):
    """Sends its share of the frames, one connection after the other."""

    def converse(self):
        self.connections += 1
        self.connection = ttrpc.Connection(self.server, over_tcp=self.connections % 2 == 0)
        number, is_open = 1, True
        for _ in range(self.mutator.random.choice([1, 2, 4, 16])):
            if not is_open or self.remaining <= 0:
                break
            number, is_open = self.exchange(number)
        # Of some, the server waits for the rest of a frame.
        self.end_connection(100)

    def exchange(self, number):
        """Sends some frames, then a good one.

        Returns the next number for a stream, and whether the connection can still be used."""
        batch, is_honest = bytearray(), True
        for _ in range(min(self.remaining, self.mutator.random.choice([1, 2, 8, 32]))):
            bytes_, is_honest = self.mutator.frame(number)
            batch += bytes_
            number += 2
            self.remaining -= 1
            if not is_honest:
                break
        # What follows a frame that lies about its length is part of it, or of nothing.
        if is_honest:
            batch += ttrpc.request(number, "grpc.health.v1.Health", "Check")
        try:
            self.connection.send(batch)
            if not is_honest:
                return number, False
            answer = self.connection.answer(number)
        except TimeoutError:
            raise Broken("a good frame has no answer, and the connection is not closed") from None
        except (BrokenPipeError, ConnectionResetError):
            answer = None
        if answer is None:
            self.closed += 1
        else:
            self.answered += 1
        return number + 2, answer is not None


def expect_service(server):
    for over_tcp in (False, True):
        connection = ttrpc.Connection(server, over_tcp)
        connection.send(ttrpc.request(1, "todo.v1.ToDoService", "ListItems"))
        answer = connection.answer(1)
        # Field 1 would be an error, field 2 is the list.
        expect(answer is not None and answer[:1] != b"\x0a", "the server does not list its items")
        connection.close()


def run(arguments, folder):
    seeds, server = Seeds(), Server(folder)

    def senders(seed, frames, leak):
        return [Sender(server, Mutator(seeds, f"{seed}-{index}"), frames // THREADS, leak) for index in range(THREADS)]

    senders, report = mutation.run(arguments, server, senders, expect_service, "mutate")
    connections = sum(sender.connections for sender in senders)
    return f"mutate: {arguments.count:,} frames over {connections:,} connections {report}"


mutation.main(run, 100_000)
