import CToDoSQLite

extension Statement {
  /// Makes SQLite copy bound values: SQLITE_TRANSIENT, a C macro that Swift does not import.
  private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Binds an integer, or NULL.
  package func bind(_ number: Int64?, at parameter: Int32) {
    compileIfNeeded()
    if let number {
      note(sqlite3_bind_int64(handle, parameter, number))
    } else {
      note(sqlite3_bind_null(handle, parameter))
    }
  }

  /// Binds a floating-point number, or NULL. SQLite stores NaN as NULL.
  package func bind(_ number: Double?, at parameter: Int32) {
    compileIfNeeded()
    if let number {
      note(sqlite3_bind_double(handle, parameter, number))
    } else {
      note(sqlite3_bind_null(handle, parameter))
    }
  }

  /// Binds a text, or NULL. The text may be empty and may contain NUL.
  package func bind(_ text: String?, at parameter: Int32) {
    compileIfNeeded()
    guard var text else { return note(sqlite3_bind_null(handle, parameter)) }
    // The address is never null, even if the text is empty. SQLite would bind NULL for a null address.
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        note(
          sqlite3_bind_text64(
            handle, parameter, characters.baseAddress, UInt64(utf8.count), Self.copying, UInt8(SQLITE_UTF8)))
      }
    }
  }

  /// Binds a blob, which may be empty.
  package func bind(_ bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    compileIfNeeded()
    // An empty buffer may have no address, and SQLite would bind NULL.
    guard !bytes.isEmpty else { return note(sqlite3_bind_zeroblob(handle, parameter, 0)) }
    note(sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), Self.copying))
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK, bindingCode == SQLITE_OK { bindingCode = code }
  }
}

/// A value that can be bound to a parameter of a statement.
package protocol Bindable {
  /// Binds the value. If that fails, the statement's next run throws.
  func bind(to statement: Statement, at parameter: Int32)
}

extension Int64: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension Int: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(Int64(self), at: parameter) }
}

extension Double: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension Bool: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { (self ? 1 : 0).bind(to: statement, at: parameter) }
}

extension String: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) { statement.bind(self, at: parameter) }
}

extension [UInt8]: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) {
    withUnsafeBytes { statement.bind($0, at: parameter) }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to statement: Statement, at parameter: Int32) {
    if let self {
      self.bind(to: statement, at: parameter)
    } else {
      statement.bind(nil as Int64?, at: parameter)
    }
  }
}
