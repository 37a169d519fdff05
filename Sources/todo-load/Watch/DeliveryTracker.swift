import Histogram
import ToDoModel

/// Measures the time from the acknowledgment of each write to its delivery to each watcher.
///
/// Acknowledgments and deliveries can be recorded in any order.
struct DeliveryTracker {
  private struct Entry {
    var acknowledged: Nanoseconds?
    var isMeasured = false
    /// The number of deliveries before the acknowledgment.
    var early = 0
    var delivered = 0
  }

  private(set) var latencies = Recorder.Latencies.forLatencies()
  /// The number of missing deliveries for writes whose entries were discarded.
  private var missed = 0
  private var entries: [Int64: Entry] = [:]
  /// The lowest revision whose entry has not been discarded.
  private var oldest = Int64.min
  /// The highest revision that was delivered to any watcher.
  private var latest = Int64.min
  private let watchers: Int
  private let limit: Int

  /// Creates a tracker.
  ///
  /// - Parameter limit: The maximum number of incomplete revisions. Beyond it, the oldest are discarded; they are mostly
  ///   writes of other clients.
  init(watchers: Int, limit: Int = 65_536) {
    self.watchers = watchers
    self.limit = limit
  }

  /// Records the acknowledgment of a write.
  ///
  /// A write that changes nothing returns the revision of an earlier write, which counts only once.
  mutating func recordAcknowledgement(of revision: Revision, isMeasured: Bool, at now: Nanoseconds) {
    // Revisions are delivered in order. If a later one was delivered, this one was too, and its entry is complete.
    guard entries[revision.number] != nil || revision.number > latest else { return }
    update(revision) { entry, latencies in
      guard entry.acknowledged == nil else { return }
      entry.acknowledged = now
      entry.isMeasured = isMeasured
      // A watcher received the change before the writer received the response: the latency is zero.
      if isMeasured, entry.early > 0 { latencies.record(0, count: UInt64(entry.early)) }
    }
  }

  /// Records the delivery of a revision to one watcher.
  mutating func recordDelivery(of revision: Revision, at now: Nanoseconds) {
    latest = max(latest, revision.number)
    update(revision) { entry, latencies in
      entry.delivered += 1
      if let acknowledged = entry.acknowledged {
        if entry.isMeasured { latencies.record(UInt64(clamping: now - acknowledged)) }
      } else {
        entry.early += 1
      }
    }
  }

  private mutating func update(_ revision: Revision, _ body: (inout Entry, inout Recorder.Latencies) -> Void) {
    let number = revision.number
    guard number >= oldest else { return }
    var entry = entries[number] ?? Entry()
    body(&entry, &latencies)
    let isComplete = entry.acknowledged != nil && entry.delivered >= watchers
    entries[number] = isComplete ? nil : entry
    if entries.count > limit { discardOldest() }
  }

  private mutating func discardOldest() {
    let numbers = entries.keys.sorted().prefix(entries.count - limit / 2)
    for number in numbers { missed += missing(entries.removeValue(forKey: number)) }
    oldest = numbers.last.map { $0 + 1 } ?? oldest
  }

  private func missing(_ entry: Entry?) -> Int {
    guard let entry, entry.isMeasured, entry.acknowledged != nil else { return 0 }
    return watchers - entry.delivered
  }

  /// The number of deliveries that have not arrived for acknowledged writes.
  var missing: Int { entries.values.reduce(missed) { $0 + missing($1) } }
}
