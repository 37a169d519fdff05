"""The connections of an attacker: behaviours that send requests in several ways, and a loop that runs them."""

import collections
import select
import socket
import struct
import sys
import time
from urllib.parse import urlsplit

from faults import ttrpc_channel
from ttrpc import ttrpc_pb2

RECONNECT_SECONDS = 0.05
CONNECT_SECONDS = 5
REQUEST, RESPONSE, REMOTE_CLOSED = ttrpc_channel.REQUEST, ttrpc_channel.RESPONSE, ttrpc_channel.REMOTE_CLOSED


def envelope(method, request, token=None, timeout=0):
    """Returns the data of a request frame."""
    service, _, name = method.partition("/")
    message = ttrpc_pb2.Request(
        service=service, method=name, payload=request.SerializeToString(), timeout_nano=int(timeout * 1e9))
    if token:
        message.metadata.add(key="authorization", value=f"Bearer {token}")
    return message.SerializeToString()


def frame(number, data, flags=0):
    return struct.pack(">IIBB", len(data), number, REQUEST, flags) + data


def reason(response):
    """Returns the reason of an error response."""
    error = ttrpc_channel.RPCError(0, "", ttrpc_pb2.Response.FromString(response).status.details)
    return error.reason or "no reason"


class Behaviour:
    """What one connection sends. `received` is called only while `reads` is true."""

    reads = True

    def opening(self):
        """Returns the bytes that the connection sends first."""
        return b""

    def received(self, data):
        """Returns the bytes that the connection sends in reply."""
        return b""


class Pipeline(Behaviour):
    """Keeps `depth` requests in flight, after a greeting whose reply authenticates the connection, if there is one.

    `make` returns the data of a request; its argument is an error reply that the request follows, or no bytes.
    """

    def __init__(self, counts, make, depth, greeting=None):
        self.counts, self.make, self.depth, self.greeting = counts, make, depth, greeting
        self.number, self.input = 3, bytearray()

    def opening(self):
        return frame(1, self.greeting) if self.greeting else self.all()

    def all(self):
        return b"".join(self.next(b"") for _ in range(self.depth))

    def next(self, reply):
        self.number += 2
        return frame(self.number - 2, self.make(reply))

    def received(self, data):
        self.input += data
        replies, start = [], 0
        while len(self.input) >= start + 10:
            length, number, kind, _ = struct.unpack_from(">IIBB", self.input, start)
            end = start + 10 + length
            if len(self.input) < end:
                break
            if number == 1:
                replies.append(self.all())
            elif kind == RESPONSE:
                # The first field of an error is its status, of any other response its payload.
                reply = bytes(self.input[start + 10:end]) if self.input[start + 10:start + 11] == b"\n" else b""
                self.counts[reason(reply) if reply else "ok"] += 1
                replies.append(self.next(reply))
            start = end
        del self.input[:start]
        return b"".join(replies)


class Unread(Behaviour):
    """Sends requests of streaming methods and never reads what they return."""

    reads = False

    def __init__(self, requests):
        self.requests = requests

    def opening(self):
        return b"".join(frame(1 + 2 * index, data, REMOTE_CLOSED) for index, data in enumerate(self.requests))


class Unfinished(Behaviour):
    """Makes one call, which authenticates the connection, and then sends a frame without its last byte."""

    def __init__(self, greeting, length):
        self.greeting, self.length = greeting, length

    def opening(self):
        return frame(1, self.greeting)

    def received(self, data):
        self.reads = False
        return struct.pack(">IIBB", self.length, 3, REQUEST, 0) + bytes(self.length - 1)


class Connection:
    """A socket with a behaviour, from a source address of its own choice."""

    def __init__(self, endpoint, source, make_behaviour):
        self.endpoint, self.source = urlsplit(endpoint.rpartition("+")[2]), source
        self.make_behaviour, self.socket, self.retry_at = make_behaviour, None, 0

    def open(self):
        self.behaviour, self.output = self.make_behaviour(), collections.deque()
        try:
            self.socket = socket.create_connection(
                (self.endpoint.hostname, self.endpoint.port), CONNECT_SECONDS, (self.source, 0))
        except OSError:
            self.retry_at = time.monotonic() + RECONNECT_SECONDS
            return False
        self.socket.setblocking(False)
        self.send(self.behaviour.opening())
        return True

    def send(self, data):
        if data:
            self.output.append(memoryview(data))

    def events(self):
        reading = select.EPOLLIN if self.behaviour.reads else 0
        return select.EPOLLRDHUP | reading | (select.EPOLLOUT if self.output else 0)

    def handle(self, events):
        """Returns whether the connection is still open."""
        try:
            if events & (select.EPOLLERR | select.EPOLLHUP | select.EPOLLRDHUP):
                return False
            if events & select.EPOLLIN:
                data = self.socket.recv(1 << 18)
                if not data:
                    return False
                self.send(self.behaviour.received(data))
            while self.output:
                sent = self.socket.send(self.output[0])
                self.output[0] = self.output[0][sent:]
                if not self.output[0]:
                    self.output.popleft()
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.retry_at = None, time.monotonic() + RECONNECT_SECONDS


class Loop:
    """Runs the connections of an attack until there is a command on standard input."""

    def __init__(self, connections, counts):
        self.connections, self.counts, self.poll = connections, counts, select.epoll()
        self.open, self.masks = {}, {}
        self.poll.register(sys.stdin.fileno(), select.EPOLLIN)

    def run(self):
        while True:
            self.reopen()
            for number, events in self.poll.poll(RECONNECT_SECONDS):
                if number == sys.stdin.fileno():
                    return self.close()
                connection = self.open[number]
                if connection.handle(events):
                    self.update(connection)
                else:
                    self.lose(connection)

    def reopen(self):
        now = time.monotonic()
        for connection in self.connections:
            if connection.socket is None and connection.retry_at <= now and connection.open():
                self.counts["connections"] += 1
                number = connection.socket.fileno()
                self.open[number], self.masks[number] = connection, connection.events()
                self.poll.register(number, self.masks[number])

    def update(self, connection):
        number, events = connection.socket.fileno(), connection.events()
        if self.masks[number] != events:
            self.masks[number] = events
            self.poll.modify(number, events)

    def lose(self, connection):
        self.counts["closed by the server"] += 1
        number = connection.socket.fileno()
        self.poll.unregister(number)
        del self.open[number], self.masks[number]
        connection.close()

    def close(self):
        for connection in self.connections:
            connection.close()
        self.poll.close()
