#if Nominatim
import FoundationEssentials
import ToDoHTTP
import ToDoModel
import ToDoRules

/// The outcome of a request to a Nominatim server.
enum NominatimResponse: Equatable {
  /// The request succeeded with this body.
  case succeeded([UInt8])
  /// The server redirected to another URL on the same server.
  case redirected(to: String)
  /// The request failed. `pause` is the duration for which the server asked for no further requests.
  case failed(GeocoderError, pause: Duration?)

  /// Interprets an HTTP response.
  ///
  /// - Parameters:
  ///   - response: the HTTP response.
  ///   - url: the requested URL.
  ///   - now: the current time, which a date in `Retry-After` is compared with.
  init(_ response: HTTPClientResponse, to url: String, at now: Timestamp) {
    let pause = response.retryAfter.flatMap { RetryAfter.duration($0, at: now) }
    switch response.status {
    case 200: self = .succeeded(response.body)
    case 301, 302, 303, 307, 308: self = Self.redirect(from: url, to: response.location)
    case 401, 402, 403, 407: self = .failed(.notPermitted, pause: pause)
    case 408: self = .failed(.timedOut, pause: pause)
    case 429: self = .failed(.rateLimited(retryAfter: pause), pause: pause)
    case 500...599:
      self = .failed(.unavailable(detail: "the server returned HTTP status \(response.status)"), pause: pause)
    default: self = .failed(.malformedResponse(detail: "unexpected HTTP status \(response.status)"), pause: nil)
    }
  }

  /// The maximum length of a host name that an error quotes, which is the maximum of DNS.
  private static let hostLimit = 253

  /// Accepts a redirect only if it stays on the same server, because only the configured server may receive addresses.
  /// A redirect from `http` to `https` of the same host, both at their default ports, stays on the same server.
  private static func redirect(from text: String, to location: String?) -> NominatimResponse {
    guard let origin = URL(string: text), let location, let target = URL(string: location, relativeTo: origin) else {
      return .failed(.malformedResponse(detail: "the redirect has no valid location"), pause: nil)
    }
    guard target.isOnServer(of: origin) else {
      let host = (target.host() ?? "?").truncated(toUTF8Count: Self.hostLimit)
      return .failed(.unavailable(detail: "the server redirects to another server, \(host)"), pause: nil)
    }
    return .redirected(to: target.absoluteString)
  }
}

extension URL {
  fileprivate func isOnServer(of other: URL) -> Bool {
    guard let host = host()?.lowercased(), host == other.host()?.lowercased(), user() == nil else { return false }
    let (own, others) = (scheme?.lowercased(), other.scheme?.lowercased())
    if own == others { return effectivePort == other.effectivePort }
    return own == "https" && other.effectivePort == 80 && effectivePort == 443
  }

  private var effectivePort: Int? {
    switch scheme?.lowercased() {
    case "http": port ?? 80
    case "https": port ?? 443
    default: nil
    }
  }
}
#endif
