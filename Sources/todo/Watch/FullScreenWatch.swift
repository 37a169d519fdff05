import ProgramSupport
import ToDoClient

/// A watch that shows the list in the whole terminal window until the user quits.
struct FullScreenWatch {
  let session: Session
  let section: ListSection
  let filter: WatchFilter

  private var terminal: Terminal { session.context.terminal }

  /// Runs the watch. The terminal is restored when it returns or throws.
  ///
  /// - Throws: `ExitStatus.interrupted` if the process must terminate; any error of the watch and of the output.
  func run(with connection: ServiceConnection) async throws {
    let updates = ScreenUpdateQueue()
    let stop = terminal.screen.listen(.all) { event in updates.put { $0.take(event) } }
    defer { stop() }
    terminal.screen.enter()
    defer { terminal.screen.leave() }
    let model = ToDoListModel(service: connection.service)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        for await list in model.updates { updates.put { $0.list = list } }
      }
      if let states = connection.connectionStates?() {
        group.addTask {
          for await state in states { updates.put { $0.connection = state } }
        }
      }
      group.addTask {
        do {
          try await model.run()
          updates.put { $0.end = .success(()) }
        } catch {
          updates.put { $0.end = .failure(error) }
        }
      }
      var loop = ScreenLoop(
        view: WatchView(showing: section, connection: connection.connectionStates == nil ? nil : .connecting),
        filter: filter, session: session)
      try await loop.run(updates)
    }
  }
}

/// The loop that applies updates and redraws the screen.
private struct ScreenLoop {
  var view: WatchView
  let filter: WatchFilter
  let session: Session
  private var keys = KeyParser()
  private var painter = FramePainter()
  /// The minute of the last frame. Texts such as "today" and "overdue" depend on it, in the frame and in the filter.
  private var paintedMinute: Int64?
  /// Whether the screen shows the current state, apart from the time.
  private var isUpToDate = false

  init(view: WatchView, filter: WatchFilter, session: Session) {
    (self.view, self.filter, self.session) = (view, filter, session)
  }

  /// Redraws the screen after each update, and returns when the user quits.
  mutating func run(_ updates: ScreenUpdateQueue) async throws {
    try draw()
    for await _ in updates.wakeUps {
      let update = updates.take()
      if update.wasInterrupted { throw ExitStatus.interrupted }
      if apply(update) == .quit { return }
      try draw()
      // The end is handled after drawing, so that the last list is shown.
      if let end = update.end { return try end.get() }
    }
    throw CancellationError()
  }

  /// Applies an update.
  ///
  /// - Returns: `quit` if the user quits.
  private mutating func apply(_ update: ScreenUpdate) -> Key? {
    let screen = session.context.terminal.screen
    if update.wasSuspensionRequested { screen.suspend() }
    if update.wasContinued {
      screen.leave()
      screen.enter()
    }
    let time = session.context.uptime()
    let isIdle = update.isEmpty && !view.hasHighlights
    view.advance(to: time)
    if let connection = update.connection { view.connection = connection }
    if let list = update.list { view.show(list, at: time) }
    for key in keys.keys(in: update.typed) {
      if key == .quit { return key }
      view.handle(key, in: size)
      if key == .redraw { painter.invalidate() }
    }
    if update.needsRepaint || update.wasContinued || update.wasSuspensionRequested { painter.invalidate() }
    isUpToDate = isIdle
    return nil
  }

  private mutating func draw() throws {
    let now = session.clock.now()
    let minute = now.microseconds / 60_000_000
    guard !isUpToDate || minute != paintedMinute else { return }
    if minute != paintedMinute { view.matcher = try filter.matcher(in: session) }
    view.clampOffset(in: size)
    let frame = view.frame(in: size, at: now, in: session.zone, session.palette)
    if let text = painter.text(for: frame) { try session.context.terminal.output(text) }
    paintedMinute = minute
  }

  private var size: WindowSize {
    session.context.terminal.screen.size() ?? WindowSize(rows: 24, columns: 80)
  }
}
