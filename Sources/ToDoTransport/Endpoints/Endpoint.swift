import Glibc
import NIOCore

/// A server's address: `tcp://host:port`, `tls://host:port`, or `unix:///path`.
@nonexhaustive
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

extension Endpoint {
  /// Returns the IP address of a host. Waits for the system's resolver.
  ///
  /// - Throws: an error if the name does not resolve.
  package static func address(of host: String) throws -> String {
    let address = try SocketAddress.makeAddressResolvingHost(host, port: 0)
    return address.ipAddress ?? host
  }
}

/// The hosts that denote this machine, independently of name servers.
enum LoopbackHost {
  /// Returns whether a host is an address of the loopback interface, or the name `localhost`.
  ///
  /// An address is an IPv4 address of four decimal numbers in 127.0.0.0/8, an IPv6 address that is `::1`, or one that
  /// maps such an IPv4 address. Any other name can resolve to any machine, even one that begins with `127.`.
  static func contains(_ host: String) -> Bool {
    // The C library would not see the characters after a NUL.
    guard !host.utf8.contains(0) else { return false }
    if host.lowercased() == "localhost" { return true }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &bytes) == 1 { return bytes[0] == 127 }
    guard inet_pton(AF_INET6, host, &bytes) == 1, bytes.prefix(10).allSatisfy({ $0 == 0 }) else { return false }
    let isMapped = bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? bytes[12] == 127 : bytes.dropFirst(10).elementsEqual([0, 0, 0, 0, 0, 1])
  }
}

/// An endpoint that cannot be used, and the reason.
public struct EndpointError: Error, Equatable, CustomStringConvertible {
  /// The endpoint.
  public let endpoint: Endpoint
  /// The endpoint and the reason, for an error message.
  public let description: String

  /// Creates an error for an operation that failed with another error.
  package init(_ endpoint: Endpoint, _ what: String, _ reason: any Error) {
    // The description of an IOError names the system call, and says nothing else that its code does not.
    let text = (reason as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(reason)"
    self.init(endpoint, "\(what): \(text)")
  }

  /// Creates an error with a reason.
  package init(_ endpoint: Endpoint, _ what: String) {
    self.endpoint = endpoint
    description = "\(endpoint): \(what)"
  }
}
