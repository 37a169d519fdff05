"""Measures servers that share one PostgreSQL database, in turns with pgbench and with the SQLite store."""

import contextlib
import json
import os
import subprocess
import tempfile
import threading
import time

from . import machine, watching
from .postgresql import ADD
from .programs import ENVIRONMENT, Failed, Server, output, pinned

# Connections x requests in flight on each.
CONNECTIONS, IN_FLIGHT = 16, 16
PGBENCH_CONNECTIONS = 16
# The connections that the store uses for lookups of single items (`ItemLookups`).
LOOKUP_CONNECTIONS = 1
ITEMS, WATCHED_CHANGES = 10_000, 1_000
# The limits of writes of a list, which the benchmark exceeds.
RATES = "item-rate", "item-burst", "text-rate", "text-burst"
# The database that the others are copies of, with the tables and no items.
TEMPLATE = "todo_template"


class Samples(threading.Thread):
    """Samples the CPU time of PostgreSQL, of all processes of a measurement, and of the machine."""

    def __init__(self, postgresql, processes):
        super().__init__(daemon=True)
        self.postgresql, self.processes, self.samples, self.ended = postgresql, processes, [], threading.Event()
        self.start()

    def run(self):
        while True:
            try:
                server = self.postgresql.cpu_seconds()
                own = machine.own_seconds() + server + sum(map(machine.cpu_seconds, self.processes))
            except (FileNotFoundError, ProcessLookupError):
                # A process of the measurement has ended.
                return
            self.samples.append((time.monotonic(), server, machine.busy_seconds() - own))
            if self.ended.wait(0.1):
                return

    def processors(self, start, end):
        """The processors that PostgreSQL, and that other processes used between two times, on average."""
        self.ended.set()
        self.join()
        within = [sample for sample in self.samples if start <= sample[0] <= end]
        if len(within) < 2:
            return 0.0, 0.0
        (first, *before), (last, *after) = within[0], within[-1]
        return tuple((late - early) / (last - first) for early, late in zip(before, after))


