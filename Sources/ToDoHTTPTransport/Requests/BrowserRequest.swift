#if HTTP
import NIOHTTP1
import ToDoRPC

/// What a browser says about a request that a page has made it send.
package struct BrowserRequest: Equatable, Sendable {
  /// Who has sent a request.
  package enum Sender: Sendable {
    /// A page of the server itself.
    case ownPage
    /// A page of another origin, or the user by a link or an address.
    case other
    /// A program, or a browser that does not say. No browser leaves it unsaid in a POST.
    case unknown
  }

  /// Who has sent the request.
  package var sender = Sender.unknown
  /// Whether the page came over TLS, perhaps to a proxy.
  package var isSecure = false
  /// The value of the cookie `sessionCookie`; `nil` if there is none or more than one.
  package var session: String?

  /// The name of the cookie that contains a token.
  package static let sessionCookie = "todo-session"

  /// Creates what a program says: nothing.
  package init() {}

  init(_ request: HTTPRequest) {
    let sites = request.headers["sec-fetch-site"]
    if request.origin == nil, sites.isEmpty {
      sender = .unknown
    } else {
      // An origin says less: it may be of a page without TLS, which anyone on the network can write.
      sender = request.isOfOwnOrigin && sites.allSatisfy { $0 == "same-origin" } ? .ownPage : .other
    }
    isSecure = request.origin?.hasPrefix("https://") ?? false
    let cookies = request.headers["cookie"].flatMap { $0.split(separator: ";") }
    let values = cookies.compactMap { Self.value(of: $0) }
    session = values.count == 1 ? values[0] : nil
  }

  /// Returns the value of the cookie in a pair, or `nil` if it is another cookie.
  private static func value(of pair: Substring) -> String? {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].filter({ $0 != " " }) == sessionCookie else { return nil }
    return parts[1].filter { $0 != " " }
  }
}

extension HTTPRequest {
  /// Whether the request names no origin, or the server's own.
  var isOfOwnOrigin: Bool {
    guard let origin else { return true }
    let own = ["http://", "https://"].map { OriginPolicy.withoutDefaultPort($0 + host) }
    return !host.isEmpty && own.contains(OriginPolicy.withoutDefaultPort(origin))
  }
}

extension Metadata {
  /// Returns the metadata of a call with the token of the session as its credentials, if it has none of its own, and the server's
  /// own page has made the call. Other pages, whose requests may have the cookie too, are not the user.
  func signedIn(by request: HTTPRequest) -> Metadata {
    guard request.headers.contains(name: "cookie"), self[CallContext.authorizationKey] == nil else { return self }
    let browser = BrowserRequest(request)
    guard browser.sender == .ownPage, let session = browser.session else { return self }
    var metadata = self
    metadata.append(CallContext.authorizationKey, "Bearer \(session)")
    return metadata
  }
}
#endif
