import ToDoModel
import ToDoText

/// The user's changes of this run, which can be undone one after the other.
struct OwnChanges: Equatable, Sendable {
  private struct Element: Equatable {
    /// The changed item, or `nil` for a deletion of many.
    let item: ItemID?
    /// The revision that the change created.
    let revision: Revision
    /// The revision since which the item has the state after the change.
    var stateRevision: Revision
    /// The change in the past tense, such as `deleted “Milk”`.
    let text: String
  }

  /// The item of an operation in progress, before the operation.
  private struct Start: Equatable {
    let title: String
    let listRevision: Revision
  }

  private var elements: [Element] = []
  private var starts: [ItemID: Start] = [:]
  /// The change whose reversal is in progress.
  private var reverting: Element?

  /// The maximum number of changes that can be undone.
  private static let limit = 100

  /// Returns the text of the change to offer for undoing, or `nil` if there is none or its item has changed since.
  func offer(in content: ListContent) -> String? {
    guard reverting == nil, let last = elements.last, let listRevision = content.revision else { return nil }
    guard let item = last.item else { return last.text }
    // The watch emits the change later than the response arrives.
    let isCurrent = listRevision < last.stateRevision || (content[item]?.revision ?? .initial) <= last.stateRevision
    return isCurrent ? last.text : nil
  }

  /// Notes that an effect begins.
  mutating func begin(_ effect: Effect, _ content: ListContent) {
    switch effect {
    case .check(let id, _), .uncheck(let id), .delete(let id), .update(let id, _, _, _), .setSteps(let id, _, _):
      guard let item = content[id] else { return }
      starts[id] = Start(title: item.title, listRevision: content.revision ?? .initial)
    default: break
    }
  }

  /// Removes the last change, which is to be reverted.
  ///
  /// - Returns: the revision to revert, or `nil` if there is none.
  mutating func startReversal() -> Revision? {
    guard reverting == nil, let last = elements.popLast() else { return nil }
    reverting = last
    return last.revision
  }

  /// Notes the result of an effect.
  ///
  /// - Returns: a message about the change, its failure, or `nil` if a screen shows the result.
  mutating func receive(_ result: EffectResult) -> Result<String, EffectFailure>? {
    switch result {
    case .changed(let id, let action, .success(let revision)):
      return add(id, revision, action.text, starts.removeValue(forKey: id)).map(Result.success)
    case .changed(let id, _, .failure(let failure)):
      starts[id] = nil
      return .failure(failure)
    case .deletedAll(let selection, .success(let deletion)): return .success(add(selection, deletion))
    case .deletedAll(_, .failure(let failure)): return .failure(failure)
    case .saved(.success(let item)):
      let before = starts.removeValue(forKey: item.id)?.listRevision ?? .initial
      let start = Start(title: item.title, listRevision: before)
      return add(item.id, item.revision, "saved", start).map(Result.success)
    case .stepsSet(let id, .success(let item)):
      return add(id, item.revision, "changed", starts.removeValue(forKey: id)).map(Result.success)
    case .stepsSet(let id, .failure(let failure)):
      starts[id] = nil
      return .failure(failure)
    case .reverted(.success(let reversal)): return endReversal(reversal)
    case .reverted(.failure(let failure)):
      if let reverting { elements.append(reverting) }
      reverting = nil
      return .failure(failure)
    case .saved, .geocoded, .located, .historyRead, .sorted, .notOpened: return nil
    }
  }

  private mutating func add(_ id: ItemID, _ revision: Revision, _ verb: String, _ start: Start?) -> String? {
    // An operation that changed nothing returns the item's earlier revision.
    guard let start, revision > start.listRevision else { return nil }
    let text = "\(verb) “\(start.title.escapingControls())”"
    append(Element(item: id, revision: revision, stateRevision: revision, text: text))
    return text
  }

  private mutating func add(_ selection: BulkDeletion, _ deletion: BulkDeletionResult) -> String {
    guard deletion.deletedCount > 0 else { return "nothing was deleted" }
    let text = "deleted \(selection.text(deletion.deletedCount))"
    append(Element(item: nil, revision: deletion.revision, stateRevision: deletion.revision, text: text))
    return text
  }

  private mutating func append(_ element: Element) {
    elements.append(element)
    if elements.count > Self.limit { elements.removeFirst() }
  }

  private mutating func endReversal(_ reversal: Reversal) -> Result<String, EffectFailure>? {
    guard let reverted = reverting else { return nil }
    reverting = nil
    guard reversal.revertedCount > 0 else {
      let message = "not undone: \(reverted.text); the item has changed since"
      return .failure(EffectFailure(kind: .changedElsewhere, message: message))
    }
    // The item has the state after the change before this one.
    if reverted.item != nil, let index = elements.lastIndex(where: { $0.item == reverted.item }) {
      elements[index].stateRevision = reversal.revision
    }
    guard reversal.refusedCount > 0 else { return .success("undone: \(reverted.text)") }
    let others = reversal.refusedCount == 1 ? "1 item that has" : "\(reversal.refusedCount) items that have"
    return .success("undone: \(reverted.text), except \(others) changed since")
  }
}

extension ItemAction {
  /// The past tense.
  fileprivate var text: String {
    switch self {
    case .checked: "checked"
    case .unchecked: "unchecked"
    case .deleted: "deleted"
    }
  }
}
