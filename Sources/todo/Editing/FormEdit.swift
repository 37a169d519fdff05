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
  /// If the user gives up, or the error is not one that the user can correct, the form stays in its file, whose path is
  /// printed.
  ///
  /// - Throws: any error of the editor; `ExitStatus` for a failure that is reported; any error of printing.
  func run(_ item: ToDoItem) async throws {
    let original = EditForm(item.content, in: session.zone)
    // A reference with the name of a list has a slash.
    let name = "edit-\(item.shortReference.replacing("/", with: "-"))"
    let draft = try EditDraft(original.text, name: name, environment: session.context.environment)
    while true {
      try await openEditor(draft)
      let edited: ToDoItem?
      do {
        edited = try await save(try draft.read(), original, item)
      } catch {
        try promptToRetry(after: error, draft)
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

  /// Saves the changes of a form.
  ///
  /// - Returns: the item, or `nil` if nothing changed.
  private func save(_ text: String, _ original: EditForm, _ item: ToDoItem) async throws -> ToDoItem? {
    var edit = try EditForm(parsing: text).edit(
      from: original, session.dueDateParser, zoneName: LocalZoneName(session.context.environment).name,
      locale: ItemSentenceReader.locale(session.context.environment) ?? "")
    guard !edit.isEmpty else { return nil }
    edit.title = edit.title.map(session.title)
    edit.reminders = edit.reminders?.keepingStates(of: item.reminders)
    return try await session.save(edit, of: item.id, allowingDuplicate: allowsDuplicate, in: service)
  }

  /// Reports a failure, and returns if the user wants to correct the form.
  ///
  /// - Throws: the status of the failure.
  private func promptToRetry(after error: any Error, _ draft: EditDraft) throws {
    var (status, isCorrectable) = (error as? ExitStatus, true)
    if status == nil {
      let failure = Failure(error)
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
