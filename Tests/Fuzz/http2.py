"""A minimal HTTP/2 client for scripts: frames, header blocks without compression, and gRPC messages."""

import socket
import struct

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream & 0x7FFFFFFF) + payload


def integer(value, bits, first=0):
    """Encodes an HPACK integer. `first` contains the upper bits of the first byte."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    encoded, value = [first | most], value - most
    while value >= 128:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes([*encoded, value])


def header_block(pairs):
    """Encodes headers as literals without indexing."""
    return b"".join(b"\0" + integer(len(name), 7) + name + integer(len(value), 7) + value for name, value in pairs)


def headers_frame(stream, pairs, end_stream=False):
    return frame(HEADERS, END_HEADERS | (END_STREAM if end_stream else 0), stream, header_block(pairs))


def data_frame(stream, data=b"", end_stream=True):
    return frame(DATA, END_STREAM if end_stream else 0, stream, data)


def message(data=b"", flag=0):
    return struct.pack(">BI", flag, len(data)) + data


def call_headers(path, *others):
    return [
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", path.encode()), (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"), (b"te", b"trailers"), *others]


class Connection:
    """A connection to a gRPC server. Received frames are parsed; their header blocks are not decoded."""

    def __init__(self, port, timeout=10):
        self.socket, self.received, self.sent = socket.create_connection(("127.0.0.1", port), timeout), bytearray(), bytearray()
        self.send(PREFACE + frame(SETTINGS, 0, 0))

    def send(self, data):
        self.sent += data
        self.socket.sendall(data)

    def frames(self):
        """Yields the received frames until the server closes the connection."""
        while True:
            while len(self.received) >= 9:
                length = int.from_bytes(self.received[:3], "big")
                if len(self.received) < 9 + length:
                    break
                kind, flags, stream = struct.unpack(">BBI", self.received[3:9])
                payload = bytes(self.received[9 : 9 + length])
                del self.received[: 9 + length]
                if kind == SETTINGS and not flags & ACK:
                    self.send(frame(SETTINGS, ACK, 0))
                elif kind == PING and not flags & ACK:
                    self.send(frame(PING, ACK, 0, payload))
                yield kind, flags, stream & 0x7FFFFFFF, payload
            try:
                more = self.socket.recv(1 << 16)
            except ConnectionResetError:
                return
            if not more:
                return
            self.received += more

    def answer(self, stream):
        """Returns the data and the last header block of a stream, or `None` if the stream was reset or the connection closed."""
        data, block = b"", b""
        for kind, flags, number, payload in self.frames():
            if kind == GOAWAY and payload[4:8] != b"\0\0\0\0":
                return None
            if number != stream:
                continue
            if kind == RST_STREAM:
                return None
            if kind == DATA:
                data += payload
            if kind == HEADERS:
                block = payload
            if flags & END_STREAM and kind in (DATA, HEADERS):
                return data, block
        return None

    def close(self, abruptly=False):
        if abruptly:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
