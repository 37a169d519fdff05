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
    /// The change in the past tense, such as `deleted 'Milk'`.
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
  /// The number of changes that have begun and not ended. Their results come in order.
  private var pendingCount = 0
  /// The number of pending changes in lists that were shown before.
  private var leftCount = 0

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
    if effect.changesItems { pendingCount += 1 }
    switch effect {
    case .check(let id, _), .uncheck(let id), .delete(let id), .update(let id, _, _, _), .split(let id, _, _, _),
      .setSteps(let id, _, _), .reschedule(let id, _, _, _), .move(let id, _, _):
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
    pendingCount += 1
    return last.revision
  }

  /// Forgets the changes, because another list is shown. Those that are pending cannot be undone, but their failures are reported.
  mutating func leaveList() {
    (elements, starts, reverting) = ([], [:], nil)
    leftCount = pendingCount
  }

  /// Notes the result of an effect.
  ///
  /// - Returns: a message about the change, its failure, or `nil` if a screen shows the result.
  mutating func receive(_ result: EffectResult) -> Result<String, EffectFailure>? {
    if result.endsChange {
      pendingCount = max(0, pendingCount - 1)
      if leftCount > 0 {
        leftCount -= 1
        return result.failure.map(Result.failure)
      }
    }
    return receiveOfList(result)
  }

  /// Notes the result of an effect on the list that is shown.
  private mutating func receiveOfList(_ result: EffectResult) -> Result<String, EffectFailure>? {
    switch result {
    case .changed(let id, let action, .success(let revision)):
      return add(id, revision, action.text, starts.removeValue(forKey: id), to: action.target).map(Result.success)
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
    case .addedElsewhere(let list, .success(let item)):
      return .success("added '\(item.title.escapingControls())' to '\(list.name.escapingControls())'")
    case .saved, .addedElsewhere, .geocoded, .located, .historyRead, .listsRead, .itemsCounted, .invitationsRead,
      .sharingChanged, .listSaved, .sorted, .notOpened:
      return nil
    }
  }

  private mutating func add(
    _ id: ItemID, _ revision: Revision, _ verb: String, _ start: Start?, to list: String? = nil
  ) -> String? {
    // An operation that changed nothing returns the item's earlier revision.
    guard let start, revision > start.listRevision else { return nil }
    let target = list.map { " to '\($0.escapingControls())'" } ?? ""
    let text = "\(verb) '\(start.title.escapingControls())'\(target)"
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

extension Effect {
  /// Whether the effect changes items, so that its result ends a change.
  fileprivate var changesItems: Bool {
    switch self {
    case .check, .uncheck, .delete, .deleteAll, .revert, .add, .addElsewhere, .update, .split, .setSteps, .reschedule,
      .move:
      true
    case .geocode, .locate, .cancelGeocoding, .readHistory, .readLists, .watchLists, .countItems, .readInvitations,
      .changeSharing, .createList, .renameList, .showList, .sort, .copy, .open, .storeDraft, .startTimer, .cancelTimer,
      .redraw, .quit:
      false
    }
  }
}

extension EffectResult {
  /// Whether a change of items has ended.
  fileprivate var endsChange: Bool {
    switch self {
    case .changed, .deletedAll, .reverted, .saved, .addedElsewhere, .stepsSet: true
    case .geocoded, .located, .historyRead, .listsRead, .itemsCounted, .invitationsRead, .sharingChanged, .listSaved,
      .sorted, .notOpened:
      false
    }
  }

  /// The failure of a change to items.
  fileprivate var failure: EffectFailure? {
    switch self {
    case .changed(_, _, .failure(let failure)), .deletedAll(_, .failure(let failure)), .reverted(.failure(let failure)),
      .saved(.failure(let failure)), .addedElsewhere(_, .failure(let failure)), .stepsSet(_, .failure(let failure)):
      failure
    default: nil
    }
  }
}

extension ItemAction {
  /// The past tense.
  fileprivate var text: String {
    switch self {
    case .checked: "checked"
    case .unchecked: "unchecked"
    case .deleted: "deleted"
    case .skipped: "skipped"
    case .postponed: "postponed"
    case .moved: "moved"
    }
  }

  /// The name of the list to which the item was moved.
  fileprivate var target: String? { if case .moved(let list) = self { list } else { nil } }
}
