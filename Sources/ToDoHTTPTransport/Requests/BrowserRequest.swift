#if HTTP
import NIOHTTP1
import ToDoRPC
import ToDoTransport

/// A browser's statements about a request that a page has made it send.
package struct BrowserRequest: Equatable, Sendable {
  /// The sender of a request.
  package enum Sender: Sendable {
    /// A page of the server itself.
    case ownPage
    /// A page of another origin, or the user by a link or an address.
    case other
    /// A program, or a browser that does not say. No browser leaves it unsaid in a POST.
    case unknown
  }

  /// The sender of the request.
  package var sender = Sender.unknown
  /// Whether the page came over TLS, perhaps to a proxy.
  package var isSecure = false
  /// The token in the session's cookie; `nil` if there is none, or more than one with this name.
  package var session: String?

  /// The name of the cookie that contains a token. No other server on the host, and no other host in the domain, can set the
  /// secure one.
  package static func sessionCookie(isSecure: Bool) -> String { isSecure ? "__Host-todo-session" : "todo-session" }

  /// Creates the statements of a program, which says nothing.
  package init() {}

  /// - Parameter isForwardedByTLS: whether a trusted proxy says that it was sent over TLS.
  init(_ request: HTTPRequest, isForwardedByTLS: Bool = false) {
    let sites = request.headers["sec-fetch-site"]
    if request.origin == nil, sites.isEmpty {
      sender = .unknown
    } else {
      // An origin says less: it may be of a page without TLS, which anyone on the network can write.
      sender = request.isOfOwnOrigin && sites.allSatisfy { $0 == "same-origin" } ? .ownPage : .other
    }
    // Without an origin, browsers say the site over TLS, and to this machine.
    isSecure =
      isForwardedByTLS
      || request.origin.map { $0.hasPrefix("https://") } ?? (!sites.isEmpty && !request.isToThisMachine)
    let cookies = request.headers["cookie"].flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
    for isSecure in isSecure ? [true] : [true, false] {
      let values = cookies.compactMap { Self.value(of: Self.sessionCookie(isSecure: isSecure), in: $0) }
      if values.isEmpty { continue }
      session = values.count == 1 ? values[0] : nil
      return
    }
  }

  /// Returns the value of a cookie in a pair, or `nil` if it is another cookie. Compares bytes, because a page of another server
  /// can join characters with those of this one's cookie.
  private static func value(of name: String, in pair: Substring.UTF8View) -> String? {
    let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") else { return nil }
    let value = pair.dropFirst(name.utf8.count + 1)
    let end = value.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return String(Substring(end.map { value[...$0] } ?? value.prefix(0)))
  }
}

extension HTTPRequest {
  /// Whether a trusted proxy says that the request was sent over TLS. Of several values, one is the client's own.
  func isForwardedByTLS(on connection: ConnectionCalls) -> Bool {
    guard connection.shared.peer.isProxy else { return false }
    let values = headers["x-forwarded-proto"]
    return values.count == 1 && values[0].lowercased() == "https"
  }

  /// Whether the host is a name or an address of the browser's own machine.
  fileprivate var isToThisMachine: Bool {
    let name = host.prefix { $0 != ":" }.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.") || host.hasPrefix("[::1]")
  }

  /// Whether the request names no origin, or the server's own.
  var isOfOwnOrigin: Bool {
    guard let origin else { return true }
    let own = ["http://", "https://"].map { OriginPolicy.withoutDefaultPort($0 + host) }
    return !host.isEmpty && own.contains(OriginPolicy.withoutDefaultPort(origin))
  }
}

extension Metadata {
  /// Returns a call's metadata with the session's token as credentials, if it has none of its own, and the server's own page has
  /// made the call. Other pages, whose requests may have the cookie too, are not the user.
  func signedIn(by request: HTTPRequest, on connection: ConnectionCalls) -> Metadata {
    guard request.headers.contains(name: "cookie"), self[CallContext.authorizationKey] == nil else { return self }
    let browser = BrowserRequest(request, isForwardedByTLS: request.isForwardedByTLS(on: connection))
    guard browser.sender == .ownPage, let session = browser.session else { return self }
    var metadata = self
    metadata.append(CallContext.authorizationKey, "Bearer \(session)")
    return metadata
  }
}
#endif
