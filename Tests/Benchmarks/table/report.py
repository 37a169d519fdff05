"""The table in words."""

BEGIN, END = "<!-- table: written by Tests/Benchmarks/run -->", "<!-- end of the table -->"


def number(value):
    """Three digits, or all before the point."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(figure):
    text = number(figure["median"])
    return text if len(figure["values"]) == 1 else f"{text} ({number(figure['min'])} to {number(figure['max'])})"


def lines(results, rows):
    """Markdown, a line for each figure."""
    machine, versions = results["machine"], results["versions"]
    yield f"`{results['command']}`, on {results['date']}: {', '.join(machine.values())};"
    yield ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
    yield f"Runs of {results['seconds']} s after 1 s of warm-up, {results['rounds']} of each: medians, minima and maxima."
    yield '"Elsewhere" are figures of an earlier measurement, on the same kind of machine.'
    yield ""
    yield "| work | figure | measured | elsewhere |"
    yield "| --- | --- | --- | --- |"
    notes = {"disturbed": [], "clientBound": []}
    for row in rows:
        measured = results["rows"].get(row.name)
        if not measured:
            continue
        for note, names in notes.items():
            if measured[note]:
                names.append(f"{row.name} ({measured[note]} of {measured['rounds']})")
        first = True
        for figure in row.figures:
            value = measured["figures"].get(figure.name)
            if value is None:
                continue
            work, others = (row.work, row.others) if first else ("", "")
            yield f"| {work} | {figure.label} | {spread(value)} | {others} |"
            first = False
    yield ""
    if notes["disturbed"]:
        yield f"Runs in which others used the machine: {', '.join(notes['disturbed'])}."
    if notes["clientBound"]:
        yield f"Runs limited by todo-load, not the server: {', '.join(notes['clientBound'])}."
    if results["missing"]:
        yield "Not measured: " + "; ".join(f"{work} ({reason})" for work, reason in results["missing"].items()) + "."


def write(path, results, rows):
    """Puts the table between its marks, or behind the introduction when there are none yet."""
    with open(path) as file:
        text = file.read()
    if BEGIN not in text:
        head, _, tail = text.partition("\n## ")
        text = f"{head}\n## The table\n\n{BEGIN}\n{END}\n\n## {tail}"
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    table = "\n".join(line.rstrip() for line in lines(results, rows)).rstrip()
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n{table}\n{END}{after}")
