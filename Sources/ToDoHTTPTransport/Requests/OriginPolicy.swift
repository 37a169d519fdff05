#if HTTP
import Glibc
import NIOHTTP1

/// Decides which web pages may call the server from a browser.
///
/// A browser names the page in `Origin` and lets any page send requests, which carry the caller's network position. Pages of
/// other sites are therefore refused. An attacker's page can give its own name this machine's address, and is then of the
/// same host. It has no credentials, so this matters only while the server requires none: it is then called by an address,
/// or by a name that the operator has permitted.
package struct OriginPolicy: Sendable {
  private let origins: Set<String>
  private let hosts: Set<String>

  /// - Parameters:
  ///   - origins: the permitted origins, as `https://HOST:PORT`.
  ///   - host: the name that the server listens at, if it is one.
  package init(origins: Set<String> = [], host: String? = nil) {
    self.origins = Set(origins.map { Self.withoutDefaultPort($0.lowercased()) })
    hosts = Set(self.origins.map { Self.name(of: Self.authority(of: $0)) } + (host.map { [$0.lowercased()] } ?? []))
  }

  /// Checks the sender of a request.
  ///
  /// - Returns: the origin that the response permits to read it; `nil` for programs, and for pages of the same origin.
  /// - Throws: `HTTPRejection`.
  package func check(_ request: HTTPRequest, requiresCredentials: Bool) throws(HTTPRejection) -> String? {
    let origin = request.origin.map(Self.withoutDefaultPort)
    let isPermitted = origin.map(origins.contains) ?? false
    guard isPermitted || requiresCredentials || isOwn(request.host) else { throw .foreignHost }
    if isPermitted { return request.origin }
    // A browser names no origin when a page shows an image or follows a link.
    guard request.headers["sec-fetch-site"].allSatisfy({ ["same-origin", "none"].contains($0) }) else {
      throw .foreignOrigin
    }
    guard request.isOfOwnOrigin else { throw .foreignOrigin }
    return nil
  }

  /// Returns an origin as browsers write it.
  static func withoutDefaultPort(_ origin: String) -> String {
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
      return origin.hasSuffix(port) ? String(origin.dropLast(port.count)) : origin
    }
    return origin
  }

  /// Whether a host is an address, this machine, or a permitted name.
  private func isOwn(_ host: String) -> Bool {
    let name = Self.name(of: host[...])
    if name.isEmpty || name == "localhost" || hosts.contains(name) { return true }
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET, name, &bytes) == 1 || inet_pton(AF_INET6, name, &bytes) == 1
  }

  private static func authority(of origin: String) -> Substring {
    origin.dropFirst(origin.hasPrefix("https://") ? "https://".count : "http://".count)
  }

  /// Returns an authority's host, without its port and brackets.
  private static func name(of authority: Substring) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }
}
#endif
