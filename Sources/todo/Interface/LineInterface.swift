import Dispatch
import ToDoModel
import ToDoScreens
import ToDoText

/// The screens as lines of text, for screen readers and terminals without cursor addressing.
///
/// The user types a line, and the program prints the result: the same screens respond to the keys that the line stands for.
struct LineInterface {
  private var driver: InterfaceDriver
  private let queue: EventQueue
  private let session: Session
  private var wakeUps: AsyncStream<Void>.AsyncIterator
  private var isClosing = false
  /// The latest revision that a change of the user made.
  private var changedRevision: Revision?
  /// The drawing of the last answer.
  private var printed: LineDrawing?

  /// The window for which the screens are drawn.
  static let size = WindowSize(rows: 24, columns: 80)
  /// The maximum time to wait until the list shows a change.
  static let settlingTime = Duration.seconds(2)

  init(_ driver: InterfaceDriver, _ queue: EventQueue, _ session: Session) {
    (self.driver, self.queue, self.session) = (driver, queue, session)
    wakeUps = queue.wakeUps.makeAsyncIterator()
  }

  private var terminal: Terminal { session.context.terminal }

  /// Runs until the user quits or the input ends.
  ///
  /// - Parameter draft: the draft of an earlier run.
  /// - Throws: any error of the watch and the output.
  mutating func run(draft: FormDraft?) async throws {
    defer { driver.finish() }
    try await load()
    if let draft { try perform(driver.handle(.draftFound(draft))) }
    try await settle()
    try printScreen()
    while !isClosing, let line = await readLine() {
      advance()
      try await run(line)
    }
  }

  private mutating func run(_ line: String) async throws {
    guard let command = LineCommand(line) else {
      return try session.print("unknown command '\(line.trimmed.escapingControls())'; type 'help' for the commands")
    }
    guard let inputs = driver.coordinator.inputs(for: command) else {
      return try session.print(
        "'\(line.trimmed.escapingControls())' is not possible here; type 'back' to leave the screen")
    }
    if command == .help { return try session.print(LineCommand.summary) }
    if command == .quit { isClosing = true }
    for input in inputs { try perform(driver.handle(input)) }
    // Another list has revisions of its own.
    if driver.shownRevision == nil { changedRevision = nil }
    try await settle()
    if !isClosing { try printScreen() }
  }

  /// Reads a line on a thread that no task needs, because the user may take any time.
  private func readLine() async -> String? {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "todo.lines").async { [terminal] in continuation.resume(returning: terminal.readLine()) }
    }
  }

  private mutating func advance() {
    if let effects = driver.advance(size: Self.size) { try? perform(effects) }
  }

  private mutating func perform(_ effects: [Effect]) throws {
    for effect in effects {
      switch effect {
      case .copy(let text): try session.print(text.escapingControls())
      case .quit: isClosing = true
      default: break
      }
    }
  }
}

// MARK: - Waiting

extension LineInterface {
  /// Waits for the first snapshot.
  private mutating func load() async throws {
    while driver.shownRevision == nil, !isClosing {
      guard await wakeUps.next() != nil else { throw CancellationError() }
      advance()
      try handlePending()
    }
  }

  /// Waits for the effects of a line, and until the list shows their changes.
  private mutating func settle() async throws {
    driver.startTimer(.settling, Self.settlingTime)
    try handlePending()
    while !isSettled {
      guard await wakeUps.next() != nil else { throw CancellationError() }
      try handlePending()
    }
    driver.cancelTimer(.settling)
  }

  private var isSettled: Bool {
    guard queue.isEmpty, !driver.performer.hasPendingEffects else { return false }
    // Another list is being loaded.
    if driver.shownRevision == nil { return !driver.timers.isRunning(.settling) }
    guard let changedRevision, let shown = driver.shownRevision, driver.environment.connection.isUsable else {
      return true
    }
    return shown >= changedRevision || !driver.timers.isRunning(.settling)
  }

  private mutating func handlePending() throws {
    repeat {
      let events = queue.takeUrgent()
      if let state = events.connection { try perform(driver.handle(state)) }
      for result in events.results {
        if let revision = result.revision { changedRevision = max(revision, changedRevision ?? revision) }
        try perform(driver.handle(.result(result)))
      }
      for expiry in events.expiries { try perform(driver.handle(expiry) ?? []) }
      while let event = queue.takeWatchEvent() { try perform(driver.handle(event)) }
      if let end = queue.takeWatchEnd() {
        if let effects = try driver.handle(end) { try perform(effects) } else { isClosing = true }
      }
    } while !queue.isEmpty
  }
}

// MARK: - Printing

extension LineInterface {
  /// Prints the status, and the selected row or the lines of the screen if others have changed.
  private mutating func printScreen() throws {
    let drawing = LineDrawing(driver.window().lines)
    try session.printLines(drawing.text(after: printed))
    printed = drawing
  }
}
