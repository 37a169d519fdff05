import ToDoModel
import ToDoSupport
import ToDoText

/// An edit of an item in a form, which the user changes in an editor.
struct FormEdit {
  let session: Session
  let service: any ToDoService
  /// Whether an identical incomplete item may exist.
  let allowsDuplicate: Bool

  /// Opens the form until the service saves it, and prints the item. An unchanged form changes nothing.
  ///
  /// If the item has changed elsewhere in fields that the user edited, nothing is saved. The form that is then opened has the
  /// current values of the other fields.
  ///
  /// If the user gives up, or the error is not one that the user can correct, the form stays in its file, whose path is
  /// printed.
  ///
  /// - Throws: any error of the editor; `ExitStatus` for a failure that is reported; any error of printing.
  func run(_ item: ToDoItem) async throws {
    let form = EditForm(item.content, in: session.zone)
    // A reference with the name of a list has a slash.
    let name = "edit-\(item.shortReference.replacing("/", with: "-"))"
    let draft = try EditDraft(form.text, name: name, environment: session.context.environment)
    var (base, conflict) = (item, FormConflict?.none)
    while true {
      try await openEditor(draft)
      let edited: ToDoItem?
      do {
        let text = try draft.read()
        // An editor that ends without saving decides nothing.
        if let conflict, text == conflict.merge.text { throw conflict }
        edited = try await save(text, base)
      } catch {
        try promptToRetry(after: error, draft)
        if let new = error as? FormConflict {
          try draft.replace(with: new.merge.text)
          (base, conflict) = (new.current, new)
        }
        continue
      }
      draft.remove()
      guard let edited else { return session.printNotice("Nothing changed.") }
      return try session.printItem(edited, verb: "Edited")
    }
  }

  private func openEditor(_ draft: EditDraft) async throws {
    let environment = session.context.environment
    do {
      try await session.context.openEditor(environment("VISUAL") ?? environment("EDITOR") ?? "vi", draft.path)
    } catch {
      if draft.isUnchanged { draft.remove() } else { printPath(of: draft) }
      throw error
    }
  }

  /// The number of times that a form is saved while the item changes elsewhere.
  private static let attempts = 5

  /// Saves the changes of a form. If the item has changed elsewhere, saves them to its current state, unless that concerns the
  /// fields that the user edited.
  ///
  /// - Parameter item: the item as the form had it before the user edited it.
  /// - Returns: the item, or `nil` if nothing changed.
  /// - Throws: `FormConflict` if the item has changed in the same fields; the errors of parsing and of the service.
  private func save(_ text: String, _ item: ToDoItem) async throws -> ToDoItem? {
    let (form, original) = (try EditForm(parsing: text), EditForm(item.content, in: session.zone))
    var edit = try form.edit(
      from: original, session.dueDateParser, zoneName: LocalZoneName(session.context.environment).name,
      locale: ItemSentenceReader.locale(session.context.environment) ?? "")
    guard !edit.isEmpty else { return nil }
    edit.title = edit.title.map(session.title)
    var current = item
    for attempt in 1... {
      do {
        return try await session.save(
          edit.keepingReminderStates(of: current), of: item.id, ifRevision: current.revision,
          allowingDuplicate: allowsDuplicate, in: service)
      } catch let error as ToDoError {
        guard case .revisionMismatch = error, attempt < Self.attempts else { throw error }
        current = try await service.item(item.id)
        // A client repeats a call whose response was lost.
        let result = current.content.applying(edit.keepingReminderStates(of: current))
        guard result != current.content else { return current }
        let merge = EditFormMerge(of: form, from: original, to: EditForm(current.content, in: session.zone))
        guard merge.conflictingFields.isEmpty else { throw FormConflict(current: current, merge: merge) }
      }
    }
    return current
  }

  /// Reports a failure, and returns if the user wants to correct the form.
  ///
  /// - Throws: the status of the failure.
  private func promptToRetry(after error: any Error, _ draft: EditDraft) throws {
    var (status, isCorrectable) = (error as? ExitStatus, true)
    if status == nil {
      let failure = (error as? FormConflict)?.failure ?? Failure(error)
      session.report(failure)
      (status, isCorrectable) = (failure.status, failure.isCorrectable)
    }
    // Printed before the prompt, which Ctrl-C ends.
    printPath(of: draft)
    guard isCorrectable, try session.confirm("Edit it again?") else { throw status ?? .failure }
  }

  private func printPath(of draft: EditDraft) {
    session.context.terminal.error("The form is stored in \(draft.path.escapingControls()).\n")
  }
}

/// The refusal of a form because the item has changed elsewhere in fields that the user edited.
private struct FormConflict: Error {
  /// The item as it is now.
  let current: ToDoItem
  /// The form of the current item with the user's changes.
  let merge: EditFormMerge

  /// What the user is told.
  var failure: Failure {
    let reference = current.shortReference
    let fields = merge.conflictingFields.joined(separator: ", ")
    var failure = Failure(ToDoError.revisionMismatch(current.id, current: current.revision))
    failure.message = "\(reference) has changed elsewhere since you opened the form (\(fields)); nothing was saved"
    failure.details = [
      "'todo show \(reference)' prints it. If you edit the form again, comments in it have the new values."
    ]
    return failure
  }
}

extension ItemEdit {
  /// Returns the edit, in which reminders that an item already has keep their states.
  fileprivate func keepingReminderStates(of item: ToDoItem) -> ItemEdit {
    var edit = self
    edit.reminders = reminders?.keepingStates(of: item.reminders)
    return edit
  }
}

extension Failure {
  /// Whether another content of the form can avoid the failure.
  fileprivate var isCorrectable: Bool {
    switch status {
    case .usage, .conflict: true
    case .notFound: reason != "ITEM_NOT_FOUND"
    default: false
    }
  }
}
