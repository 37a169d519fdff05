public import ToDoModel

/// Finds where an address is.
///
/// **Answers** are ranked, the best first, and no more than the query's limit. An address that nothing matches has
/// no candidates: that is not an error. Candidates that match equally well are ordered by their distance from
/// the query's bias, when it has one. The same query can be answered differently another day.
///
/// **Errors** are `GeocoderError`, and `CancellationError` as soon as the task is cancelled, which is also how a
/// deadline reaches a geocoder.
///
/// **Concurrency.** All can be called concurrently. An implementation that must ask slowly lets callers wait, a
/// bounded number of them for each owner, serves the owners in turn, and answers the others with
/// `GeocoderError.rateLimited`.
///
/// `GeocoderContract` in TestSupport is this contract as a test suite; every implementation passes it.
public protocol Geocoder: Sendable {
  /// Whom to credit for what this geocoder answers, to be shown with it; empty when nobody asks for it.
  var attribution: String { get }

  /// The places that an address can mean.
  func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate]
}

/// Why a geocoder had no answer.
public enum GeocoderError: Error, Equatable, Sendable {
  /// It cannot be reached, or says that it does not work at present.
  case unavailable(detail: String)
  /// It demands a permission that this program does not have.
  case notPermitted
  /// It was asked too often; `retryAfter` is how long it wants to be left alone, if it said.
  case rateLimited(retryAfter: Duration?)
  case timedOut
  /// What it answered is not an answer.
  case malformedAnswer(detail: String)
}

extension GeocoderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unavailable(let detail): "it cannot be reached: \(detail)"
    case .notPermitted: "it does not permit the request"
    case .rateLimited(let wait?): "it was asked too often, and wants to be left alone for \(wait.components.seconds) s"
    case .rateLimited(nil): "it was asked too often"
    case .timedOut: "it did not answer in time"
    case .malformedAnswer(let detail): "what it answered cannot be understood: \(detail)"
    }
  }
}
