"""What HTTP/2 and HPACK demand of a server, as bytes that a client sends and the answer that is expected.

The sections are those of RFC 9113 and RFC 7541, in the order of h2spec, whose cases these follow. An answer is one of:

- served: the call on the stream succeeds
- nothing: the stream gets no answer
- stream CODE: the stream is reset with the code, and later calls succeed
- connection CODE: GOAWAY with the code, and the end of the connection
- closed: the end of the connection
- a number: the HTTP status of the stream
"""

from collections import namedtuple

from connection import *

# `stream` is the one of the answer, and `preface` what the client sends first.
Case = namedtuple("Case", "section name steps answer stream preface", defaults=(1, PREFACE + settings()))

SERVICE = "/todo.v1.ToDoService/"
PROTOCOL, STREAM_CLOSED = "PROTOCOL_ERROR", "STREAM_CLOSED"
FRAME_SIZE, FLOW_CONTROL, COMPRESSION = "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR", "COMPRESSION_ERROR"
PAST_END = 1 << 31
# A field that no message has.
MESSAGE = b"\x78\x01"
# WatchItemsRequest with `now`.
NOW = b"\x0a\x00"


class Subject:
    """A port of the server, and how to call methods there."""

    def __init__(self, name, port, unary, stream, is_enveloped):
        self.name, self.port, self.types, self.is_enveloped = name, port, (unary, stream), is_enveloped
        self.body = self.envelope(MESSAGE) if is_enveloped else MESSAGE

    def envelope(self, message):
        return b"\0" + len(message).to_bytes(4, "big") + message

    def pairs(self, *more, method="GetServerInfo", without=None):
        """The headers of a call, with the pseudo-headers first."""
        pairs = [
            (":method", "POST"), (":scheme", "http"), (":path", SERVICE + method), (":authority", "localhost"),
            ("content-type", self.types[method == "WatchItems"]), *more]
        return [pair for pair in pairs if pair[0] != without]

    def open(self, stream=1, *more, flags=END_HEADERS, **options):
        return headers(stream, block(self.pairs(*more, **options)), flags)

    def finish(self, stream=1):
        return data(stream, self.body)

    def call(self, stream=1, *more, **options):
        return self.open(stream, *more, **options) + self.finish(stream)

    def watch(self, stream=1):
        """A call whose response does not end."""
        return self.open(stream, method="WatchItems") + data(stream, self.envelope(NOW))

    def call_with(self, encoded, stream=1):
        """A call whose header block ends with encoded headers."""
        return headers(stream, block(self.pairs()) + encoded) + self.finish(stream)


def ended(stream):
    return lambda connection: connection.receive_until(lambda: connection.has_ended(stream))


def begun(stream):
    return lambda connection: connection.receive_until(lambda: stream in connection.blocks)


def received(count, stream=1):
    """Waits for data, and checks that no more than that arrives before a PING is answered."""

    def wait(connection):
        connection.receive_until(lambda: len(connection.data.get(stream, b"")) >= count)
        connection.send(frame(PING, 0, 0, b"received"))
        connection.receive_until(lambda: b"received" in connection.pings)
        found = len(connection.data.get(stream, b""))
        assert found == count, f"{found} bytes instead of {count}"

    return wait


def pinged(payload):
    return lambda connection: connection.receive_until(lambda: payload in connection.pings)


def acknowledged(count):
    return lambda connection: connection.receive_until(lambda: connection.acknowledgements == count)


