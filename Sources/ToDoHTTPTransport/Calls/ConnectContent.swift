#if HTTP
/// The content type of a call with the Connect protocol.
struct ConnectContent: Equatable, Sendable {
  let format: FormatName
  /// Whether messages are in envelopes, as the methods with streams need.
  let isStream: Bool

  init(_ format: FormatName, isStream: Bool) { (self.format, self.isStream) = (format, isStream) }

  /// Returns `nil` if it is another type.
  init?(_ type: MediaType) {
    guard type.essence.hasPrefix("application/") else { return nil }
    var name = type.essence.dropFirst("application/".count)
    isStream = name.hasPrefix(Self.streamPrefix)
    if isStream { name = name.dropFirst(Self.streamPrefix.count) }
    guard let format = FormatName(rawValue: String(name)) else { return nil }
    self.format = format
  }

  /// The protocol of its calls.
  var callProtocol: any CallProtocol { isStream ? ConnectStream(format: format) : ConnectUnary(format: format) }

  /// The content type as text.
  var description: String { "application/\(isStream ? Self.streamPrefix : "")\(format.rawValue)" }

  /// All content types of methods with or without streams.
  static func types(isStream: Bool) -> [String] {
    FormatName.allCases.map { "application/\(isStream ? streamPrefix : "")\($0.rawValue)" }
  }

  private static let streamPrefix = "connect+"
}

/// A format that clients can select.
enum FormatName: String, CaseIterable {
  case json, proto
}
#endif
