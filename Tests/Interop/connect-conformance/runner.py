"""Checks the conformance server: runner.py PROGRAM FOLDER [TEXT]

FOLDER has the description of the schema, and a certificate with its key. The checks follow Connect's conformance suites, of which they
are a small part, with requests of their own.
"""

import pathlib
import struct
import sys

from clients import GRPC, Connect, GRPCWeb
from messages import PACKAGE, Messages, packed
from server import Server, failure

LIMIT = 200 * 1024
INFO = "ConformancePayload.RequestInfo"


def require(condition, *what):
    if not condition:
        raise AssertionError(what)


class Checks:
    """The checks of one client. Each method is one, and its name is the check's."""

    def __init__(self, client, messages):
        self.client = client
        self.m = messages

    # What the checks share

    def header(self, name, *values):
        return self.m.Header(name=name, value=values)

    def definition(self, kind, **others):
        return kind(
            response_headers=[self.header("x-custom-header", "foo", "bar")],
            response_trailers=[self.header("x-custom-trailer", "bing")], **others)

    def unary(self, others=None, definition=True, **options):
        kind = self.m.UnaryRequest
        request = kind(**others or {})
        if definition:
            request.response_definition.CopyFrom(self.definition(self.m.UnaryResponseDefinition, **definition))
        return request, self.client.unary("Unary", request, self.m.UnaryResponse, **options)

    def stream(self, definition, **options):
        request = self.m.ServerStreamRequest()
        if definition is not None:
            request.response_definition.CopyFrom(self.definition(self.m.StreamResponseDefinition, **definition))
        return request, self.client.stream("ServerStream", request, self.m.ServerStreamResponse, **options)

    def expect_metadata(self, result):
        # A failure before the first message may have all of it in one block.
        together = result.error is not None and not result.messages
        headers = {**result.trailers, **result.headers} if together else result.headers
        trailers = {**result.headers, **result.trailers} if together else result.trailers
        require(headers.get("x-custom-header") == ["foo", "bar"], headers)
        require(trailers.get("x-custom-trailer") == ["bing"], trailers)

    def expect_info(self, info, request, headers=()):
        require([entry.type_url.split("/")[1] for entry in info.requests] == [request.DESCRIPTOR.full_name], info)
        require(type(request).FromString(info.requests[0].value) == request, info)
        seen = {header.name.lower(): [part.strip() for value in header.value for part in value.split(",")]
                for header in info.request_headers}
        for name in {name for name, _ in headers}:
            require(seen.get(name.lower()) == [value for other, value in headers if other == name], name, seen)

    def expect_error(self, result, code, message=None):
        require(result.error is not None and result.error[0] == code, result)
        require(message is None or result.error[1] == message, result)

    def info(self, detail):
        require(detail.type_url.endswith("/" + PACKAGE + INFO), detail)
        info = self.m.ConformancePayload().request_info
        info.ParseFromString(detail.value)
        return info

    # One response

    def unary_success(self):
        headers = [("X-Conformance-Test", "Value1"), ("X-Conformance-Test", "Value2")]
        if self.client.name == "grpc":
            headers = [(name.lower(), value) for name, value in headers]
        request, result = self.unary(definition={"response_data": b"test"}, headers=headers)
        require(result.error is None and result.messages[0].payload.data == b"test", result)
        self.expect_metadata(result)
        info = result.messages[0].payload.request_info
        self.expect_info(info, request, headers)
        require(not info.HasField("timeout_ms"), info)

    def unary_without_definition(self):
        request, result = self.unary({"request_data": b"\0\xff"}, definition=None)
        require(result.error is None and result.messages[0].payload.data == b"", result)
        require("x-custom-header" not in result.headers, result)
        self.expect_info(result.messages[0].payload.request_info, request)

    def unary_errors(self):
        for code in self.m.codes():
            error = self.m.Error(code=self.m.code(code), message=f"{code} 100% “π”")
            request, result = self.unary(definition={"error": error})
            self.expect_error(result, code, error.message)
            self.expect_metadata(result)
            require(len(result.error[2]) == 1, result)
            self.expect_info(self.info(result.error[2][0]), request)

    def unary_error_with_details(self):
        details = [packed(self.m.UnaryRequest(request_data=bytes([count]))) for count in range(2)]
        error = self.m.Error(code=self.m.code("internal"), details=details)
        request, result = self.unary(definition={"error": error})
        self.expect_error(result, "internal", "")
        require(result.error[2][:2] == details and len(result.error[2]) == 3, result)
        self.expect_info(self.info(result.error[2][2]), request)

    def unary_compressed(self):
        data = b"a" * 15_000
        request, result = self.unary(definition={"response_data": data}, compressed=True)
        require(result.error is None and result.messages[0].payload.data == data, result)
        self.expect_info(result.messages[0].payload.request_info, request)

    def unary_timeout(self):
        _, result = self.unary(definition={"response_delay_ms": 2000}, timeout_ms=100)
        self.expect_error(result, "deadline_exceeded")
        _, result = self.unary(definition={"response_delay_ms": 10}, timeout_ms=9000)
        info = result.messages[0].payload.request_info
        # grpcio adds a few milliseconds.
        require(8000 < info.timeout_ms <= 9100, info)

    def largest_data(self):
        """The length of the data in a request that is as long as the limit, or in JSON at most 3 bytes shorter."""
        if getattr(self.client, "codec", "") == "json":
            return (LIMIT - len('{"requestData": ""}')) // 4 * 3
        return LIMIT - 4

    def unary_limit(self):
        for excess in 0, 1:
            # Over gRPC, compressed requests have a lower limit of their own.
            for compressed in (False,) if self.client.name == "grpc" else (False, True):
                request = self.m.UnaryRequest(request_data=bytes(self.largest_data() + 4 * excess))
                result = self.client.unary("Unary", request, self.m.UnaryResponse, compressed=compressed)
                if excess:
                    self.expect_error(result, "resource_exhausted")
                else:
                    require(result.error is None, result.error)

    def unimplemented(self):
        for method in "Unimplemented", "ClientStream", "BidiStream":
            call = self.client.unary if method == "Unimplemented" else self.client.stream
            self.expect_error(call(method, self.m.UnimplementedRequest(), self.m.UnimplementedResponse), "unimplemented")

    # Streams

    def stream_success(self):
        headers = [("x-conformance-test", "Value1")]
        request, result = self.stream({"response_data": [b"a", b"", b"c"], "response_delay_ms": 5}, headers=headers)
        require(result.error is None and [answer.payload.data for answer in result.messages] == [b"a", b"", b"c"], result)
        self.expect_metadata(result)
        self.expect_info(result.messages[0].payload.request_info, request, headers)
        require(not any(answer.payload.HasField("request_info") for answer in result.messages[1:]), result)

    def stream_without_responses(self):
        _, result = self.stream({})
        require(result.error is None and not result.messages, result)
        self.expect_metadata(result)
        _, result = self.stream(None)
        require(result.error is None and not result.messages and "x-custom-header" not in result.headers, result)

    def stream_error_after_responses(self):
        error = self.m.Error(code=self.m.code("aborted"), message="late")
        _, result = self.stream({"response_data": [b"a", b"b"], "error": error})
        self.expect_error(result, "aborted", "late")
        require(len(result.messages) == 2 and not result.error[2], result)
        self.expect_metadata(result)

    def stream_error_at_once(self):
        error = self.m.Error(code=self.m.code("unavailable"), message="early")
        request, result = self.stream({"error": error})
        self.expect_error(result, "unavailable", "early")
        self.expect_metadata(result)
        require(not result.messages and len(result.error[2]) == 1, result)
        self.expect_info(self.info(result.error[2][0]), request)

    def stream_compressed(self):
        request, result = self.stream({"response_data": [b"a" * 5000]}, compressed=True)
        require(result.error is None and len(result.messages) == 1, result)
        self.expect_info(result.messages[0].payload.request_info, request)

    def stream_timeout(self):
        _, result = self.stream({"response_data": [b"a", b"b"], "response_delay_ms": 400}, timeout_ms=600)
        self.expect_error(result, "deadline_exceeded")
        require(len(result.messages) == 1, result)


