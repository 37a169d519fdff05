/// Counts the bytes that one connection has in buffers, and charges them to its account.
///
/// All threads share the lock behind the account, and asking a channel what it has yet to send costs a moment: so neither
/// is done for every frame, but whenever there may be 16 KiB of news.
package struct BufferMeter {
  /// How many bytes were written since the connection was opened.
  package private(set) var written = 0
  /// How many of them were still unsent when it was last asked.
  package private(set) var unsent = 0
  private var writtenAtLastLook = 0
  private var kept = 0
  private var held = 0
  private var requests = 0
  private var reported = 0
  private let account: ConnectionAccount

  static let step = 16 << 10

  package init(_ account: ConnectionAccount) {
    self.account = account
  }

  /// Whether to ask the channel how much is unsent.
  package var isLookDue: Bool { written - writtenAtLastLook >= Self.step }

  package mutating func write(_ count: Int) { written += count }

  /// Sets the number of written bytes that are unsent.
  package mutating func look(unsent: Int) {
    self.unsent = unsent
    writtenAtLastLook = written
    report()
  }

  /// How many received bytes are kept.
  package mutating func keep(_ count: Int) {
    kept = count
    report()
  }

  /// How many bytes of messages wait for the handlers of streams.
  package mutating func hold(_ count: Int) {
    held = count
    report()
  }

  /// Sets the number of bytes of requests whose calls are in flight.
  package mutating func hold(requests count: Int) {
    requests = count
    report()
  }

  package mutating func end() {
    (unsent, kept, held, requests) = (0, 0, 0, 0)
    report()
  }

  private mutating func report() {
    let now = kept + held + requests + unsent
    guard abs(now - reported) >= Self.step || now == 0 && reported > 0 else { return }
    let difference = now - reported
    reported = now
    account.charge(difference)
  }
}
