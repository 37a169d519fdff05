"""The parts that mutate.py and mutate_grpc.py share: the server under test, the senders, and the command line."""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

root = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TODO_SERVER_PROGRAM", str(root / ".build" / "debug" / "todo-server"))
# The growth of the server's memory after the first tenth that counts as noise, in MiB.
GROWTH = 24
# SQLite opens another reader when more calls read at a time than before.
READERS = 12
THREADS = 4


class Broken(Exception):
    """The server violated a rule."""


def expect(condition, what):
    if not condition:
        raise Broken(what)


class Server:
    """A todo-server with small limits of items and changes, so that what it stores on purpose is bounded."""

    def __init__(self, folder, *listen):
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *listen, "--store", f"sqlite:{folder}/items.sqlite", "--geocoder", "none",
             "--log-level", "critical", "--max-items", "200", "--keep-changes", "100", "--keep-changes-for", "1s"],
            stdout=subprocess.PIPE, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        self.lines = [self.process.stdout.readline().decode().strip() for _ in range(2)]
        expect(all("listening on" in line for line in self.lines), "the server does not start")

    @property
    def is_alive(self):
        return self.process.poll() is None

    def descriptors(self):
        """Returns the number of open sockets, and of other open descriptors."""
        folder, links = f"/proc/{self.process.pid}/fd", []
        for name in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{name}"))
            except FileNotFoundError:
                pass
        sockets = sum(link.startswith("socket:") for link in links)
        return sockets, len(links) - sockets

    def settle(self):
        """Returns `descriptors` once they have stayed the same for half a second, or after 10 s."""
        end, count = time.monotonic() + 10, None
        while (now := self.descriptors()) != count and time.monotonic() < end:
            count = now
            time.sleep(0.5)
        return now

    def kilobytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(20) == 0, "the server does not stop cleanly")

    def close(self):
        """Ends the server if it still runs."""
        if self.is_alive:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class Sender(threading.Thread):
    """A thread that sends its share of the input. `converse` sends the next part on `connection`."""

    def __init__(self, server, mutator, count, leak):
        super().__init__(daemon=True)
        self.server, self.mutator, self.remaining, self.leak = server, mutator, count, leak
        self.kept, self.connection, self.error = [], None, None
        self.connections = self.answered = self.closed = 0

    def run(self):
        try:
            while self.remaining > 0:
                self.converse()
        except Broken as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"

    def end_connection(self, every):
        """Closes the connection, or keeps one of `every` connections open to verify that the script can fail."""
        if self.leak and self.connections % every == 1:
            self.kept.append(self.connection)
        else:
            self.connection.close(abruptly=self.mutator.random.random() < 0.2)


def send(senders, server, name):
    """Runs the senders. What they last sent to a server that failed stays in .build-asan."""
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    errors = [sender.error for sender in senders if sender.error]
    if errors or not server.is_alive:
        folder = root / ".build-asan"
        folder.mkdir(exist_ok=True)
        for index, sender in enumerate(senders):
            (folder / f"{name}-{index}.bin").write_bytes(bytes(sender.connection.sent))
        print(f"what was last sent is in {folder}/{name}-*.bin", file=sys.stderr)
    expect(server.is_alive, f"the server ended with {server.process.returncode}")
    expect(not errors, "; ".join(errors))
    return senders


def run(arguments, server, make_senders, expect_service, name):
    """Sends a tenth, then the rest, and expects as many descriptors and as much memory as after the tenth.

    Returns the report's end, and the senders."""
    try:
        first = arguments.count // 10
        senders = send(make_senders(f"{arguments.seed}-first", first, leak=False), server, name)
        (sockets, files), before = server.settle(), server.kilobytes()
        start = time.monotonic()
        senders += send(make_senders(arguments.seed, arguments.count - first, arguments.leak), server, name)
        seconds = time.monotonic() - start
        expect_service(server)
        sockets_after, files_after = server.settle()
        expect(sockets_after <= sockets, f"{sockets_after} sockets are open, {sockets} were after the first tenth")
        expect(files_after <= files + READERS, f"{files_after} files are open, {files} were after the first tenth")
        growth = server.kilobytes() - before
        expect(growth <= arguments.growth << 10, f"the server has {growth} KiB more memory than after the first tenth")
        server.stop()
    finally:
        server.close()
    answered, closed = (sum(getattr(sender, name) for sender in senders) for name in ("answered", "closed"))
    return senders, (
        f"in {seconds:.0f} s, seed {arguments.seed}: {answered:,} times the next valid call is answered, {closed:,} times "
        f"the connection is closed; {sockets_after} sockets as before, {files_after - files:+} files, {growth:+,} KiB")


def main(body, count):
    """Runs `body(arguments, folder)`, which returns the report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=count)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--leak", action="store_true")
    parser.add_argument("--growth", type=int, default=GROWTH)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(body(arguments, folder), flush=True)
        except Broken as error:
            sys.exit(f"BROKEN: {error} (seed {arguments.seed})")