def connection_cases(p):
    """Sections 3 and 4: how a connection begins, and frames."""
    return [
        Case("3.4", "SETTINGS are acknowledged", [acknowledged(1)], "nothing"),
        Case("3.4", "another preface", [], f"connection {PROTOCOL}", preface=PREFACE[:-2] + b"\n\n" + settings()),
        Case("3.4", "another first frame than SETTINGS", [p.call()], f"connection {PROTOCOL}", preface=PREFACE),
        Case("4.1", "a frame of an unknown type", [frame(UNKNOWN, 255, 0, bytes(8)), p.call()], "served"),
        Case("4.1", "undefined flags", [frame(PING, 0x16, 0, bytes(8)), pinged(bytes(8))], "nothing"),
        Case("4.1", "the reserved bit", [frame(PING, 0, PAST_END, bytes(8)), pinged(bytes(8))], "nothing"),
        Case("4.2", "a header block of 16,384 bytes", [
            headers(1, (start := block(p.pairs())) + literal("x", "y" * (16_384 - len(start) - 6))), p.finish()],
            "served"),
        # The server does not wait for the payload.
        *(Case("4.2", f"a frame of type {kind} longer than SETTINGS_MAX_FRAME_SIZE", [
            p.open(), frame(kind, 0, 1, bytes(16_385))[:9]], f"connection {FRAME_SIZE}") for kind in (DATA, HEADERS, UNKNOWN)),
        Case("4.3", "an incomplete header block", [headers(1, b"\x40")], f"connection {COMPRESSION}"),
        Case("4.3", "PRIORITY in a header block", [
            p.open(flags=0), priority(1), continuation(1, literal("x", "y"))], f"connection {PROTOCOL}"),
        Case("4.3", "HEADERS of another stream in a header block", [
            p.open(flags=0), p.open(3)], f"connection {PROTOCOL}"),
        Case("4.3", "an unknown frame in a header block", [
            p.open(flags=0), frame(UNKNOWN, 0, 1), continuation(1, literal("x", "y"))], f"connection {PROTOCOL}"),
    ]


def state_cases(p):
    """Section 5: streams."""
    finished, canceled = [p.call(), ended(1)], [p.open(), reset(1)]
    return [
        Case("5.1", "DATA when idle", [data(1)], f"connection {PROTOCOL}"),
        Case("5.1", "RST_STREAM when idle", [reset(1)], f"connection {PROTOCOL}"),
        Case("5.1", "WINDOW_UPDATE when idle", [window(1, 100)], f"connection {PROTOCOL}"),
        Case("5.1", "CONTINUATION when idle", [continuation(1, block(p.pairs()))], f"connection {PROTOCOL}"),
        Case("5.1", "WINDOW_UPDATE when half-closed", [p.watch(), window(1, 100)], "nothing"),
        Case("5.1", "PRIORITY when half-closed", [p.watch(), priority(1)], "nothing"),
        Case("5.1", "RST_STREAM when half-closed", [p.watch(), reset(1)], "nothing"),
        Case("5.1", "DATA when half-closed", [p.watch(), data(1)], f"stream {STREAM_CLOSED}"),
        # An error of the stream, as it must be, although with another code than STREAM_CLOSED.
        Case("5.1", "HEADERS when half-closed", [p.watch(), p.open(flags=END_HEADERS | END_STREAM)], f"stream {PROTOCOL}"),
        Case("5.1", "CONTINUATION when half-closed", [p.watch(), continuation(1, b"")], f"connection {PROTOCOL}"),
        # An error of the stream would do, but a client that sends these has lost track of its streams.
        Case("5.1", "DATA after RST_STREAM", [*canceled, data(1)], f"connection {STREAM_CLOSED}"),
        Case("5.1", "HEADERS after RST_STREAM", [*canceled, p.open()], f"connection {PROTOCOL}"),
        Case("5.1", "CONTINUATION after RST_STREAM", [*canceled, continuation(1, b"")], f"connection {PROTOCOL}"),
        Case("5.1", "WINDOW_UPDATE after RST_STREAM", [*canceled, window(1, 100)], "nothing"),
        Case("5.1", "PRIORITY after RST_STREAM", [*canceled, priority(1)], "nothing"),
        Case("5.1", "DATA when closed", [*finished, data(1)], f"connection {STREAM_CLOSED}"),
        # The same as a stream ID that is used again (5.1.1).
        Case("5.1", "HEADERS when closed", [*finished, p.open()], f"connection {PROTOCOL}"),
        Case("5.1", "CONTINUATION when closed", [*finished, continuation(1, b"")], f"connection {PROTOCOL}"),
        Case("5.1", "WINDOW_UPDATE when closed", [*finished, window(1, 100)], "served"),
        Case("5.1", "RST_STREAM when closed", [*finished, reset(1)], "served"),
        Case("5.1", "PRIORITY when closed", [*finished, priority(1)], "served"),
        Case("5.1.1", "an even stream ID", [p.open(2)], f"connection {PROTOCOL}"),
        Case("5.1.1", "a lower stream ID", [p.open(5), p.open(3)], f"connection {PROTOCOL}"),
        Case("5.1.1", "a skipped stream ID", [p.call(5)], "served", 5),
        Case("5.1.2", "more streams than permitted", [
            *(p.open(stream) for stream in range(1, 257, 2)), p.call(257), ended(257), reset(1)],
            "stream REFUSED_STREAM", 257),
        Case("5.3", "HEADERS with a priority", [
            headers(1, bytes([0, 0, 0, 0, 9]) + block(p.pairs()), END_HEADERS | PRIORITY_FLAG), p.finish()], "served"),
        # RFC 7540 demands an error of the stream, and RFC 9113 none.
        Case("5.3", "HEADERS that depend on themselves", [
            headers(1, bytes([0, 0, 0, 1, 9]) + block(p.pairs()), END_HEADERS | PRIORITY_FLAG)], f"connection {PROTOCOL}"),
        Case("5.3", "PRIORITY of an idle stream", [priority(1), p.call()], "served"),
        Case("5.3", "PRIORITY that depends on itself", [p.open(), priority(1, dependency=1)], f"connection {PROTOCOL}"),
        Case("5.5", "an unknown setting", [settings((0xFF, 1)), p.call()], "served"),
    ]


