import ToDoModel

/// A watch of lists that reconnects. Each attempt begins with all lists.
final class ListWatch {
  private let attempts: WatchAttempts<ListSet>
  /// The set that the consumer has.
  private var last: ListSet?

  /// Creates a watch that begins when `next` is first called.
  init(_ attempts: WatchAttempts<ListSet>) { self.attempts = attempts }

  /// Returns the next set that differs from the last one, or `nil` after the end.
  ///
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next() async throws -> ListSet? {
    while let (set, _) = try await attempts.next(hasBegun: last != nil) {
      guard set != last else { continue }
      last = set
      return set
    }
    return nil
  }
}
