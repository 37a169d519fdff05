import ToDoModel
import ToDoRPC
import ToDoRules

/// A limit that `--limit NAME=VALUE` sets. API.md and TTRPC.md describe each under the same name.
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

extension LimitSetting {
  /// All limits, in the order of API.md and TTRPC.md.
  static let all: [LimitSetting] = frames + connections + times + lists

  /// The valid frame sizes. The protocol does not allow more than the default.
  private static let frameSizes = 4 << 10...ServerLimits().maximumFrameLength

  private static let frames = [
    bytes("frame-size", \.limits.maximumFrameLength, frameSizes),
    bytes(
      "frame-size-before-authentication", \.limits.maximumFrameLengthBeforeAuthentication, frameSizes),
    count("metadata-pairs", \.limits.maximumMetadataPairs, 1...10_000),
    bytes("metadata-size", \.limits.maximumMetadataSize, 256...1 << 20),
  ]

  private static let connections = [
    count("calls-per-connection", \.limits.maximumStreams, 2...100_000),
    count("streams-per-connection", \.limits.maximumStreamingCalls, 0...100_000),
    bytes("input-pause", \.limits.inputPause, 4 << 10...1 << 30),
    bytes("output-pause", \.limits.outputPause, 4 << 10...1 << 30),
    bytes("output-limit", \.limits.outputLimit, 4 << 10...1 << 30),
    count("strikes", \.limits.maximumStrikes, 1...1_000_000_000),
    count("connections", \.limits.maximumConnections, 1...1_000_000_000),
    count("connections-per-address", \.limits.maximumConnectionsPerAddress, 1...1_000_000_000),
    count("connections-per-unix-user", \.limits.maximumConnectionsPerUnixUser, 1...1_000_000_000),
    bytes("buffer-size", \.limits.maximumBufferedBytes, 1 << 20...1 << 40),
    bytes("buffer-size-per-user", \.limits.maximumBufferedBytesPerUser, 1 << 20...1 << 40),
    bytes("buffer-size-per-address", \.limits.maximumBufferedBytesPerAddress, 1 << 20...1 << 40),
  ]

  private static let times = [
    time("login-time", \.limits.loginTime),
    time("first-frame-time", \.limits.firstFrameTime),
    time("frame-time", \.limits.frameTime),
    bytes("frame-rate", \.limits.frameRate, 1...1 << 30),
    time("write-stall-time", \.limits.writeStallTime),
    time("idle-time", \.limits.idleTime),
    time("default-deadline", \.limits.defaultDeadline),
    time("maximum-deadline", \.limits.maximumDeadline),
    time("closing-time", \.limits.closingTime),
    time("shutdown-time", \.shutdownTime),
  ]

  private static let lists = [
    count("lists", \.maximumLists, 0...UserList.Limits.lists),
    bytes("list-size", \.maximumListSize, 1 << 20...1 << 40),
    count("item-rate", \.writeRate.items.perSecond, 1...1_000_000_000),
    count("item-burst", \.writeRate.items.burst, 1...1_000_000_000),
    bytes("text-rate", \.writeRate.text.perSecond, 1...1 << 40),
    bytes("text-burst", \.writeRate.text.burst, 1...1 << 40),
    time("deleted-item-time", \.deletedItemAge),
    time("deleted-id-time", \.retention.deletedIDAge),
  ]

  private static func count(
    _ name: String, _ path: any WritableKeyPath<ServerSettings, Int> & Sendable, _ range: ClosedRange<Int>
  ) -> LimitSetting {
    LimitSetting(name: name, quantity: .count(path, range))
  }

  private static func bytes(
    _ name: String, _ path: any WritableKeyPath<ServerSettings, Int> & Sendable, _ range: ClosedRange<Int>
  ) -> LimitSetting {
    LimitSetting(name: name, quantity: .bytes(path, range))
  }

  /// Creates a limit of time. Timers check four times per period, which requires a minimum. A year is practically unlimited.
  private static func time(
    _ name: String, _ path: any WritableKeyPath<ServerSettings, Duration> & Sendable
  ) -> LimitSetting {
    LimitSetting(name: name, quantity: .time(path, .milliseconds(100) ... .seconds(365 * 24 * 3600)))
  }
}

extension Int {
  /// Parses a number of bytes, such as `65536`, `64KiB`, `4MiB` or `1GiB`, or returns `nil`.
  init?(bytes text: String) {
    let digits = text.prefix { ("0"..."9").contains($0) }
    guard let number = Int(digits), let unit = Self.units[String(text[digits.endIndex...])] else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    self = bytes
  }

  /// The text in the largest unit that divides the number.
  var byteText: String {
    let unit = Self.units.filter { self % $0.value == 0 && self >= $0.value }.max { $0.value < $1.value }
    return unit.map { "\(self / $0.value)\($0.key)" } ?? "\(self)"
  }

  private static let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
}