def frame_cases(p):
    """Section 6: the types of frames."""
    rest = [settings((INITIAL_WINDOW_SIZE, 65_535)), window(1, 65_535)]
    return [
        Case("6.1", "DATA in parts", [
            p.open(), *(data(1, p.body[n:n + 1], 0) for n in range(len(p.body))), data(1)], "served"),
        Case("6.1", "padded DATA", [p.open(), data(1, b"\x03" + p.body + bytes(3), END_STREAM | PADDED)], "served"),
        Case("6.1", "DATA of stream 0", [p.open(), data(0)], f"connection {PROTOCOL}"),
        Case("6.1", "DATA with more padding than payload", [
            p.open(), data(1, b"\x05ab", END_STREAM | PADDED)], f"connection {PROTOCOL}"),
        Case("6.1", "padded DATA without a length of the padding", [
            p.open(), data(1, b"", END_STREAM | PADDED)], f"connection {PROTOCOL}"),
        Case("6.2", "padded HEADERS", [
            headers(1, b"\x03" + block(p.pairs()) + bytes(3), END_HEADERS | PADDED), p.finish()], "served"),
        Case("6.2", "padded HEADERS with a priority", [
            headers(1, b"\x03" + bytes(5) + block(p.pairs()) + bytes(3), END_HEADERS | PADDED | PRIORITY_FLAG),
            p.finish()], "served"),
        Case("6.2", "HEADERS of stream 0", [p.open(0)], f"connection {PROTOCOL}"),
        Case("6.2", "HEADERS with more padding than payload", [
            headers(1, b"\xff" + block(p.pairs()), END_HEADERS | PADDED)], f"connection {PROTOCOL}"),
        Case("6.3", "PRIORITY of stream 0", [priority(0)], f"connection {PROTOCOL}"),
        # An error of the stream would do.
        Case("6.3", "PRIORITY of four bytes", [p.open(), frame(PRIORITY, 0, 1, bytes(4))], f"connection {FRAME_SIZE}"),
        Case("6.4", "RST_STREAM of stream 0", [reset(0)], f"connection {PROTOCOL}"),
        Case("6.4", "RST_STREAM of three bytes", [p.open(), frame(RST_STREAM, 0, 1, bytes(3))], f"connection {FRAME_SIZE}"),
        Case("6.5", "SETTINGS of a stream", [frame(SETTINGS, 0, 1)], f"connection {PROTOCOL}"),
        Case("6.5", "SETTINGS of three bytes", [frame(SETTINGS, 0, 0, bytes(3))], f"connection {FRAME_SIZE}"),
        Case("6.5", "an acknowledgement with a payload", [frame(SETTINGS, ACK, 0, bytes(6))], f"connection {FRAME_SIZE}"),
        Case("6.5.2", "SETTINGS_ENABLE_PUSH of 2", [settings((ENABLE_PUSH, 2))], f"connection {PROTOCOL}"),
        Case("6.5.2", "SETTINGS_INITIAL_WINDOW_SIZE of 2^31", [
            settings((INITIAL_WINDOW_SIZE, 1 << 31))], f"connection {FLOW_CONTROL}"),
        Case("6.5.2", "SETTINGS_MAX_FRAME_SIZE of 16,383", [
            settings((MAX_FRAME_SIZE, 16_383))], f"connection {PROTOCOL}"),
        Case("6.5.2", "SETTINGS_MAX_FRAME_SIZE of 2^24", [
            settings((MAX_FRAME_SIZE, 1 << 24))], f"connection {PROTOCOL}"),
        Case("6.5.3", "the last value of a setting counts", [
            settings((INITIAL_WINDOW_SIZE, 100), (INITIAL_WINDOW_SIZE, 1)), p.call(), received(1), *rest], "served"),
        Case("6.5.3", "each SETTINGS is acknowledged", [settings(), settings(), acknowledged(3)], "nothing"),
        Case("6.6", "PUSH_PROMISE", [
            p.open(), frame(PUSH_PROMISE, END_HEADERS, 1, bytes([0, 0, 0, 2]) + block(p.pairs()))],
            f"connection {PROTOCOL}"),
        Case("6.7", "PING", [frame(PING, 0, 0, b"abcdefgh"), pinged(b"abcdefgh")], "nothing"),
        Case("6.7", "an unexpected acknowledgement of a PING", [frame(PING, ACK, 0, bytes(8)), p.call()], "served"),
        Case("6.7", "PING of a stream", [frame(PING, 0, 1, bytes(8))], f"connection {PROTOCOL}"),
        Case("6.7", "PING of six bytes", [frame(PING, 0, 0, bytes(6))], f"connection {FRAME_SIZE}"),
        Case("6.8", "GOAWAY of a stream", [go_away(stream=1)], f"connection {PROTOCOL}"),
        Case("6.10", "a header block in parts", [
            headers(1, block(p.pairs())[:3], 0), continuation(1, block(p.pairs())[3:9], 0),
            continuation(1, block(p.pairs())[9:]), p.finish()], "served"),
        Case("6.10", "DATA in a header block", [p.open(flags=0), data(1)], f"connection {PROTOCOL}"),
        Case("6.10", "CONTINUATION of stream 0", [
            p.open(flags=0), continuation(0, literal("x", "y"))], f"connection {PROTOCOL}"),
        Case("6.10", "CONTINUATION of another stream", [
            p.open(flags=0), continuation(3, literal("x", "y"))], f"connection {PROTOCOL}"),
        Case("6.10", "CONTINUATION after a complete header block", [
            p.open(), continuation(1, literal("x", "y"))], f"connection {PROTOCOL}"),
        Case("6.10", "CONTINUATION after the last one", [
            p.open(flags=0), continuation(1, literal("x", "y")), continuation(1, literal("x", "y"))],
            f"connection {PROTOCOL}"),
        Case("6.10", "CONTINUATION after DATA", [
            p.open(), data(1, p.body, 0), continuation(1, literal("x", "y"))], f"connection {PROTOCOL}"),
        Case("7", "GOAWAY with an unknown error", [go_away(code=0xFF)], "nothing"),
        Case("7", "RST_STREAM with an unknown error", [p.open(), reset(1, code=0xFF)], "nothing"),
    ]


