#if GRPC || HTTP
import NIOCore
import ToDoRPC

/// Counts the calls of a connection that its clients cancel in each second, by client.
struct CancelRate {
  /// The number of calls that a client may cancel in one second.
  static let limit = 1000
  /// More clients than cancel calls by chance at the same time.
  static let maximumClients = 1024

  private var begin = NIODeadline.uptimeNanoseconds(0)
  private var counts: [NetworkAddress?: Int] = [:]
  /// The count of all further clients, so that nobody gets rid of a count by canceling calls from many addresses.
  private var furtherCount = 0

  /// Counts a canceled call.
  mutating func count(_ client: NetworkAddress?, at now: NIODeadline) {
    if hasPassed(at: now) { (begin, counts, furtherCount) = (now, [:], 0) }
    if counts[client] == nil, counts.count == Self.maximumClients {
      furtherCount += 1
    } else {
      counts[client, default: 0] += 1
    }
  }

  /// Whether a client has canceled too many calls.
  func exceedsLimit(of client: NetworkAddress?, at now: NIODeadline) -> Bool {
    !hasPassed(at: now) && counts[client] ?? furtherCount > Self.limit
  }

  private func hasPassed(at now: NIODeadline) -> Bool { now - begin >= .seconds(1) }
}
#endif
