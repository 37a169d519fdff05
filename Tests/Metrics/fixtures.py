"""Small packages for the tests of .ci/metrics, and the scripts of the check as modules."""

import contextlib
import importlib.machinery
import importlib.util
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


def script(path):
    """Returns the module of a script whose name has no extension."""
    loader = importlib.machinery.SourceFileLoader(path.name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.name, loader))
    loader.exec_module(module)
    return module


def package(*targets):
    return {"targets": list(targets)}