def flow_cases(p):
    """Sections 5.2 and 6.9: flow control."""
    most = (1 << 31) - 1
    rest = [settings((INITIAL_WINDOW_SIZE, 65_535)), window(1, 65_535)]
    return [
        Case("6.9", "an increment of 0 on the connection", [window(0, 0)], f"connection {PROTOCOL}"),
        Case("6.9", "an increment of 0 on a stream", [p.watch(), window(1, 0)], f"stream {PROTOCOL}"),
        Case("6.9", "WINDOW_UPDATE of three bytes", [frame(WINDOW_UPDATE, 0, 0, bytes(3))], f"connection {FRAME_SIZE}"),
        Case("6.9.1", "a window of 1 byte", [
            settings((INITIAL_WINDOW_SIZE, 1)), p.call(), received(1), window(1, 1), received(2), *rest],
            "served"),
        Case("6.9.1", "a window above 2^31-1 on the connection", [
            window(0, most), window(0, most)], f"connection {FLOW_CONTROL}"),
        Case("6.9.1", "a window above 2^31-1 on a stream", [
            p.watch(), window(1, most), window(1, most)], f"stream {FLOW_CONTROL}"),
        Case("6.9.2", "a window that SETTINGS opens", [
            settings((INITIAL_WINDOW_SIZE, 0)), p.call(), begun(1), received(0), settings((INITIAL_WINDOW_SIZE, 1)),
            received(1), *rest], "served"),
        Case("6.9.2", "a negative window", [
            settings((INITIAL_WINDOW_SIZE, 3)), p.call(), received(3), settings((INITIAL_WINDOW_SIZE, 2)), window(1, 1),
            received(3), window(1, 1), received(4), *rest], "served"),
        Case("6.9.2", "SETTINGS that make a window too large", [
            p.watch(), window(1, most - 65_535), settings((INITIAL_WINDOW_SIZE, 65_536))], f"connection {FLOW_CONTROL}"),
    ]


