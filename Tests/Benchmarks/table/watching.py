"""The time from the response to a write on one server to its delivery to a watcher of another server.

The client encodes frames and fields itself, so that it needs no packages. It has one thread, so that no other thread
delays it.
"""

import socket
import struct
import time
import uuid

from .programs import SERVICE, Failed

REQUEST, RESPONSE, DATA = 1, 2, 3
REMOTE_CLOSED = 1
TIMEOUT = 10
# After this time, a measurement ends with fewer changes.
LIMIT = 30
# Fields of the messages in Protos.
START_NOW, CHANGES, CHANGE, CHANGE_REVISION = 1, 1, 1, 1
ITEM, ITEM_ID, ITEM_TITLE, ITEM_REVISION = 1, 1, 2, 11
STATUS, PAYLOAD = 1, 2


def varint(number):
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def encoded(number, value):
    """A field with bytes."""
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(data):
    """The numbers and values of a message's fields."""
    position = 0

    def integer():
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while position < len(data):
        key = integer()
        if key & 7 == 0:
            yield key >> 3, integer()
            continue
        length = {1: 8, 5: 4}.get(key & 7) or integer()
        yield key >> 3, data[position : position + length]
        position += length


def values(data, number):
    return [value for field, value in fields(data) if field == number]


class Channel:
    """A connection that makes one call at a time."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input, self.stream = self.socket.makefile("rb"), -1

    def send(self, method, message, flags=0):
        self.stream += 2
        data = encoded(1, SERVICE.encode()) + encoded(2, method.encode()) + encoded(3, message)
        self.socket.sendall(struct.pack(">IIBB", len(data), self.stream, REQUEST, flags) + data)

    def receive(self):
        """Waits for the next message of the call."""
        while True:
            header = self.input.read(10)
            if len(header) < 10:
                raise Failed("the server closed a connection")
            length, stream, kind, _ = struct.unpack(">IIBB", header)
            data = self.input.read(length)
            if stream != self.stream:
                continue
            if kind == DATA:
                return data
            for status in values(data, STATUS):
                if any(values(status, 1)):
                    raise Failed(f"a call failed: {status!r}")
            if not (payload := values(data, PAYLOAD)):
                raise Failed("a watch ended")
            return payload[0]

    def close(self):
        self.input.close()
        self.socket.close()


def latencies(writer, watched, changes):
    """Adds items, each after the watcher has received the one before, and returns the milliseconds of each, ascending.

    A change that arrives before the response to the write takes almost no time.
    """
    writing, watching = Channel(writer), Channel(watched)
    try:
        watching.send("WatchItems", encoded(START_NOW, b""), REMOTE_CLOSED)
        # The progress that begins the watch.
        watching.receive()
        times, end = [], time.monotonic() + LIMIT
        while len(times) < changes and time.monotonic() < end:
            title = f"Buy milk and bread {uuid.uuid4()}".encode()
            item = encoded(ITEM_ID, str(uuid.uuid4()).encode()) + encoded(ITEM_TITLE, title)
            writing.send("AddItem", encoded(ITEM, item))
            response = writing.receive()
            acknowledged = time.perf_counter()
            (revision,) = values(values(response, ITEM)[0], ITEM_REVISION)
            while (received := last_revision(watching.receive())) < revision:
                pass
            times.append((time.perf_counter() - acknowledged) * 1e3)
            if received != revision:
                raise Failed(f"a watcher received revision {received} and not {revision}")
        return sorted(times)
    except TimeoutError:
        raise Failed(f"a watcher did not receive a change within {TIMEOUT} s") from None
    finally:
        writing.close()
        watching.close()


def last_revision(message):
    """The revision of the changes in a message of a watch; 0 if it has none."""
    changes = (change for set in values(message, CHANGES) for change in values(set, CHANGE))
    return max((values(change, CHANGE_REVISION)[0] for change in changes), default=0)


def percentile(ascending, percent):
    return ascending[min(len(ascending) - 1, len(ascending) * percent // 100)]
