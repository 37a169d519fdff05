"""The figures that `.ci/metrics` prints, with their bounds and offenders."""

from dataclasses import dataclass

from swiftmetrics import documentation, folders, imports, reality, timelimits
from swiftmetrics.declarations import CALLABLES

LINES_A_FUNCTION = 40
DOCUMENTED_PERCENT = {"public": 100, "package": 95}
LONGEST_SHOWN = 10


@dataclass
class Check:
    title: str
    figure: str
    offenders: list  # lines of text; the check passes if there are none
    notes: list  # lines of text that are printed in any case


def all_checks(tree, package):
    undeclared, dead = imports.import_errors(tree, package)
    uses, needless = reality.uses(tree.sources)
    mutual = folders.mutual_folders(tree.sources)
    unlimited = timelimits.unlimited_tests(tree.tests)
    return [
        lines_a_function(tree),
        *(documented_share(tree, access) for access in ("public", "package")),
        Check("undeclared imports", f"{len(undeclared)}; bound: 0", undeclared, []),
        Check("dead dependencies", f"{len(dead)}; bound: 0", dead, []),
        Check("asynchronous tests without a time limit", f"{len(unlimited)}; bound: 0", unlimited, []),
        Check("folders that use each other", f"{len(mutual)} pairs; bound: 0", mutual, []),
        Check("real time and random numbers", f"{len(uses)} without a reason; bound: 0", uses + needless, []),
    ]


def lines_a_function(tree):
    """Lines between the braces of functions, initializers, subscripts and computed properties in Sources, except properties that
    only list values: the rules of a contract are as many as they are."""
    lengths = []
    for file in tree.sources:
        for declaration in file.declarations:
            if declaration.body and declaration.kind in CALLABLES | {"var"} and not declaration.is_table:
                place = f"{file.name}:{declaration.line} {declaration.full_name}"
                lengths.append((declaration.body_length, place))
    lengths.sort(key=lambda length: (-length[0], length[1]))
    offenders = [f"{length:4}  {place}" for length, place in lengths if length > LINES_A_FUNCTION]
    notes = [f"{length:4}  {place}" for length, place in lengths[len(offenders):LONGEST_SHOWN]]
    longest = lengths[0][0] if lengths else 0
    return Check("lines a function", f"at most {longest}; bound: {LINES_A_FUNCTION}", offenders, notes)


def documented_share(tree, access):
    """The share of documented declarations; `open` counts as public."""
    wanted = {"public", "open"} if access == "public" else {access}
    inheritance = documentation.Inheritance(tree.sources)
    found = [
        (file, declaration) for file, declaration in documentation.visible_declarations(tree.sources)
        if declaration.access in wanted
    ]
    missing = [
        (file, declaration) for file, declaration in found
        if not declaration.is_documented and not inheritance.is_inherited(declaration)
    ]
    documented = len(found) - len(missing)
    percent = 100 * documented / len(found) if found else 100
    figure = f"{percent:.1f} %, {documented} of {len(found)}; bound: {DOCUMENTED_PERCENT[access]} %"
    places = [f"{file.name}:{declaration.line} {declaration.full_name}" for file, declaration in missing]
    is_met = percent >= DOCUMENTED_PERCENT[access]
    return Check(f"documented {access} declarations", figure, [] if is_met else places, [])