def message_cases(p):
    """Section 8: requests."""
    malformed = f"stream {PROTOCOL}"
    pseudo = [pair for pair in p.pairs() if pair[0].startswith(":")]
    ordinary = [pair for pair in p.pairs() if not pair[0].startswith(":")]

    def request(*more, **options):
        return [p.call(1, *more, **options)]

    def replaced(name, *values):
        pairs = p.pairs(without=name)
        return [headers(1, block([(name, value) for value in values] + pairs)) + p.finish()]

    return [
        Case("8.1", "trailers", [p.open(), data(1, p.body, 0), headers(
            1, block([("x", "y")]), END_HEADERS | END_STREAM)], "served"),
        Case("8.1", "trailers without END_STREAM", [p.open(), data(1, p.body, 0), headers(1, block([("x", "y")]))], malformed),
        Case("8.1", "a pseudo-header in trailers", [p.open(), data(1, p.body, 0), headers(
            1, block([(":method", "POST")]), END_HEADERS | END_STREAM)], malformed),
        Case("8.1.1", "a content length that is too large", [
            p.open(1, ("content-length", "100")), p.finish()], malformed),
        Case("8.1.1", "a content length that is too small", [p.open(1, ("content-length", "1")), p.finish()], malformed),
        Case("8.1.1", "a wrong content length of several frames", [
            p.open(1, ("content-length", "1")), data(1, p.body[:1], 0), data(1, p.body[1:])], malformed),
        Case("8.1.1", "the right content length", [
            p.open(1, ("content-length", str(len(p.body)))), p.finish()], "served"),
        Case("8.2.1", "an uppercase name", request(("X-A", "b")), malformed),
        # The library that decodes the header block takes it for an invalid one.
        Case("8.2.1", "an empty name", request(("", "b")), f"connection {COMPRESSION}"),
        Case("8.2.1", "a name with a space", request(("x a", "b")), malformed),
        Case("8.2.1", "a name with a colon", request(("x:a", "b")), malformed),
        Case("8.2.1", "a name that is not ASCII", request(("x-é", "b")), malformed),
        Case("8.2.1", "a value with NUL", request(("x", "a\0b")), malformed),
        Case("8.2.1", "a value with a line feed", request(("x", "a\nb")), malformed),
        Case("8.2.1", "a value with a carriage return", request(("x", "a\rb")), malformed),
        # In gRPC, values may have space around them, and have no tabs: the status of the call is an error.
        Case("8.2.1", "a value that begins with a space", request(("x", " a")), "served" if p.is_enveloped else "400"),
        Case("8.2.1", "a value that ends with a space", request(("x", "a ")), "served" if p.is_enveloped else "400"),
        Case("8.2.1", "a value that ends with a tab", request(("x", "a\t")), "200" if p.is_enveloped else "400"),
        *(Case("8.2.2", f"the header {name}", request((name, value)), malformed) for name, value in (
            ("connection", "keep-alive"), ("keep-alive", "timeout=5"), ("proxy-connection", "keep-alive"),
            ("transfer-encoding", "chunked"), ("upgrade", "h2c"))),
        Case("8.2.2", "another TE than trailers", request(("te", "trailers, deflate")), malformed),
        Case("8.2.2", "the TE trailers", request(("te", "trailers")), "served"),
        Case("8.2.3", "a cookie in parts", request(("cookie", "a=b"), ("cookie", "c=d")), "served"),
        Case("8.3", "an unknown pseudo-header", [
            headers(1, block([(":unknown", "x")] + p.pairs())), p.finish()], malformed),
        Case("8.3", "a pseudo-header of responses", [
            headers(1, block([(":status", "200")] + p.pairs())), p.finish()], malformed),
        Case("8.3", "a pseudo-header after others", [
            headers(1, block(pseudo[:-1] + ordinary + pseudo[-1:])), p.finish()], malformed),
        *(Case("8.3.1", f"no {name}", request(without=name), malformed) for name in (":method", ":scheme", ":path")),
        Case("8.3.1", "no :authority", request(without=":authority"), "served"),
        Case("8.3.1", "an empty :path", replaced(":path", ""), malformed),
        *(Case("8.3.1", f"{name} twice", replaced(name, value, value), malformed) for name, value in (
            (":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "localhost"))),
    ]


def compression_cases(p):
    """RFC 7541: header compression."""
    failure = f"connection {COMPRESSION}"
    pairs = p.pairs()
    again = b"".join(indexed(62 + position) for position in reversed(range(len(pairs))))
    key, value = bytes.fromhex("8825a849e95ba97d7f"), bytes.fromhex("8925a849e95bb8e8b4bf")
    # "test" in Huffman code, after the name "x".
    name = b"\0" + string("x")
    return [
        Case("7541 2.3.3", "an index above the tables", [p.call_with(indexed(70))], failure),
        Case("7541 2.3.3", "a name with an index above the tables", [p.call_with(literal(70, "x"))], failure),
        Case("7541 4.2", "a table size at the end of a header block", [p.call_with(b"\x20")], failure),
        Case("7541 5.1", "an integer that is too large", [p.call_with(b"\xff" + b"\xff" * 10 + b"\x01")], failure),
        Case("7541 5.1", "an integer without its end", [p.call_with(b"\xff\xff")], failure),
        Case("7541 5.2", "a string longer than its header block", [p.call_with(name + b"\x7eabc")], failure),
        Case("7541 5.2", "Huffman code", [p.call_with(b"\x40" + key + value)], "served"),
        Case("7541 5.2", "Huffman code with 8 bits of padding", [
            p.call_with(name + b"\x84" + bytes.fromhex("49509fff"))], failure),
        Case("7541 5.2", "Huffman code with zeros as padding", [
            p.call_with(name + b"\x83" + bytes.fromhex("495090"))], failure),
        Case("7541 5.2", "Huffman code of the end of a string", [
            p.call_with(name + b"\x87" + bytes.fromhex("fffffffd25427f"))], failure),
        *(Case("7541 6.2", f"literals {name}", [
            headers(1, block(pairs, form)), p.finish()], "served") for name, form in (
            ("with indexing", INDEXED), ("without indexing", PLAIN), ("never indexed", NEVER))),
        Case("7541 6.1", "indexes of the static table", [
            headers(1, indexed(3) + indexed(6) + block(p.pairs()[2:])), p.finish()], "served"),
        Case("7541 6.1", "indexes of the dynamic table", [
            headers(1, block(pairs, INDEXED)), p.finish(), headers(3, again), p.finish(3)], "served", 3),
        Case("7541 6.1", "the index 0", [p.call_with(indexed(0))], failure),
        *(Case("7541 6.3", f"a table size of {size}", [
            headers(1, integer(size, 5, 0x20) + block(pairs)), p.finish()], "served") for size in (0, 100, 4096)),
        Case("7541 6.3", "a table size above SETTINGS_HEADER_TABLE_SIZE", [
            headers(1, integer(4097, 5, 0x20) + block(pairs))], failure),
        Case("7541 4.4", "a header larger than the table", [
            headers(1, integer(64, 5, 0x20) + block(pairs, INDEXED)), p.finish()], "served"),
    ]


def cases(p):
    return [
        *connection_cases(p), *state_cases(p), *frame_cases(p), *flow_cases(p), *message_cases(p), *compression_cases(p)]
