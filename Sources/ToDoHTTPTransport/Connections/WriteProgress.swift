#if HTTP
import NIOCore

/// Decides whether a client has stopped reading, from samples of how many bytes are unsent.
struct WriteProgress {
  /// The number of bytes that were written.
  private(set) var written = 0
  private var acknowledged = 0
  private var since: NIODeadline?

  /// Counts written bytes.
  mutating func write(_ count: Int) { written += count }

  /// Returns the time since which the client has read nothing, or `nil` if nothing is unsent.
  mutating func stalledSince(_ now: NIODeadline, unsent: Int) -> NIODeadline? {
    guard unsent > 0 else {
      since = nil
      return nil
    }
    if since == nil || written - unsent > acknowledged { since = now }
    acknowledged = written - unsent
    return since
  }
}
#endif
