import ToDoModel

/// Holds the records of all watchers of a list against what a feed of changes promises: it is ordered, unique, reliable,
/// atomic, resumable, bookmarkable and filtered.
struct FeedChecker {
  enum Promise: String, CaseIterable {
    case ordered, unique, reliable, atomic, resumable, bookmarkable, filtered
  }

  struct Violation: CustomStringConvertible {
    let promise: Promise
    let watcher: String
    let detail: String

    var description: String { "\(promise): \(watcher) \(detail)" }
  }

  /// What happened, by revision, as far as it is known: from acknowledged writes and from those who watch everything.
  private var truth: [Int64: [ItemChange]] = [:]
  private(set) var violations: [Violation] = []

  /// - Parameters:
  ///   - acknowledged: the changes of writes that were answered.
  ///   - final: the list when all was over; every watcher has watched until then.
  init(_ records: [FeedRecord], acknowledged: [ChangeSet], final: [ToDoItem], revision: Revision) {
    for set in acknowledged { truth[set.revision.number] = set.changes.sorted { $0.id < $1.id } }
    for record in records where record.state == .all { learn(from: record) }
    for record in records {
      var reader = Reader(record: record, truth: truth)
      let end = reader.read()
      violations += reader.violations
      if end.revision != revision {
        report(.reliable, record, "ended at \(end.revision?.description ?? "nothing"), not at \(revision)")
      }
      let expected = final.filter { record.state.includes($0) }
      if let items = end.items, items != Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) }) {
        report(.reliable, record, "has another list in the end: \(items.count) items, not \(expected.count)")
      }
    }
  }

  private mutating func report(_ promise: Promise, _ record: FeedRecord, _ detail: String) {
    violations.append(Violation(promise: promise, watcher: record.watcher, detail: detail))
  }

  private mutating func learn(from record: FeedRecord) {
    for case .told(.changes(let set)) in record.entries {
      let changes = set.changes.sorted { $0.id < $1.id }
      if let known = truth[set.revision.number], known != changes {
        report(.atomic, record, "was told revision \(set.revision) with other changes than others")
      }
      truth[set.revision.number] = changes
    }
  }
}

extension FeedChecker {
  /// One watcher's way through its record.
  private struct Reader {
    let record: FeedRecord
    let truth: [Int64: [ItemChange]]
    var violations: [Violation] = []
    /// The last revision that the watcher has in full; `nil` before it knows one.
    private var position: Int64?
    /// The list as the watcher knows it; `nil` when it has not begun with a snapshot or an empty list.
    private var items: [ItemID: ToDoItem]?
    private var snapshot: [ItemID: ToDoItem] = [:]
    /// Why a gap would be there: the watch was just resumed.
    private var hasJustResumed = false

    init(record: FeedRecord, truth: [Int64: [ItemChange]]) {
      self.record = record
      self.truth = truth
    }

    mutating func read() -> (revision: Revision?, items: [ItemID: ToDoItem]?) {
      for entry in record.entries {
        switch entry {
        case .started(let start): begin(start)
        case .told(let event): take(event)
        }
      }
      return (position.map(Revision.init), items)
    }

    private mutating func report(_ promise: Promise, _ detail: String) {
      violations.append(Violation(promise: promise, watcher: record.watcher, detail: detail))
    }

    private mutating func begin(_ start: WatchStart) {
      snapshot = [:]
      hasJustResumed = position != nil
      if case .after(let revision) = start, position == nil {
        position = revision.number
        if revision == .initial { items = [:] }
      }
    }

    private mutating func take(_ event: WatchEvent) {
      switch event {
      case .restarted:
        snapshot = [:]
        position = nil
        items = nil
      case .snapshotPage(let page):
        for item in page {
          if snapshot.updateValue(item, forKey: item.id) != nil {
            report(.unique, "has \(item.id) twice in a snapshot")
          }
          if !record.state.includes(item) { report(.filtered, "has \(item.id) in a snapshot of other items") }
        }
      case .snapshotEnd(let revision):
        if snapshot.values.contains(where: { $0.revision > revision }) {
          report(.atomic, "has an item in a snapshot of revision \(revision) that is later")
        }
        if let position, revision.number < position { report(.ordered, "has a snapshot of the past") }
        position = revision.number
        items = snapshot
        snapshot = [:]
      case .progress(let revision): take(progress: revision.number)
      case .changes(let set): take(set)
      }
      hasJustResumed = false
    }

    private mutating func take(progress revision: Int64) {
      guard let position else {
        position = revision
        return
      }
      if revision < position { return report(.bookmarkable, "is said to have \(revision) after \(position)") }
      if let missing = firstConcern(after: position, before: revision + 1) {
        report(.bookmarkable, "is said to have \(revision) but was not told \(missing)")
      }
      self.position = revision
    }

    private mutating func take(_ set: ChangeSet) {
      let revision = set.revision.number
      guard let position else { return report(.ordered, "was told \(revision) before it knew where it was") }
      if revision == position { return report(.unique, "was told revision \(revision) twice") }
      if revision < position { return report(.ordered, "was told \(revision) after \(position)") }
      if let missing = firstConcern(after: position, before: revision) {
        report(hasJustResumed ? .resumable : .reliable, "was told \(revision) after \(position), without \(missing)")
      }
      check(set)
      self.position = revision
      for change in set.changes { items?.apply(change, of: record.state) }
    }

    private mutating func check(_ set: ChangeSet) {
      if set.changes.contains(where: { $0.revision != set.revision }) {
        report(.atomic, "was told changes of other revisions with \(set.revision)")
      }
      if set.changes.contains(where: { !$0.concerns(record.state) }) {
        report(.filtered, "was told changes of other items with \(set.revision)")
      }
      guard let all = truth[set.revision.number] else { return }
      if all.filter({ $0.concerns(record.state) }) != set.changes.sorted(by: { $0.id < $1.id }) {
        report(.atomic, "was told \(set.changes.count) changes of revision \(set.revision), others differ")
      }
    }

    /// The first revision between that the watcher should have been told.
    private func firstConcern(after position: Int64, before revision: Int64) -> Int64? {
      guard position + 1 < revision else { return nil }
      return (position + 1..<revision).first { number in
        // A revision of which nothing is known concerns whoever watches everything.
        guard let changes = truth[number] else { return record.state == .all }
        return changes.contains { $0.concerns(record.state) }
      }
    }
  }
}

extension [ItemID: ToDoItem] {
  fileprivate mutating func apply(_ change: ItemChange, of state: ItemState) {
    switch change {
    case .put(let item, _): self[item.id] = state.includes(item) ? item : nil
    case .deleted(let deletion): self[deletion.id] = nil
    }
  }
}
