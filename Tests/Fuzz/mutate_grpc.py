"""Sends sessions of HTTP/2 with hostile headers, messages and frames to the gRPC port of a real server.

Each session has a few almost valid calls: with edge cases of the headers that a gRPC library parses, with mutated messages
of Protos/vectors, and with frames out of order. After each, the server must answer a valid call on the same connection or
close it. At the end it must serve, with no more sockets open and hardly more memory than after the first tenth.

    mutate_grpc.py [SESSIONS]     the number of sessions; default 2,000, by hand 100,000
    mutate_grpc.py --seed N       repeats the sessions of a run that printed this seed
    mutate_grpc.py --leak         keeps connections open that it should close, to verify that the test can fail
    mutate_grpc.py --growth MIB   the growth of memory that counts as noise; default 24

TODO_SERVER_PROGRAM names another server than the debug build. What was last sent to a server that failed stays in
.build-asan.
"""

import json
import random

import http2
import mutation
from mutation import THREADS, Broken, expect, root


class Seeds:
    """The paths and messages of requests."""

    def __init__(self):
        self.calls = [("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", b"\x3a\x00")]
        for each in json.loads((root / "Protos" / "vectors" / "messages.json").read_text()):
            package, _, name = each["message"].rpartition(".")
            if name.endswith("Request"):
                data, method = bytes.fromhex(each["hex"]), name.removesuffix("Request")
                service = "grpc.health.v1.Health" if package == "grpc.health.v1" else f"{package}.ToDoService"
                self.calls.append((f"/{service}/{'Check' if package == 'grpc.health.v1' else method}", data))


class Mutator:
    """Creates almost valid calls, as frames, with a seeded generator."""

    TIMEOUTS = [
        b"-1S", b"-1H", b"-99999999H", b"-9223372036854775808n", b"-0n", b"0n", b"1n", b"99999999H", b"9999999H", b"100000000S", b"S", b"",
        b"1", b"1s", b"+1S", b"1.5S", b" 1S", b"\xff", b"1\xc3", b"9" * 100 + b"S", b"\xd9\xa3S"]
    VALUES = {
        b"grpc-timeout": TIMEOUTS,
        b"grpc-encoding": [b"", b"gzip", b"deflate", b"identity", b"identity,gzip", b"\xff", b"snappy", b"," * 50],
        b"grpc-accept-encoding": [b"", b"gzip", b"identity,deflate,gzip", b"\xff\xfe", b"," * 500],
        b"content-type": [b"", b"application/grpc", b"application/grpc+proto", b"application/grpc;x", b"text/html", b"\xff"],
        b"te": [b"", b"trailers", b"gzip", b"trailers, gzip", b"\xff"],
        b":path": [b"", b"/", b"//", b"/a", b"/a/b", b"/a/b/c", b"*", b"/\xff/\xff", b"/" * 1000, b"/todo.v1.ToDoService/"],
        b":method": [b"", b"GET", b"CONNECT", b"OPTIONS", b"post", b"\xff"],
        b":scheme": [b"", b"https", b"ftp", b"\xff"],
        b":authority": [b"", b"\xff", b"a" * 1000],
        b":status": [b"200"], b":unknown": [b"x"], b"": [b"x"], b"Upper": [b"x"],
        b"x-bin": [b"", b"=", b"====", b"A", b"AA", b"AAA", b"A===", b"A=A=", b"\xff\xfe", b"AA==,AA", b"," * 100],
        b"grpc-status-details-bin": [b"A", b"\xff"], b"authorization": [b"", b"Bearer", b"Bearer \xff", b"Bearer todo_0_0"],
        b"user-agent": [b"", b"\xff", b"a" * 3000], b"grpc-previous-rpc-attempts": [b"-1", b"x", b"99999999999999999999"],
        b"grpc-tags-bin": [b"$"], b"content-length": [b"0", b"-1", b"5", b"99999999999999999999"], b"connection": [b"close"],
        b"todo-connection": [b"1", b"-1", b"99999999999999999999"], b"grpc-retry-pushback-ms": [b"-1", b"x"],
        b"large": [b"x" * 15_000, b"x" * 20_000],
    }
    LENGTHS = [0, 1, 4, 5, 4 << 20, (4 << 20) + 1, 1 << 31, (1 << 32) - 1]

    def __init__(self, seeds, seed):
        self.seeds, self.random = seeds, random.Random(seed)

    def call(self, stream):
        """The frames of a call. Its answer need not come."""
        path, data = self.random.choice(self.seeds.calls)
        headers = http2.call_headers(path)
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 4])):
            name = self.random.choice(list(self.VALUES))
            value = self.mutated(self.random.choice(self.VALUES[name]), 0.2)
            if self.random.random() < 0.5:
                headers = [pair for pair in headers if pair[0] != name]
            headers.insert(self.random.randrange(len(headers) + 1) if self.random.random() < 0.2 else len(headers), (name, value))
        block = self.mutated(http2.header_block(headers), 0.03)
        return self.header_frames(stream, block) + self.messages(stream, data) + self.others(stream)

    def header_frames(self, stream, block):
        ends = http2.END_STREAM if self.random.random() < 0.1 else 0
        if self.random.random() < 0.9 and len(block) <= 16_384:
            return http2.frame(http2.HEADERS, http2.END_HEADERS | ends, stream, block)
        cut = min(self.random.randrange(len(block) + 1), 16_384)
        rest = [block[start : start + 16_384] for start in range(cut, len(block), 16_384)] or [b""]
        frames = http2.frame(http2.HEADERS, ends, stream, block[:cut])
        for index, part in enumerate(rest):
            flags = http2.END_HEADERS if index == len(rest) - 1 else 0
            frames += http2.frame(http2.CONTINUATION, flags, stream, part)
        return frames

    def messages(self, stream, data):
        dice, body = self.random.random, b""
        for _ in range(self.random.choice([0, 1, 1, 1, 1, 2])):
            data = self.mutated(data, 0.5)
            body += http2.message(data, self.random.choice([0, 0, 0, 0, 0, 0, 0, 1, 2, 255]))
        if dice() < 0.05:
            body = body[:1] + self.random.choice(self.LENGTHS).to_bytes(4, "big") + body[5:]
        if dice() < 0.1:
            body = body[: self.random.randrange(len(body) + 1)]
        cuts = sorted(self.random.randrange(len(body) + 1) for _ in range(self.random.choice([0, 0, 0, 1, 3])))
        parts = [body[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(body)])]
        ends = dice() < 0.95
        return b"".join(
            http2.data_frame(stream, part[:16_384], ends and index == len(parts) - 1) for index, part in enumerate(parts))

    def others(self, stream):
        """Frames that follow a call: most calls have none."""
        dice = self.random.random()
        if dice < 0.75:
            return b""
        if dice < 0.8:
            return self.large()
        if dice < 0.9:
            return http2.frame(http2.RST_STREAM, 0, stream, self.random.randrange(20).to_bytes(4, "big"))
        kind = self.random.choice([*range(10), 77])
        payload = self.random.randbytes(self.random.choice([0, 1, 4, 5, 6, 8, 100]))
        return http2.frame(kind, self.random.randrange(256), self.random.choice([0, stream, stream + 2, 1 << 30]), payload)

    def large(self):
        """Frames without effect whose lengths keep reads from ending with a frame."""
        lengths = [self.random.choice([0, 1, 2039, 2040, 16_383, 16_384]) for _ in range(self.random.choice([1, 2, 5]))]
        return b"".join(
            http2.frame(77, self.random.randrange(256), self.random.choice([0, 1]), bytes(length)) for length in lengths)

    def mutated(self, data, chance):
        if self.random.random() >= chance:
            return data
        data = bytearray(data)
        for _ in range(self.random.choice([1, 1, 2, 8])):
            place = self.random.randrange(len(data) + 1)
            way = self.random.randrange(4)
            if way == 0 and place < len(data):
                data[place] ^= 1 << self.random.randrange(8)
            elif way == 1:
                data[place:place] = self.random.randbytes(self.random.choice([1, 1, 2, 8]))
            elif way == 2:
                del data[place : place + self.random.choice([1, 1, 2, 8])]
            else:
                del data[place:]
        return bytes(data)


