#if HTTP
import NIOCore
package import NIOHTTP1
import ToDoRPC

/// The head of a request, validated. Every header that HTTP itself gives a meaning to is parsed here and nowhere else.
package struct HTTPRequest: Equatable, Sendable {
  /// The body that follows the head.
  package enum Body: Equatable, Sendable {
    case none
    case length(Int)
    /// The end shows the length: the last chunk, or over HTTP/2 the last frame.
    case chunked

    /// The length, if the head states it.
    package var length: Int? {
      switch self {
      case .none: 0
      case .length(let count): count
      case .chunked: nil
      }
    }
  }

  /// The method, in upper case.
  package let method: String
  /// The path as it was sent.
  package let path: String
  /// The query as it was sent, without its "?".
  package let query: String
  /// The host and port that the client believes to speak to, in lower case.
  package let host: String
  /// The origin of the page that has sent the request, in lower case; `nil` if no browser says so.
  package let origin: String?
  /// The body that follows.
  package let body: Body
  /// Whether the client waits for "100 Continue" before it sends the body.
  package let expectsContinue: Bool
  /// Whether the connection can serve another request.
  package let isKeepAlive: Bool
  /// All headers.
  package let headers: HTTPHeaders

  /// Validates a head.
  ///
  /// - Throws: `HTTPRejection`.
  package init(_ head: HTTPRequestHead) throws(HTTPRejection) { try self.init(head, body: Self.body(head)) }

  init(_ head: HTTPRequestHead, body: Body) throws(HTTPRejection) {
    headers = head.headers
    self.body = body
    method = head.method.rawValue
    let target = try Self.target(head)
    (path, query) = (target.path, target.query)
    host = try Self.host(head, target.authority)
    guard headers["authorization"].count <= 1 else { throw .ambiguousCredentials }
    let origins = headers["origin"]
    guard origins.count <= 1 else { throw .foreignOrigin }
    origin = origins.first?.lowercased()
    let expectations = headers["expect"]
    guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else { throw .unknownExpectation }
    expectsContinue = !expectations.isEmpty && body != .none && head.version == .http1_1
    // The decoder reads nothing after a request that asks for another protocol.
    isKeepAlive =
      head.isKeepAlive && head.version == .http1_1 && !headers.contains(name: "upgrade") && head.method != .CONNECT
  }

  private static func body(_ head: HTTPRequestHead) throws(HTTPRejection) -> Body {
    let encodings = head.headers["transfer-encoding"]
    guard head.headers["content-length"].count + encodings.count <= 1 else { throw .ambiguousLength }
    if let encoding = encodings.first {
      guard encoding.lowercased() == "chunked", head.version == .http1_1 else { throw .ambiguousLength }
      return .chunked
    }
    guard let count = try length(of: head.headers), count > 0 else { return .none }
    return .length(count)
  }

  /// Parses Content-Length.
  static func length(of headers: HTTPHeaders) throws(HTTPRejection) -> Int? {
    let lengths = headers["content-length"]
    guard let text = lengths.first else { return nil }
    guard lengths.count == 1, (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit), let count = Int(text)
    else { throw .ambiguousLength }
    return count
  }

  /// Divides `/path?query` or `http://host/path?query`.
  private static func target(
    _ head: HTTPRequestHead
  ) throws(HTTPRejection) -> (authority: Substring?, path: String, query: String) {
    var rest = head.uri[...]
    var authority: Substring?
    guard rest.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw .malformedTarget
    }
    if !rest.hasPrefix("/") {
      let scheme = rest.prefix { $0 != ":" }
      guard ["http", "https"].contains(scheme.lowercased()), rest.dropFirst(scheme.count).hasPrefix("://") else {
        throw .malformedTarget
      }
      rest = rest.dropFirst(scheme.count + 3)
      authority = rest.prefix { $0 != "/" && $0 != "?" }
      rest = rest.dropFirst(authority?.count ?? 0)
    }
    let path = rest.prefix { $0 != "?" }
    guard path.hasPrefix("/") else { throw .malformedTarget }
    return (authority, String(path), String(rest.dropFirst(path.count + 1)))
  }

  private static func host(_ head: HTTPRequestHead, _ authority: Substring?) throws(HTTPRejection) -> String {
    let hosts = head.headers["host"]
    guard hosts.count == 1 || hosts.isEmpty && head.version != .http1_1 else { throw .malformedHost }
    let host = authority.map(String.init) ?? hosts.first ?? ""
    guard host.utf8.allSatisfy(\.isAuthority) else { throw .malformedHost }
    return host.lowercased()
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte may be a part of a name, an address or a port.
  fileprivate var isAuthority: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: isDigit
    }
  }
}
#endif
