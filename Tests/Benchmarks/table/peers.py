"""The peers in the folder `peers`, and what loads them: rates a second, and times in microseconds."""

import json
import os
import pathlib
import re
import select
import shutil
import socket
import struct
import subprocess
import time

from . import machine
from .programs import SERVICE, Failed, Process, free_port, output, pinned

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "peers"
BUILT = SOURCES.parents[2] / ".build-peers"
# One of the items that the peers and `load fill` have, for clients that repeat one request.
ITEM = f"00000000-0000-7000-8000-{42:012x}"
WARM_UP = 1.0
# The least that a response with an item has, in each encoding.
LEAST_BYTES = 100


def build(names):
    """Builds peers, and returns the reasons why some are missing."""
    missing = {}
    for name in names:
        result = subprocess.run([SOURCES / "build", name], capture_output=True, text=True)
        if result.returncode:
            missing[name] = f"peers/build {name} fails: {result.stderr.strip()[-300:]}"
    return missing


class Peer(Process):
    """A peer that serves, on processor 0."""

    def __init__(self, name, folder, transport="tcp"):
        self.port = free_port() if transport == "tcp" else None
        self.address = f"tcp:{self.port}" if self.port else f"unix:{folder}/{name}.sock"
        self.process = subprocess.Popen(
            pinned(0, BUILT / name, self.address), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        is_ready, _, _ = select.select([self.process.stdout], [], [], 10)
        if not is_ready or self.process.stdout.readline() != b"ready\n":
            self.stop()
            raise Failed(f"the peer {name} does not start")

    def stop(self):
        if self.process:
            self.process.stdout.close()
        super().stop()

    @property
    def id(self):
        return self.process.pid


class PeerLoad:
    """The load program among the peers, for any ttrpc server."""

    def run(self, server, core, seconds, connections, in_flight, operation="get", rate=None, is_filled=False):
        """Adds the items to read first, if the server does not have them from the start."""
        if operation == "get" and not is_filled:
            self.fill(server)
        arguments = [server.address, operation, connections, in_flight, seconds, server.id]
        arguments += [rate] if rate else []
        return json.loads(output(*pinned(core, BUILT / "load", *arguments)))

    def fill(self, server):
        output(*pinned(1, BUILT / "load", server.address, "fill"))


def commits(bench, rows):
    """SQLite in C, on the processor of the servers."""
    with bench.folder() as folder, bench.alone():
        return json.loads(output(*pinned(0, BUILT / "commits", f"{folder}/rows.sqlite", rows, bench.seconds)))


class HTTPLoad:
    """h2load, which repeats GetItem of one item over HTTP/2 without TLS, in one of the protocols."""

    MESSAGE = bytes([0x0A, len(ITEM)]) + ITEM.encode()
    # The body and the headers of each protocol.
    PROTOCOLS = {
        "grpc": (struct.pack(">BI", 0, len(MESSAGE)) + MESSAGE, ("content-type: application/grpc", "te: trailers")),
        "proto": (MESSAGE, ("content-type: application/proto",)),
        "json": (json.dumps({"id": ITEM}).encode(), ("content-type: application/json",)),
    }

    @staticmethod
    def is_installed():
        return bool(shutil.which("h2load"))

    def run(self, server, port, protocol, folder, seconds, connections, in_flight):
        wait_for_listener(port)
        body, headers = self.PROTOCOLS[protocol]
        path = f"{folder}/body"
        with open(path, "wb") as file:
            file.write(body)
        url = f"http://127.0.0.1:{port}/{SERVICE}/GetItem"
        request = ["-t", "1", "-d", path, *(part for header in headers for part in ("-H", header)), url]
        command = ["h2load", "-c", connections, "-m", in_flight, "-D", seconds, f"--warm-up-time={WARM_UP:g}", *request]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(pinned(1, *command), text=True, **pipes) as client:
            # h2load does not know the server's process. A margin on both sides keeps the window within the measurement.
            margin = seconds / 10
            time.sleep(WARM_UP + margin)
            before, start = machine.cpu_seconds(server.id), time.monotonic()
            time.sleep(seconds - 2 * margin)
            busy = (machine.cpu_seconds(server.id) - before) / (time.monotonic() - start)
            text, _ = client.communicate(timeout=60)
        rate = parse_h2load(text)
        return {"rate": rate, "server": busy / rate * 1e6}


def parse_h2load(text):
    """The rate in what h2load prints. Errors in a protocol have responses that are too short for an item."""
    rate = re.search(r"finished in .*, ([\d.]+) req/s", text)
    requests = re.search(r"requests: .* (\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", text)
    data = re.search(r"traffic: .*\((\d+)\) data", text)
    if not (rate and requests and data):
        raise Failed(f"h2load prints no figures: {text[-300:]}")
    done, succeeded, *others = map(int, requests.groups())
    if not done or done != succeeded or any(others):
        raise Failed(f"errors under the load of h2load: {requests.group(0)}")
    if int(data.group(1)) < done * LEAST_BYTES:
        raise Failed(f"responses without an item under the load of h2load: {data.group(0)}")
    return float(rate.group(1))


def wait_for_listener(port):
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
    raise Failed(f"no server listens on port {port}")
