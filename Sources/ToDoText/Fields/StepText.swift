package import ToDoModel

/// Steps as people type and read them: one per line, such as `[x] Sand the door`.
package enum StepText {
  private static let done = "[x] "
  private static let toDo = "[ ] "

  /// Returns the numbers of done steps and of all steps, such as `3/7`.
  package static func progress(_ steps: [Step]) -> String { "\(steps.count { $0.isDone })/\(steps.count)" }

  /// Returns the progress as a fact beside a title, or nothing if there are no steps.
  package static func facts(_ steps: [Step]) -> [String] {
    steps.isEmpty ? [] : ["\(progress(steps)) \(steps.count == 1 ? "step" : "steps")"]
  }

  /// Returns the step with its number, such as `2 [x] Sand the door`.
  package static func numbered(_ step: Step, _ number: Int, of count: Int) -> String {
    let number = String(number).padded(toLeftWidth: String(count).count)
    return "\(number) \(step.isDone ? done : toDo)\(step.text.escapingControls())"
  }

  /// Returns all steps with their numbers.
  package static func numbered(_ steps: [Step]) -> [String] {
    steps.enumerated().map { numbered($0.element, $0.offset + 1, of: steps.count) }
  }

  /// Returns the steps as the text of a form, one per line. A line break in a step becomes a blank.
  package static func text(of steps: [Step]) -> String {
    steps.map { ($0.isDone ? done : toDo) + String($0.text.map { $0.isNewline ? " " : $0 }) }.joined(separator: "\n")
  }

  /// Parses the text of a form. Blank lines are ignored, a bullet may begin a line, and a line without a mark is a step to do.
  package static func parse(_ text: String) -> [Step] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      var rest = String(line).trimmed
      if rest.hasPrefix("- ") { rest = String(rest.dropFirst(2)).trimmed }
      let isDone = rest.lowercased().hasPrefix("[x]")
      if isDone || rest.hasPrefix("[ ]") { rest = String(rest.dropFirst(3)).trimmed }
      return rest.isEmpty ? nil : Step(rest, isDone: isDone)
    }
  }

  /// Returns the mark at the beginning of a line, or an empty text if the line has none, or nothing follows it.
  static func mark(of line: String) -> String {
    [done, toDo].first { line.hasPrefix($0) && line.count > $0.count } ?? ""
  }
}
