import ToDoRPC
import ToDoRules

extension LimitSetting {
  /// All limits, in the order of PROTOCOL.md.
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
