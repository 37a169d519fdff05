import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoText

extension Session {
  /// Performs the steps of an undo or a redo. Prints the reverted changes, and reports each refused item. If the last step is
  /// refused, says how to perform the one before it, because the refused one stays the latest.
  ///
  /// - Parameters:
  ///   - count: the number of steps that the user requested.
  ///   - hasMore: whether there are further steps.
  /// - Throws: `Failure` with the status `notFound` if there is no step; the highest status of any refused item; any
  ///   error of the service.
  func perform(
    _ kind: ReversalStep.Kind, _ steps: [ReversalStep], of count: Int, hasMore: Bool, in connection: ServiceConnection
  ) async throws {
    guard !steps.isEmpty else { throw Failure.nothing(to: kind) }
    var (results, status, isRefused) = ([JSONValue](), ExitStatus.success, false)
    for step in steps {
      do {
        let (reversal, removed) = try await connection.revert(step.revisions, kind)
        if options.json {
          results.append(JSONValue(reversal, of: step, withoutOtherList: removed))
        } else {
          try printReversal(reversal, of: step, kind)
        }
        status = max(status, reportRefusals(of: reversal, kind, removed))
        isRefused = reversal.revertedCount == 0 || !removed.isEmpty
      } catch let failure as Failure where failure.reason == "LIST_NOT_FOUND" {
        report(failure)
        status = max(status, failure.status)
        isRefused = true
      }
    }
    if isRefused, hasMore {
      let command = "todo \(kind.rawValue) \(count + 1)\(PrintedList.option)"
      printNotice("'\(command)' also \(kind.rawValue)es the change before it.")
    }
    if options.json { try print(JSONValue.object([.init("reversals", .array(results))]).indentedText) }
    if steps.count < count {
      let changes = steps.count == 1 ? "was only 1 change" : "were only \(steps.count) changes"
      printNotice("There \(changes) to \(kind.rawValue).")
    }
    if status != .success { throw status }
  }

  /// Prints the IDs of the reverted items with '--quiet', or one human-readable line otherwise.
  private func printReversal(_ reversal: Reversal, of step: ReversalStep, _ kind: ReversalStep.Kind) throws {
    guard reversal.revertedCount > 0 else { return }
    if options.quiet {
      let refused = Set(reversal.refusals.map(\.item))
      let items = step.change?.changes.map(\.item) ?? []
      return try printLines(items.filter { !refused.contains($0) }.map(\.description))
    }
    let items = "\(reversal.revertedCount) item\(reversal.revertedCount == 1 ? "" : "s")"
    let changes = step.change?.summary(of: kind, count: reversal.revertedCount) ?? items
    try print("\(kind.participle.prefix(1).uppercased())\(kind.participle.dropFirst()): \(changes)")
  }

  /// Reports the refused items, and returns the highest status of any.
  ///
  /// - Parameter removed: the items whose move was refused because the other list no longer exists.
  private func reportRefusals(
    of reversal: Reversal, _ kind: ReversalStep.Kind, _ removed: Set<ItemID>
  ) -> ExitStatus {
    var status = ExitStatus.success
    for refusal in reversal.refusals {
      let failure = removed.contains(refusal.item) ? Failure(ofMove: refusal, kind) : Failure(refusal, kind)
      report(failure)
      status = max(status, failure.status)
    }
    let rest = reversal.refusedCount - reversal.refusals.count
    guard rest > 0 else { return status }
    let message = "\(rest) more item\(rest == 1 ? " was" : "s were") not \(kind.participle)"
    let failure = Failure(code: .failedPrecondition, reason: "REVERSAL_REFUSED", message: message)
    report(failure)
    return max(status, failure.status)
  }
}

extension Failure {
  /// No change can be undone or redone.
  fileprivate static func nothing(to kind: ReversalStep.Kind) -> Failure {
    Failure(
      code: .notFound, reason: "NOTHING_TO_\(kind.rawValue.uppercased())",
      message: "nothing to \(kind.rawValue); 'todo log\(PrintedList.option)' lists the history")
  }

  /// An item was not returned to its former state.
  fileprivate init(_ refusal: Reversal.Refusal, _ kind: ReversalStep.Kind) {
    let (code, reason, text) = refusal.reason.codeReasonAndText
    let item = refusal.item.text(refusal.number, refusal.title)
    self.init(code: code, reason: reason, message: "\(item) was not \(kind.participle): \(text)")
  }
}

extension Failure {
  /// A moved item was not moved back.
  fileprivate init(ofMove refusal: Reversal.Refusal, _ kind: ReversalStep.Kind) {
    let item = refusal.item.text(refusal.number, refusal.title)
    self.init(
      code: .notFound, reason: "LIST_NOT_FOUND",
      message: "\(item) was not \(kind.participle): the other list of the move no longer exists")
  }

  /// A move was not reverted, because the caller's default list does not have the other half of it. The service can't tell whether
  /// that is the list of the move.
  fileprivate static func isUnknownToDefaultList(_ kind: ReversalStep.Kind) -> Failure {
    Failure(
      code: .notFound, reason: "LIST_NOT_FOUND",
      message: "the move was not \(kind.participle): the history of your default list doesn't have it",
      details: ["Another user moved the items, or the list was restored from a backup or replaced since."])
  }

  /// A move was not reverted, because the other list is deleted.
  fileprivate static func isDeleted(_ list: UserList, _ kind: ReversalStep.Kind) -> Failure {
    let name = list.name.escapingControls()
    return Failure(
      code: .notFound, reason: "LIST_NOT_FOUND",
      message: "the move was not \(kind.participle): the list '\(name)' is deleted",
      details: [
        list.role == .owner
          ? "Restore it with: todo lists restore '\(name)'" : "\(list.ownerUser.escapingControls()) can restore it."
      ])
  }
}

extension ServiceConnection {
  /// Reverts revisions one after the other.
  ///
  /// - Returns: the sum of the results, and the items that were not moved back because the other list no longer exists.
  /// - Throws: `Failure` if a move's other list is deleted and restorable, or is a default list without the move; the service's
  ///   errors.
  fileprivate func revert(
    _ revisions: [Revision], _ kind: ReversalStep.Kind
  ) async throws -> (sum: Reversal, removed: Set<ItemID>) {
    var (sum, removed) = (Reversal(revision: .initial), Set<ItemID>())
    for revision in revisions {
      do { sum.add(try await service.revertRevision(revision)) } catch ToDoError.listNotFound(let id)
        where id != (list?.id ?? .default)
      {
        if id.isDefault { throw Failure.isUnknownToDefaultList(kind) }
        let all = try await lists.lists(includingDeleted: true).lists
        if let list = all.first(where: { $0.id == id }) {
          throw list.isDeleted ? Failure.isDeleted(list, kind) : Failure(ToDoError.listNotFound(id))
        }
        let refusal = try await service.refusal(of: revision)
        removed.formUnion(refusal.refusals.map(\.item))
        sum.add(refusal)
      }
    }
    return (sum, removed)
  }
}

extension Reversal.Reason {
  fileprivate var codeReasonAndText: (StatusCode, String, String) {
    switch self {
    case .changedSince: (.aborted, "CHANGED_SINCE", "it has changed since")
    case .notRetained: (.notFound, "STATE_NOT_RETAINED", "its former state is no longer kept")
    case .duplicate: (.alreadyExists, "DUPLICATE_ITEM", "an identical item is in the list")
    case .other: (.failedPrecondition, "REVERSAL_REFUSED", "the service rejected it")
    }
  }
}
