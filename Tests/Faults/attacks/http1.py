"""Attacks over HTTP/1.1. Requests are written here by hand, as no library leaves them as incomplete as an attacker does."""

import functools
import gzip
import random
import re

from .attack import DESCRIPTION_BYTES, Attack, new_item
from .connections import Behaviour, Connection

STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")
MESSAGE_BYTES = 4 << 20
CHUNKS = 20_000
# The length and the chunks of a body differ in these, or one of the two is malformed. Whoever reads the shorter body takes the rest
# for another request.
AMBIGUOUS = [
    "content-length: {0}\r\ntransfer-encoding: chunked", "transfer-encoding: chunked\r\ncontent-length: {0}",
    "content-length: {0}\r\ntransfer-encoding: identity, chunked", "content-length: {0}\r\ntransfer-encoding: xchunked",
    "content-length: {0}\r\ntransfer-encoding : chunked", "content-length: {0}\r\n transfer-encoding: chunked",
    "content-length: {0}\r\nx: y\ntransfer-encoding: chunked", "content-length: {0}\r\ncontent-length: 5",
    "content-length: {0}, 5", "content-length: +{0}", "transfer-encoding: chunked, chunked"]


def head(method, token=None, length=None, kind="application/json", *fields):
    """Returns the head of a call. Without a length, the body is chunked."""
    lines = [f"POST /todo.v1.ToDoService/{method} HTTP/1.1", "host: localhost", f"content-type: {kind}"]
    lines.append("transfer-encoding: chunked" if length is None else f"content-length: {length}")
    if token:
        lines.append(f"authorization: Bearer {token}")
    return "\r\n".join([*lines, *fields, "", ""]).encode()


class Requests(Behaviour):
    """Sends requests, and another one for each response."""

    def __init__(self, counts, request, depth):
        self.counts, self.request, self.depth, self.input = counts, request, depth, b""

    def opening(self):
        return self.request * self.depth

    def received(self, data):
        self.input += data
        statuses = STATUS.findall(self.input)
        # The start of a status line may have arrived.
        self.input = self.input[-11:] if not STATUS.search(self.input[-12:]) else b""
        for status in statuses:
            self.counts[status.decode()] += 1
        return self.request * len(statuses)


class Incomplete(Behaviour):
    """Sends a part of a request, and reads what the server answers."""

    def __init__(self, counts, part):
        self.counts, self.part = counts, part

    def opening(self):
        return self.part

    def received(self, data):
        for status in STATUS.findall(data):
            self.counts[status.decode()] += 1
        return b""


class Unread(Incomplete):
    """Sends requests of streams, and never reads what they return."""

    reads = False


class Smuggler(Incomplete):
    """Sends a request whose end is ambiguous, in it another one, and then one of another user, as a proxy would.

    No response may follow the first one, which refuses the request: it would be taken for the other user's.
    """

    def __init__(self, counts, token):
        inner = b"0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"
        start = head("GetServerInfo", token).replace(
            b"transfer-encoding: chunked", random.choice(AMBIGUOUS).format(len(inner)).encode())
        super().__init__(counts, start + inner + head("GetServerInfo", token, 2) + b"{}")
        self.statuses = 0

    def received(self, data):
        for status in STATUS.findall(data):
            self.statuses += 1
            is_refusal = self.statuses == 1 and status == b"400"
            self.counts["refused" if is_refusal else "another user gets a wrong response"] += 1
        return b""


class HTTPAttack(Attack):
    """Connections to the HTTP port."""

    number, behaviour = 16, Requests

    def arguments_of_behaviour(self):
        """Returns what a connection's behaviour is made of."""
        raise NotImplementedError

    def connections(self):
        make = functools.partial(self.behaviour, self.counts, *self.arguments_of_behaviour())
        return [Connection(self.http_endpoint, "127.66.0.1", make) for _ in range(self.number)]


