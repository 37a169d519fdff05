"""The rounds of `run --peers`, and the section of REPORT.md about them."""

import datetime
import json
import statistics
from dataclasses import dataclass
from typing import Callable

from . import clients, machine, peers, programs
from .bench import Bench
from .measures import NARROW, SINGLE, WIDE
from .report import number, spread

BEGIN, END = "<!-- peers: written by Tests/Benchmarks/run --peers -->", "<!-- end of peers -->"
# The section before which a new one is written.
NEXT = "## Where the time goes"
# How many processors others may use in an undisturbed run; writes have threads of the kernel besides.
OTHERS, OTHERS_OF_WRITES = 0.1, 0.3

FLOOR, REDIS, GO, OWN = "floor", "redis", "go-ttrpc", "todo-server"
COLUMNS = (FLOOR, REDIS, GO, OWN)
RATE, P50, SERVER = "rate", "p50", "server"
LABELS = {RATE: "a second", P50: "p50, µs", SERVER: "server CPU each, µs"}


@dataclass
class Row:
    name: str
    work: str
    figures: tuple[str, ...]
    # What measures a round of each program.
    measures: dict[str, Callable]
    writes: bool = False


def served_by(peer, shape, **placement):
    """A peer that has the items from the start."""
    transport = placement.get("transport", "tcp")
    core = placement.get("core", 1)

    def measure(bench):
        with bench.folder() as folder, peers.Peer(peer, folder, transport) as server, bench.alone(server.id):
            return bench.peer_load.run(server, core, bench.seconds, *shape, is_filled=True)

    return measure


def own(shape, **options):
    return lambda bench: bench.run(bench.peer_load, shape, **options)


def redis(operation, shape, durable=False):
    connections, in_flight = shape

    def measure(bench):
        with bench.folder() as folder, clients.Redis(folder, durable) as server, bench.alone(server.id):
            return server.measure(operation, connections, bench.seconds, pipeline=in_flight)

    return measure


def reads(name, work, figures, shape, beside_redis=True, **placement):
    measures = {
        FLOOR: served_by("floor", shape, **placement),
        **({REDIS: redis("get", shape)} if beside_redis else {}),
        GO: served_by("go-ttrpc", shape, **placement),
        OWN: own(shape, **placement),
    }
    return Row(name, work, figures, measures)


def adds(name, work, figures, shape, rows):
    measures = {
        FLOOR: lambda bench: peers.commits(bench, rows),
        REDIS: redis("set", shape, durable=True),
        OWN: own(shape, operation="add"),
    }
    return Row(name, work, figures, measures, writes=True)


def over_http(protocol, option):
    """The server on a listener for HTTP/2."""

    def measure(bench):
        port = programs.free_port()
        with bench.folder() as folder, bench.server(folder, options=(option, f"127.0.0.1:{port}")) as server:
            bench.peer_load.fill(server)
            return bench.http_load.run(server, port, protocol, folder, bench.seconds, *WIDE)

    return measure


def grpc_go(bench):
    with bench.folder() as folder, peers.Peer("grpc-go", folder) as server, bench.alone(server.id):
        return bench.http_load.run(server, server.port, "grpc", folder, bench.seconds, *WIDE)


ROWS = [
    reads("get-16x16", "GetItem 16x16, TCP", (SERVER, RATE), WIDE),
    reads("get-16x1", "GetItem 16x1, TCP", (RATE, SERVER), NARROW),
    reads(
        "get-1x1", "GetItem 1x1, Unix socket, both on one core", (P50,), SINGLE, False, transport="unix", core=0
    ),
    adds("add-16x16", "durable AddItem 16x16, TCP; the floor: 128 rows a commit", (RATE, SERVER), WIDE, 128),
    adds("add-16x1", "durable AddItem 16x1, TCP; the floor: 16 rows a commit", (RATE,), NARROW, 16),
    adds("add-1x1", "durable AddItem 1x1, TCP; the floor: one row a commit", (P50,), SINGLE, 1),
]

# The protocols of one method; ttrpc is the row of ROWS with as many requests in flight.
GRPC_GO = "grpc-go"
HTTP = Row(
    "http",
    "GetItem 16x16",
    (SERVER, RATE),
    {
        GRPC_GO: grpc_go,
        "gRPC, the gRPC port": over_http("grpc", "--grpc-listen"),
        "gRPC, the HTTP port": over_http("grpc", "--http-listen"),
        "Connect with protobuf": over_http("proto", "--http-listen"),
        "Connect with JSON": over_http("json", "--http-listen"),
    },
)
TTRPC = "ttrpc"


def missing_programs():
    """What cannot be measured, with the reasons: programs and rows."""
    missing = peers.build(("load", FLOOR, "commits", GO, GRPC_GO))
    for name in (FLOOR, "load", "commits"):
        if name in missing:
            raise programs.Failed(missing[name])
    if not clients.Redis.is_installed():
        missing[REDIS] = "redis-server and redis-benchmark are not installed"
    if not peers.HTTPLoad.is_installed():
        missing[HTTP.name] = "h2load is not installed"
    return missing


