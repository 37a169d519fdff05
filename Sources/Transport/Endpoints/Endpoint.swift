import Protobuf

/// Where a server listens: `tcp://host:port`, `tls://host:port`, or `unix:///path`.
public enum Endpoint: Hashable, Sendable {
  /// A name or an IP address, without brackets, and a port; 0 lets a server pick a free one.
  case tcp(host: String, port: Int)
  /// The same, inside of TLS. The host is what the server's certificate must name.
  case tls(host: String, port: Int)
  /// The absolute path of a socket file.
  case unix(path: String)

  /// The port of a `tcp://` endpoint that names none.
  public static let defaultPort = 8636
  /// The port of a `tls://` endpoint that names none.
  public static let defaultTLSPort = 8637

  /// Whether what is sent there is seen by programs on this machine only.
  public var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _), .tls(let host, _): LoopbackHost.contains(host)
    }
  }
}

extension Endpoint: LosslessStringConvertible {
  /// Reads `tcp://host`, `tcp://host:port`, `tcp://[::1]:port`, the same with `tls`, or `unix:///path`; `nil` for anything
  /// else.
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
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else { return nil }
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