class Fleet:
    """The programs and the PostgreSQL server of the measurements."""

    def __init__(self, options, postgresql):
        self.options, self.postgresql, self.seconds = options, postgresql, options.seconds
        self.others, self.count = 0.0, 0
        self.processors = ",".join(map(str, sorted(os.sched_getaffinity(0))))
        postgresql.create(TEMPLATE)
        with self.folder() as folder, self.server(folder, postgresql.uri(TEMPLATE)):
            pass
        postgresql.initialize_pgbench("pgbench_lookups")

    @contextlib.contextmanager
    def folder(self):
        with tempfile.TemporaryDirectory(dir=self.options.directory, prefix="benchmark-") as folder:
            yield folder

    @contextlib.contextmanager
    def database(self):
        """A database with the tables of the store."""
        self.count += 1
        name = f"benchmark_{self.count}"
        self.postgresql.create(name, TEMPLATE)
        try:
            yield name
        finally:
            self.postgresql.drop(name)

    def server(self, folder, store=None):
        options = [part for name in RATES for part in ("--limit", f"{name}=1000000000")]
        return Server(self.options.server, folder, core=self.processors, store=store, options=options)

    @contextlib.contextmanager
    def servers(self, count, uri):
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.server(stack.enter_context(self.folder()), uri)) for _ in range(count)]

    # Loads

    def measure(self, processes, servers=()):
        """Waits for load clients. Returns their outputs, and the processors that PostgreSQL used at the end."""
        samples = Samples(self.postgresql, [process.pid for process in processes] + [server.id for server in servers])
        texts = []
        # The pipes are larger than a report, so that a client does not wait for the others.
        for process in processes:
            out, error = process.communicate(timeout=600)
            if process.returncode:
                raise Failed(f"{process.args}: {error.strip()[-500:]}")
            texts.append(out)
        end = samples.samples[-1][0]
        postgresql, others = samples.processors(end - self.seconds + 0.1, end - 0.1)
        self.others = max(self.others, others)
        return texts, postgresql

    def start_load(self, server, mix, items=0, token=None, rate=None, seconds=None):
        command = [self.options.load, "--server", server.endpoint, "--server-pid", server.id, "--mix", mix]
        command += ["--connections", CONNECTIONS, "--in-flight", IN_FLIGHT, "--duration", f"{seconds or self.seconds}s"]
        command += ["--items", items, "--keep", "--json"]
        command += ["--token-file", token] if token else []
        command += ["--rate", rate] if rate else []
        return subprocess.Popen(
            pinned(self.processors, *command),
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def load(self, servers, mix, items=0, tokens=None):
        """Loads servers concurrently, and returns the sums of the rates and the means of the costs."""
        pairs = zip(servers, tokens or [None] * len(servers))
        clients = [self.start_load(server, mix, items, token) for server, token in pairs]
        texts, postgresql = self.measure(clients, servers)
        reports = [json.loads(text) for text in texts]
        for report in reports:
            if report["errors"] or report["problems"] or report["ending"] == "serverLost":
                raise Failed(f"errors under load: {report['errors']} {report['problems']}")
        rate = sum(report["requestsPerSecond"] for report in reports)
        cost = sum(report["cost"]["serverMicrosecondsPerRequest"] * report["requestsPerSecond"] for report in reports)
        return {
            "rate": rate,
            "requests": sum(report["requests"] for report in reports),
            "p99": max(report["latencyMicroseconds"]["fromSend"]["p99"] for report in reports) / 1e3,
            "server": cost / rate,
            "postgresql": postgresql / rate * 1e6,
        }

    def pgbench(self, database, connections, *arguments):
        self.postgresql.pgbench(database, connections, 1, *arguments).communicate()
        (text,), postgresql = self.measure([self.postgresql.pgbench(database, connections, self.seconds, *arguments)])
        rate = self.postgresql.rate(text)
        return {"rate": rate, "postgresql": postgresql / rate * 1e6}

    # Rows

    def pgbench_adds(self, list_each):
        with self.database() as database, self.folder() as folder:
            rows = "SELECT number::text, 0, 0, 0, 0, 0 FROM generate_series(0, 15) AS s (number)"
            self.postgresql.query(f"INSERT INTO list {rows}", database)
            with open(f"{folder}/add.sql", "w") as file:
                file.write(ADD.replace("LIST", ":client_id" if list_each else "0"))
            result = self.pgbench(database, PGBENCH_CONNECTIONS, "-f", file.name)
            self.check_adds(database, result["rate"] * self.seconds * 0.9)
            return result

    def pgbench_lookups(self):
        return self.pgbench("pgbench_lookups", LOOKUP_CONNECTIONS, "-S")

    def adds(self, count, list_each=False):
        """Loads servers of one database, which add to one list, or each to a list of its own."""
        with self.database() as database, self.folder() as folder:
            uri = self.postgresql.uri(database)
            tokens = [self.add_user(f"user{index}", uri, folder) for index in range(count)] if list_each else None
            with self.servers(count, uri) as servers:
                transactions, cpu = self.transactions(), self.postgresql.cpu_seconds()
                result = self.load(servers, "add=1", tokens=tokens)
                transactions, cpu = self.transactions() - transactions, self.postgresql.cpu_seconds() - cpu
            items = self.check_adds(database, result["requests"])
            # The warm-up is included.
            return {**result, "group": items / transactions, "postgresql": cpu / items * 1e6}

    def transactions(self):
        """The number of transactions that have written, in all databases."""
        return int(self.postgresql.query("SELECT pg_snapshot_xmax(pg_current_snapshot())"))

    def check_adds(self, database, count):
        """Checks that a database has the acknowledged items, and a change for each, and returns the number of items."""
        facts = "(SELECT count(*) FROM item), (SELECT count(*) FROM change), (SELECT sum(item_count) FROM list)"
        items, changes, counted = map(int, self.postgresql.query(f"SELECT {facts}", database).split("|"))
        if items < count or items != counted or changes > items:
            raise Failed(f"{count} adds made {items} items and {changes} changes; the lists count {counted}")
        return items

    def add_user(self, name, uri, folder):
        """Adds a user with a list, and returns the file of a token."""
        output(self.options.server, "user", "add", name, "--store", uri)
        path = f"{folder}/{name}.token"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(output(self.options.server, "token", "add", name, "--store", uri).split()[-1] + "\n")
        return path

    def lookups(self):
        with self.database() as database, self.servers(1, self.postgresql.uri(database)) as servers:
            return self.load(servers, "get=1", items=ITEMS)

    def sqlite_adds(self):
        with self.folder() as folder, self.server(folder) as server:
            return self.load([server], "add=1")

    def watch(self):
        """Adds items on one server, and measures when a watcher of another server receives them."""
        with self.database() as database, self.servers(2, self.postgresql.uri(database)) as (writer, watcher):
            quiet = watching.latencies(writer, watcher, WATCHED_CHANGES)
            load = self.start_load(writer, "add=1", rate=1000, seconds=120)
            try:
                time.sleep(1)
                busy = watching.latencies(writer, watcher, WATCHED_CHANGES)
                if load.poll() is not None:
                    raise Failed(f"todo-load ended: {load.communicate()[1].strip()[-500:]}")
            finally:
                load.terminate()
                load.communicate()
            return {
                "p50": watching.percentile(quiet, 50),
                "p99": watching.percentile(quiet, 99),
                "busyP50": watching.percentile(busy, 50),
                "busyP99": watching.percentile(busy, 99),
            }
