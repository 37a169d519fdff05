import ProgramSupport
import ToDoClient
import ToDoModel

/// Shows a list in the whole window of a terminal until the person leaves.
struct FullScreenWatch {
  let session: Session
  let section: ListSection

  private var terminal: Terminal { session.context.terminal }

  /// - Throws: `ExitStatus.interrupted` when the process is asked to end; what the watch and the output throw. The
  ///   terminal is as before then.
  func run(with connection: ServiceConnection) async throws {
    let inbox = WatchInbox()
    let stop = terminal.screen.listen(.all) { event in inbox.put { $0.take(event) } }
    defer { stop() }
    terminal.screen.enter()
    defer { terminal.screen.leave() }
    let model = ToDoListModel(service: connection.service)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        for await list in model.updates { inbox.put { $0.list = list } }
      }
      if let states = connection.connectionStates?() {
        group.addTask {
          for await state in states { inbox.put { $0.connection = state } }
        }
      }
      group.addTask {
        do {
          try await model.run()
          inbox.put { $0.end = .success(()) }
        } catch {
          inbox.put { $0.end = .failure(error) }
        }
      }
      var show = WatchShow(
        view: WatchView(showing: section, connection: connection.connectionStates == nil ? nil : .connecting),
        session: session)
      try await show.run(inbox)
    }
  }
}

/// The loop that takes news and draws.
private struct WatchShow {
  var view: WatchView
  let session: Session
  private var keys = KeyParser()
  private var painter = FramePainter()
  /// Texts as "today" and "overdue" are of this minute.
  private var drawnMinute: Int64?
  /// Whether the screen shows all but the passing of time.
  private var isCurrent = false

  init(view: WatchView, session: Session) {
    (self.view, self.session) = (view, session)
  }

  /// Returns when the person leaves.
  mutating func run(_ inbox: WatchInbox) async throws {
    try draw()
    for await _ in inbox.wakeUps {
      let news = inbox.take()
      if news.wasInterrupted { throw ExitStatus.interrupted }
      if show(news) == .quit { return }
      try draw()
      // Only now, so that the last list can be seen.
      if let end = news.end { return try end.get() }
    }
    throw CancellationError()
  }

  /// - Returns: `quit` when the person leaves.
  private mutating func show(_ news: WatchNews) -> Key? {
    let screen = session.context.terminal.screen
    if news.wasSuspensionRequested { screen.suspend() }
    if news.wasContinued {
      screen.leave()
      screen.enter()
    }
    let time = session.context.uptime()
    let isIdle = news.isEmpty && !view.hasHighlights
    view.advance(to: time)
    if let connection = news.connection { view.connection = connection }
    if let list = news.list { view.show(list, at: time) }
    for key in keys.keys(in: news.typed) {
      if key == .quit { return key }
      view.press(key, in: size)
      if key == .redraw { painter.forget() }
    }
    if news.wasDisturbed || news.wasContinued || news.wasSuspensionRequested { painter.forget() }
    isCurrent = isIdle
    return nil
  }

  private mutating func draw() throws {
    let now = session.clock.now()
    let minute = now.microseconds / 60_000_000
    guard !isCurrent || minute != drawnMinute else { return }
    view.settle(in: size)
    let frame = view.frame(in: size, at: now, in: session.zone, session.palette)
    if let text = painter.text(for: frame) { try session.context.terminal.output(text) }
    drawnMinute = minute
  }

  private var size: WindowSize {
    session.context.terminal.screen.size() ?? WindowSize(rows: 24, columns: 80)
  }
}
