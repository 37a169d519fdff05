"""The programs that are measured, and those that measure them."""

import csv
import json
import os
import resource
import shlex
import shutil
import socket
import subprocess
import time

from . import machine

SERVICE = "todo.v1.ToDoService"
# What prints where a program crashed outlives it.
ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


class Failed(Exception):
    """A program did not do what it was started for."""


def pinned(core, *command):
    return ["taskset", "-c", str(core), *map(str, command)]


def output(*command, seconds=300, **options):
    """What a program prints; a failure says what it said."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds, **options)
    if result.returncode:
        raise Failed(f"{shlex.join(map(str, command))}: exit status {result.returncode}: {result.stderr.strip()[-500:]}")
    return result.stdout


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Process:
    """A server in a process of its own, on one processor."""

    def stop(self):
        if not self.process:
            return
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Server(Process):
    """todo-server over a database on disk, as it is delivered: only the limit of how long a list may be is lifted."""

    def __init__(self, program, folder, transport="tcp", core=0, database="items.sqlite"):
        self.socket, self.port = f"{folder}/todo.sock", free_port() if transport == "tcp" else None
        self.endpoint = f"tcp://127.0.0.1:{self.port}" if transport == "tcp" else f"unix://{self.socket}"
        with open(f"{folder}/server.log", "ab") as log:
            self.process = subprocess.Popen(
                pinned(core, program, "serve", "--listen", self.endpoint, "--store", f"sqlite:{folder}/{database}",
                       "--max-items", 10_000_000, "--log-level", "warning"),
                stdout=subprocess.PIPE, stderr=log, text=True, env=ENVIRONMENT)
        line = self.process.stdout.readline()
        if "listening on" not in line:
            self.stop()
            raise Failed(f"the server does not start: {machine.read(f'{folder}/server.log')[-500:]}")

    def stop(self):
        if self.process:
            self.process.stdout.close()
        super().stop()

    @property
    def id(self):
        return self.process.pid


class Redis(Process):
    """redis-server, in memory or with each SET on disk before it is answered."""

    def __init__(self, folder, durable):
        self.port = free_port()
        kept = ["--appendonly", "yes", "--appendfsync", "always"] if durable else ["--appendonly", "no"]
        self.process = subprocess.Popen(
            pinned(0, "redis-server", "--port", self.port, "--bind", "127.0.0.1", "--save", "", "--dir", folder, *kept),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.id = self.process.pid
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise Failed("redis-server does not listen")

    @staticmethod
    def is_installed():
        return bool(shutil.which("redis-server") and shutil.which("redis-benchmark"))

    def run(self, operation, connections, count):
        text = output(*pinned(1, "redis-benchmark", "-p", self.port, "-t", operation, "-c", connections, "-n", count,
                              "-r", 10_000, "-d", 131, "--csv"))
        row = list(csv.DictReader(text.splitlines()))[-1]
        return {"rate": float(row["rps"]), "p50": float(row["p50_latency_ms"]) * 1e3, "p99": float(row["p99_latency_ms"]) * 1e3}

    def measure(self, operation, connections, seconds):
        """As long as todo-load does, which a first run tells how many that is."""
        if operation == "get":
            self.run("set", 16, 50_000)
        guess = self.run(operation, connections, 5_000 if operation == "set" else 50_000)
        count = int(guess["rate"] * seconds)
        before = machine.cpu_seconds(self.id)
        result = self.run(operation, connections, count)
        return {**result, "server": (machine.cpu_seconds(self.id) - before) / count * 1e6}


class Load:
    """todo-load. It adds the items that it works on, which stay: the server is stopped after it."""

    name = "todo-load"

    def __init__(self, program):
        self.program = program

    def run(self, server, core, seconds, connections, in_flight, mix="get=1", items=10_000, rate=None):
        arguments = ["--server", server.endpoint, "--connections", connections, "--in-flight", in_flight, "--mix", mix,
                     "--items", items, "--duration", f"{seconds}s", "--keep", "--json"]
        arguments += ["--rate", rate] if rate else []
        report = json.loads(output(*pinned(core, self.program, *arguments), env=ENVIRONMENT, seconds=1800))
        if report["errors"] or report["problems"]:
            raise Failed(f"errors under load: {report['errors']} {report['problems']}")
        latency, cost = report["latencyMicroseconds"]["fromDue"], report["cost"]
        return {
            "rate": report["requestsPerSecond"], "p50": latency["p50"], "p99": latency["p99"],
            "server": cost["serverMicrosecondsPerRequest"], "client": cost["clientMicrosecondsPerRequest"],
            "clientIsBusy": cost["isClientBound"],
            "operations": {name: value["latencyMicroseconds"]["fromSend"] for name, value in report["operations"].items()},
        }

    def fill(self, server, items):
        """Adds items to a list."""
        output(*pinned(1, self.program, "--server", server.endpoint, "--items", items, "--mix", "get=1", "--total", 1,
                       "--connections", 1, "--in-flight", 1, "--warm-up", "0s", "--keep", "--json"), env=ENVIRONMENT, seconds=1800)


class ExternalLoad:
    """A client for any ttrpc server that repeats one request, which it is given as the bytes of a file."""

    name = "external client"

    def __init__(self, program, load, todo):
        self.program, self.load, self.todo = program, load, todo

    def run(self, server, core, seconds, connections, in_flight, rate=None):
        self.load.fill(server, 9_999)
        added = json.loads(output(self.todo, "--server", server.endpoint, "add", "Buy oat milk and bread", "--json", "--note",
                                  "Two litres, one sourdough loaf", "--place", "Corner shop", env=ENVIRONMENT))
        item = (added.get("item") or added)["id"].encode()
        payload = f"{server.socket}.request"
        with open(payload, "wb") as file:
            file.write(bytes([0x0A, len(item)]) + item)
        address = f"tcp:{server.port}" if server.port else f"unix:{server.socket}"
        arguments = [address, "--conns", connections, "--inflight", in_flight, "--secs", seconds, "--warm", 1, "--pid",
                     server.id, "--service", SERVICE, "--method", "GetItem", "--payload", payload]
        arguments += ["--rate", rate] if rate else []
        report = json.loads(output(*pinned(core, self.program, *arguments)).strip().splitlines()[-1])
        if report["errors"]:
            raise Failed(f"{report['errors']} errors under load of the external client")
        return {"rate": report["rps"], "p50": report["p50_us"], "p99": report["p99_us"], "server": report["server_us"]}


def start_time(command, environment=None):
    """Milliseconds from before the start of a program to its end; what it prints is thrown away."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)  # says why, untimed
    if result.returncode:
        raise Failed(f"{shlex.join(command)}: {result.stderr.decode()[-500:]}")
    silence = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    start = time.perf_counter()
    process = os.posix_spawnp(command[0], command, environment or os.environ, file_actions=silence)
    _, status = os.waitpid(process, 0)
    time_taken = (time.perf_counter() - start) * 1e3
    if status:
        raise Failed(f"{shlex.join(command)}: failed")
    return time_taken
