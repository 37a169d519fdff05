"""What loads servers and says how they did: rates a second, and times in microseconds."""

import csv
import json
import shutil
import socket
import subprocess
import time

from . import machine
from .programs import ENVIRONMENT, Failed, Process, free_port, output, pinned


class Redis(Process):
    """redis-server, in memory or with each SET on disk before it is answered."""

    def __init__(self, folder, durable):
        self.port = free_port()
        kept = ["--appendonly", "yes", "--appendfsync", "always"] if durable else ["--appendonly", "no"]
        self.process = subprocess.Popen(
            pinned(0, "redis-server", "--port", self.port, "--bind", "127.0.0.1", "--save", "", "--dir", folder, *kept),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
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

    def run(self, operation, connections, count, pipeline=1):
        text = output(
            *pinned(
                1,
                "redis-benchmark",
                "-p",
                self.port,
                "-t",
                operation,
                "-c",
                connections,
                "-P",
                pipeline,
                "-n",
                count,
                "-r",
                10_000,
                "-d",
                131,
                "--csv",
            )
        )
        row = list(csv.DictReader(text.splitlines()))[-1]
        return {
            "rate": float(row["rps"]),
            "p50": float(row["p50_latency_ms"]) * 1e3,
            "p99": float(row["p99_latency_ms"]) * 1e3,
        }

    def measure(self, operation, connections, seconds, pipeline=1):
        """As long as todo-load does, which a first run tells how many that is."""
        if operation == "get":
            self.run("set", 16, 50_000, 16)
        first = (300 if operation == "set" else 3_000) * connections * pipeline
        guess = self.run(operation, connections, first, pipeline)
        count = int(guess["rate"] * seconds)
        before = machine.cpu_seconds(self.id)
        result = self.run(operation, connections, count, pipeline)
        return {**result, "server": (machine.cpu_seconds(self.id) - before) / count * 1e6}


class Load:
    """todo-load. It adds the items that it works on, which stay: the server is stopped after it."""

    name = "todo-load"

    def __init__(self, program):
        self.program = program

    def run(self, server, core, seconds, connections, in_flight, mix="get=1", items=10_000, rate=None):
        arguments = [
            "--server",
            server.endpoint,
            "--connections",
            connections,
            "--in-flight",
            in_flight,
            "--mix",
            mix,
            "--items",
            items,
            "--duration",
            f"{seconds}s",
            "--keep",
            "--json",
        ]
        arguments += ["--rate", rate] if rate else []
        report = json.loads(output(*pinned(core, self.program, *arguments), env=ENVIRONMENT, seconds=1800))
        if report["errors"] or report["problems"]:
            raise Failed(f"errors under load: {report['errors']} {report['problems']}")
        latency, cost = report["latencyMicroseconds"]["fromDue"], report["cost"]
        return {
            "rate": report["requestsPerSecond"],
            "p50": latency["p50"],
            "p99": latency["p99"],
            "server": cost["serverMicrosecondsPerRequest"],
            "client": cost["clientMicrosecondsPerRequest"],
            "clientIsBusy": cost["isClientBound"],
            "operations": {
                name: value["latencyMicroseconds"]["fromSend"] for name, value in report["operations"].items()
            },
        }

    def fill(self, server, items):
        """Adds items to a list."""
        output(
            *pinned(
                1,
                self.program,
                "--server",
                server.endpoint,
                "--items",
                items,
                "--mix",
                "get=1",
                "--total",
                1,
                "--connections",
                1,
                "--in-flight",
                1,
                "--warm-up",
                "0s",
                "--keep",
                "--json",
            ),
            env=ENVIRONMENT,
            seconds=1800,
        )
