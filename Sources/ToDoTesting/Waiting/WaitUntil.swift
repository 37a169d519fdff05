package import Testing

/// Waits until a condition is met that nothing announces: checks it again whenever other tasks have had their turn.
///
/// Records an issue at the caller's line when `limit` has passed, and returns. Also returns when the task is canceled.
///
/// - Parameters:
///   - what: the condition in words.
///   - limit: a shorter limit, for tests of this function.
///   - record: records the issue; another function for tests of this one.
package func waitUntil(
  _ what: Comment, limit: Duration = TestLimits.wait, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation,
  record: (Comment, SourceLocation) -> Void = { Issue.record($0, sourceLocation: $1) },
  _ condition: () throws -> Bool
) async rethrows {
  let end = ContinuousClock.now + limit
  while try !condition() {
    guard !Task.isCancelled else { return }
    guard ContinuousClock.now < end else { return record("not within \(limit): \(what)", sourceLocation) }
    await Task.yield()
  }
}
