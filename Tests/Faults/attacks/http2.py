"""Attacks over gRPC, and over HTTP/2 at the HTTP port.

HTTP/2 is written here by hand, as no library leaves calls as incomplete as an attacker does.
"""

import functools
import gzip
import random
import struct

from faults import SERVICE
from todo.v1 import changes_pb2, item_reads_pb2

from .attack import Attack
from .connections import Behaviour, Connection

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
UNKNOWN = 77
ACK, END_STREAM, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
FRAME_BYTES, WINDOW_BYTES = 16_384, 65_535
MESSAGE_BYTES, DECOMPRESSED_BYTES = 4 << 20, 16 << 10


def frame(kind, flags, stream, data=b""):
    return len(data).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + data


def headers(method, *fields, kind="application/grpc"):
    """Returns a header block of literals, which need neither tables nor Huffman codes."""
    fields = (
        (":method", "POST"), (":scheme", "http"), (":path", f"/{method}"), (":authority", "localhost"),
        ("te", "trailers"), ("content-type", kind), *fields)
    return b"".join(
        bytes([0, len(name)]) + name.encode() + bytes([len(value)]) + value.encode() for name, value in fields)


class Streams(Behaviour):
    """Opens streams with one header block, and sends as much of a message as the server's windows allow."""

    def __init__(self, counts, block, streams, flags=0, message=b""):
        self.counts, self.block, self.streams, self.flags, self.message = counts, block, streams, flags, message
        self.input, self.window, self.initial = bytearray(), WINDOW_BYTES, WINDOW_BYTES
        # The bytes that each stream has sent, and the total that its window allows.
        self.sent, self.allowed = {}, {}

    def opening(self):
        numbers = range(1, 2 * self.streams, 2)
        for number in numbers:
            self.sent[number], self.allowed[number] = 0, 0
        blocks = b"".join(frame(HEADERS, END_HEADERS | self.flags, number, self.block) for number in numbers)
        return PREFACE + frame(SETTINGS, 0, 0) + blocks + self.data()

    def data(self):
        """Returns the frames that the windows allow."""
        frames = []
        for number, sent in self.sent.items():
            while True:
                allowed = min(self.window, self.initial + self.allowed[number] - sent)
                room = min(allowed, FRAME_BYTES, len(self.message) - sent)
                if room <= 0:
                    break
                frames.append(frame(DATA, 0, number, self.message[sent:sent + room]))
                self.window -= room
                sent += room
            self.sent[number] = sent
        return b"".join(frames)

    def received(self, data):
        self.input += data
        out = []
        while len(self.input) >= 9 and len(self.input) >= 9 + int.from_bytes(self.input[:3], "big"):
            length, kind, flags = int.from_bytes(self.input[:3], "big"), self.input[3], self.input[4]
            number = int.from_bytes(self.input[5:9], "big") & 0x7FFF_FFFF
            out.append(self.handle(kind, flags, number, bytes(self.input[9:9 + length])))
            del self.input[:9 + length]
        return b"".join(out) + self.data()

    def handle(self, kind, flags, number, data):
        """Returns the frames that a frame of the server demands."""
        if kind == SETTINGS and not flags & ACK:
            for identifier, value in struct.iter_unpack(">HI", data):
                if identifier == INITIAL_WINDOW_SIZE:
                    self.initial = value
            return frame(SETTINGS, ACK, 0)
        if kind == PING and not flags & ACK:
            return frame(PING, ACK, 0, data)
        if kind == WINDOW_UPDATE and number == 0:
            self.window += int.from_bytes(data, "big")
        elif kind == WINDOW_UPDATE and number in self.allowed:
            self.allowed[number] += int.from_bytes(data, "big")
        elif kind == RST_STREAM or kind == HEADERS and flags & END_STREAM:
            self.counts["ended by the server"] += 1
            self.sent.pop(number, None)
        elif kind == GOAWAY:
            self.counts["GOAWAY"] += 1
        return b""


class Shared(Streams):
    """The connection of a proxy: calls with made-up tokens, a few of them first, and another user's watch and calls."""

    strangers = 50

    def __init__(self, counts, token):
        super().__init__(counts, b"", 0)
        self.token, self.number, self.kinds, self.answered = token, 1, {}, set()

    def opening(self):
        calls = [self.stranger() for _ in range(self.strangers)]
        watch = self.call("watch", self.token, "WatchItems", changes_pb2.WatchItemsRequest(now={}))
        return PREFACE + frame(SETTINGS, 0, 0) + b"".join(calls) + watch + self.user()

    def stranger(self):
        token = f"todo_{random.getrandbits(64):016x}_{random.getrandbits(256):064x}"
        return self.call("stranger", token, "ListItems", item_reads_pb2.ListItemsRequest())

    def user(self):
        return self.call("user", self.token, "ListItems", item_reads_pb2.ListItemsRequest(page_size=1))

    def call(self, kind, token, method, request):
        number, message = self.number, request.SerializeToString()
        self.number, self.kinds[number] = number + 2, kind
        block = headers(SERVICE + method, ("authorization", f"Bearer {token}"))
        data = struct.pack(">BI", 0, len(message)) + message
        return frame(HEADERS, END_HEADERS, number, block) + frame(DATA, END_STREAM, number, data)

    def handle(self, kind, flags, number, data):
        if kind == DATA:
            self.answered.add(number)
            room = frame(WINDOW_UPDATE, 0, 0, len(data).to_bytes(4, "big")) if data else b""
            return room + (self.end(number) if flags & END_STREAM else b"")
        if number and (kind == RST_STREAM or kind == HEADERS and flags & END_STREAM):
            return self.end(number)
        return super().handle(kind, flags, number, data)

    def end(self, number):
        """Counts a call that has ended, and returns the next one of its caller."""
        kind, is_answered = self.kinds.pop(number, None), number in self.answered
        self.answered.discard(number)
        if kind == "stranger":
            self.counts["rejected"] += 1
            return self.stranger()
        if kind == "user":
            self.counts["ok" if is_answered else "another user's call fails"] += 1
            return self.user()
        if kind == "watch":
            self.counts["another user's watch ends"] += 1
        return b""


