import ToDoModel
import ToDoScreens
import ToDoSupport

/// The loop of the screens in the terminal: takes the pending events together, and draws the window once for them.
///
/// The responses to keys are drawn immediately. Changes of the list alone are drawn at most 60 times a second.
struct InterfaceLoop {
  private var driver: InterfaceDriver
  private let queue: EventQueue
  private let session: Session
  private var parser = InputParser()
  private var painter: ScreenPainter
  /// The time of the last drawing.
  private var lastDrawing: Duration = .zero
  /// Whether the user has quit. The loop ends with the last pending change.
  private var isClosing = false
  /// The failures of changes after the user has quit.
  private(set) var closingFailures: [EffectFailure] = []

  init(_ driver: InterfaceDriver, _ queue: EventQueue, _ session: Session) {
    (self.driver, self.queue, self.session) = (driver, queue, session)
    painter = ScreenPainter(theme: ScreenTheme(session.palette, environment: session.context.environment))
  }

  private var terminal: Terminal { session.context.terminal }

  /// The minimum time between drawings of list changes.
  static let frameDuration = Duration.microseconds(16_667)
  /// The time in which the rest of an escape sequence arrives.
  static let escapeDelay = Duration.milliseconds(50)
  /// The time after which the handling of watch events is interrupted.
  private static let sliceDuration = Duration.milliseconds(4)

  /// Runs until the user quits.
  ///
  /// - Parameter draft: the draft of an earlier run.
  /// - Throws: `ExitStatus.interrupted` if the process must terminate; any error of the watch and the output.
  mutating func run(draft: FormDraft?) async throws {
    defer { driver.finish() }
    if let draft { try perform(driver.handle(.draftFound(draft))) }
    try draw()
    for await _ in queue.wakeUps {
      repeat { try handlePending() } while !isOver && !queue.isEmpty
      if isOver { return }
    }
    throw CancellationError()
  }

  private var isOver: Bool { isClosing && !driver.performer.hasPendingChanges && !queue.hasUrgentEvents }

  /// Handles the pending events, except for watch events that take long.
  private mutating func handlePending() throws {
    let events = queue.takeUrgent()
    if events.wasInterrupted { throw ExitStatus.interrupted }
    if try handleUrgent(events) { try draw() }
    if try handleWatchEvents() { try drawChange() }
    if let end = queue.takeWatchEnd() {
      // The last list is shown before the end.
      try draw()
      if let effects = try driver.handle(end) {
        try perform(effects)
        try draw()
      } else {
        isClosing = true
      }
    }
  }

  /// Performs the effects of the screens that concern the terminal.
  private mutating func perform(_ effects: [Effect]) throws {
    for effect in effects {
      switch effect {
      case .copy(let text): try terminal.output(ClipboardSequence.copying(text))
      case .redraw: painter.invalidate()
      case .quit: isClosing = true
      default: break
      }
    }
  }
}

// MARK: - Events

extension InterfaceLoop {
  /// Handles events other than those of the watch, keys first.
  ///
  /// - Returns: whether the window must be drawn.
  private mutating func handleUrgent(_ events: UrgentEvents) throws -> Bool {
    var mustDraw = handleTerminal(events)
    if let effects = driver.advance(size: size) {
      try perform(effects)
      mustDraw = true
    }
    if events.wasResized { try perform(driver.handle(.resized)) }
    if !events.typed.isEmpty {
      try handleTyped(parser.inputs(in: events.typed))
      driver.cancelTimer(.escape)
      if parser.isPending { driver.startTimer(.escape, Self.escapeDelay) }
      mustDraw = true
    }
    if let state = events.connection {
      try perform(driver.handle(state))
      mustDraw = true
    }
    for result in events.results {
      if isClosing, let failure = result.changeFailure { closingFailures.append(failure) }
      try perform(driver.handle(.result(result)))
      mustDraw = true
    }
    for expiry in events.expiries where try handleExpiry(expiry) { mustDraw = true }
    return mustDraw
  }

  /// Applies the events of the terminal other than input.
  ///
  /// - Returns: whether the window must be drawn.
  private mutating func handleTerminal(_ events: UrgentEvents) -> Bool {
    if events.wasSuspensionRequested { terminal.screen.suspend() }
    if events.wasContinued {
      terminal.screen.leave()
      terminal.screen.enter()
    }
    guard events.wasResized || events.wasContinued || events.wasSuspensionRequested else { return false }
    painter.invalidate()
    return true
  }

  private mutating func handleTyped(_ inputs: [ScreenEvent]) throws {
    for input in inputs where !isClosing { try perform(driver.handle(input)) }
  }

  /// Handles the expiry of a timer.
  ///
  /// - Returns: whether the window must be drawn.
  private mutating func handleExpiry(_ expiry: TimerExpiry) throws -> Bool {
    switch expiry.timer {
    case .escape:
      guard driver.endTimer(expiry) else { return false }
      try handleTyped(parser.flush())
    case .frame, .settling: return driver.endTimer(expiry)
    case .screen(let timer):
      guard let effects = driver.handle(expiry) else { return false }
      try perform(effects)
      guard timer != .search else {
        try drawChange()
        return false
      }
    }
    return true
  }

  /// Handles watch events until other events are pending or the time is up, but at least one.
  ///
  /// - Returns: whether there was an event.
  private mutating func handleWatchEvents() throws -> Bool {
    let end = session.context.uptime() + Self.sliceDuration
    var wasChanged = false
    while let event = queue.takeWatchEvent() {
      try perform(driver.handle(event))
      wasChanged = true
      if queue.hasUrgentEvents || session.context.uptime() > end { break }
    }
    return wasChanged
  }
}

// MARK: - Drawing

extension InterfaceLoop {
  private mutating func draw() throws {
    driver.cancelTimer(.frame)
    lastDrawing = session.context.uptime()
    let window = driver.window()
    let output = painter.output(lines: window.lines, cursor: window.cursor, size: driver.environment.size)
    if let output { try terminal.output(output) }
  }

  /// Draws the window now, or when the time since the last drawing is long enough.
  private mutating func drawChange() throws {
    let rest = Self.frameDuration - (session.context.uptime() - lastDrawing)
    if rest <= .zero {
      try draw()
    } else if !driver.timers.isRunning(.frame) {
      driver.startTimer(.frame, rest)
    }
  }

  private var size: WindowSize { terminal.screen.size() ?? WindowSize(rows: 24, columns: 80) }
}
