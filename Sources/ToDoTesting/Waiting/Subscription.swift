package import Testing

/// The values of a publisher, each of which a test awaits for a limited time.
///
/// A subscription iterates over the sequence from the moment when it is created, and stops when it is released. Its values
/// are requested one at a time.
package actor Subscription<Publisher: AsyncSequence & Sendable> where Publisher.Element: Sendable {
  private var iterator: Publisher.AsyncIterator

  /// Subscribes to a publisher.
  package init(_ publisher: Publisher) {
    iterator = publisher.makeAsyncIterator()
  }

  /// Returns the next value, or `nil` at the end.
  ///
  /// Records the issue "no value was published" at the caller's line if there is neither within `TestLimits.wait`.
  ///
  /// - Parameters:
  ///   - limit: a shorter limit, for tests of this function.
  ///   - record: records the issue; another function for tests of this one.
  /// - Throws: `WaitLimitExceeded`, or the error of the publisher.
  @discardableResult
  package nonisolated func next(
    limit: Duration = TestLimits.wait, sourceLocation: SourceLocation = #_sourceLocation,
    record: (Comment, SourceLocation) -> Void = { Issue.record($0, sourceLocation: $1) }
  ) async throws -> Publisher.Element? {
    try await withWaitLimit("no value was published", limit: limit, sourceLocation: sourceLocation, record: record) {
      try await self.advance()
    }
  }

  private func advance() async throws -> Publisher.Element? {
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: self)
  }
}
