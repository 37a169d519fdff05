"""The measurements that are more than one run of a client."""

import os
import sqlite3
import time
import uuid

from . import machine, programs

# Connections x requests in flight on each.
WIDE, NARROW, SINGLE = (16, 16), (16, 1), (1, 1)
# Items of a short list and of a long one.
FEW, MANY = 1_000, 1_000_000
OPERATIONS = {"get": "GetItem", "add": "AddItem", "check": "CheckItem", "list": "first page"}


def sqlite_commits(bench):
    """How long SQLite takes to keep a row, by itself: what the disk gives at this moment."""
    before = os.sched_getaffinity(0)
    with bench.folder() as folder, bench.alone():
        database = sqlite3.connect(f"{folder}/rows.sqlite", isolation_level=None)
        database.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (id BLOB PRIMARY KEY, text BLOB);"
        )
        os.sched_setaffinity(0, {0})
        times, end = [], time.perf_counter() + bench.seconds
        while (start := time.perf_counter()) < end:
            database.execute("INSERT INTO row VALUES (?, ?)", (uuid.uuid4().bytes, bytes(131)))
            times.append((time.perf_counter() - start) * 1e6)
        os.sched_setaffinity(0, before)
        database.close()
    times.sort()
    return {"p50": times[len(times) // 2], "rate": len(times) / bench.seconds}


def messages(bench):
    """What each line of MessageBenchmarks says first: nanoseconds, the median of its own rounds."""
    with bench.alone():
        lines = programs.output(*programs.pinned(1, bench.messages)).splitlines()
    return {line.split(":")[0]: float(line.split()[1]) for line in lines}


def idle_memory(bench):
    with bench.folder() as folder:
        with bench.server(folder) as server:
            bench.load.fill(server, 10_000)
        with bench.server(folder) as server:
            time.sleep(2)
            own = machine.resident_megabytes(server.id, "RssAnon")
            return {"resident": machine.resident_megabytes(server.id), "own": own}


def growth(bench):
    """One caller does each in turn, to items anywhere in the list: a short list, a long one, the short one again."""

    def median_times(items):
        with bench.folder() as folder:
            with bench.server(folder) as server:
                result = bench.load.run(
                    server, 1, bench.seconds, *SINGLE, mix="get=1,add=1,check=1,list=1", items=items
                )
                resident = machine.resident_megabytes(server.id)
            with bench.server(folder) as server:
                bench.load.run(server, 1, bench.seconds, *WIDE, mix="get=8,list=2", items=10)
                again = machine.resident_megabytes(server.id)
            times = {name: result["operations"][name]["p50"] for name in OPERATIONS}
            return times, {"resident": resident, "residentAgain": again}

    (first, _), (long, memory), (last, _) = median_times(FEW), median_times(MANY), median_times(FEW)
    short = {name: (first[name] + last[name]) / 2 for name in OPERATIONS}
    figures = {name: long[name] / short[name] for name in OPERATIONS}
    times = {f"{name}{size}": times[name] for size, times in (("Short", short), ("Long", long)) for name in OPERATIONS}
    return {**figures, **times, **memory}
