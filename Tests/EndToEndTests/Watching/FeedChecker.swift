import ToDoModel
import ToDoTestSupport

/// Verifies the guarantees of a change feed from the records of all watchers of a list: it is ordered, unique, reliable,
/// atomic, resumable, bookmarkable, filtered and consistent.
struct FeedChecker {
  enum Guarantee: String, CaseIterable {
    case ordered, unique, reliable, atomic, resumable, bookmarkable, filtered, consistent
  }

  struct Violation: CustomStringConvertible {
    let guarantee: Guarantee
    let watcher: String
    let detail: String

    var description: String { "\(guarantee): \(watcher) \(detail)" }
  }

  /// The known changes of each revision: from acknowledged writes, and from watchers of all items.
  private var truth: [Int64: [ItemChange]] = [:]
  private(set) var violations: [Violation] = []

  /// - Parameters:
  ///   - acknowledged: The changes of acknowledged writes.
  ///   - left: The items that have moved to another list, and have not come back.
  ///   - final: The list after the last write. Every watcher has watched until then.
  init(
    _ records: [FeedRecord], acknowledged: [ChangeSet], left: Set<ItemID>, final: [ToDoItem], revision: Revision
  ) {
    for set in acknowledged { truth[set.revision.number] = set.changes.sorted { $0.id < $1.id } }
    for record in records where record.isComplete { addChanges(from: record) }
    for record in records {
      var reader = Reader(record: record, truth: truth)
      let end = reader.read()
      violations += reader.violations
      if end.revision != revision {
        report(.reliable, record, "ended at \(end.revision?.description ?? "nothing"), not at \(revision)")
      }
      if let remaining = end.items?.keys.first(where: left.contains) {
        report(.consistent, record, "still has \(remaining), which has left")
      }
      let expected = final.filter { record.state.includes($0) && record.passes($0) }
      let items = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) })
      for difference in end.items.map({ Differences(of: $0, from: items).lines }) ?? [] {
        report(.reliable, record, "has a different final list: \(difference)")
      }
    }
  }

  private mutating func report(_ guarantee: Guarantee, _ record: FeedRecord, _ detail: String) {
    violations.append(Violation(guarantee: guarantee, watcher: record.watcher, detail: detail))
  }

  private mutating func addChanges(from record: FeedRecord) {
    for case .received(.changes(let set)) in record.entries {
      let changes = set.changes.sorted { $0.id < $1.id }
      if let known = truth[set.revision.number], known != changes {
        report(.atomic, record, "received other changes of revision \(set.revision) than other watchers")
      }
      truth[set.revision.number] = changes
    }
  }
}

extension FeedChecker {
  /// The verification of one watcher's record.
  private struct Reader {
    let record: FeedRecord
    let truth: [Int64: [ItemChange]]
    var violations: [Violation] = []
    /// The last revision that the watcher has received completely; `nil` before the first one.
    private var position: Int64?
    /// The list that results from the received events; `nil` if the watch began without a snapshot of a list that was not empty.
    private var items: [ItemID: ToDoItem]?
    private var snapshot: [ItemID: ToDoItem] = [:]
    /// Whether the watch has just resumed, so that a gap is a violation of `resumable`.
    private var hasJustResumed = false

    init(record: FeedRecord, truth: [Int64: [ItemChange]]) {
      self.record = record
      self.truth = truth
    }

    mutating func read() -> (revision: Revision?, items: [ItemID: ToDoItem]?) {
      for entry in record.entries {
        switch entry {
        case .started(let start): begin(start)
        case .received(let event): receive(event)
        }
      }
      return (position.map(Revision.init), items)
    }

    private mutating func report(_ guarantee: Guarantee, _ detail: String) {
      violations.append(Violation(guarantee: guarantee, watcher: record.watcher, detail: detail))
    }

    private mutating func begin(_ start: WatchStart) {
      snapshot = [:]
      hasJustResumed = position != nil
      if case .after(let revision) = start, position == nil {
        position = revision.number
        if revision == .initial { items = [:] }
      }
    }

