"""Compares the imports of targets with the dependencies that Package.swift declares.

`swift build --explicit-target-dependency-import-check error` is not enough. SwiftPM compares the imports of a target with
`targetDependencyMap`, which contains the target's transitive dependencies (`recursiveDependencies` in
Sources/Build/LLBuildDescription.swift, used by `BuildOperation.verifyTargetImports`). The check therefore rejects only modules that
no path of dependencies reaches. todo-server could import NIOCore without declaring it because ToDoTTRPCTransport depends on NIOCore.
The check also ignores system libraries, ends silently at the first target that it cannot scan, and accepts dead dependencies.
"""

import re

# Modules that come with the toolchain or the system.
SYSTEM_MODULES = {
    "Android", "Darwin", "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
    "Musl", "Observation", "RegexBuilder", "Swift", "Synchronization", "Testing", "WinSDK", "XCTest",
}

# The modules of products whose name is not the name of their only module.
PRODUCT_MODULES = {}

# Dependencies that are used without an import, with the use.
USED_WITHOUT_IMPORT = {
    ("fuzz", "FuzzTargets"): "main.c calls its @_cdecl functions",
}

IMPORT_KINDS = {"struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor"}


def module_name(target):
    """Returns the name of a target's module: `todo_server` for `todo-server`."""
    return re.sub(r"\W", "_", target)


def imported_modules(tokens):
    """Returns the modules that a file imports, each with the line of the first import."""
    modules = {}
    for index, token in enumerate(tokens):
        if token.text != "import" or token.kind != "word" or (index and tokens[index - 1].text == "."):
            continue
        name = tokens[index + 1] if index + 1 < len(tokens) else token
        if name.text in IMPORT_KINDS:
            name = tokens[index + 2]
        if name.kind == "word" and name.line == token.line:
            modules.setdefault(name.text, token.line)
    return modules


class Target:
    """A target of the JSON that `swift package dump-package` prints."""

    def __init__(self, description):
        self.name = description["name"]
        self.type = description["type"]
        folder = "Tests" if self.type == "test" else "Sources"
        self.path = description.get("path") or f"{folder}/{self.name}"
        self.exclude = [f"{self.path}/{path}" for path in description.get("exclude", [])]
        self.dependencies = [dependency for dependency in map(dependency_name, description["dependencies"]) if dependency]

    def contains(self, name):
        """Whether a file, named from the root, is a source of this target."""
        if not name.startswith(self.path + "/"):
            return False
        return not any(name == path or name.startswith(path + "/") for path in self.exclude)


def dependency_name(dependency):
    """Returns the name of a product or a target; `None` for a plug-in, which nothing imports."""
    for kind in ("byName", "target", "product"):
        if kind in dependency:
            return dependency[kind][0]
    return None


def import_errors(tree, package):
    """Returns the undeclared imports of the package's Swift targets and the dead dependencies of all its targets."""
    undeclared, dead = [], []
    for target in map(Target, package["targets"]):
        if target.type == "system":
            continue
        files = [file for file in tree.files if target.contains(file.name)]
        imported = {}
        for file in files:
            for module, line in imported_modules(file.tokens).items():
                imported.setdefault(module, f"{file.name}:{line}")
        modules = {name: PRODUCT_MODULES.get(name, {module_name(name)}) for name in target.dependencies}
        declared = set().union(*modules.values()) | SYSTEM_MODULES | {module_name(target.name)}
        undeclared += [
            f"{target.name} imports {module} ({place})"
            for module, place in sorted(imported.items()) if module not in declared
        ]
        used = set(imported) if files else c_dependencies(tree, target, modules)
        dead += [
            f"{target.name} depends on {name}" for name in sorted(set(modules))
            if not modules[name] & used and (target.name, name) not in USED_WITHOUT_IMPORT
        ]
    return undeclared, dead


def c_dependencies(tree, target, modules):
    """Returns the modules of which a C target includes a header, directly or one that the module's own headers include."""
    included = set()
    for path in tree.paths(target.path):
        if path.suffix in (".c", ".h"):
            included |= included_headers(path)
    used = set()
    for name in modules:
        headers = {str(path.relative_to(tree.root / "Sources" / name)).removeprefix("include/")
                   for path in tree.paths(f"Sources/{name}") if path.suffix == ".h"}
        for header in tree.paths(f"Sources/{name}"):
            headers |= included_headers(header) if header.suffix == ".h" else set()
        used |= modules[name] if headers & included else set()
    return used


def included_headers(path):
    return set(re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.MULTILINE))
