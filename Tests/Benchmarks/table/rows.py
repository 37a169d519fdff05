"""What is measured: the rows of the table, each with its figures."""

import shutil
from dataclasses import dataclass, field
from typing import Callable

from . import clients, lists, measures
from .measures import NARROW, OPERATIONS, SINGLE, WIDE


@dataclass
class Figure:
    name: str
    label: str


@dataclass
class Row:
    name: str
    work: str
    figures: list[Figure]
    # Returns the figures of one round.
    measure: Callable
    others: str = ""
    large: bool = False
    # Whether the kernel's own threads, which write to the disk, are a part of it.
    writes: bool = False
    needs: list[str] = field(default_factory=list)


def served(name, work, figures, shape, others="", client="load", **options):
    """A row that a client of the server makes."""
    writes = "add" in options.get("mix", "")
    return Row(
        name,
        work,
        figures,
        lambda bench: bench.run(getattr(bench, client), shape, **options),
        others,
        writes=writes,
    )


def redis(name, work, operation, durable, others=""):
    def measure(bench):
        with bench.folder() as folder, clients.Redis(folder, durable) as server, bench.alone(server.id):
            return server.measure(operation, 16, bench.seconds)

    figures = [Figure("rate", "a second"), Figure("p99", "p99, µs"), Figure("server", "CPU of redis each, µs")]
    return Row(name, work, figures, measure, others, writes=durable, needs=["redis"])


ROWS = [
    served(
        "get-16x16",
        "GetItem 16x16, TCP",
        [
            Figure("server", "server CPU a request, µs"),
            Figure("rate", "requests a second"),
            Figure("client", "todo-load's CPU a request, µs"),
            Figure("resident", "resident then, MB"),
        ],
        WIDE,
        "server CPU: go-ttrpc 12.8 µs, grpc-swift-2 95 µs, redis (pipelining) 1.0 µs",
    ),
    served(
        "get-16x16-peer-load",
        "the same, the load program in C",
        [
            Figure("server", "server CPU a request, µs"),
            Figure("rate", "requests a second"),
        ],
        WIDE,
        client="peer_load",
    ),
    served(
        "get-16x1",
        "GetItem 16x1, TCP",
        [
            Figure("rate", "requests a second"),
            Figure("p99", "p99, µs"),
        ],
        NARROW,
        "go-ttrpc 60,000/s, redis 79,000/s, a bare epoll server 143,000/s",
    ),
    served(
        "get-16x1-peer-load",
        "the same, the load program in C",
        [
            Figure("rate", "requests a second"),
            Figure("p99", "p99, µs"),
        ],
        NARROW,
        client="peer_load",
    ),
    redis("redis-get-16x1", "redis GET 16x1, in the same run", "get", False),
    served(
        "get-1x1",
        "GetItem 1x1, Unix socket, both on one core",
        [Figure("p50", "p50, µs")],
        SINGLE,
        "a bare epoll server 9.5 µs, go-ttrpc 16.8 µs",
        transport="unix",
        core=0,
    ),
    served(
        "get-1x1-peer-load",
        "the same, the load program in C",
        [Figure("p50", "p50, µs")],
        SINGLE,
        client="peer_load",
        transport="unix",
        core=0,
    ),
    served(
        "get-10k",
        "GetItem, 10,000 a second on 16 connections, from when due",
        [Figure("p99", "p99, µs"), Figure("rate", "requests a second")],
        (16, 64),
        "a bare epoll server 70 to 480 µs, go-ttrpc 2,100 µs",
        rate=10_000,
    ),
    served(
        "get-10k-peer-load",
        "the same, the load program in C",
        [Figure("p99", "p99, µs")],
        (16, 64),
        client="peer_load",
        rate=10_000,
    ),
    served(
        "add-16x16",
        "durable AddItem 16x16, TCP",
        [
            Figure("rate", "adds a second"),
            Figure("p99", "p99, µs"),
            Figure("server", "server CPU an add, µs"),
        ],
        WIDE,
        "SQLite in C with such tables, 64 to 256 rows a commit: 26,000/s",
        mix="add=1",
    ),
    served(
        "add-1x1",
        "durable AddItem 1x1, TCP",
        [Figure("p50", "p50, µs"), Figure("rate", "adds a second")],
        SINGLE,
        "SQLite in C, one row a commit: 174 µs",
        mix="add=1",
    ),
    Row(
        "sqlite-1",
        "SQLite from Python, one row a commit, in the same run",
        [Figure("p50", "p50, µs"), Figure("rate", "commits a second")],
        measures.sqlite_commits,
        writes=True,
    ),
    redis("redis-set-16x1", "redis SET 16x1, appendfsync always, in the same run", "set", True, "26,000/s"),
    served(
        "list-100",
        "ListItems, page of 100, 16x1, TCP",
        [Figure("server", "server CPU a request, µs"), Figure("rate", "requests a second")],
        NARROW,
        mix="list=1",
    ),
    served(
        "list-100-read",
        "the same, without pages or items in memory",
        [Figure("server", "server CPU a request, µs"), Figure("rate", "requests a second")],
        NARROW,
        mix="list=1",
        server_options=("--item-cache", "0"),
    ),
    Row(
        "messages",
        "one item with all fields, protobuf-c with the mapping to Swift and the check of UTF-8",
        [
            Figure("encode-item", "encode, ns"),
            Figure("decode-item", "decode, ns"),
            Figure("get-item", "GetItem through the server without a socket, ns"),
            Figure("get-item-among-16", "the same, 16 together, ns each"),
        ],
        measures.messages,
        "swift-protobuf 1.39 with the same mapping: encode 606 ns, decode 1,000 ns",
        needs=["messages"],
    ),
    Row(
        "idle",
        "a server that is idle, over 10,000 items",
        [Figure("resident", "resident, MB"), Figure("own", "without programs and libraries, MB")],
        measures.idle_memory,
        "go-ttrpc 14 MB",
    ),
    Row(
        "todo-list",
        "list of 1,000 items, from the start of the program to its end",
        [
            Figure("todo", "todo list, ms"),
            Figure("taskwarrior", "taskwarrior's task list, ms"),
            Figure("todoman", "todoman list, ms"),
        ],
        lists.measure,
        needs=["todo"],
    ),
    Row(
        "growth",
        "from 1,000 to 1,000,000 items of one owner, 1x1: p50 by p50",
        [
            *(Figure(name, f"{label}, times") for name, label in OPERATIONS.items()),
            *(
                Figure(f"{name}{size}", f"{label} of {count}, µs")
                for name, label in OPERATIONS.items()
                for size, count in (("Short", "1,000"), ("Long", "1,000,000"))
            ),
            Figure("resident", "resident after these calls, MB"),
            Figure("residentAgain", "resident after a restart and reads, MB"),
        ],
        measures.growth,
        large=True,
        writes=True,
    ),
]


def can_measure(row, options):
    """Why a row is left out, or nothing."""
    if row.large and not options.large:
        return "needs --large"
    if "redis" in row.needs and not clients.Redis.is_installed():
        return "redis-server and redis-benchmark are not installed"
    if "todo" in row.needs and not shutil.which(options.todo):
        return "there is no release build of todo"
    if "messages" in row.needs and not shutil.which(options.messages):
        return "there is no release build of MessageBenchmarks"
    return None
