"""Sends large frames that never end with a read to the gRPC port, over 98 connections from one address, and measures the
server's memory: before and after each connection has authenticated.

    frames.py [SECONDS] [KIND...]   seconds for each kind of frame: 4; by hand 30. Kinds: see KINDS
    frames.py --hoarding [KIND...]  with a server that keeps what it reads, to see that the test can fail

It fails if the server ever takes more than 160 MiB.
"""

import pathlib
import select
import socket
import struct
import sys
import time

from faults import SERVICE, Server, administer, count, expect, main, shim

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Fuzz"))
import http2  # noqa: E402, found by the path above

CONNECTIONS, MEBIBYTES = 98, 160
SOURCE = "127.66.0.1"
RECONNECT_SECONDS = 0.2
LARGE = 16_384
# Bytes after the connection preface that keep every later frame from ending with a read of 2,048 bytes.
SHIFT = http2.frame(99, 0, 0, b"?")
PAD = (b"x-pad", b"p" * 14_000)
HEALTH = "/grpc.health.v1.Health/Check"
# An unknown field, which a server ignores.
FILLED = http2.message(b"\x7a" + b"\xd8\xd6\x03" + bytes(60_248))


def endless(payload):
    """Returns a generator of frames that do not wait for the server."""
    while True:
        yield payload


def calls(make):
    """Returns a generator of calls, each on its own stream."""
    stream = 3
    while True:
        yield make(stream)
        stream += 2


def padded(stream):
    """A call with large headers and large trailers."""
    return (
        http2.headers_frame(stream, http2.call_headers(HEALTH, PAD)) + http2.data_frame(stream, http2.message(), False)
        + http2.headers_frame(stream, [PAD], end_stream=True))


def opened(stream):
    """A call with large headers that never ends."""
    return http2.headers_frame(stream, http2.call_headers(HEALTH, PAD))


def filled(stream):
    """A call whose message fills the stream's window."""
    parts = [FILLED[start:start + LARGE] for start in range(0, len(FILLED), LARGE)]
    frames = [http2.data_frame(stream, part, index == len(parts) - 1) for index, part in enumerate(parts)]
    return http2.headers_frame(stream, http2.call_headers(HEALTH)) + b"".join(frames)


# The generator of a connection's bytes, the maximum number of unanswered calls, and the bytes of flow control that each
# call needs.
KINDS = {
    "unknown": (lambda: endless(http2.frame(77, 0, 0, bytes(LARGE))), None, 0),
    "goaway": (lambda: endless(http2.frame(http2.GOAWAY, 0, 0, struct.pack(">II", 0, 0) + bytes(LARGE - 8))), None, 0),
    "continuation": (lambda: endless(http2.frame(http2.HEADERS, 0, 3, bytes(LARGE - 1))), None, 0),
    "data": (lambda: calls(filled), 1, len(FILLED)),
    "headers": (lambda: calls(padded), 20, 5),
    "streams": (lambda: calls(opened), 120, 0),
}


class Connection:
    """A connection that sends without end, as far as the server's windows allow."""

    def __init__(self, port, token, kind):
        self.port, self.token, self.kind, self.socket, self.retry_at = port, token, kind, None, 0

    def open(self):
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.port), 5, (SOURCE, 0))
        except OSError:
            return self.close()
        self.socket.setblocking(False)
        make, self.depth, self.cost = KINDS[self.kind]
        self.frames, self.input, self.window, self.unanswered = make(), bytearray(), 65_535, 0
        # A frame of an unknown type cannot be the first.
        self.output = bytearray(http2.PREFACE + http2.frame(http2.SETTINGS, 0, 0) + SHIFT)
        self.is_ready = not self.token
        if self.token:
            headers = http2.call_headers("/" + SERVICE + "ListItems", (b"authorization", b"Bearer " + self.token.encode()))
            self.output += http2.headers_frame(1, headers) + http2.data_frame(1, http2.message())

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.retry_at = None, time.monotonic() + RECONNECT_SECONDS

    def fill(self):
        while self.is_ready and len(self.output) < LARGE:
            if self.depth and (self.unanswered >= self.depth or self.window < self.cost):
                return
            self.output += next(self.frames)
            self.window -= self.cost
            self.unanswered += 1

    def handle(self):
        try:
            data = self.socket.recv(1 << 16)
            if not data:
                return self.close()
            self.receive(data)
        except BlockingIOError:
            pass
        except OSError:
            return self.close()
        try:
            self.fill()
            while self.output:
                del self.output[:self.socket.send(self.output)]
                self.fill()
        except BlockingIOError:
            pass
        except OSError:
            self.close()

    def receive(self, data):
        self.input += data
        while len(self.input) >= 9 and len(self.input) >= (end := 9 + int.from_bytes(self.input[:3], "big")):
            kind, flags, stream = struct.unpack(">BBI", self.input[3:9])
            payload = bytes(self.input[9:end])
            del self.input[:end]
            if kind == http2.SETTINGS and not flags & http2.ACK:
                self.output += http2.frame(http2.SETTINGS, http2.ACK, 0)
            elif kind == http2.PING and not flags & http2.ACK:
                self.output += http2.frame(http2.PING, http2.ACK, 0, payload)
            elif kind == http2.WINDOW_UPDATE and stream == 0:
                self.window += int.from_bytes(payload, "big")
            elif kind == http2.HEADERS and flags & http2.END_STREAM:
                self.unanswered -= stream != 1
                self.is_ready = True


def attack(server, port, token, kind, seconds):
    """Returns the largest size of the server in MiB, and the number of connections that it closed."""
    connections = [Connection(port, token, kind) for _ in range(CONNECTIONS)]
    end, peak, opened = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        for connection in connections:
            if connection.socket is None and connection.retry_at <= time.monotonic():
                connection.open()
                opened += 1
        for connection in connections:
            if connection.socket:
                connection.handle()
        peak = max(peak, server.kilobytes())
        select.select([], [], [], 0.001)
    for connection in connections:
        connection.close()
    return peak / 1024, opened - CONNECTIONS


def run(folder):
    names = [name for name in sys.argv[1:] if name in KINDS] or list(KINDS)
    store, results = f"sqlite:{folder}/items.sqlite", []
    environment = shim(folder, "hoard") if "--hoarding" in sys.argv else {}
    administer(store, "user", "add", "ann")
    token = administer(store, "token", "add", "ann")
    for name in names:
        for each in (None, token):
            server = Server(folder, "--grpc-listen", "127.0.0.1:0", environment=environment)
            server.start()
            port = int(server.grpc_endpoints[0].rpartition(":")[2])
            peak, closed = attack(server, port, each, name, count(4))
            results.append((f"{name}{' with token' if each else ''}", peak))
            print(f"{results[-1][0]}: {peak:.0f} MiB, {closed} connections closed", flush=True)
            expect(server.process.poll() is None, "the server ends")
            server.kill()
    worst = max(results, key=lambda result: result[1])
    expect(worst[1] <= MEBIBYTES, f"{worst[0]}: the server takes {worst[1]:.0f} MiB")
    return f"frames: {CONNECTIONS} connections take at most {worst[1]:.0f} MiB ({worst[0]})"


main(run)
