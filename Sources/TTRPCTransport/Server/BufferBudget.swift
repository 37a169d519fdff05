import Synchronization

/// How many bytes the connections of a server have in buffers, all taken together. Callable from any thread.
final class BufferBudget: Sendable {
  private let used = Atomic(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var isExhausted: Bool { used.load(ordering: .relaxed) >= limit }

  /// Uses more of it, or less.
  func use(_ count: Int) { used.add(count, ordering: .relaxed) }
}
