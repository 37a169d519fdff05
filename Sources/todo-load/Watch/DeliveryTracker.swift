import Histogram
import ToDoModel

/// When each write was acknowledged and when each watcher was told of it, in whatever order that becomes known.
struct DeliveryTracker {
  private struct Entry {
    var acknowledged: Nanoseconds?
    var isMeasured = false
    /// How often it was delivered before the acknowledgement came.
    var early = 0
    var delivered = 0
  }

  private(set) var latencies = Recorder.Latencies.forLatencies()
  /// Of writes that were forgotten before all watchers were told.
  private var missed = 0
  private var entries: [Int64: Entry] = [:]
  /// What is before was forgotten.
  private var oldest = Int64.min
  /// The latest that was delivered to anybody.
  private var latest = Int64.min
  private let watchers: Int
  private let limit: Int

  /// - Parameter limit: how many revisions may be open; then the oldest are forgotten, which are others' writes.
  init(watchers: Int, limit: Int = 65_536) {
    self.watchers = watchers
    self.limit = limit
  }

  /// A write was answered. One that changed nothing is answered with the revision of an earlier one, which counts once.
  mutating func recordAcknowledgement(of revision: Revision, isMeasured: Bool, at now: Nanoseconds) {
    // Revisions are delivered in order: if a later one was, this one was too, and is complete.
    guard entries[revision.number] != nil || revision.number > latest else { return }
    update(revision) { entry, latencies in
      guard entry.acknowledged == nil else { return }
      entry.acknowledged = now
      entry.isMeasured = isMeasured
      // A watcher was told before the writer: not later than at once.
      if isMeasured, entry.early > 0 { latencies.record(0, count: UInt64(entry.early)) }
    }
  }

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

  /// How many deliveries of acknowledged writes have not come.
  var missing: Int { entries.values.reduce(missed) { $0 + missing($1) } }
}