class GetChecks(Checks):
    """The checks of a call by GET."""

    def get(self, compressed=False):
        request = self.m.IdempotentUnaryRequest()
        request.response_definition.CopyFrom(self.definition(self.m.UnaryResponseDefinition, response_data=b"test"))
        headers = [("x-conformance-test", "Value1")]
        result = self.client.get(
            "IdempotentUnary", request, self.m.IdempotentUnaryResponse, headers=headers, compressed=compressed)
        require(result.error is None and result.messages[0].payload.data == b"test", result)
        self.expect_metadata(result)
        self.expect_info(result.messages[0].payload.request_info, request, headers)

    def get_compressed(self):
        self.get(compressed=True)

    def get_of_other_method(self):
        result = self.client.get("Unary", self.m.UnaryRequest(), self.m.UnaryResponse)
        require(result.headers["allow"] == ["POST"], result)


class StartChecks:
    """The checks of the server's start."""

    def __init__(self, program, messages):
        self.program = program
        self.m = messages

    def request_in_parts(self):
        with Server(self.program, self.m, lambda bytes: [bytes[index:index + 1] for index in range(len(bytes))], protocol=1) as server:
            require(server.host == "127.0.0.1" and 0 < server.port < 65536 and not server.certificate)

    def request_cut_off(self):
        for bytes in b"", b"\0\0", b"\0\0\0\x05\x08":
            status, error = failure(self.program, bytes)
            require(status == 1 and "standard input ended" in error, status, error)

    def request_not_served(self):
        for request, reason in (
            ({"http_version": 3}, "HTTP/3"), ({"use_tls": True}, "no certificate"),
            ({"use_tls": True, "client_tls_cert": b"a"}, "optional"),
        ):
            message = self.m.ServerCompatRequest(**request).SerializeToString()
            status, error = failure(self.program, struct.pack(">I", len(message)) + message)
            require(status == 1 and reason in error, status, error)
        status, error = failure(self.program, b"\xff\xff\xff\xff")
        require(status == 1 and "bytes" in error, status, error)


