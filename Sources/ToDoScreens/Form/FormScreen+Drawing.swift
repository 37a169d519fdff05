import ToDoModel
import ToDoText

extension FormScreen {
  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = ScreenDrawing(hints: hints, status: status(environment))
    if case .asking = phase { drawing.isAsking = true }
    if isLine { return lineDrawing(drawing, environment) }
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
    // A question contains its keys.
    case .saving, .locating, .asking: return []
    case .editing where isLine:
      let add = texts[.title].isBlank ? [] : [KeyHint("Enter", "add")]
      return add + [KeyHint("Tab", "all fields"), KeyHint("Esc", "close")]
    case .editing:
      // Saving is impossible without a title.
      let savesOnEnter = focus.isLastLine && search.highlighted == nil
      var hints = texts[.title].isBlank ? [] : [KeyHint(savesOnEnter ? "Enter" : "Ctrl-S", "save")]
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
    case .locating: return "looking up '\(Self.shown(place?.text ?? address, environment))'…"
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
    case .choosesReading: return textOfReadings(environment)
    case .choosesPlace: return textOfPlaces
    case .acceptsGuess:
      let name = search.guess?.displayName.escapingControls() ?? ""
      return "'\(Self.shown(address, environment))' is not the name of a place on the map. Save it as \(name)? y/n"
    case .overwrites: return "The item has changed elsewhere. s saves over it, Esc continues editing"
    case .savesWithoutCoordinate:
      return "No coordinate found for '\(Self.shown(address, environment))'. Save without one? y/n"
    }
  }

  /// Returns an address that gives way to the text around it.
  private static func shown(_ address: String, _ environment: ScreenEnvironment) -> String {
    address.escapingControls().truncated(toWidth: max(8, environment.columns))
  }
}

// MARK: - Choices

extension FormScreen {
  /// The question which reading of the title is meant, with a numbered line for each.
  private func textOfReadings(_ environment: ScreenEnvironment) -> String {
    guard let reading else { return "" }
    let lines = reading.choices.map { choice in
      let due = choice.due?.confirmationText(today: environment.today, in: environment.zone)
      return "\(choice.title.escapingControls()) · \(due ?? "no due date")"
    }
    return Self.question("\(reading.problem) Which one do you mean?", lines)
  }

  /// The question which place is meant, with a numbered line for each.
  private var textOfPlaces: String {
    guard let place else { return "" }
    let name = place.text.escapingControls()
    let lines = place.choices.map { $0.place.displayName.escapingControls() } + ["only the name"]
    return Self.question("'\(name)' matches \(place.choices.count) places. Which one do you mean?", lines)
  }

  private static func question(_ start: String, _ lines: [String]) -> String {
    let numbered = lines.enumerated().map { "\($0.offset + 1)  \($0.element)" }
    return ([start] + numbered).joined(separator: "\n")
  }
}

// MARK: - The line

extension FormScreen {
  private static let linePrompt = "add: "
  private static let lineExample = "such as: Dinner tomorrow 19:00 @Rossi"

  /// Draws the title in one line, and below it how it was understood.
  private func lineDrawing(_ drawing: ScreenDrawing, _ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = drawing
    drawing.isPanel = true
    let (prompt, palette) = (Self.linePrompt, environment.palette)
    let visible = texts[.title].visibleText(width: max(4, environment.columns - prompt.count))
    drawing.lines = [palette.heading(prompt) + visible.text]
    drawing.lines += lineDetails(environment, width: max(1, environment.columns - Self.lineIndent))
    drawing.lines = Array(drawing.lines.prefix(environment.bodyRows))
    let column = min(prompt.count + visible.cursor, max(0, environment.columns - 1))
    if phase == .editing, !drawing.lines.isEmpty { drawing.cursor = ScreenPosition(row: 0, column: column) }
    return drawing
  }

  private static let lineIndent = 2

  /// Returns the reading and its notice, or an example. There is at least one line, so that the first keys move nothing.
  private func lineDetails(_ environment: ScreenEnvironment, width: Int) -> [String] {
    let (indent, palette) = (String(repeating: " ", count: Self.lineIndent), environment.palette)
    guard let reading = currentReading(environment) else {
      return [indent + palette.faint(Self.lineExample.truncated(toWidth: width))]
    }
    var lines = reading.lines(place, width: width, in: environment.zone).map {
      palette.faint($0.truncated(toWidth: width))
    }
    if let notice = reading.notice, phase == .editing {
      let style = reading.sentence.lacksDate ? palette.overdue : palette.faint
      lines += notice.wrapped(toWidth: width).map(style)
    }
    return lines.isEmpty ? [""] : lines.map { indent + $0 }
  }
}