class Repeated(Streams):
    """Makes the same complete call on `depth` streams, and again when one has ended."""

    def __init__(self, counts, block, message, depth):
        super().__init__(counts, block, 0)
        self.message, self.depth, self.number = message, depth, 1

    def opening(self):
        return PREFACE + frame(SETTINGS, 0, 0) + b"".join(self.call() for _ in range(self.depth))

    def call(self):
        number, self.number = self.number, self.number + 2
        return frame(HEADERS, END_HEADERS, number, self.block) + frame(DATA, END_STREAM, number, self.message)

    def handle(self, kind, flags, number, data):
        if number and (kind == RST_STREAM or kind in (DATA, HEADERS) and flags & END_STREAM):
            self.counts["ok" if kind == HEADERS else "rejected"] += 1
            room = frame(WINDOW_UPDATE, 0, 0, len(data).to_bytes(4, "big")) if kind == DATA and data else b""
            return room + self.call()
        return super().handle(kind, flags, number, data)


class Ignored(Behaviour):
    """Sends more frames of an unknown type than the server accepts. Their lengths keep reads from ending with a frame."""

    data = PREFACE + frame(SETTINGS, 0, 0) + frame(UNKNOWN, 0, 0, b"?") + 110 * frame(UNKNOWN, 0, 0, bytes(FRAME_BYTES))

    def opening(self):
        return self.data


class GRPCAttack(Attack):
    """Connections to the gRPC port, with the same calls on each."""

    number, streams, flags, length, is_authenticated, fields, method = 16, 64, 0, 0, False, (), "GetItem"
    kind = "application/grpc"

    @property
    def port(self):
        """The endpoint of the connections."""
        return self.grpc_endpoint

    def message(self):
        """Returns the message of each call, without its last byte."""
        return struct.pack(">BI", 0, self.length) + bytes(self.length - 1) if self.length else b""

    def connections(self):
        authorization = [("authorization", f"Bearer {self.token}")] if self.is_authenticated else []
        block = headers(SERVICE + self.method, *authorization, *self.fields, kind=self.kind)
        behaviour = functools.partial(Streams, self.counts, block, self.streams, self.flags, self.message())
        return [Connection(self.port, "127.66.0.1", behaviour) for _ in range(self.number)]


class GRPCMessages(GRPCAttack):
    """64 streams on each connection, each with a message of 4 MiB without its last byte."""

    length, is_authenticated = MESSAGE_BYTES, True


class GRPCStrangers(GRPCAttack):
    """64 streams on each connection with unfinished messages, and without credentials."""

    length, mebibytes = MESSAGE_BYTES, 64


class GRPCEmpty(GRPCAttack):
    """Calls without a message, and without credentials. The server must end them."""

    flags, method, is_ended = END_STREAM, "WatchItems", True


class GRPCTimeout(GRPCAttack):
    """Calls with a negative timeout, and without credentials."""

    number, streams, flags, fields = 1, 1, END_STREAM, (("grpc-timeout", "-1S"),)


class HTTPStreams(GRPCAttack):
    """64 streams on each connection to the HTTP port, each with 4 MiB of JSON without the last byte."""

    is_by_hand = True
    # All of them have begun by then.
    warm_up = 5
    length, is_authenticated, method, kind = MESSAGE_BYTES, True, "BatchAddItems", "application/json"

    @property
    def port(self):
        return self.http_endpoint

    def message(self):
        return b"{" + b" " * (self.length - 2)


class GRPCFrames(Attack):
    """98 connections with large frames of an unknown type, and without credentials."""

    mebibytes = 64

    def connections(self):
        return [Connection(self.grpc_endpoint, "127.66.0.1", Ignored) for _ in range(98)]


class GRPCShared(Attack):
    """Calls with made-up tokens over a connection that a proxy shares with another user, whose calls must go on."""

    harmful = ("closed by the server", "GOAWAY", "another user's call fails", "another user's watch ends")
    required = ("ok", "rejected")

    def connections(self):
        return [Connection(self.grpc_endpoint, "127.66.0.1", functools.partial(Shared, self.counts, self.token))]


class GRPCGzip(Attack):
    """64 calls in flight, each with a message of 100 bytes that becomes one of 16 KiB."""

    required = ("ok",)

    def connections(self):
        # A field that no message has, with a length in two bytes.
        length = DECOMPRESSED_BYTES - 4
        size = bytes([length & 0x7F | 0x80, length >> 7])
        message = gzip.compress(b"\xfa\x7f" + size + bytes(length))
        data = struct.pack(">BI", 1, len(message)) + message
        block = headers(SERVICE + "GetItem", ("authorization", f"Bearer {self.token}"), ("grpc-encoding", "gzip"))
        behaviour = functools.partial(Repeated, self.counts, block, data, 16)
        return [Connection(self.grpc_endpoint, "127.66.0.1", behaviour) for _ in range(4)]
