/// The name of the library that this stub stands for.
public let name = "SQLite.swift"
