"""Holds idle connections and measures what each costs the server; then sends half a header on each of many others.

    idle.py [CONNECTIONS]   500; by hand 10000. Half as many, at most 5000, send half a header
    idle.py --fat           with a server that takes 64 KiB more for each connection, to see that the test can fail
    idle.py --patient       with a server whose timers never fire
"""

import select
import socket
import ssl
import struct
import subprocess
import sys
import time
from urllib.parse import urlsplit

import faults
from faults import Server, count, expect, main, shim

PER_ADDRESS = 100
FIRST = 10
PLAIN_KILOBYTES, TLS_KILOBYTES = 8, 40
FIRST_FRAME_SECONDS, LATEST_SECONDS = 10, 15


def certificate(folder):
    files = [f"{folder}/{name}.pem" for name in ("certificate", "key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", files[0], "-keyout", files[1]],
        check=True, capture_output=True)
    return files


class Crowd:
    """Connections from as many addresses as needed: a server accepts 100 from each. Each group has its own addresses."""

    crowds = 0

    def __init__(self, endpoint, tls=None):
        Crowd.crowds += 1
        self.number, self.url, self.tls, self.sockets = Crowd.crowds, urlsplit(endpoint), tls, []

    def connect(self):
        source = f"127.{self.number}.{1 + len(self.sockets) // PER_ADDRESS}.1"
        connection = socket.create_connection((self.url.hostname, self.url.port), 30, (source, 0))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.tls:
            connection = self.tls.wrap_socket(connection, server_hostname="localhost")
        self.sockets.append(connection)
        return connection

    def close(self):
        for each in self.sockets:
            each.close()


def greet(connection, stream=1):
    """Makes a call, because a connection without any call is closed early."""
    call = faults.ttrpc_channel.ttrpc_pb2.Request(service="todo.v1.ToDoService", method="GetServerInfo")
    data = call.SerializeToString()
    connection.sendall(struct.pack(">IIBB", len(data), stream, faults.ttrpc_channel.REQUEST, 0) + data)
    expect(connection.recv(65536), "a connection is closed")


def cost(server, endpoint, tls, size):
    """The memory of one of many idle connections, in KiB."""
    # Fixed allocations are not the cost of a connection.
    first = Crowd(endpoint, tls)
    for _ in range(FIRST):
        greet(first.connect())
    first.close()
    server.settle()
    before = server.kilobytes()
    crowd, poll = Crowd(endpoint, tls), select.poll()
    for _ in range(size):
        greet(crowd.connect())
        poll.register(crowd.sockets[-1], select.POLLRDHUP)
    each = (server.kilobytes() - before) / size
    expect(not poll.poll(500), "idle connections are closed")
    greet(crowd.sockets[0], 3)
    crowd.close()
    server.settle()
    return each


def lateness(crowds, size):
    """The earliest and the latest time, in seconds, after which the server closed connections with half a header."""
    began, poll = {}, select.poll()
    for crowd, beginning in crowds:
        for _ in range(size):
            now = time.monotonic()
            connection = crowd.connect()
            connection.sendall(beginning)
            began[connection.fileno()] = now
            poll.register(connection, select.POLLRDHUP)
    seconds, end = [], time.monotonic() + LATEST_SECONDS
    while began and time.monotonic() < end:
        for number, _ in poll.poll(1000):
            seconds.append(time.monotonic() - began.pop(number))
            poll.unregister(number)
    for crowd, _ in crowds:
        crowd.close()
    expect(not began, f"{len(began)} connections that sent half a header are open after {LATEST_SECONDS} s")
    expect(min(seconds) > FIRST_FRAME_SECONDS - 1, f"a connection is closed after {min(seconds):.1f} s")
    expect(max(seconds) < LATEST_SECONDS, f"a connection is closed only after {max(seconds):.1f} s")
    return min(seconds), max(seconds)


def run(folder):
    name = next((argument.removeprefix("--") for argument in sys.argv[1:] if argument.startswith("--")), None)
    connections = count(500)
    certificates = certificate(folder)
    tls = ssl.create_default_context(cafile=certificates[0])
    server = Server(
        folder, "--listen", "tcp://127.0.0.1:0", "--listen", "tls://127.0.0.1:0",
        "--tls-certificate", certificates[0], "--tls-key", certificates[1],
        environment=shim(folder, name) if name else None)
    server.start()
    plain, secured = server.endpoints[1:]
    kilobytes = cost(server, plain, None, connections)
    expect(kilobytes <= PLAIN_KILOBYTES, f"an idle connection takes {kilobytes:.1f} KiB")
    secured_kilobytes = cost(server, secured, tls, connections)
    expect(secured_kilobytes <= TLS_KILOBYTES, f"an idle connection over TLS takes {secured_kilobytes:.1f} KiB")
    late = min(connections // 4, 2500)
    # Half a header of a frame, and of a TLS record.
    earliest, latest = lateness(
        [(Crowd(plain), b"\0\0\0\x10\0"), (Crowd(secured), b"\x16\x03\x01")], late)
    expect(server.stop() == 0, "the server does not stop")
    return (
        f"idle: {connections} connections take {kilobytes:.1f} KiB each, {secured_kilobytes:.1f} KiB over TLS; "
        f"{2 * late} that sent half a header are closed after {earliest:.1f} to {latest:.1f} s")


main(run)
