"""Clients of the protocols that the server speaks. Each sends one request and returns a `Result`."""

import base64
import contextlib
import gzip
import http.client
import json
import ssl
import struct
import urllib.parse
from collections import defaultdict, namedtuple

import grpc
from google.protobuf import any_pb2, json_format
from google.rpc import status_pb2

from messages import SERVICE, URL

# Headers and trailers are dictionaries of lists. The error is `None`, or a tuple of code, message and details.
Result = namedtuple("Result", "headers trailers messages error")
TIMEOUT = 20


def grouped(pairs):
    values = defaultdict(list)
    for name, value in pairs:
        values[name.lower()] += [part.strip() for part in value.split(",")]
    return values


def detail(type_name, value):
    return any_pb2.Any(type_url=URL + type_name, value=value)


def frames(body):
    """Divides a stream into pairs of flags and message."""
    while body:
        flags, length = struct.unpack(">BI", body[:5])
        yield flags, body[5:5 + length]
        body = body[5 + length:]


def frame(message, flags=0):
    return struct.pack(">BI", flags, len(message)) + message


class HTTPClient:
    """What clients over HTTP/1.1 share."""

    def __init__(self, server, messages):
        self.server = server
        self.messages = messages

    def exchange(self, verb, path, body, headers):
        if self.server.certificate:
            context = ssl.create_default_context(cadata=self.server.certificate.decode())
            connection = http.client.HTTPSConnection(self.server.host, self.server.port, timeout=TIMEOUT, context=context)
        else:
            connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=TIMEOUT)
        connection.putrequest(verb, path, skip_accept_encoding=True)
        if body is not None:
            connection.putheader("content-length", str(len(body)))
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        try:
            # A server may answer and close the connection before it has read all.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.send(body or b"")
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()


class Connect(HTTPClient):
    def __init__(self, server, messages, codec):
        super().__init__(server, messages)
        self.codec = codec
        self.name = f"connect-{codec}"

    def encode(self, message):
        if self.codec == "proto":
            return message.SerializeToString()
        return json_format.MessageToJson(message, indent=None).encode()

    def decode(self, kind, body):
        return kind.FromString(body) if self.codec == "proto" else json_format.Parse(body, kind())

    def head(self, headers, timeout_ms):
        return [("connect-protocol-version", "1"), *headers, *([("connect-timeout-ms", str(timeout_ms))] if timeout_ms else [])]

    def error(self, error):
        details = [
            detail(entry["type"], base64.b64decode(entry["value"] + "=" * (-len(entry["value"]) % 4)))
            for entry in error.get("details", [])
        ]
        return error["code"], error.get("message", ""), details

    def unary(self, method, message, kind, headers=(), timeout_ms=None, compressed=False):
        head = self.head(headers, timeout_ms) + [("content-type", f"application/{self.codec}")]
        body = self.encode(message)
        if compressed:
            head += [("content-encoding", "gzip"), ("accept-encoding", "gzip")]
            body = gzip.compress(body)
        return self.result(*self.exchange("POST", SERVICE + method, body, head), kind, compressed)

    def get(self, method, message, kind, headers=(), compressed=False):
        body = self.encode(message)
        query = {"connect": "v1", "encoding": self.codec}
        if compressed:
            query["compression"] = "gzip"
            body = gzip.compress(body)
        query |= {"base64": "1", "message": base64.urlsafe_b64encode(body).rstrip(b"=")}
        path = f"{SERVICE}{method}?{urllib.parse.urlencode(query)}"
        return self.result(*self.exchange("GET", path, None, self.head(headers, None)), kind)

    def result(self, response, body, kind, compressed=False):
        pairs = response.getheaders()
        headers = grouped((name, value) for name, value in pairs if not name.lower().startswith("trailer-"))
        trailers = grouped((name[len("trailer-"):], value) for name, value in pairs if name.lower().startswith("trailer-"))
        if response.status != 200:
            return Result(headers, trailers, [], self.error(json.loads(body)))
        if "gzip" in headers["content-encoding"]:
            assert compressed
            body = gzip.decompress(body)
        assert headers["content-type"] == [f"application/{self.codec}"]
        return Result(headers, trailers, [self.decode(kind, body)], None)

    def stream(self, method, message, kind, headers=(), timeout_ms=None, compressed=False):
        head = self.head(headers, timeout_ms) + [("content-type", f"application/connect+{self.codec}")]
        body = frame(self.encode(message))
        if compressed:
            head.append(("connect-content-encoding", "gzip"))
            body = frame(gzip.compress(self.encode(message)), flags=1)
        response, body = self.exchange("POST", SERVICE + method, body, head)
        headers = grouped(response.getheaders())
        if response.status != 200:
            return Result(headers, {}, [], self.error(json.loads(body)))
        *parts, (flags, end) = frames(body)
        assert flags == 2 and all(part[0] == 0 for part in parts)
        end = json.loads(end)
        trailers = defaultdict(list, end.get("metadata", {}))
        error = self.error(end["error"]) if "error" in end else None
        return Result(headers, trailers, [self.decode(kind, part) for _, part in parts], error)


