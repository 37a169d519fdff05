"""The interface of ../python/ttrpc_channel.py over the Connect protocol, so that the same checks run over both."""

import asyncio
import atexit
import math
import os
import queue
import threading

from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.rpc import error_details_pb2
from pyqwest import Client, HTTPTransport, HTTPVersion

PROTOCOLS = {
    "connect": ProtocolType.CONNECT, "connect-json": ProtocolType.CONNECT, "grpc-web": ProtocolType.GRPC_WEB}
PROTOCOL = os.environ["TODO_CONNECT_PROTOCOL"]
# Errors without details come from the library, or have no more information than their code. Requests that reach no method have
# reasons of HTTP.
REASONS = {
    "CANCELED": "CANCELLED", "UNIMPLEMENTED": "METHOD_NOT_IMPLEMENTED", "HTTP_404": "METHOD_NOT_IMPLEMENTED",
    "HTTP_413": "MESSAGE_TOO_LARGE"}

# The library's clients are asynchronous, or cannot cancel a stream. The checks are not asynchronous.
loop = asyncio.new_event_loop()
thread = threading.Thread(target=loop.run_forever, daemon=True)
thread.start()


@atexit.register
def stop():
    """Ends the thread, which must not use the library after the interpreter's end."""
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


class Codec:
    """The library's codec, which also encodes raw bytes: requests that a generated client cannot send."""

    def __init__(self, codec):
        self.name, self.decode, self.codec = codec.name, codec.decode, codec

    def encode(self, message):
        return message if isinstance(message, bytes) else self.codec.encode(message)


class RPCError(Exception):
    def __init__(self, error):
        super().__init__(f"{error.code.name}: {error.message}")
        self.code, self.message, self.status = error.code, error.message, error
        self.reason = REASONS.get(self.code.name, self.code.name)
        self.metadata, self.violations = {}, {}
        for detail in error.details:
            if detail.type_name == "google.rpc.ErrorInfo":
                info = error_details_pb2.ErrorInfo.FromString(detail.message_bytes)
                self.reason, self.metadata = REASONS.get(info.reason, info.reason), dict(info.metadata)
            if detail.type_name == "google.rpc.BadRequest":
                request = error_details_pb2.BadRequest.FromString(detail.message_bytes)
                self.violations = {each.field: each.description for each in request.field_violations}


class Call:
    """A unary call in flight."""

    def __init__(self, call):
        self.future = asyncio.run_coroutine_threadsafe(call, loop)

    def receive(self, timeout=None):
        try:
            return self.future.result(timeout)
        except ConnectError as error:
            raise RPCError(error) from None


class Stream:
    """A server-streaming call, whose messages a task reads as they arrive."""

    def __init__(self, call):
        self.call, self.messages = call, queue.Queue()
        self.task = asyncio.run_coroutine_threadsafe(self._start(), loop).result()

    async def _start(self):
        return asyncio.create_task(self._read())

    async def _read(self):
        try:
            async for message in self.call:
                self.messages.put(message)
            self.messages.put(None)
        except ConnectError as error:
            self.messages.put(RPCError(error))

    def receive(self, timeout=None):
        message = self.messages.get(timeout=timeout)
        if isinstance(message, RPCError):
            raise message
        return message

    def cancel(self):
        loop.call_soon_threadsafe(self.task.cancel)


class Channel:
    """A connection to tcp://HOST:PORT, or to tls://HOST:PORT with the CA certificate in TODO_CONNECT_CA."""

    def __init__(self, endpoint, metadata=()):
        scheme, address = endpoint.split("://")
        authority = None
        if scheme == "tls":
            with open(os.environ["TODO_CONNECT_CA"], "rb") as file:
                authority = file.read()
        # Without TLS, HTTP/2 must be asked for. HTTP/1.1 has one connection for each call, and the server takes 100 of an address.
        version = HTTPVersion.HTTP1 if PROTOCOL == "connect-json" else HTTPVersion.HTTP2
        self.transport = HTTPTransport(tls_ca_cert=authority, http_version=version, max_connections_per_address=80)
        codec = google_protobuf_json_codec() if PROTOCOL == "connect-json" else google_protobuf_binary_codec()
        self.client = ConnectClient(
            f"{'https' if authority else 'http'}://{address}", codec=Codec(codec), protocol=PROTOCOLS[PROTOCOL],
            http_client=Client(self.transport))
        self.headers, self.streams = dict(metadata), []

    def call(self, method, request, response_type, timeout=None):
        return self._open(Call, 0, method, request, response_type, timeout).receive()

    def stream(self, method, request, response_type, timeout=None):
        info = self._method(method, request, response_type, StreamType.SERVER_STREAM)
        self.streams.append(Stream(self.client.execute_server_stream(
            request=request, method=info, headers=self.headers, timeout_ms=milliseconds(timeout))))
        return self.streams[-1]

    def close(self):
        for stream in self.streams:
            stream.cancel()

        async def close():
            await self.transport.aclose()

        asyncio.run_coroutine_threadsafe(close(), loop).result()

    def _method(self, method, request, response_type, kind):
        service, name = method.split("/")
        return MethodInfo(
            name=name, service_name=service, input=type(request), output=response_type,
            idempotency_level=IdempotencyLevel.UNKNOWN, stream_type=kind)

    def _open(self, kind, flags, method, request, response_type, timeout):
        info = self._method(method, request, response_type, StreamType.UNARY)
        return kind(self.client.execute_unary(
            request=request, method=info, headers=self.headers, timeout_ms=milliseconds(timeout)))


def milliseconds(timeout):
    return math.ceil(timeout * 1000) if timeout else None
