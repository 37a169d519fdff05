"""A connection whose client decides about each byte, and what the server has sent on it."""

import socket

from frames import *

SECONDS = 5
# A PING after the frames of a case, and the last call and PING, after which the answer to everything before has arrived.
FIRST_PING, LAST_STREAM, LAST_PING = b"the case", 999, b"the last"


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.received = bytearray()
        # What the server has sent: the data, the number of HEADERS and the error of each stream.
        self.data, self.blocks, self.errors, self.ended = {}, {}, {}, set()
        self.frames, self.pings = [], set()
        self.go_away, self.is_closed, self.acknowledgements = None, False, 0

    def send(self, output):
        try:
            self.socket.sendall(output)
        except (BrokenPipeError, ConnectionResetError):
            self.is_closed = True

    def receive_until(self, condition):
        """Reads until a condition is met or the server closes the connection.

        Raises TimeoutError if neither happens.
        """
        while not self.is_closed and not condition():
            if len(self.received) >= 9 and len(self.received) >= (end := 9 + int.from_bytes(self.received[:3], "big")):
                kind, flags, stream = self.received[3], self.received[4], int.from_bytes(self.received[5:9], "big")
                payload = bytes(self.received[9:end])
                del self.received[:end]
                self.record(kind, flags, stream, payload)
                continue
            try:
                more = self.socket.recv(1 << 16)
            except ConnectionResetError:
                more = b""
            self.received += more
            self.is_closed = not more

    def record(self, kind, flags, stream, payload):
        self.frames.append((kind, flags, stream, payload))
        if kind == SETTINGS:
            self.acknowledgements += flags & ACK
            if not flags & ACK:
                self.send(frame(SETTINGS, ACK, 0))
        elif kind == PING and flags & ACK:
            self.pings.add(payload)
        elif kind == DATA:
            self.data[stream] = self.data.get(stream, b"") + payload
        elif kind == HEADERS:
            self.blocks.setdefault(stream, []).append(payload)
        elif kind == RST_STREAM:
            self.errors[stream] = int.from_bytes(payload, "big")
        elif kind == GOAWAY:
            self.go_away = int.from_bytes(payload[4:8], "big")
        if kind in (DATA, HEADERS) and flags & END_STREAM:
            self.ended.add(stream)

    def has_ended(self, stream):
        return stream in self.ended or stream in self.errors

    def is_served(self, stream):
        """Whether a call has succeeded, of which the response is not empty."""
        # The first header is `:status: 200`, the eighth of the static table.
        return stream in self.ended and stream not in self.errors and self.blocks[stream][0][0] == 0x88 and stream in self.data

    def status(self, stream):
        """The HTTP status among the last entries of the static table (RFC 7541, Appendix A)."""
        first = self.blocks.get(stream, [b"\0"])[0][0]
        return dict(zip(range(0x88, 0x8F), "200 204 206 304 400 404 500".split())).get(first, "another status")