class Server(mutation.Server):
    def __init__(self, folder):
        super().__init__(folder, "--listen", "tcp://127.0.0.1:0", "--grpc-listen", "127.0.0.1:0")
        self.port = int(next(line for line in self.lines if "grpc+" in line).rpartition(":")[2])


class Sender(mutation.Sender):
    """Holds its share of the sessions, one after the other."""

    def converse(self):
        self.remaining -= 1
        self.connections += 1
        self.connection, stream = http2.Connection(self.server.port), 1
        try:
            for _ in range(self.mutator.random.choice([1, 2, 4])):
                batch = b""
                for _ in range(self.mutator.random.choice([1, 1, 3])):
                    batch += self.mutator.call(stream)
                    stream += 2
                good = http2.headers_frame(stream, http2.call_headers("/grpc.health.v1.Health/Check"))
                self.connection.send(batch + good + http2.data_frame(stream, http2.message()))
                answer = self.connection.answer(stream)
                stream += 2
                if answer is None:
                    self.closed += 1
                    break
                self.answered += 1
        except TimeoutError:
            raise Broken("a good call has no answer, and the connection is not closed") from None
        except (BrokenPipeError, ConnectionResetError):
            self.closed += 1
        self.end_connection(20)


def expect_service(server):
    connection = http2.Connection(server.port)
    connection.send(
        http2.headers_frame(1, http2.call_headers("/todo.v1.ToDoService/ListItems"))
        + http2.data_frame(1, http2.message()))
    answer = connection.answer(1)
    expect(answer is not None and answer[0][:1] == b"\0", "the server does not list its items")
    connection.close()


def run(arguments, folder):
    seeds, server = Seeds(), Server(folder)

    def senders(seed, sessions, leak):
        return [
            Sender(server, Mutator(seeds, f"{seed}-{index}"), sessions // THREADS, leak) for index in range(THREADS)]

    _, report = mutation.run(arguments, server, senders, expect_service, "mutate-grpc")
    return f"mutate_grpc: {arguments.count:,} sessions {report}"


mutation.main(run, 2_000)
