import FoundationEssentials
import ToDoModel

/// What an answer to a request means for the one who asks.
enum NominatimResponse: Equatable {
  case succeeded([UInt8])
  /// It is elsewhere on the same server.
  case redirected(to: String)
  /// There is no answer, and the server may want to be left alone for some time.
  case failed(GeocoderError, pause: Duration?)

  /// - Parameters:
  ///   - url: what was asked for.
  ///   - now: the time of day, for a date in `Retry-After`.
  init(_ response: HTTPResponse, to url: String, at now: Timestamp) {
    let pause = response.retryAfter.flatMap { RetryAfter.duration($0, at: now) }
    switch response.status {
    case 200: self = .succeeded(response.body)
    case 301, 302, 303, 307, 308: self = Self.redirect(from: url, to: response.location)
    case 401, 402, 403, 407: self = .failed(.notPermitted, pause: pause)
    case 408: self = .failed(.timedOut, pause: pause)
    case 429: self = .failed(.rateLimited(retryAfter: pause), pause: pause)
    case 500...599: self = .failed(.unavailable(detail: "it answers with HTTP status \(response.status)"), pause: pause)
    default: self = .failed(.malformedAnswer(detail: "it has HTTP status \(response.status)"), pause: nil)
    }
  }

  /// A redirect to another server is refused, as only the configured one may learn addresses. From `http` to `https`
  /// of the same host, each at its own port, is the same server.
  private static func redirect(from text: String, to location: String?) -> NominatimResponse {
    guard let origin = URL(string: text), let location, let target = URL(string: location, relativeTo: origin) else {
      return .failed(.malformedAnswer(detail: "it redirects nowhere"), pause: nil)
    }
    guard target.isOnServer(of: origin) else {
      let host = target.host() ?? "?"
      return .failed(.unavailable(detail: "it redirects to another server, \(host), which is not asked"), pause: nil)
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