def checks_of(suite, prefix):
    """The checks of a suite, with their names."""
    names = [name for kind in type(suite).__mro__[:-1] for name in vars(kind)]
    shared = {"header", "definition", "unary", "stream", "info", "largest_data"}
    for name in dict.fromkeys(names):
        if not name.startswith(("_", "expect_")) and name not in shared:
            yield f"{prefix}/{name}", getattr(suite, name)


def main(program, folder, text=""):
    folder = pathlib.Path(folder)
    messages = Messages(folder / "schema.binpb")
    certificate, key = ((folder / name).read_bytes() for name in ("certificate.pem", "key.pem"))
    failed = 0

    def run(checks):
        nonlocal failed
        for name, check in checks:
            if text not in name:
                continue
            try:
                check()
                print(f"ok {name}")
            except Exception as error:
                failed += 1
                print(f"FAILED {name}: {type(error).__name__} {str(error)[:2000]}")

    run(checks_of(StartChecks(program, messages), "start"))
    credentials = messages.TLSCreds(cert=certificate, key=key)
    for prefix, request in ("plain", {}), ("tls", {"use_tls": True, "server_creds": credentials}):
        with Server(program, messages, message_receive_limit=LIMIT, **request) as server:
            require(server.certificate == (certificate if request else b""), server.certificate)
            for client in (
                Connect(server, messages, "proto"), Connect(server, messages, "json"), GRPCWeb(server, messages),
                GRPC(server, messages),
            ):
                suite = GetChecks if isinstance(client, Connect) else Checks
                run(checks_of(suite(client, messages), f"{prefix}/{client.name}"))
            require(server.process.poll() is None, "the server has ended")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
