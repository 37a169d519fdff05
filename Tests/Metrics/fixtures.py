"""Small packages for the tests of .ci/metrics."""

import contextlib
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))


@contextlib.contextmanager
def tree(files):
    """Makes a package of these files, given by path and text."""
    from swiftmetrics.tree import Tree

    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        yield Tree(folder)


def target(name, *dependencies, kind="regular", **description):
    """A target as `swift package dump-package` describes it."""
    return {
        "name": name, "type": kind, "dependencies": [{"byName": [dependency, None]} for dependency in dependencies],
        **description,
    }


def package(*targets):
    return {"targets": list(targets)}
