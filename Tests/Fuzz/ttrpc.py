"""Frames and connections of ttrpc, without the checks of a library."""

import socket
import struct

REQUEST, RESPONSE, DATA = 1, 2, 3
STREAMING = {"WatchItems", "Watch"}


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
