#if Nominatim
/// Runs `body` and cancels it after `limit`.
///
/// - Throws: the error of `body`; `HTTPError.timedOut` after `limit`.
package func withDeadline<Value: Sendable>(
  after limit: Duration, clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await clock.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let value = first else { throw HTTPError.timedOut }
    return value
  }
}
#endif
