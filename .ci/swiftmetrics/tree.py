"""The measured files of a package, each read and parsed once."""

import functools
import pathlib

from swiftmetrics.declarations import declarations
from swiftmetrics.lexer import tokens


class SwiftFile:
    def __init__(self, root, path):
        self.path = path
        self.name = str(path.relative_to(root))
        self.text = path.read_text(encoding="utf-8")

    @functools.cached_property
    def tokens(self):
        return tokens(self.text)

    @functools.cached_property
    def declarations(self):
        return declarations(self.tokens)


class Tree:
    """The Swift files below Sources and Tests, without hidden folders such as .build."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = [SwiftFile(self.root, path) for path in self.paths("Sources", "Tests") if path.suffix == ".swift"]

    def paths(self, *folders):
        """Returns the files below these folders, sorted."""
        found = []
        for folder in folders:
            found += [path for path in (self.root / folder).rglob("*") if path.is_file()]
        return sorted(path for path in found if not any(part.startswith(".") for part in self.parts(path)))

    def parts(self, path):
        return path.relative_to(self.root).parts

    @property
    def sources(self):
        return [file for file in self.files if file.name.startswith("Sources/")]

    @property
    def tests(self):
        return [file for file in self.files if file.name.startswith("Tests/")]
