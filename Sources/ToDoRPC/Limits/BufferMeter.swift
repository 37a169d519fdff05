/// Counts the buffered bytes of one connection, and charges them to its account.
///
/// All threads share the lock of the account, and querying a channel for its unsent bytes is not free. Both therefore
/// happen only after a change of at least 16 KiB, not for every frame.
package struct BufferMeter {
  /// The number of bytes written since the connection was opened.
  package private(set) var written = 0
  /// The number of written bytes that were unsent at the last check.
  package private(set) var unsent = 0
  private var writtenAtLastUpdate = 0
  private var buffered = 0
  private var queued = 0
  private var requests = 0
  private var reported = 0
  private let account: ConnectionAccount

  static let step = 16 << 10

  /// Creates the meter of a connection.
  package init(_ account: ConnectionAccount) {
    self.account = account
  }

  /// Whether the number of unsent bytes must be checked.
  package var isUpdateDue: Bool { written - writtenAtLastUpdate >= Self.step }

  /// Counts written bytes.
  package mutating func write(_ count: Int) { written += count }

  /// Sets the number of written bytes that are unsent.
  package mutating func update(unsent: Int) {
    self.unsent = unsent
    writtenAtLastUpdate = written
    report()
  }

  /// Sets the number of received bytes that are buffered.
  package mutating func keep(_ count: Int) {
    buffered = count
    report()
  }

  /// Sets the numbers of bytes that are buffered, queued for the handlers of streams, and held by requests in flight.
  package mutating func hold(received: Int, queued: Int, requests: Int) {
    (buffered, self.queued, self.requests) = (received, queued, requests)
    report()
  }

  /// Releases all bytes when the connection is closed.
  package mutating func end() {
    (unsent, buffered, queued, requests) = (0, 0, 0, 0)
    report()
  }

  private mutating func report() {
    let now = buffered + queued + requests + unsent
    guard abs(now - reported) >= Self.step || now == 0 && reported > 0 else { return }
    let difference = now - reported
    reported = now
    account.charge(difference)
  }
}
