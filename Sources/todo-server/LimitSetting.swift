import TTRPCTransport

/// A limit that `--limit NAME=VALUE` sets. PROTOCOL.md says what each is for, by the same name.
struct LimitSetting: Sendable {
  /// What is set, and in which range, ends included.
  enum Quantity: Sendable {
    case count(any WritableKeyPath<ServerSettings, Int> & Sendable, ClosedRange<Int>)
    case bytes(any WritableKeyPath<ServerSettings, Int> & Sendable, ClosedRange<Int>)
    case time(any WritableKeyPath<ServerSettings, Duration> & Sendable, ClosedRange<Duration>)
  }

  let name: String
  let quantity: Quantity

  /// - Throws: `SettingError` that names the limit and its range.
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

// MARK: - Many

extension LimitSetting {
  /// Reads `NAME=VALUE`.
  ///
  /// - Throws: `SettingError`.
  static func apply(_ texts: [String], to settings: inout ServerSettings) throws {
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw SettingError(name: "limit", value: text, reason: "is not NAME=VALUE") }
      guard let limit = all.first(where: { $0.name == parts[0] }) else {
        throw SettingError(
          name: "limit", value: String(parts[0]),
          reason: "is none of \(all.map(\.name).joined(separator: ", "))")
      }
      try limit.set(String(parts[1]), in: &settings)
    }
    try check(settings)
  }

  /// What one limit alone does not show.
  private static func check(_ settings: ServerSettings) throws {
    let limits = settings.limits
    // Otherwise one answer that is not too long would close the connection of whoever asked for it.
    guard limits.outputLimit >= max(limits.outputPause, limits.maximumAnswerLength) else {
      throw SettingError(
        name: "limit output-limit", value: limits.outputLimit.byteText,
        reason: "is less than output-pause (\(limits.outputPause.byteText)) or one answer "
          + "(\(limits.maximumAnswerLength.byteText))")
    }
    guard limits.defaultDeadline <= limits.maximumDeadline else {
      throw SettingError(
        name: "limit default-deadline", value: limits.defaultDeadline.shortText,
        reason: "is more than maximum-deadline (\(limits.maximumDeadline.shortText))")
    }
  }
}
