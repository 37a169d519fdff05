"""Finds folders of a target that use each other's types.

Swift has no imports between the folders of a module, so a use is any mention of a name that only one folder declares, as a type
or protocol at the top of a file. Extensions and files that lie in the target's own folder do not count.
"""

from collections import defaultdict

KINDS = {"struct", "class", "enum", "protocol", "actor", "typealias"}


def mutual_folders(files):
    """Returns the pairs of folders that use each other, as `Sources/A: B uses X, C uses Y`."""
    targets = defaultdict(list)
    for file in files:
        parts = file.name.split("/")
        if len(parts) > 3:
            targets["/".join(parts[:2])].append((parts[2], file))
    return [line for target, members in sorted(targets.items()) for line in mutual_folders_of(target, members)]


def mutual_folders_of(target, members):
    declared = defaultdict(set)
    for folder, file in members:
        for declaration in file.declarations:
            if declaration.kind in KINDS and "." not in declaration.full_name:
                declared[declaration.full_name].add(folder)
    homes = {name: next(iter(folders)) for name, folders in declared.items() if len(folders) == 1}
    uses = {}
    for folder, file in members:
        for token in file.tokens:
            home = homes.get(token.text) if token.kind == "word" else None
            if home and home != folder:
                uses.setdefault((folder, home), f"{folder} uses {token.text} ({file.name.split('/')[-1]}:{token.line})")
    return [f"{target}: {use}, {uses[home, folder]}" for (folder, home), use in sorted(uses.items())
            if folder < home and (home, folder) in uses]