def grpc_error(messages, trailers):
    """The error in the trailers of gRPC; `None` for success."""
    code = int(trailers["grpc-status"][0])
    if code == 0:
        return None
    status = status_pb2.Status()
    if encoded := trailers.get("grpc-status-details-bin"):
        status.ParseFromString(base64.b64decode(encoded[0] + "=" * (-len(encoded[0]) % 4)))
    message = urllib.parse.unquote(trailers.get("grpc-message", [""])[0])
    return messages.codes()[code - 1], message, list(status.details)


class GRPCWeb(HTTPClient):
    name = "grpc-web"

    def unary(self, method, message, kind, headers=(), timeout_ms=None, compressed=False):
        head = [("content-type", "application/grpc-web+proto"), *headers]
        if timeout_ms:
            head.append(("grpc-timeout", f"{timeout_ms}m"))
        body = frame(message.SerializeToString())
        if compressed:
            head += [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "gzip")]
            body = frame(gzip.compress(message.SerializeToString()), flags=1)
        response, body = self.exchange("POST", SERVICE + method, body, head)
        headers = grouped(response.getheaders())
        if response.status != 200:
            return Result(headers, {}, [], (json.loads(body)["code"], "", []))
        if not body:
            return Result(headers, headers, [], grpc_error(self.messages, headers))
        *parts, (flags, end) = frames(body)
        assert flags == 0x80
        lines = end.decode().split("\r\n")[:-1]
        trailers = grouped(line.split(": ", 1) for line in lines)
        answers = [kind.FromString(gzip.decompress(part) if flag else part) for flag, part in parts]
        return Result(headers, trailers, answers, grpc_error(self.messages, trailers))

    stream = unary


class GRPC:
    name = "grpc"

    def __init__(self, server, messages):
        self.messages = messages
        address = f"{server.host}:{server.port}"
        if server.certificate:
            self.channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(server.certificate))
        else:
            self.channel = grpc.insecure_channel(address)

    def unary(self, method, message, kind, headers=(), timeout_ms=None, compressed=False):
        call = self.channel.unary_stream(
            SERVICE + method, request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=kind.FromString)
        compression = grpc.Compression.Gzip if compressed else None
        call = call(message, timeout=timeout_ms and timeout_ms / 1000, metadata=headers, compression=compression)
        answers = []
        error = None
        try:
            for answer in call:
                answers.append(answer)
        except grpc.RpcError:
            status = status_pb2.Status()
            for name, value in call.trailing_metadata():
                if name == "grpc-status-details-bin":
                    status.ParseFromString(value)
            error = self.messages.codes()[call.code().value[0] - 1], call.details(), list(status.details)
        pairs = [[(name, value) for name, value in metadata or () if isinstance(value, str)]
                 for metadata in (call.initial_metadata(), call.trailing_metadata())]
        return Result(grouped(pairs[0]), grouped(pairs[1]), answers, error)

    stream = unary
