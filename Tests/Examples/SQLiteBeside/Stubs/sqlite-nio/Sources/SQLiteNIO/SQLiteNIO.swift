internal import CSQLite

/// The name of the library that this stub stands for.
public var name: String { String(cString: csqlite_name()) }