def run(options, versions):
    """Measures all programs in turns, and writes the section."""
    missing = missing_programs()
    rows = [row for row in (*ROWS, HTTP) if row.name not in missing]
    rounds, disturbed = {}, {}
    for _ in range(options.rounds):
        for row in rows:
            for program, measure in row.measures.items():
                if program in missing:
                    continue
                measured, is_disturbed = measure_once(row, program, measure, options)
                rounds.setdefault(row.name, {}).setdefault(program, []).append(measured)
                disturbed[f"{row.name} {program}"] = disturbed.get(f"{row.name} {program}", 0) + is_disturbed
    results = {
        "date": datetime.date.today().isoformat(),
        "machine": machine.description(options.directory),
        "versions": versions,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "missing": missing,
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


def measure_once(row, program, measure, options):
    """One round of a program: its figures, and whether others disturbed it."""
    for _ in range(options.tries):
        machine.wait_for_quiet(options.patience)
        bench = Bench(options)
        try:
            measured = measure(bench)
        except programs.Failed as failure:
            raise programs.Failed(f"{row.name}, {program}: {failure}") from None
        is_disturbed = bench.others > (OTHERS_OF_WRITES if row.writes else OTHERS)
        if not is_disturbed:
            break
    shown = ", ".join(f"{LABELS[name]} {number(measured[name])}" for name in row.figures)
    note = f" DISTURBED: others used {bench.others:.2f} processors" if is_disturbed else ""
    print(f"{row.name:10} {program:22} {shown}{note}", flush=True)
    return {name: measured[name] for name in row.figures}, is_disturbed


def summary(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "values": values}


def ratio(rounds, other_rounds, figure):
    """The median of the ratios of the rounds, in which the two took turns."""
    return statistics.median(mine[figure] / others[figure] for mine, others in zip(rounds, other_rounds))


def comparison(measured):
    """The table of ttrpc: a line for each figure."""
    yield f"| work | figure | {' | '.join(COLUMNS)} | × floor | × redis | × go-ttrpc |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in ROWS:
        rounds, work = measured.get(row.name, {}), row.work
        if OWN not in rounds:
            continue
        for figure in row.figures:
            cells = [
                spread(summary([one[figure] for one in rounds[name]])) if name in rounds else "" for name in COLUMNS
            ]
            ratios = [
                f"{ratio(rounds[OWN], rounds[name], figure):.2f}" if name in rounds else "" for name in COLUMNS[:-1]
            ]
            yield f"| {work} | {LABELS[figure]} | {' | '.join(cells)} | {' | '.join(ratios)} |"
            work = ""


def protocols(measured):
    """The table of HTTP: a line for each protocol."""
    rounds = dict(measured.get(HTTP.name, {}))
    if not rounds:
        return
    if own_rounds := measured.get(ROWS[0].name, {}).get(OWN):
        rounds[TTRPC] = own_rounds
    yield f"| {HTTP.work} | {' | '.join(LABELS[name] for name in HTTP.figures)} | CPU × {GRPC_GO} |"
    yield "| --- | --- | --- | --- |"
    for name, values in rounds.items():
        cells = [spread(summary([one[figure] for one in values])) for figure in HTTP.figures]
        beside = f"{ratio(values, rounds[GRPC_GO], SERVER):.2f}" if GRPC_GO in rounds else ""
        yield f"| {name} | {' | '.join(cells)} | {beside} |"


def lines(results):
    """The section in Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    yield f"`Tests/Benchmarks/run --peers`, on {results['date']}: {', '.join(results['machine'].values())};"
    yield f"{versions}."
    runs = f"Runs of {results['seconds']} s after 1 s of warm-up, {results['rounds']} of each in turns"
    yield f"{runs}: medians, minima, maxima."
    yield "A ratio is the median of the rounds' ratios. Less is better in times and CPU, more in rates."
    yield ""
    yield from comparison(results["rows"])
    yield ""
    yield from protocols(results["rows"])
    if results["disturbed"]:
        counts = (f"{name} ({count} of {results['rounds']})" for name, count in results["disturbed"].items())
        yield ""
        yield f"Runs in which others used the machine: {', '.join(counts)}."
    if results["missing"]:
        yield ""
        yield "Not measured: " + "; ".join(f"{name} ({reason})" for name, reason in results["missing"].items()) + "."


def write(path, text):
    """Writes the section between its markers, or adds it."""
    with open(path) as file:
        report = file.read()
    if BEGIN not in report:
        before, marker, after = report.partition(NEXT)
        report = f"{before.rstrip()}\n\n## Beside peers\n\n{BEGIN}\n{END}\n\n{marker}{after}".rstrip() + "\n"
    before, rest = report.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n{text.rstrip()}\n{END}{after}")
