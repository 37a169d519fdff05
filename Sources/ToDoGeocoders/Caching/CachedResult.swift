package import ToDoModel

/// What a geocoder answered once.
package struct CachedResult: Equatable, Sendable {
  package var candidates: [GeocodeCandidate]
  /// How many candidates were asked for.
  package var limit: Int
  package var time: Timestamp

  package init(candidates: [GeocodeCandidate], limit: Int, time: Timestamp) {
    self.candidates = candidates
    self.limit = limit
    self.time = time
  }

  /// Whether the geocoder would have no more for somebody who asks for so many.
  func suffices(for limit: Int) -> Bool {
    limit <= self.limit || candidates.count < self.limit
  }
}