class HTTPHeads(HTTPAttack):
    """98 connections with heads that do not end, and without credentials."""

    is_by_hand = True
    number, behaviour, mebibytes = 98, Incomplete, 64

    def arguments_of_behaviour(self):
        return [head("GetItem", length=0)[:-2] + b"x: " + b"a" * 30_000]


class HTTPBodies(HTTPAttack):
    """Messages of 4 MiB without their last byte."""

    is_by_hand = True
    behaviour = Incomplete

    def arguments_of_behaviour(self):
        # The first request authenticates the connection.
        return [head("GetServerInfo", self.token, 2) + b"{}"
                + head("BatchAddItems", self.token, MESSAGE_BYTES) + bytes(MESSAGE_BYTES - 1)]


class HTTPStrangers(HTTPAttack):
    """64 pipelined calls on each of 98 connections, without credentials."""

    number, mebibytes, required = 98, 64, ("401",)

    def arguments_of_behaviour(self):
        return [head("GetItem", length=2) + b"{}", 64]


class HTTPCalls(HTTPAttack):
    """64 pipelined calls on each connection."""

    is_by_hand = True
    required = ("404",)

    def arguments_of_behaviour(self):
        body = b'{"id": "0198c0de-7000-7abc-8def-0123456789ab"}'
        return [head("GetItem", self.token, len(body)) + body, 64]


class HTTPJSON(HTTPAttack):
    """Batches of 3 MB of JSON in fields that the schema does not have, which end with an error."""

    required = ("400",)

    def arguments_of_behaviour(self):
        body = b'{"x": [' + b'{"y": [1, 2, "\\u0041"]}, ' * 120_000 + b"]"
        return [head("BatchAddItems", self.token, len(body)) + body, 1]


class HTTPChunks(HTTPAttack):
    """Bodies in chunks of one byte."""

    is_by_hand = True
    required = ("400",)

    def arguments_of_behaviour(self):
        return [head("GetItem", self.token) + b"1\r\n{\r\n" * CHUNKS + b"0\r\n\r\n", 1]


class HTTPWatches(HTTPAttack):
    """Watches with snapshots that are not read."""

    is_by_hand = True
    number, behaviour = 98, Unread

    def prepare(self):
        self.fill(new_item(f"Item {index}", description="x" * (DESCRIPTION_BYTES // 2)) for index in range(200))

    def arguments_of_behaviour(self):
        body = b'\0\0\0\0\x14{"withSnapshot": {}}'
        return [head("WatchItems", self.token, len(body), "application/connect+json") + body]


class HTTPGzip(HTTPAttack):
    """Requests of 4 KB, which become 4 MB of blanks in a small message."""

    required = ("200",)

    def arguments_of_behaviour(self):
        body = gzip.compress(b"{" + b" " * (MESSAGE_BYTES - 1000) + b"}")
        return [head("GetServerInfo", self.token, len(body), "application/json", "content-encoding: gzip") + body, 1]


class HTTPSmuggling(HTTPAttack):
    """Requests in which others are hidden, over connections that a proxy shares with another user."""

    is_by_hand = True
    behaviour, harmful, required = Smuggler, ("another user gets a wrong response",), ("refused",)

    def arguments_of_behaviour(self):
        return [self.token]


class HTTPIdle(HTTPAttack):
    """882 connections from nine addresses, which are idle after a call. 294 of them have authenticated."""

    is_by_hand = True
    # The connections are open and idle by then.
    warm_up = 5
    addresses, number, behaviour, mebibytes, required = 9, 98, Incomplete, 64, ("200", "401")

    def connections(self):
        calls = [functools.partial(self.behaviour, self.counts, head("GetServerInfo", token, 2) + b"{}")
                 for token in (self.token, None, None)]
        return [Connection(self.http_endpoint, f"127.66.0.{1 + address}", calls[address % len(calls)])
                for address in range(self.addresses) for _ in range(self.number)]
