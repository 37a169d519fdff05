"""Sends frames that are nearly right to a real server, over many connections, and looks whether it bears them.

The frames are those of Protos/vectors, and requests with its messages, changed at random: in the header, in the
envelope, in the message, or in how much there is of them. Whatever comes, the server has to answer the next good frame
or to close the connection; and in the end it must serve, with no more descriptors open and hardly more memory than
after the first tenth.

    mutate.py [FRAMES]       how many frames: 100,000 (about half a minute); by hand 1,000,000
    mutate.py --seed N       as a run before that printed it; the order of frames in the server is still its own
    mutate.py --leak         keeps connections open that it should close, to see that the test can fail

TODO_SERVER_PROGRAM names another server than the debug build. What was last sent to a server that did not bear it is
left in .build-fuzz.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

root = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TODO_SERVER_PROGRAM", str(root / ".build" / "debug" / "todo-server"))
# How much more memory than after the first tenth is taken for noise.
GROWTH = 24 << 10
# SQLite opens readers when more ask at a time than did so far.
READERS = 12
THREADS = 4
REQUEST, RESPONSE, DATA = 1, 2, 3
STREAMING = {"WatchItems", "Watch"}


class Broken(Exception):
    """A promise was broken."""


def expect(condition, what):
    if not condition:
        raise Broken(what)


# MARK: Frames


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def envelope(service, method, payload):
    return field(1, service.encode()) + field(2, method.encode()) + field(3, payload)


def frame(kind, number, flags, data, length=None):
    return struct.pack(">IIBB", len(data) if length is None else length, number, kind, flags) + data


def request(number, service, method, payload=b""):
    return frame(REQUEST, number, 1 if method in STREAMING else 0, envelope(service, method, payload))


class Seeds:
    """What is mutated: frames as they are, and messages of requests, whose envelope can be made anew."""

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
    """Frames that are nearly right, from a seeded generator."""

    EDGES = [0, 1, 2, 0x7F, 0x80, 0xFF]
    NUMBERS = [0, 1, 2, 3, 1 << 31, (1 << 32) - 1]

    def __init__(self, seeds, seed):
        self.seeds, self.random = seeds, random.Random(seed)

    def frame(self, next_number):
        """A frame, and whether it is as long as it says."""
        dice = self.random.random
        if dice() < 0.6:
            service, method, payload = self.random.choice(self.seeds.messages)
            kind, flags = REQUEST, 1 if method in STREAMING else 0
            data = envelope(service, method, self.mutated(payload))
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
        return frame(kind, next_number, flags, data, length), length == len(data)

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
        data[place:place] = varint(1 << self.random.randrange(70)) if self.random.random() < 0.5 else b"\xff" * 10

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
            data[:] = field(self.random.randrange(1, 6), bytes(data))
            if len(data) > 100_000:
                break

    WAYS = [flip, flip, set, set, insert, insert_varint, delete, repeat, cut, splice, nest]


# MARK: The server


class Server:
    """todo-server with a list that is soon full, and few changes to remember: what it keeps on purpose is bounded."""

    def __init__(self, folder):
        self.path = f"{folder}/todo.sock"
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", f"unix://{self.path}", "--listen", "tcp://127.0.0.1:0",
             "--store", f"sqlite:{folder}/items.sqlite", "--geocoder", "none", "--log-level", "critical",
             "--max-items", "200", "--keep-changes", "100", "--keep-changes-for", "1s"],
            stdout=subprocess.PIPE, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        lines = [self.process.stdout.readline().decode() for _ in range(2)]
        expect(all("listening on" in line for line in lines), "the server does not start")
        self.port = int(lines[1].strip().rpartition(":")[2])

    def connect(self, over_tcp):
        if over_tcp:
            return socket.create_connection(("127.0.0.1", self.port), 10)
        channel = socket.socket(socket.AF_UNIX)
        channel.settimeout(10)
        channel.connect(self.path)
        return channel

    @property
    def is_alive(self):
        return self.process.poll() is None

    def descriptors(self):
        """How many sockets are open, and how many other descriptors."""
        folder, links = f"/proc/{self.process.pid}/fd", []
        for name in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{name}"))
            except FileNotFoundError:
                pass
        sockets = sum(link.startswith("socket:") for link in links)
        return sockets, len(links) - sockets

    def kilobytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    def settle(self):
        """Waits until as many descriptors are open as half a second before, for 10 s at most; returns how many."""
        end, count = time.monotonic() + 10, None
        while (now := self.descriptors()) != count and time.monotonic() < end:
            count = now
            time.sleep(0.5)
        return now


class Connection:
    """What a client sends, and the frames that come back."""

    def __init__(self, server, over_tcp):
        self.socket, self.received, self.sent = server.connect(over_tcp), bytearray(), bytearray()

    def send(self, data):
        self.sent += data
        self.socket.sendall(data)

    def answer(self, number):
        """The answer on a stream; `None` when the connection is closed before."""
        while True:
            if (data := self.frame_on(number)) is not None:
                return data
            more = self.socket.recv(1 << 16)
            if not more:
                return None
            self.received += more

    def frame_on(self, number):
        place, answer = 0, None
        while answer is None and len(self.received) - place >= 10:
            length, stream, kind, _ = struct.unpack_from(">IIBB", self.received, place)
            if len(self.received) - place - 10 < length:
                break
            if kind == RESPONSE and stream == number:
                answer = bytes(self.received[place + 10 : place + 10 + length])
            place += 10 + length
        del self.received[:place]
        return answer

    def close(self, abruptly=False):
        if abruptly:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Sender(threading.Thread):
    """Sends its share of the frames, one connection after the other."""

    def __init__(self, server, mutator, frames, leak):
        super().__init__(daemon=True)
        self.server, self.mutator, self.remaining, self.leak = server, mutator, frames, leak
        self.kept, self.connection, self.error = [], None, None
        self.connections = self.answered = self.closed = 0

    def run(self):
        try:
            while self.remaining > 0:
                self.converse()
        except Broken as error:
            self.error = str(error)
        except (OSError, struct.error) as error:
            self.error = f"{type(error).__name__}: {error}"

    def converse(self):
        self.connections += 1
        self.connection = Connection(self.server, over_tcp=self.connections % 2 == 0)
        number, is_open = 1, True
        for _ in range(self.mutator.random.choice([1, 2, 4, 16])):
            if not is_open or self.remaining <= 0:
                break
            number, is_open = self.exchange(number)
        if self.leak and self.connections % 100 == 1:
            # A batch that the server can only wait for the rest of.
            self.kept.append(self.connection)
        else:
            self.connection.close(abruptly=self.mutator.random.random() < 0.2)

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
            batch += request(number, "grpc.health.v1.Health", "Check")
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


def send(server, seeds, seed, frames, leak):
    senders = [
        Sender(server, Mutator(seeds, f"{seed}-{index}"), frames // THREADS, leak) for index in range(THREADS)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    errors = [sender.error for sender in senders if sender.error]
    if errors or not server.is_alive:
        keep(senders)
    expect(server.is_alive, f"the server ended with {server.process.returncode}")
    expect(not errors, "; ".join(errors))
    return senders


def keep(senders):
    folder = root / ".build-fuzz"
    folder.mkdir(exist_ok=True)
    for index, sender in enumerate(senders):
        (folder / f"mutate-{index}.bin").write_bytes(bytes(sender.connection.sent))
    print(f"what was last sent is in {folder}/mutate-*.bin", file=sys.stderr)


def expect_service(server):
    for over_tcp in (False, True):
        connection = Connection(server, over_tcp)
        connection.send(request(1, "todo.v1.ToDoService", "ListItems"))
        answer = connection.answer(1)
        # Field 1 would be an error, field 2 is the list.
        expect(answer is not None and answer[:1] != b"\x0a", "the server does not list its items")
        connection.close()


def run(arguments, folder):
    seeds, server = Seeds(), Server(folder)
    try:
        senders = send(server, seeds, f"{arguments.seed}-first", arguments.frames // 10, leak=False)
        (sockets, others), before = server.settle(), server.kilobytes()
        start = time.monotonic()
        senders += send(server, seeds, arguments.seed, arguments.frames - arguments.frames // 10, arguments.leak)
        seconds = time.monotonic() - start
        expect_service(server)
        sockets_after, others_after = server.settle()
        expect(sockets_after <= sockets, f"{sockets_after} sockets are open, {sockets} were after the first tenth")
        expect(
            others_after <= others + READERS,
            f"{others_after} files are open, {others} were after the first tenth")
        growth = server.kilobytes() - before
        expect(growth <= GROWTH, f"the server has {growth} KiB more memory than after the first tenth")
        server.process.send_signal(signal.SIGTERM)
        expect(server.process.wait(20) == 0, "the server does not stop well")
    finally:
        if server.is_alive:
            server.process.kill()
            server.process.wait()
        server.process.stdout.close()
    connections, answered, closed = (
        sum(getattr(sender, name) for sender in senders) for name in ("connections", "answered", "closed"))
    return (
        f"mutate: {arguments.frames:,} frames over {connections:,} connections in {seconds:.0f} s, seed {arguments.seed}: "
        f"{answered:,} times the next good frame is answered, {closed:,} times the connection is closed; "
        f"{sockets_after} sockets as before, {others_after - others:+} files, {growth:+,} KiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("frames", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--leak", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(run(arguments, folder), flush=True)
        except Broken as error:
            sys.exit(f"BROKEN: {error} (seed {arguments.seed})")


main()