    private mutating func receive(_ event: WatchEvent) {
      switch event {
      case .restarted:
        snapshot = [:]
        position = nil
        items = nil
      case .snapshotPage(let page):
        for item in page {
          if snapshot.updateValue(item, forKey: item.id) != nil {
            report(.unique, "received \(item.id) twice in a snapshot")
          }
          if !record.state.includes(item) || !record.passes(item) {
            report(.filtered, "received \(item.id) in a snapshot that excludes it")
          }
        }
      case .snapshotEnd(let revision):
        if snapshot.values.contains(where: { $0.revision > revision }) {
          report(.atomic, "received a later item in a snapshot of revision \(revision)")
        }
        if let position, revision.number < position { report(.ordered, "received a snapshot of an earlier revision") }
        position = revision.number
        items = snapshot
        snapshot = [:]
      case .progress(let revision): receive(progress: revision.number)
      case .changes(let set): receive(set)
      }
      hasJustResumed = false
    }

    private mutating func receive(progress revision: Int64) {
      guard let position else {
        position = revision
        return
      }
      if revision < position { return report(.bookmarkable, "received progress \(revision) after \(position)") }
      if let missing = firstMissingRevision(after: position, before: revision + 1) {
        report(.bookmarkable, "received progress \(revision) without \(missing)")
      }
      self.position = revision
    }

    private mutating func receive(_ set: ChangeSet) {
      let revision = set.revision.number
      guard let position else { return report(.ordered, "received \(revision) before its first position") }
      if revision == position { return report(.unique, "received revision \(revision) twice") }
      if revision < position { return report(.ordered, "received \(revision) after \(position)") }
      if let missing = firstMissingRevision(after: position, before: revision) {
        report(hasJustResumed ? .resumable : .reliable, "received \(revision) after \(position), without \(missing)")
      }
      check(set)
      self.position = revision
      for change in set.changes { items?.apply(change, of: record) }
    }

    private mutating func check(_ set: ChangeSet) {
      if set.changes.contains(where: { $0.revision != set.revision }) {
        report(.atomic, "received changes of other revisions with \(set.revision)")
      }
      if set.changes.contains(where: { !record.includes($0) }) {
        report(.filtered, "received changes that the filter excludes with \(set.revision)")
      }
      for change in set.changes { checkPresence(change) }
      guard let all = truth[set.revision.number] else { return }
      if record.selecting(all) != set.changes.sorted(by: { $0.id < $1.id }) {
        report(
          .atomic, "received \(set.changes.count) changes of revision \(set.revision), other watchers different ones")
      }
    }

    /// An item comes as added, also from another list, and leaves once.
    private mutating func checkPresence(_ change: ItemChange) {
      guard let isPresent = items.map({ $0[change.id] != nil }) else { return }
      switch change {
      case .put(_, .added) where isPresent: report(.consistent, "received \(change.id) as added, which is there")
      case .put(_, .added): break
      // Filters make a changed item come, and tell that one leaves which has not come.
      case .put where !isPresent && record.isComplete:
        report(.consistent, "received \(change.id) as changed, which is not there")
      case .deleted where !isPresent && record.filter.isEmpty:
        report(.consistent, "received \(change.id) as deleted, which is not there")
      case .put, .deleted: break
      }
    }

    /// Returns the first revision between two others that the watcher should have received.
    private func firstMissingRevision(after position: Int64, before revision: Int64) -> Int64? {
      guard position + 1 < revision else { return nil }
      return (position + 1..<revision).first { number in
        // A revision with unknown changes concerns every watcher of all items.
        guard let changes = truth[number] else { return record.isComplete }
        return !record.selecting(changes).isEmpty
      }
    }
  }
}

extension [ItemID: ToDoItem] {
  fileprivate mutating func apply(_ change: ItemChange, of record: FeedRecord) {
    switch change {
    case .put(let item, _): self[item.id] = record.state.includes(item) ? item : nil
    case .deleted(let deletion): self[deletion.id] = nil
    }
  }
}

extension FeedRecord {
  /// Whether the watcher may receive a change.
  fileprivate func includes(_ change: ItemChange) -> Bool {
    switch change {
    case .put(let item, _): change.concerns(state) && passes(item)
    // Says only that the item has left, perhaps for another state.
    case .deleted(let deletion) where deletion.isFilteredOut: !filter.isEmpty
    case .deleted: change.concerns(state)
    }
  }
}
