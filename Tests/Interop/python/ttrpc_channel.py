"""A ttrpc channel for Python: unary calls and server streams, from any number of threads.

Copy this file. It requires `protobuf` and the messages of ttrpc/ttrpc.proto, generated with protoc.
"""

import queue
import socket
import struct
import threading
from urllib.parse import urlsplit

from google.rpc import error_details_pb2
from ttrpc import ttrpc_pb2

REQUEST, RESPONSE, DATA = 1, 2, 3
REMOTE_CLOSED, NO_DATA = 1, 4
CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE = 1, 4, 14


class RPCError(Exception):
    """The error of a call: `code` is a google.rpc.Code; the other fields come from ErrorInfo and BadRequest."""

    def __init__(self, code, message, details=()):
        super().__init__(message)
        self.code, self.message, self.reason, self.domain = code, message, "", ""
        self.metadata, self.violations = {}, {}
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        for detail in details:
            if detail.Unpack(info):
                self.reason, self.domain, self.metadata = info.reason, info.domain, dict(info.metadata)
            elif detail.Unpack(bad):
                self.violations = {each.field: each.description for each in bad.field_violations}


class Stream:
    """The responses of one call, in order. Iterate over them; `cancel` ends the call."""

    def __init__(self, channel, number, response_type):
        self.channel, self.number, self.response_type = channel, number, response_type
        self.frames = queue.SimpleQueue()

    def __iter__(self):
        while (message := self.receive()) is not None:
            yield message

    def receive(self, timeout=None):
        """Returns the next message, or None at the end."""
        try:
            kind, flags, data = self.frames.get(timeout=timeout)
        except queue.Empty:
            raise RPCError(DEADLINE_EXCEEDED, "no response within the timeout") from None
        if kind == DATA:
            if flags & NO_DATA:
                return None
            if flags & REMOTE_CLOSED:
                self.frames.put((RESPONSE, 0, b""))
            return self.response_type.FromString(data)
        if kind is None:
            raise RPCError(UNAVAILABLE, "the connection is lost")
        response = ttrpc_pb2.Response.FromString(data)
        if response.status.code:
            raise RPCError(response.status.code, response.status.message, response.status.details)
        if isinstance(self, Call) or response.payload:
            return self.response_type.FromString(response.payload)
        return None

    def cancel(self):
        self.channel.cancel(self.number)


class Call(Stream):
    """A call with a single response."""


class Channel:
    """A connection to `tcp://host:port`, `tls://host:port` (with an ssl.SSLContext) or `unix:///path`."""

    def __init__(self, endpoint, metadata=(), tls=None):
        url = urlsplit(endpoint)
        if url.scheme == "unix":
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(url.path)
        else:
            self.socket = socket.create_connection((url.hostname, url.port or (8637 if tls else 8636)))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=url.hostname)
        self.metadata = [ttrpc_pb2.KeyValue(key=key, value=value) for key, value in metadata]
        self.lock, self.streams, self.next, self.lost = threading.Lock(), {}, 1, False
        threading.Thread(target=self._read, daemon=True).start()

    def call(self, method, request, response_type, timeout=None):
        """Makes a unary call, for example call("todo.v1.ToDoService/GetItem", request, GetItemResponse)."""
        stream = self._open(Call, 0, method, request, response_type, timeout)
        try:
            return stream.receive(timeout and timeout + 1)
        finally:
            self.streams.pop(stream.number, None)

    def stream(self, method, request, response_type, timeout=None):
        """Makes a server-streaming call."""
        return self._open(Stream, REMOTE_CLOSED, method, request, response_type, timeout)

    def cancel(self, number):
        method = "todo.v1.ConnectionService/CancelCall"
        self._open(Call, 0, method, b"\x08" + _varint(number), ttrpc_pb2.Response, None)

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def _open(self, kind, flags, method, request, response_type, timeout):
        service, _, name = method.partition("/")
        payload = request if isinstance(request, bytes) else request.SerializeToString()
        nanoseconds = int(timeout * 1e9) if timeout is not None else 0
        envelope = ttrpc_pb2.Request(
            service=service, method=name, payload=payload, timeout_nano=nanoseconds, metadata=self.metadata)
        data = envelope.SerializeToString()
        # The lock covers allocation and sending, because stream IDs must increase on the connection.
        with self.lock:
            if self.lost:
                raise RPCError(UNAVAILABLE, "the connection is lost")
            number, self.next = self.next, self.next + 2
            stream = self.streams[number] = kind(self, number, response_type)
            self.socket.sendall(struct.pack(">IIBB", len(data), number, REQUEST, flags) + data)
        return stream

    def _read(self):
        try:
            file = self.socket.makefile("rb")
            while len(header := file.read(10)) == 10:
                length, number, kind, flags = struct.unpack(">IIBB", header)
                data = file.read(length)
                if len(data) == length and kind in (RESPONSE, DATA) and (stream := self.streams.get(number)):
                    if kind == RESPONSE or flags & REMOTE_CLOSED:
                        self.streams.pop(number, None)
                    stream.frames.put((kind, flags, data))
        except OSError:
            pass
        with self.lock:
            self.lost = True
        for stream in list(self.streams.values()):
            stream.frames.put((None, 0, b""))


def _varint(number):
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
