package import ToDoModel

/// The result of an earlier query.
package struct CachedResult: Equatable, Sendable {
  /// The candidates that the geocoder returned.
  package var candidates: [GeocodeCandidate]
  /// The maximum number of candidates that the query requested.
  package var limit: Int
  /// The time of the result.
  package var time: Timestamp

  /// Creates a cached result.
  package init(candidates: [GeocodeCandidate], limit: Int, time: Timestamp) {
    self.candidates = candidates
    self.limit = limit
    self.time = time
  }

  /// Returns whether the result also answers a query with another limit: the limit is not higher, or the geocoder had no
  /// further candidates.
  func suffices(for limit: Int) -> Bool {
    limit <= self.limit || candidates.count < self.limit
  }
}
