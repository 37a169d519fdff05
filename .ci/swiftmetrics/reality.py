"""Finds code that reads the real time, waits in it, or draws random numbers itself.

Such code cannot be tested without waiting, or not twice with the same result, so clocks, pauses and generators are injected. Not
found are uses that are a default which a test replaces: the closure after a `=`, as in `pause: … = { try await Task.sleep(for: $0) }`,
and numbers from a generator that is passed (`using:`). `EXCEPTIONS` has the files and folders that may do it, with the reason.
"""

import re

COMMENT = re.compile(r"//[^\n]*")
USE = re.compile(
    r"ContinuousClock(?:\(\))?\.now\b|\bTask\.sleep\(|\.random\((?![^()]*using:)|\bSystemRandomNumberGenerator\b"
    r"|SystemWallClock\(\)\.now\(\)|\bDate\(\)|\bDispatchTime\.now\(\)"
    # The same with an inferred type, in arithmetic and as an argument.
    r"|(?:[-+<>=] |\b(?:to|timeout|deadline): )\.now\b|(?<![\w.)])\.now [-+<>]"
)
# The text on the line before a use that is a default.
DEFAULT = re.compile(r"= \{[^{}]*$")

EXCEPTIONS = {
    # Programs, where everything is composed.
    "Sources/todo-load/": "the program measures real time",
    "Sources/todo-server/Commands/": "a command runs at the real time",
    "Sources/todo-server/Maintenance/SchemaMonitor.swift": "asks the real store again",
    "Sources/todo/Composition/": "composes the real program",
    "Sources/todo/Editing/EditDraft.swift": "names a temporary file",
    "Sources/ToDoModel/Time/SystemWallClock.swift": "the real clock",
    # Values that are random by definition. What depends on them takes them as a parameter.
    "Sources/ToDoModel/Items/ListIncarnation.swift": "defines the random value",
    "Sources/ToDoModel/Items/ItemID.swift": "defines the random value; tests pass a generator",
    "Sources/ToDoRules/Hashing/ContentFingerprint.swift": "defines the random value",
    "Sources/ToDoServer/Access/BearerToken.swift": "a secret",
    "Sources/ToDoServer/Access/LinkToken.swift": "a secret",
    "Sources/ToDoRules/Notifications/LocalNotificationService.swift": "a secret",
    "Sources/ToDoRules/Notifications/EmailConfirmations.swift": "a secret",
    "Sources/ToDoStores/Memory/MemoryToDoItemStore.swift": "the identity of a new store",
    "Sources/ToDoStores/SQLite/Schema/": "the identity of a new store",
    "Sources/ToDoPostgreSQLStore/Schema/StoreIdentity+Stored.swift": "the identity of a new store",
    "Sources/ToDoPostgreSQLStore/PostgreSQLToDoItemStore.swift": "the mark of this process on the server",
    "Sources/ToDoPostgreSQLStore/Accounts/PostgreSQLAccountStore.swift": "the mark of this process on the server",
    # Names that no other process may guess or use.
    "Sources/ToDoSupport/PrivateFile.swift": "names a temporary file",
    "Sources/ToDoStores/SQLite/Database/FileSystem.swift": "names a temporary folder",
    "Sources/ToDoStores/SQLite/Database/DatabaseFile.swift": "names a temporary file",
    "Sources/ToDoSQLite/SQLiteConnection.swift": "numbers the schema of an emptied file as no open connection knows it",
    # Limits on the time that something outside of the process takes.
    "Sources/ToDoPostgreSQL/": "limits waits for a socket",
    "Sources/todo/Interface/Effects/BrowserProcess.swift": "limits the time in which a browser fails",
    "Sources/todo/Reminding/ReminderProcess.swift": "limits the time of a program; tests pass a short one",
    "Sources/ToDoStores/SQLite/Maintenance/DatabaseCheck.swift": "limits the time of a statement",
    "Sources/ToDoTransport/Connections/ConnectionSet.swift": "the grace period of open connections; tests pass zero",
    "Sources/ToDoTesting/": "limits the real time of tests",
    # Defaults in another form.
    "Sources/ToDoRules/Lists/ListDirectory.swift": "the initializer that passes the real clock",
    "Sources/ToDoRules/Rules/WriteRateLimiter.swift": "the initializer that passes the real clock",
    "Sources/ToDoStores/SQLite/SQLiteToDoItemStore.swift": "a default of several lines",
    "Sources/ToDoStores/SQLite/Search/SearchCache.swift": "a default of several lines",
    "Sources/ToDoPostgreSQLStore/Schema/StoreTiming.swift": "the timing of the real system, which tests replace",
    "Sources/ToDoRules/Positions/PositionTiming.swift": "the timing of the real system, which tests replace",
    "Sources/ToDoClient/Connections/ClientTiming.swift": "the timing of the real system, which tests replace",
    # What nothing depends on.
    "Sources/ToDoRPC/Interceptors/LoggingInterceptor.swift": "a duration in the log",
}


def uses(files, exceptions=EXCEPTIONS):
    """Returns the uses without an exception, as `path:line text`, and the exceptions that their files do not need."""
    found, needed = [], set()
    for file in files:
        text = COMMENT.sub("", file.text)
        for use in USE.finditer(text):
            if DEFAULT.search(text, text.rfind("\n", 0, use.start()) + 1, use.start()):
                continue
            reasons = [path for path in exceptions if file.name.startswith(path)]
            needed.update(reasons)
            if not reasons:
                found.append(f"{file.name}:{text.count(chr(10), 0, use.start()) + 1} {use[0]}")
    present = [path for path in exceptions if any(file.name.startswith(path) for file in files)]
    return found, [f"{path} needs no exception" for path in present if path not in needed]
