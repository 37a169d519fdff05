import ToDoModel
import ToDoText

// MARK: - Drawing

extension Coordinator {
  /// Returns the drawing of the window: the top screen and, in the last rows, the status.
  ///
  /// The status has one row, and more for a message or a question that needs them.
  package func window(_ environment: ScreenEnvironment) -> WindowDrawing {
    guard environment.size.rows > 0 else { return WindowDrawing(lines: []) }
    var (inner, drawing) = (environment, self.drawing(environment))
    let status = statusLines(drawing, environment)
    if status.count > 1 {
      inner.size.rows -= status.count - 1
      drawing = self.drawing(inner)
    }
    let body = drawing.lines.prefix(inner.bodyRows)
    let padding = Array(repeating: "", count: inner.bodyRows - body.count)
    return WindowDrawing(lines: body + padding + status, cursor: drawing.cursor)
  }

  /// Returns the drawing of the top screen, with the list above it if it is a panel.
  private func drawing(_ environment: ScreenEnvironment) -> ScreenDrawing {
    var drawing = topScreen.drawing(content, environment)
    guard drawing.isPanel else { return drawing }
    let room = environment.bodyRows - drawing.lines.count
    let lines = list.drawing(content, environment).lines.prefix(room)
    drawing.lines = lines + Array(repeating: "", count: room - lines.count) + drawing.lines
    drawing.cursor?.row += room
    return drawing
  }

  /// Returns the status: the state of the connection, the message or the screen's status, and as many keys as fit.
  private func statusLines(_ drawing: ScreenDrawing, _ environment: ScreenEnvironment) -> [String] {
    let palette = environment.palette
    let texts = [environment.connection.text(environment) ?? "", message.isEmpty ? drawing.status : message]
    let text = texts.filter { !$0.isEmpty }.joined(separator: Self.separator)
    let isWrapped = !message.isEmpty || drawing.isAsking
    // A question must be seen with all its answers.
    let limit = drawing.isAsking ? environment.size.rows - 2 : environment.size.rows / 2
    let lines = Self.lines(of: text, columns: environment.columns, limit: isWrapped ? max(1, limit) : 1)
    let room = environment.columns - (lines.last?.displayWidth ?? 0)
    let keys = keysText(drawing.hints, room: room, isFirst: text.isEmpty, environment)
    var style = isWrapped ? { (text: String) in text } : palette.faint
    if case .lost = environment.connection { style = palette.overdue }
    return lines.dropLast().map(style) + [style(lines.last ?? "") + palette.faint(keys)]
  }

  /// Returns the lines of a text, in which line breaks remain. The last line is cut off if there are more.
  private static func lines(of text: String, columns: Int, limit: Int) -> [String] {
    guard limit > 1, columns > 1 else { return [text.truncated(toWidth: columns)] }
    let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = paragraphs.flatMap { String($0).wrapped(toWidth: columns) }
    guard lines.count > limit else { return lines }
    let last = lines[(limit - 1)...].joined(separator: " ").truncated(toWidth: columns)
    return lines.prefix(limit - 1) + [last]
  }

  /// Returns the keys that fit, such as ` · a add · q quit`. The undo of the last change is the first.
  private func keysText(
    _ hints: [KeyHint], room: Int, isFirst: Bool, _ environment: ScreenEnvironment
  ) -> String {
    let hints = offeredHints(hints)
    let offers = environment.takesCommands ? hints.compactMap(\.command) : hints.map { "\($0.key) \($0.action)" }
    var text = ""
    for offer in offers {
      let separator = isFirst && text.isEmpty ? "" : Self.separator
      let added = "\(separator)\(offer)"
      guard (text + added).displayWidth <= room else { break }
      text += added
    }
    return text
  }

  private func offeredHints(_ hints: [KeyHint]) -> [KeyHint] {
    guard let index = hints.firstIndex(where: { $0.key == "u" }) else { return hints }
    var others = hints
    others.remove(at: index)
    guard let offer = ownChanges.offer(in: content) else { return others }
    // The message already names the change.
    return [KeyHint("u", message == offer ? "undo" : "undo: \(offer)")] + others
  }

  private static let separator = " · "
}

extension ServiceLink {
  /// The state as the status line shows it, or `nil` if the service is reachable.
  fileprivate func text(_ environment: ScreenEnvironment) -> String? {
    switch self {
    case .local, .connected: nil
    case .connecting: "connecting"
    case .lost(let since): "server unreachable since \(Self.text(of: since, environment))"
    }
  }

  /// Returns the time of today, or the date and time of another day.
  private static func text(of time: Timestamp, _ environment: ScreenEnvironment) -> String {
    let minute = Timestamp(microseconds: time.microseconds / 60_000_000 * 60_000_000)
    let text = DueDate.time(minute).shortText(today: environment.today, in: environment.zone)
    return text.hasPrefix("today ") ? String(text.dropFirst(6)) : text
  }
}
