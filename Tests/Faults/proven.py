"""Decides whether a broken variant of a fault test must run again.

  proven.py check TEST ARGUMENT...    ends with 0 if the variant was detected with the files that are here
  proven.py record TEST ARGUMENT...   records that it was

A variant proves its test, not the product: it must run again after a change of the test, of a module that the test imports, of a
shim, which plants faults, or of the fleet's configuration. `proven.txt` has a digest of these files for each variant. Modules
that Protos/generate makes of the schema belong to the product.
"""

import hashlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
IMPORT = re.compile(r"^\s*(?:from|import) ([a-z_0-9]+)", re.MULTILINE)
HEADER = "# The broken variants that were detected, each with the digest of its files. Written by proven.py.\n"


def imported(file, folder):
    """Returns the files that a file imports from this folder, from the Python client and, if it names that folder, from Fuzz."""
    text = file.read_text(encoding="utf-8")
    others = [folder.parent / "Interop" / "python"] + [folder.parent / "Fuzz"] * ('"Fuzz"' in text)
    found = set()
    for name in IMPORT.findall(text):
        modules = [place / f"{name}.py" for place in [folder, *others]]
        found |= {module for module in modules if module.exists()} or set((folder / name).glob("*.py"))
    return found


def files(test, folder=HERE):
    """Returns the files that a test consists of: itself, what it imports, the shims, and the fleet."""
    found, new = set(), {folder / f"{test}.py"}
    while new:
        found |= new
        new = set().union(*(imported(file, folder) for file in new)) - found
    return sorted(found.union(*((folder / name).glob("*") for name in ("shims", "fleet"))))


def digest(variant, folder=HERE):
    result = hashlib.sha256(" ".join(variant).encode())
    for file in files(variant[0], folder):
        content = file.read_bytes()
        result.update(f"\n{file.relative_to(folder.parent)} {len(content)}\n".encode() + content)
    return result.hexdigest()


def recorded(folder=HERE):
    """Returns the digests of the variants that were detected, by variant."""
    file = folder / "proven.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(reversed(line.split(" ", 1)) for line in lines if not line.startswith("#"))


def record(variant, folder=HERE):
    digests = {**recorded(folder), " ".join(variant): digest(variant, folder)}
    lines = [f"{value} {name}\n" for name, value in sorted(digests.items())]
    (folder / "proven.txt").write_text(HEADER + "".join(lines), encoding="utf-8")


def main(arguments):
    match arguments:
        case ["check", *variant] if variant:
            return 0 if recorded().get(" ".join(variant)) == digest(variant) else 1
        case ["record", *variant] if variant:
            record(variant)
            return 0
    print("usage: proven.py check|record TEST ARGUMENT...", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
