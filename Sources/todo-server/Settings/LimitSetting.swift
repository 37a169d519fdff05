import ToDoRPC

/// A limit that `--limit NAME=VALUE` sets. PROTOCOL.md describes each limit under the same name.
struct LimitSetting: Sendable {
  /// The setting that the limit changes, and the closed range of its values.
  enum Quantity: Sendable {
    case count(any WritableKeyPath<ServerSettings, Int> & Sendable, ClosedRange<Int>)
    case bytes(any WritableKeyPath<ServerSettings, Int> & Sendable, ClosedRange<Int>)
    case time(any WritableKeyPath<ServerSettings, Duration> & Sendable, ClosedRange<Duration>)
  }

  let name: String
  let quantity: Quantity

  /// Sets the limit to a value.
  ///
  /// - Throws: `SettingError` with the name of the limit and its range.
  func set(_ text: String, in settings: inout ServerSettings) throws {
    switch quantity {
    case .count(let path, let range):
      settings[keyPath: path] = try checked(Int(text), in: range, text) { "\($0)" }
    case .bytes(let path, let range):
      settings[keyPath: path] = try checked(Int(bytes: text), in: range, text, \.byteText)
    case .time(let path, let range):
      settings[keyPath: path] = try checked(Duration(text: text), in: range, text, \.shortText)
    }
  }

  private func checked<Value>(
    _ value: Value?, in range: ClosedRange<Value>, _ text: String, _ describe: (Value) -> String
  ) throws -> Value {
    guard let value, range.contains(value) else {
      let kind =
        switch quantity {
        case .count: "a number"
        case .bytes: "a size, such as 65536, 64KiB or 4MiB,"
        case .time: "a time, such as 500ms, 30s, 5m or 1h,"
        }
      throw SettingError(
        name: "limit \(name)", value: text,
        reason: "is not \(kind) from \(describe(range.lowerBound)) to \(describe(range.upperBound))")
    }
    return value
  }
}

// MARK: - Applying several limits

extension LimitSetting {
  /// Applies limits of the form `NAME=VALUE`.
  ///
  /// - Throws: `SettingError`.
  static func apply(_ texts: [String], to settings: inout ServerSettings) throws {
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw SettingError(name: "limit", value: text, reason: "is not of the form NAME=VALUE")
      }
      guard let limit = all.first(where: { $0.name == parts[0] }) else {
        throw SettingError(
          name: "limit", value: String(parts[0]),
          reason: "is not a valid limit; valid limits are \(all.map(\.name).joined(separator: ", "))")
      }
      try limit.set(String(parts[1]), in: &settings)
    }
    try check(settings)
  }

  /// Checks conditions that involve several limits.
  private static func check(_ settings: ServerSettings) throws {
    let limits = settings.limits
    // Otherwise a single response of valid length would close its connection.
    guard limits.outputLimit >= max(limits.outputPause, limits.maximumResponseLength) else {
      throw SettingError(
        name: "limit output-limit", value: limits.outputLimit.byteText,
        reason: "is less than output-pause (\(limits.outputPause.byteText)) or one response "
          + "(\(limits.maximumResponseLength.byteText)); raise it")
    }
    guard limits.defaultDeadline <= limits.maximumDeadline else {
      throw SettingError(
        name: "limit default-deadline", value: limits.defaultDeadline.shortText,
        reason: "is more than maximum-deadline (\(limits.maximumDeadline.shortText)); raise maximum-deadline too")
    }
  }
}
