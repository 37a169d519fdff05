import ToDoModel

/// The choice of the revisions that `todo undo` and `todo redo` revert.
///
/// A revision with `origin.reverted` is a reversal. Reversing a change is an undo, and reversing an undo is a
/// redo. A reversal has no effect after it was reverted itself.
struct UndoHistory {
  /// The caller's changes that are in effect, the latest first. The changes of one program run are one element.
  private(set) var undoable: [[RevisionRecord]] = []
  /// The changes in effect that other clients made without a user, as far as they were added, the latest first. The changes
  /// of one run of the program are one element.
  private(set) var undoableOfOthers: [[RevisionRecord]] = []
  /// Whether the caller's latest change was added. Earlier reversals cannot be redone.
  private(set) var isCompleteForRedo = false
  /// The reversals after the caller's latest change, the latest first.
  private var reversals: [RevisionRecord] = []
  /// The revisions that a reversal in effect names.
  private var reverted: Set<Revision> = []

  /// Adds a revision. The revisions are added without gaps, the latest first.
  mutating func add(_ record: RevisionRecord) {
    let isReverted = reverted.contains(record.revision)
    if let target = record.origin.reverted {
      if !isReverted { reverted.insert(target) }
      if !isCompleteForRedo { reversals.append(record) }
    } else if record.isMadeByService || record.tellsOfReminders {
      return
    } else if record.isOwn {
      isCompleteForRedo = true
      if !isReverted { Self.append(record, to: &undoable) }
    } else if record.origin.user.isEmpty, !isReverted {
      Self.append(record, to: &undoableOfOthers)
    }
  }

  /// The list's latest change in effect, if another client made it.
  var latestOfOthers: [RevisionRecord]? {
    guard let other = undoableOfOthers.first, let latest = other.first?.revision else { return nil }
    guard let own = undoable.first?.first?.revision else { return other }
    return latest > own ? other : nil
  }

  private static func append(_ record: RevisionRecord, to changes: inout [[RevisionRecord]]) {
    if let last = changes.last?.last, last.isOfRun(of: record) {
      changes[changes.count - 1].append(record)
    } else {
      changes.append([record])
    }
  }

  /// The caller's undos that are in effect and that no later change of the caller follows, the latest first.
  ///
  /// An undo of many changes consists of several revisions with the same `origin.reverted`, or from one run.
  var redoable: [[RevisionRecord]] {
    var undos: Set<Revision> = []
    for reversal in reversals.reversed() {
      if let target = reversal.origin.reverted, !undos.contains(target) { undos.insert(reversal.revision) }
    }
    var groups: [[RevisionRecord]] = []
    for reversal in reversals where reversal.isOwn && undos.contains(reversal.revision) {
      guard !reverted.contains(reversal.revision) else { continue }
      if let last = groups.last?.last, last.origin.reverted == reversal.origin.reverted || last.isOfRun(of: reversal) {
        groups[groups.count - 1].append(reversal)
      } else {
        groups.append([reversal])
      }
    }
    return groups
  }
}

extension RevisionRecord {
  /// Whether one run of the program made this revision and another one.
  fileprivate func isOfRun(of other: RevisionRecord) -> Bool { origin.run != nil && origin.run == other.origin.run }

  /// Whether the service made the changes by itself, when it found coordinates.
  fileprivate var isMadeByService: Bool {
    !changes.isEmpty && changes.allSatisfy { $0.kind == .put(.located) }
  }

  /// Whether the changes only record that the user was told about reminders, which an undo would repeat.
  fileprivate var tellsOfReminders: Bool {
    !changes.isEmpty && changes.allSatisfy { !$0.fields.isEmpty && $0.fields.allSatisfy(\.isOfReminderStates) }
  }
}
