/// The time for which a run has had no connection.
struct ConnectionLoss {
  private let limit: Nanoseconds
  private var began: Nanoseconds?

  /// - Parameter limit: The time without a connection after which the server counts as lost.
  init(limit: Nanoseconds) {
    self.limit = limit
  }

  /// Records whether there is a connection, and returns whether the server counts as lost.
  mutating func isServerLost(hasConnection: Bool, at now: Nanoseconds) -> Bool {
    began = hasConnection ? nil : began ?? now
    return began.map { now - $0 >= limit } ?? false
  }
}
