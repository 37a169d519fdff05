/// The address of a server: `tcp://host:port`, `tls://host:port`, or `unix:///path`.
public enum Endpoint: Hashable, Sendable {
  /// A host name or an IP address, without brackets, and a port. A server that listens on port 0 gets a free port.
  case tcp(host: String, port: Int)
  /// The same, over TLS. The server's certificate must name the host.
  case tls(host: String, port: Int)
  /// The absolute path of a socket file.
  case unix(path: String)

  /// The port of a `tcp://` endpoint without a port.
  public static let defaultPort = 8636
  /// The port of a `tls://` endpoint without a port.
  public static let defaultTLSPort = 8637

  /// Whether data for this endpoint does not leave this machine.
  public var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _), .tls(let host, _): LoopbackHost.contains(host)
    }
  }
}

extension Endpoint {
  /// The reason why a build without the trait TLS rejects `tls://` endpoints, and the remedy.
  package static let withoutTLS =
    "this program was built without TLS; build it with the default traits, or with '--traits TLS'"

  /// Whether this build can use the endpoint. A build without the trait TLS cannot use `tls://` endpoints.
  package var isSupported: Bool {
    #if TLS
    true
    #else
    if case .tls = self { false } else { true }
    #endif
  }
}

extension Endpoint: LosslessStringConvertible {
  /// Whether an error may quote a text that is not a valid endpoint. A text with an "@" may be a URL with a password.
  package static func isQuotable(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: "@")) }

  /// Parses `tcp://host`, `tcp://host:port`, `tcp://[::1]:port`, the same with `tls`, or `unix:///path`. Returns `nil` if
  /// the text has another form.
  public init?(_ text: String) {
    if let path = text.suffix(after: "unix://") {
      guard path.hasPrefix("/"), path.count > 1 else { return nil }
      self = .unix(path: String(path))
    } else if let authority = text.suffix(after: "tcp://") {
      guard let (host, port) = Self.hostAndPort(authority, Self.defaultPort) else { return nil }
      self = .tcp(host: host, port: port)
    } else if let authority = text.suffix(after: "tls://") {
      guard let (host, port) = Self.hostAndPort(authority, Self.defaultTLSPort) else { return nil }
      self = .tls(host: host, port: port)
    } else {
      return nil
    }
  }

  /// The endpoint in the form that `init(_:)` parses.
  public var description: String {
    switch self {
    case .tcp(let host, let port): "tcp://\(Self.authority(host, port))"
    case .tls(let host, let port): "tls://\(Self.authority(host, port))"
    case .unix(let path): "unix://\(path)"
    }
  }

  private static func authority(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private static func hostAndPort(_ authority: Substring, _ defaultPort: Int) -> (String, Int)? {
    let host: Substring
    let rest: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      rest = authority[authority.index(after: end)...]
    } else {
      let end = authority.firstIndex(of: ":") ?? authority.endIndex
      host = authority[..<end]
      rest = authority[end...]
    }
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" || $0 == "@" }) else { return nil }
    guard !rest.isEmpty else { return (String(host), defaultPort) }
    guard rest.first == ":", let port = UInt16(rest.dropFirst()) else { return nil }
    return (String(host), Int(port))
  }
}

extension String {
  fileprivate func suffix(after prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
