import ToDoModel

// MARK: - Drawing

extension Coordinator {
  /// Returns the drawing of the window: the top screen and, in the last row, the status line.
  func window(_ environment: ScreenEnvironment) -> WindowDrawing {
    let rows = environment.size.rows
    guard rows > 0 else { return WindowDrawing(lines: []) }
    let drawing = topScreen.drawing(content, environment)
    let body = drawing.lines.prefix(environment.bodyRows)
    let padding = Array(repeating: "", count: environment.bodyRows - body.count)
    return WindowDrawing(lines: body + padding + [statusLine(drawing, environment)], cursor: drawing.cursor)
  }

  /// Returns the status line: the state of the connection, the message or the screen's status, and as many keys as fit.
  private func statusLine(_ drawing: ScreenDrawing, _ environment: ScreenEnvironment) -> String {
    let palette = environment.palette
    let connection = environment.connection.text(environment)
    let text = message.isEmpty ? drawing.status : message
    let texts = [connection ?? "", text].filter { !$0.isEmpty }
    let start = texts.joined(separator: Self.separator).truncated(toWidth: environment.columns)
    let room = environment.columns - start.displayWidth
    let keys = keysText(drawing.hints, room: room, isFirst: start.isEmpty)
    if case .lost = environment.connection { return palette.overdue(start) + palette.faint(keys) }
    return (message.isEmpty ? palette.faint(start) : start) + palette.faint(keys)
  }

  /// Returns the keys that fit, such as ` · a add · q quit`. The undo of the last change is the first.
  private func keysText(_ hints: [KeyHint], room: Int, isFirst: Bool) -> String {
    var text = ""
    for hint in offeredHints(hints) {
      let separator = isFirst && text.isEmpty ? "" : Self.separator
      let added = "\(separator)\(hint.key) \(hint.action)"
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
