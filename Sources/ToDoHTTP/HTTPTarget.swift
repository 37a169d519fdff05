#if Nominatim
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// The server and the resource that an absolute URL names.
struct HTTPTarget: Sendable {
  /// The host name or the address, without brackets.
  let host: String
  let port: Int
  let isSecure: Bool
  /// The host and the port as the URL has them.
  private let authority: Substring
  /// The path and the query.
  private let resource: Substring

  /// Parses a URL, or returns `nil` if it is not an absolute URL with the scheme `http` or `https`.
  init?(_ text: String) {
    guard let url = URL(string: text), let host = url.host(), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    isSecure = scheme == "https"
    port = url.port ?? (isSecure ? 443 : 80)
    let rest = text.dropFirst(scheme.count + "://".count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    authority = rest[..<end]
    resource = rest[end...].prefix { $0 != "#" }
  }

  /// The name that the server's certificate must have, or `nil` if the URL has an address, which TLS cannot send.
  var serverName: String? { (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil }

  /// Returns the head of a GET request for JSON.
  func request(userAgent: String) -> HTTPRequestHead {
    head(
      .GET, ["Host": String(authority), "User-Agent": userAgent, "Accept": "application/json", "Connection": "close"])
  }

  /// Returns the head of a POST request.
  func head(of request: HTTPClientRequest, userAgent: String) -> HTTPRequestHead {
    var headers: HTTPHeaders = [
      "Host": String(authority), "User-Agent": userAgent, "Content-Length": "\(request.body.count)",
      "Connection": "close",
    ]
    for header in request.headers { headers.add(name: header.name, value: header.value) }
    return head(.POST, headers)
  }

  private func head(_ method: HTTPMethod, _ headers: HTTPHeaders) -> HTTPRequestHead {
    let uri = resource.hasPrefix("/") ? String(resource) : "/" + resource
    return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
  }
}
#endif
