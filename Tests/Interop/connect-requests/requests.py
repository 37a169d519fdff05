"""Sends the unexpected requests of Connect's conformance suites: requests.py ENDPOINT TLS-ENDPOINT ENDPOINT-WITHOUT-GEOCODER

The suites call a service of their own, and these requests call ToDoService in its place. The names are theirs: `Connect` is
connect_server_unexpected.yaml, `gRPC-Web` is grpc_web_server_unexpected.yaml, and `HTTP` is server_unexpected.yaml of
github.com/connectrpc/conformance.
"""

import http.client
import json
import os
import struct
import sys
from collections import namedtuple

# The HTTP status; `None` where the suite does not say one.
Case = namedtuple("Case", "name verb method headers body status codes")

SERVICE = "/todo.v1.ToDoService/"
CODES = {2: "unknown", 3: "invalid_argument", 12: "unimplemented", 13: "internal"}
UNARY, STREAM = "ListItems", "WatchItems"
CONNECT, CONNECT_STREAM, WEB = "application/proto", "application/connect+proto", "application/grpc-web+proto"


def messages(*flags):
    """Empty messages in their frames."""
    return b"".join(struct.pack(">BI", flag, 0) for flag in flags)


def typed(content_type, **others):
    return {"content-type": content_type, **{name.replace("_", "-"): value for name, value in others.items()}}


# The suite permits any of these where no specification names a code.
ANY_CODE = ("unknown", "internal", "unimplemented")
CASES = [
    Case("HTTP/unexpected-content-type", "POST", UNARY, typed("image/jpeg"), b"12345678", 415, ("unknown",)),
    Case("Connect/server-stream/no-request", "POST", STREAM, typed(CONNECT_STREAM), b"", None, ("unimplemented",)),
    Case("Connect/server-stream/multiple-requests", "POST", STREAM, typed(CONNECT_STREAM), messages(0, 0), None, (
        "unimplemented",)),
    Case("Connect/unexpected-verb", "DELETE", UNARY, typed(CONNECT), b"", 405, ("unknown",)),
    Case("Connect/unexpected-uri", "POST", "UnknownMethod", typed(CONNECT), b"", 404, ("unimplemented",)),
    Case("Connect/unexpected-codec", "POST", UNARY, typed("application/foo"), b"", 415, ("unknown",)),
    Case("Connect/unexpected-compression", "POST", UNARY, typed(CONNECT, content_encoding="foo"), b"", None, (
        "unimplemented",)),
    Case("Connect/unexpected-compressed-message", "POST", STREAM, typed(
        CONNECT_STREAM, connect_content_encoding="identity"), messages(1), None, ("internal",)),
    *(Case(f"gRPC-Web/{kind}/{name}", "POST", method, typed(WEB), body, None, ("unimplemented",))
      for kind, method in (("unary", UNARY), ("server-stream", STREAM))
      for name, body in (("no-request", b""), ("multiple-requests", messages(0, 0)))),
    Case("gRPC-Web/unexpected-verb", "DELETE", UNARY, typed("application/grpc-web"), messages(0), None, ANY_CODE),
    Case("gRPC-Web/unexpected-uri", "POST", "UnknownMethod", typed("application/grpc-web"), messages(0), None, (
        "unimplemented",)),
    Case("gRPC-Web/unexpected-codec", "POST", UNARY, typed("application/grpc-web+foo"), messages(0), None, ANY_CODE),
    Case("gRPC-Web/unexpected-compression", "POST", UNARY, typed("application/grpc-web", grpc_encoding="foo"), messages(0), None, (
        "unimplemented",)),
    Case("gRPC-Web/unexpected-compressed-message", "POST", UNARY, typed(WEB, grpc_encoding="identity"), messages(1), None, (
        "internal",)),
]


def code(status, headers, body):
    """The code of a response, as clients of the three protocols find it."""
    kind = headers.get("content-type", "")
    if number := headers.get("grpc-status"):
        return CODES.get(int(number), number)
    if kind.startswith("application/connect+"):
        flags, length = struct.unpack(">BI", body[:5])
        return json.loads(body[5:5 + length]).get("error", {}).get("code", "ok") if flags & 2 else "ok"
    if kind.startswith("application/json"):
        return json.loads(body)["code"]
    return "ok" if status == 200 else {404: "unimplemented"}.get(status, "unknown")


def answer(address, case):
    connection = http.client.HTTPConnection(address, timeout=10)
    headers = {"connect-protocol-version": "1", "authorization": f"Bearer {os.environ['TODO_TOKEN']}", **case.headers}
    connection.request(case.verb, SERVICE + case.method, case.body, headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, code(response.status, response.headers, body)


def main(endpoint):
    failures = 0
    for case in CASES:
        status, found = answer(endpoint.partition("://")[2], case)
        if found not in case.codes or case.status not in (None, status):
            print(f"{case.name}: {status} {found}; expected: {case.status or 'any'} {' or '.join(case.codes)}")
            failures += 1
        else:
            print("ok", case.name)
    sys.exit(1 if failures else 0)


main(sys.argv[1])
