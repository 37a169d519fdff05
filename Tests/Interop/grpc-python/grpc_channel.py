"""The interface of ../python/ttrpc_channel.py over gRPC, so that the same checks run over both protocols."""

import os
import queue
import threading

import grpc
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2_grpc
from grpc_status import rpc_status
from todo.v1 import list_service_pb2_grpc, to_do_service_pb2_grpc

STUBS = {
    "todo.v1.ListService": list_service_pb2_grpc.ListServiceStub,
    "todo.v1.ToDoService": to_do_service_pb2_grpc.ToDoServiceStub,
    "grpc.health.v1.Health": health_pb2_grpc.HealthStub,
}
# Errors without details come from the library, or have no more information than their code.
REASONS = {grpc.StatusCode.UNIMPLEMENTED: "METHOD_NOT_IMPLEMENTED"}


def connect(endpoint):
    """Connects to tcp://HOST:PORT, or to tls://HOST:PORT with the CA certificate in TODO_GRPC_CA."""
    scheme, address = endpoint.split("://")
    if scheme == "tcp":
        return grpc.insecure_channel(address)
    with open(os.environ["TODO_GRPC_CA"], "rb") as authority:
        return grpc.secure_channel(address, grpc.ssl_channel_credentials(authority.read()))


class RPCError(Exception):
    def __init__(self, error):
        super().__init__(f"{error.code()}: {error.details()}")
        self.code, self.message = error.code(), error.details()
        self.reason = REASONS.get(self.code, self.code.name)
        self.metadata, self.violations = {}, {}
        self.status = rpc_status.from_call(error)
        for detail in self.status.details if self.status else ():
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                info = error_details_pb2.ErrorInfo()
                detail.Unpack(info)
                self.reason, self.metadata = info.reason, dict(info.metadata)
            if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
                request = error_details_pb2.BadRequest()
                detail.Unpack(request)
                self.violations = {each.field: each.description for each in request.field_violations}


class Call:
    """A unary call in flight."""

    def __init__(self, future):
        self.future = future

    def receive(self, timeout=None):
        try:
            return self.future.result(timeout)
        except grpc.RpcError as error:
            raise RPCError(error) from None


class Stream:
    """A server-streaming call, whose messages a thread reads as they arrive."""

    def __init__(self, call):
        self.call = call
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for message in self.call:
                self.messages.put(message)
            self.messages.put(None)
        except grpc.RpcError as error:
            self.messages.put(RPCError(error))

    def receive(self, timeout=None):
        message = self.messages.get(timeout=timeout)
        if isinstance(message, RPCError):
            raise message
        return message

    def cancel(self):
        self.call.cancel()


class Channel:
    def __init__(self, endpoint, metadata=()):
        self.channel = connect(endpoint)
        self.metadata = list(metadata)
        self.stubs = {name: stub(self.channel) for name, stub in STUBS.items()}

    def _method(self, name, request):
        service, method = name.split("/")
        # Raw bytes are for requests that a generated client cannot send.
        if isinstance(request, bytes) or not hasattr(self.stubs[service], method):
            return self.channel.unary_unary(f"/{name}", request_serializer=None)
        return getattr(self.stubs[service], method)

    def call(self, method, request, response_type, timeout=None):
        try:
            return self._method(method, request)(request, timeout=timeout, metadata=self.metadata)
        except grpc.RpcError as error:
            raise RPCError(error) from None

    def stream(self, method, request, response_type, timeout=None):
        return Stream(self._method(method, request)(request, timeout=timeout, metadata=self.metadata))

    def _open(self, kind, flags, method, request, response_type, timeout):
        return kind(self._method(method, request).future(request, timeout=timeout, metadata=self.metadata))

    def close(self):
        self.channel.close()
