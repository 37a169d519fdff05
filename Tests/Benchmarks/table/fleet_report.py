"""The rounds of `run --postgresql`, and the section of REPORT.md about them."""

import datetime
import json
import statistics
from dataclasses import dataclass
from typing import Callable

from . import machine
from .fleet import CONNECTIONS, IN_FLIGHT, LOOKUP_CONNECTIONS, PGBENCH_CONNECTIONS, Fleet
from .postgresql import PostgreSQL
from .programs import Failed
from .report import number, spread

BEGIN, END = "<!-- postgresql: written by Tests/Benchmarks/run --postgresql -->", "<!-- end of postgresql -->"
# The section before which a new one is written.
NEXT = "## The first minute"
# The processors that other processes may use in an undisturbed run; the kernel's threads write to the disk.
OTHERS = 0.3

RATE, SERVER, DATABASE, P99, GROUP = "rate", "server", "postgresql", "p99", "group"
LABELS = {
    RATE: "a second",
    SERVER: "CPU of the servers each, µs",
    DATABASE: "CPU of PostgreSQL each, µs",
    P99: "p99, ms",
    GROUP: "adds in a transaction, mean",
    "p50": "p50, ms",
    "busyP50": "p50 at 1,000 other adds a second, ms",
    "busyP99": "p99 at 1,000 other adds a second, ms",
}


@dataclass
class Row:
    name: str
    work: str
    figures: tuple[str, ...]
    # Returns the figures of one round.
    measure: Callable
    # Each ratio: the figure, the row of the divisor, and the label.
    ratios: tuple[tuple[str, str, str], ...] = ()


READS = (RATE, P99, SERVER, DATABASE)
ADDS = (*READS, GROUP)
BESIDE_ONE = ((RATE, "adds-1", "× one server"),)
# Rows that are compared follow each other.
ROWS = [
    Row(
        "pgbench-one-list",
        f"pgbench, an add in each transaction, {PGBENCH_CONNECTIONS} connections, one list",
        (RATE, DATABASE),
        lambda fleet: fleet.pgbench_adds(list_each=False),
    ),
    Row(
        "adds-1",
        "durable AddItem through one server, one list",
        ADDS,
        lambda fleet: fleet.adds(1),
        (
            (RATE, "pgbench-one-list", "× pgbench with one list"),
            (RATE, "pgbench-list-each", "× pgbench with a list for each connection"),
            (SERVER, "sqlite", "CPU of the server each, × the SQLite store"),
        ),
    ),
    Row(
        "pgbench-list-each",
        "pgbench, the same with a list for each connection",
        (RATE, DATABASE),
        lambda fleet: fleet.pgbench_adds(list_each=True),
    ),
    Row("adds-2", "AddItem through two servers, one list, the sum", ADDS, lambda fleet: fleet.adds(2), BESIDE_ONE),
    Row("adds-3", "AddItem through three servers, one list, the sum", ADDS, lambda fleet: fleet.adds(3), BESIDE_ONE),
    Row("adds-2-lists", "two servers, a list each", ADDS, lambda fleet: fleet.adds(2, list_each=True), BESIDE_ONE),
    Row("adds-3-lists", "three servers, a list each", ADDS, lambda fleet: fleet.adds(3, list_each=True), BESIDE_ONE),
    Row("sqlite", "AddItem, the SQLite store", (RATE, P99, SERVER), lambda fleet: fleet.sqlite_adds()),
    Row(
        "pgbench-lookups",
        f"`pgbench -S -M prepared`, {LOOKUP_CONNECTIONS} connection",
        (RATE, DATABASE),
        lambda fleet: fleet.pgbench_lookups(),
    ),
    Row(
        "lookups",
        "GetItem through one server",
        READS,
        lambda fleet: fleet.lookups(),
        ((RATE, "pgbench-lookups", f"× `pgbench -S` with {LOOKUP_CONNECTIONS} connection"),),
    ),
    Row(
        "watch",
        "from the response to a write on one server to a watcher of another server",
        ("p50", "p99", "busyP50", "busyP99"),
        lambda fleet: fleet.watch(),
    ),
]


def run(options, versions):
    """Measures all rows in rounds, and writes the section."""
    rounds, disturbed = {row.name: [] for row in ROWS}, {}
    with PostgreSQL(options.directory) as postgresql:
        versions = {**versions, "PostgreSQL": postgresql.version}
        fleet = Fleet(options, postgresql)
        for _ in range(options.rounds):
            for row in ROWS:
                machine.wait_for_quiet(options.patience)
                fleet.others = 0.0
                try:
                    measured = row.measure(fleet)
                except Failed as failure:
                    raise Failed(f"{row.name}: {failure}") from None
                rounds[row.name].append(measured)
                is_disturbed = fleet.others > OTHERS
                disturbed[row.name] = disturbed.get(row.name, 0) + is_disturbed
                shown = ", ".join(f"{LABELS[name]} {number(measured[name])}" for name in row.figures)
                note = f" DISTURBED: others used {fleet.others:.2f} processors" if is_disturbed else ""
                print(f"{row.name:18} {shown}{note}", flush=True)
    results = {
        "date": datetime.date.today().isoformat(),
        "machine": machine.description(options.directory),
        "versions": versions,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "rows": rounds,
        "disturbed": {name: count for name, count in disturbed.items() if count},
    }
    if options.results:
        with open(options.results, "w") as file:
            json.dump(results, file, indent=2, ensure_ascii=False)
            file.write("\n")
    text = "\n".join(lines(results))
    print(f"\n{text}")
    if options.report:
        write(options.report, text)


def summary(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "values": values}


def lines(results):
    """The section in Markdown. A ratio is the median of the ratios of the rounds."""
    measured, versions = results["rows"], results["versions"]
    yield f"`Tests/Benchmarks/run --postgresql`, on {results['date']}: {', '.join(results['machine'].values())};"
    yield ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
    yield (
        f"Runs of {results['seconds']} s after 1 s of warm-up, {results['rounds']} of each in turns: medians, minimum, "
        f"maximum. Each server has {CONNECTIONS} connections with"
    )
    yield f"{IN_FLIGHT} requests in flight on each. All processes share the processors. PostgreSQL syncs every commit."
    yield ""
    yield "| work | figure | measured |"
    yield "| --- | --- | --- |"
    for row in ROWS:
        work, rounds = row.work, measured[row.name]
        figures = [(LABELS[name], [figures[name] for figures in rounds]) for name in row.figures]
        for name, other, label in row.ratios:
            pairs = zip(rounds, measured[other])
            figures.append((label, [own[name] / divisor[name] for own, divisor in pairs]))
        for label, values in figures:
            yield f"| {work} | {label} | {spread(summary(values))} |"
            work = ""
    if results["disturbed"]:
        counts = (f"{name} ({count} of {results['rounds']})" for name, count in results["disturbed"].items())
        yield ""
        yield f"Runs during which other processes used more than {OTHERS} processors: {', '.join(counts)}."


def write(path, text):
    """Writes the section between its markers, or adds it."""
    with open(path) as file:
        report = file.read()
    if BEGIN not in report:
        before, marker, after = report.partition(NEXT)
        report = f"{before.rstrip()}\n\n## The PostgreSQL store\n\n{BEGIN}\n{END}\n\n{marker}{after}".rstrip() + "\n"
    before, rest = report.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n{text.rstrip()}\n{END}{after}")
