"""The frames of HTTP/2 and the header blocks of HPACK, as bytes. Nothing here prevents invalid ones."""

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
UNKNOWN = 77
END_STREAM, END_HEADERS, PADDED, PRIORITY_FLAG, ACK = 1, 4, 8, 32, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE = range(1, 6)
ERRORS = (
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
    "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM")


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def data(stream, payload=b"", flags=END_STREAM):
    return frame(DATA, flags, stream, payload)


def headers(stream, block, flags=END_HEADERS):
    return frame(HEADERS, flags, stream, block)


def continuation(stream, block, flags=END_HEADERS):
    return frame(CONTINUATION, flags, stream, block)


def priority(stream, dependency=0, weight=15):
    return frame(PRIORITY, 0, stream, dependency.to_bytes(4, "big") + bytes([weight]))


def reset(stream, code=8):
    return frame(RST_STREAM, 0, stream, code.to_bytes(4, "big"))


def settings(*pairs):
    return frame(SETTINGS, 0, 0, b"".join(name.to_bytes(2, "big") + value.to_bytes(4, "big") for name, value in pairs))


def window(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, increment.to_bytes(4, "big"))


def go_away(stream=0, code=0, last=0):
    return frame(GOAWAY, 0, stream, last.to_bytes(4, "big") + code.to_bytes(4, "big"))


# MARK: HPACK

# The first bits of literals (RFC 7541, 6.2).
INDEXED, PLAIN, NEVER = 0x40, 0x00, 0x10


def integer(value, bits, first=0):
    """Encodes an integer. `first` contains the upper bits of the first byte."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    encoded, value = [first | most], value - most
    while value >= 128:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes([*encoded, value])


def string(text):
    encoded = text.encode() if isinstance(text, str) else text
    return integer(len(encoded), 7) + encoded


def literal(name, value, form=PLAIN):
    """Encodes a header. A number as its name is an index."""
    bits = 6 if form == INDEXED else 4
    return (integer(name, bits, form) if isinstance(name, int) else bytes([form]) + string(name)) + string(value)


def indexed(index):
    return integer(index, 7, 0x80)


def block(pairs, form=PLAIN):
    return b"".join(literal(name, value, form) for name, value in pairs)
