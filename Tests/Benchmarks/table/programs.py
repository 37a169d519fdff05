"""Programs in processes of their own."""

import os
import shlex
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
        raise Failed(
            f"{shlex.join(map(str, command))}: exit status {result.returncode}: {result.stderr.strip()[-500:]}"
        )
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
    """todo-server over a database on disk, as it is delivered: only the limits of a list's size are lifted."""

    def __init__(self, program, folder, transport="tcp", core=0, database="items.sqlite", options=(), store=None):
        self.socket, self.port = f"{folder}/todo.sock", free_port() if transport == "tcp" else None
        self.endpoint = f"tcp://127.0.0.1:{self.port}" if transport == "tcp" else f"unix://{self.socket}"
        # The form of the programs in `peers`.
        self.address = f"tcp:{self.port}" if transport == "tcp" else f"unix:{self.socket}"
        with open(f"{folder}/server.log", "ab") as log:
            self.process = subprocess.Popen(
                pinned(
                    core,
                    program,
                    "serve",
                    "--listen",
                    self.endpoint,
                    "--store",
                    store or f"sqlite:{folder}/{database}",
                    "--max-items",
                    10_000_000,
                    "--limit",
                    "list-size=1024GiB",
                    "--log-level",
                    "warning",
                    *options,
                ),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=ENVIRONMENT,
            )
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


def start_time(command, environment=None):
    """Milliseconds from before the start of a program to its end; what it prints is thrown away."""
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )  # says why, untimed
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
