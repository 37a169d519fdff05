#if GRPC
package import NIOHPACK
package import ToDoRPC

/// The headers of a call, validated.
///
/// Each header that has a meaning in gRPC is parsed here and nowhere else.
package struct RequestHead: Equatable, Sendable {
  /// The full name of the service.
  package let service: String
  /// The name of the method.
  package let method: String
  /// The caller's timeout; `nil` if the caller did not set one.
  package let timeout: Duration?
  /// The encoding of the caller's messages.
  package let encoding: MessageEncoding
  /// The encoding of messages to the caller: that of its own, unless it says that it cannot read that. Most libraries
  /// can read gzip, so a caller that only says so does not get it.
  package let responseEncoding: MessageEncoding
  /// The caller's metadata, without the headers of HTTP/2 and gRPC itself. Values of `-bin` keys are padded base64.
  package let metadata: Metadata

  /// Validates headers.
  ///
  /// - Throws: `RequestRejection`.
  package init(_ headers: HPACKHeaders) throws(RequestRejection) {
    guard headers.only(":method") == "POST" else { throw .http(405) }
    guard headers.only("content-type").map(Self.isGRPC) == true else { throw .http(415) }
    let names = try Self.names(headers.only(":path") ?? "")
    try self.init(names.service, names.method, headers)
  }

  /// Validates the headers of a call whose method is known.
  ///
  /// - Throws: `RequestRejection`.
  package init(_ service: String, _ method: String, _ headers: HPACKHeaders) throws(RequestRejection) {
    (self.service, self.method) = (service, method)
    encoding = try Self.encoding(headers)
    responseEncoding = Self.accepts(encoding, headers) ? encoding : .identity
    timeout = try Self.timeout(headers)
    var metadata = Metadata()
    for (name, value, _) in headers where !Self.isReserved(name) {
      guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
        throw .status(.malformed("the value of \(name.excerpt) has control characters"))
      }
      guard name.hasSuffix("-bin") else {
        metadata.append(name, value)
        continue
      }
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let padded = part.drop(while: { $0 == " " }).paddedBase64 else {
          throw .status(.malformed("the value of \(name.excerpt) is not base64"))
        }
        metadata.append(name, padded)
      }
    }
    self.metadata = metadata
  }

  /// Whether a content type is gRPC with protobuf messages, with or without parameters.
  package static func isGRPC(_ type: String) -> Bool {
    let essence = type.prefix { $0 != ";" && $0 != " " }.lowercased()
    return essence == "application/grpc" || essence == "application/grpc+proto"
  }

  private static func names(_ path: String) throws(RequestRejection) -> (service: String, method: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty else {
      throw .status(RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", "the path is not /SERVICE/METHOD"))
    }
    return (String(parts[1]), String(parts[2]))
  }

  private static func encoding(_ headers: HPACKHeaders) throws(RequestRejection) -> MessageEncoding {
    let names = headers["grpc-encoding"]
    guard let name = names.first else { return .identity }
    guard names.count == 1, let encoding = MessageEncoding(rawValue: name) else { throw .status(.unsupportedEncoding) }
    return encoding
  }

  /// Whether a caller can read an encoding. One that does not say what it can read is able to read its own.
  private static func accepts(_ encoding: MessageEncoding, _ headers: HPACKHeaders) -> Bool {
    let lists = headers["grpc-accept-encoding"]
    return lists.isEmpty
      || lists.contains { list in
        list.split(separator: ",").contains { $0.filter { $0 != " " } == encoding.rawValue }
      }
  }

  /// Parses `grpc-timeout`: at most eight digits and a unit.
  private static func timeout(_ headers: HPACKHeaders) throws(RequestRejection) -> Duration? {
    let values = headers["grpc-timeout"]
    guard let text = values.first else { return nil }
    let digits = text.utf8.dropLast()
    guard values.count == 1, (1...8).contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int64(text.dropLast()), let unit = text.last, let timeout = Duration(number, unit)
    else { throw .status(.malformed("grpc-timeout is not a number of at most eight digits and a unit")) }
    return timeout
  }

  private static func isReserved(_ name: String) -> Bool {
    name.hasPrefix(":") || name.hasPrefix("grpc-") || name == "content-type" || name == "te"
  }
}

/// The response to a request whose headers are rejected.
package enum RequestRejection: Error, Equatable {
  /// The HTTP status of a request that is not gRPC.
  case http(Int)
  /// The gRPC status of a request that is gRPC.
  case status(RPCError)
}

extension RPCError {
  /// The caller compresses its messages in a way that this server does not support.
  static let unsupportedEncoding = RPCError(
    .unimplemented, reason: "UNSUPPORTED_ENCODING",
    "the call compresses its messages in a way that is not supported; use grpc-encoding: gzip or identity")

  /// The first byte of a message is 1, but the call has no encoding.
  static let compressedWithoutEncoding = RPCError(
    .internal, reason: "MALFORMED_REQUEST", "a message has the compressed flag, but the call has no grpc-encoding")

  /// The first byte of a message is neither 0 nor 1.
  static func unknownMessageFlag(_ flag: UInt8) -> RPCError {
    RPCError(.internal, reason: "MALFORMED_REQUEST", "a message begins with \(flag), which is not a compressed flag")
  }

  /// The request did not arrive in time.
  static let requestTooSlow = RPCError(
    .deadlineExceeded, reason: "DEADLINE_EXCEEDED", "the request did not arrive in time")
}

extension HPACKHeaders {
  /// The value of a header that occurs exactly once.
  fileprivate func only(_ name: String) -> String? {
    let values = self[name]
    return values.count == 1 ? values[0] : nil
  }
}

extension Duration {
  fileprivate init?(_ number: Int64, _ unit: Character) {
    switch unit {
    case "H": self = .seconds(number * 3600)
    case "M": self = .seconds(number * 60)
    case "S": self = .seconds(number)
    case "m": self = .milliseconds(number)
    case "u": self = .microseconds(number)
    case "n": self = .nanoseconds(number)
    default: return nil
    }
  }
}

extension String {
  /// The prefix of a peer's text, for an error message.
  var excerpt: String { String(unicodeScalars.prefix(64)) }
}

extension Substring {
  /// The same bytes as padded base64; `nil` if the text is not base64.
  fileprivate var paddedBase64: String? {
    let digits = utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = utf8.count - digits.count
    guard utf8.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") }), padding <= 2, digits.count % 4 != 1,
      padding == 0 || utf8.count.isMultiple(of: 4), digits.allSatisfy(\.isBase64)
    else { return nil }
    return String(prefix(digits.count)) + String(repeating: "=", count: (4 - digits.count % 4) % 4)
  }
}

extension UInt8 {
  fileprivate var isBase64: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
#endif
