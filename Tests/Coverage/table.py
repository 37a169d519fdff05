"""Writes a table of line and region coverage by module, from the output of 'llvm-cov export'.

    table.py COVERAGE TABLE [FUNCTIONS]   FUNCTIONS: also write the functions that were never executed to this file
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = f"{ROOT}/Sources/"
HEADER = """# Coverage

How much of each module in `Sources` the tests execute, of the Swift and C code that is not generated. `Tests/Coverage/run`
writes this file. Only what runs in the test process counts, so what a program does in a process of its own
(`todo-server`, `todo` and `todo-load` when a test starts them) is missing. A region is a piece of code between two branches.

| module | lines | executed | regions | executed |
| --- | ---: | ---: | ---: | ---: |
"""


def is_measured(path):
    """Whether a file is a source other than a test that other packages run, too."""
    return path.startswith(SOURCES) and module(path) != "ToDoTesting"


def module(path):
    return path.removeprefix(SOURCES).split("/")[0]


def row(name, lines, regions):
    cells = [name]
    for total, covered in (lines, regions):
        cells += [f"{total:,}", f"{100 * covered / total:.1f} %" if total else "-"]
    return "| " + " | ".join(cells) + " |\n"


def table(files):
    """Returns the rows of the modules, and one for all."""
    figures = collections.defaultdict(lambda: {"lines": [0, 0], "regions": [0, 0]})
    for file in files:
        for kind in ("lines", "regions"):
            for name in (module(file["filename"]), "all"):
                figures[name][kind][0] += file["summary"][kind]["count"]
                figures[name][kind][1] += file["summary"][kind]["covered"]
    names = sorted(figures, key=lambda name: (name == "all", name.lower()))
    return "".join(row(name, figures[name]["lines"], figures[name]["regions"]) for name in names)


def unexecuted(functions):
    """Returns the place and name of each function without an executed region. A generic one counts once."""
    executed, places = set(), {}
    for function in functions:
        path = function["filenames"][0]
        if is_measured(path):
            place = (path.removeprefix(f"{ROOT}/"), function["regions"][0][0])
            places.setdefault(place, function["name"].split(":")[-1])
            if function["count"]:
                executed.add(place)
    return {place: name for place, name in places.items() if place not in executed}


def main(coverage, output, functions=None):
    data = json.loads(pathlib.Path(coverage).read_text(encoding="utf-8"))["data"][0]
    files = [file for file in data["files"] if is_measured(file["filename"])]
    pathlib.Path(output).write_text(HEADER + table(files), encoding="utf-8")
    if functions:
        found = sorted(unexecuted(data["functions"]).items())
        names = subprocess.run(
            ["swift", "demangle", "--simplified", "--compact"], input="\n".join(name for _, name in found), check=True,
            capture_output=True, text=True).stdout.splitlines()
        lines = [f"{path}:{line} {name}\n" for ((path, line), _), name in zip(found, names)]
        pathlib.Path(functions).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
