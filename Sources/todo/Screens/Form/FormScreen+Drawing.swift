import ToDoModel

extension FormScreen {
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = ScreenDrawing(hints: hints, status: status(environment))
    guard environment.columns >= Self.minimumColumns, environment.bodyRows > 0 else { return drawing }
    let layout = FormLayout(self, environment)
    drawing.lines = layout.lines
    if phase == .editing { drawing.cursor = layout.visibleCursor }
    return drawing
  }

  /// The width below which the form draws nothing but the status.
  private static let minimumColumns = 24

  private var hints: [KeyHint] {
    switch phase {
    case .saving: return []
    case .asking(let question): return question.hints
    case .editing:
      // Saving is impossible without a title.
      var hints = texts[.title].isBlank ? [] : [KeyHint("Ctrl-S", "save")]
      hints.append(KeyHint("Esc", "cancel"))
      if focus == .address, !search.candidates.isEmpty {
        hints.insert(search.highlighted == nil ? KeyHint("↓", "choose") : KeyHint("Enter", "take"), at: 0)
      }
      return hints + [KeyHint("Tab", "next field")]
    }
  }

  private func status(_ environment: ScreenEnvironment) -> String {
    switch phase {
    case .saving: return "saving…"
    case .asking(let question): return text(of: question, environment)
    case .editing:
      if target.isDeleted { return "the item was deleted elsewhere; Ctrl-S adds it as a new item" }
      return isRestored ? "restored from a draft" : ""
    }
  }

  private func text(of question: FormQuestion, _ environment: ScreenEnvironment) -> String {
    switch question {
    case .discardsChanges: return "Discard the changes? y/n"
    case .savesDuplicate:
      return "The list contains this item already. \(target.item == nil ? "Add it again" : "Save it")? y/n"
    case .overwrites: return "The item has changed elsewhere. s saves over it, Esc continues editing"
    case .savesWithoutCoordinate:
      let (start, end) = ("No coordinate found for '", "'. Save without one? y/n")
      // The address gives way to the question.
      let room = max(8, environment.columns - start.count - end.count)
      return start + address.escapingControls().truncated(toWidth: room) + end
    }
  }
}
