/// A valid URL for a target. No refusal contains any part of the text.
struct NotificationURL: Hashable, Sendable {
  /// Whether the scheme is `https`.
  let isEncrypted: Bool
  /// The host in lower case, an IPv6 address without its brackets.
  let host: String
  /// The port, even if the URL names none.
  let port: Int
  /// The path with the query, at least `/`. A credential.
  let pathAndQuery: String

  /// The reason why a text is not a target's URL.
  struct Refusal: Error, Equatable, Sendable {
    /// The violated rule, as a phrase that follows the field's name.
    let reason: String

    fileprivate init(_ reason: String) { self.reason = reason }
  }

  /// Parses a URL. Returns `nil` for any other text.
  init?(_ text: String) {
    do { self = try NotificationURL(validating: text) } catch { return nil }
  }

  /// Parses a URL.
  init(validating text: String) throws(Refusal) {
    let limit = NotificationTarget.Limits.urlBytes
    guard text.utf8.count <= limit else { throw Refusal("must have at most \(limit) bytes") }
    guard text.utf8.allSatisfy(Self.isAllowed) else {
      throw Refusal("must contain only characters of URLs; encode any other one with %")
    }
    guard let (scheme, rest) = text.split(at: "://") else { throw Refusal(Self.schemeReason) }
    switch scheme.lowercased() {
    case "https": isEncrypted = true
    case "http": isEncrypted = false
    default: throw Refusal(Self.schemeReason)
    }
    guard !rest.utf8.contains(UInt8(ascii: "#")) else { throw Refusal("must have no fragment") }
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    (host, port) = try Self.hostAndPort(rest[..<end], defaultPort: isEncrypted ? 443 : 80)
    pathAndQuery = (rest[end...].hasPrefix("/") ? "" : "/") + rest[end...]
  }

  /// The scheme, the host, and the port unless it is the scheme's own: no credential.
  var origin: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let suffix = port == (isEncrypted ? 443 : 80) ? "" : ":\(port)"
    return "\(isEncrypted ? "https" : "http")://\(name)\(suffix)"
  }

  /// The reason why the path does not end with an ntfy topic; `nil` if it does.
  var topicViolation: String? {
    let limit = NotificationTarget.Limits.topicCharacters
    let topic = pathAndQuery.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
    let isTopic =
      (1...limit).contains(topic.count)
      && topic.allSatisfy { Self.isAlphanumeric($0) || "_-".utf8.contains($0) }
    return isTopic ? nil : "must end with a topic: 1 to \(limit) letters, digits, _ or -"
  }

  private static let schemeReason = "must begin with https:// or http://"

  private static func hostAndPort(_ authority: Substring, defaultPort: Int) throws(Refusal) -> (String, Int) {
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw Refusal("must contain no user name or password") }
    let hostEnd: Substring.Index
    if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
      hostEnd = authority.index(after: bracket)
      let address = authority[..<bracket].dropFirst()
      let isAddress =
        address.utf8.contains(UInt8(ascii: ":"))
        && address.utf8.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
      guard isAddress else { throw Refusal(hostReason) }
    } else {
      hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
      let name = authority[..<hostEnd].utf8
      let isName =
        (1...253).contains(name.count)
        && name.allSatisfy { isAlphanumeric($0) || "-._".utf8.contains($0) }
      guard isName else { throw Refusal(hostReason) }
    }
    let host = authority[..<hostEnd].filter { $0 != "[" && $0 != "]" }.lowercased()
    guard hostEnd < authority.endIndex else { return (host, defaultPort) }
    let digits = authority[hostEnd...].dropFirst()
    guard authority[hostEnd] == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      (1...65_535).contains(port)
    else { throw Refusal("must have a port from 1 to 65535, or none") }
    return (host, port)
  }

  private static let hostReason = "must contain the name or the address of a host"

  /// Whether a URL can contain the byte: visible ASCII but characters that RFC 3986 excludes.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}

extension NotificationURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The scheme and the host.
  var description: String { origin }

  /// The scheme and the host.
  var debugDescription: String { origin }

  /// No part of the URL.
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// The texts before and after the first occurrence of a separator.
  fileprivate func split(at separator: String) -> (Substring, Substring)? {
    guard let range = firstRange(of: separator) else { return nil }
    return (self[..<range.lowerBound], self[range.upperBound...])
  }
}
