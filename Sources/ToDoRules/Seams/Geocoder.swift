public import ToDoModel

/// Resolves addresses to coordinates.
///
/// **Results** are ranked, the best first, and number at most the query's limit. An address without a match has no
/// candidates, which is not an error. Candidates that match equally well are ordered by their distance from the query's
/// bias, if it has one. The results of the same query may differ over time.
///
/// **Errors** are `GeocoderError`, and `CancellationError` immediately after the task is canceled. A deadline reaches
/// a geocoder as a cancellation.
///
/// **Concurrency.** Calls can be concurrent. An implementation with a rate limit queues a bounded number of requests
/// for each owner, serves the owners in turn, and throws `GeocoderError.rateLimited` beyond that bound.
///
/// `GeocoderContract` in ToDoTesting is this contract as a test suite, which every implementation passes.
public protocol Geocoder: Sendable {
  /// Attribution to display with the results. Empty if none is required.
  var attribution: String { get }

  /// Returns the places that an address can refer to.
  func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate]
}

/// The reason why a geocoder returned no result.
@nonexhaustive
public enum GeocoderError: Error, Equatable, Sendable {
  /// The geocoder cannot be reached, or reports that it is unavailable.
  case unavailable(detail: String)
  /// The geocoder denies this program access.
  case notPermitted
  /// The rate limit was exceeded. `retryAfter` is the requested delay, if the geocoder specified one.
  case rateLimited(retryAfter: Duration?)
  /// The geocoder did not respond in time.
  case timedOut
  /// The geocoder's response is malformed.
  case malformedResponse(detail: String)
}

extension GeocoderError: CustomStringConvertible {
  /// A human-readable message, as a phrase that follows "the geocoder is unavailable:".
  public var description: String {
    switch self {
    case .unavailable(let detail): "it cannot be reached: \(detail)"
    case .notPermitted: "it denied the request"
    case .rateLimited(let wait?): "its rate limit was exceeded; retry after \(wait.components.seconds) s"
    case .rateLimited(nil): "its rate limit was exceeded"
    case .timedOut: "it did not respond in time"
    case .malformedResponse(let detail): "its response is malformed: \(detail)"
    }
  }
}
