import CToDoProcessMemory
import ToDoClient
import ToDoModel
import ToDoScreens

/// The coordinator of the screens with its environment. Passes events to it, and starts the effects that it returns.
struct InterfaceDriver {
  private(set) var coordinator: Coordinator
  private(set) var environment: ScreenEnvironment
  private(set) var timers: LoopTimers
  let session: Session
  let performer: EffectPerformer
  private let watch: ShownListWatch
  private var shownList: ListID
  /// `nil` if no drafts are stored.
  private let drafts: DraftWriter?
  /// Whether the timers of the screens expire immediately, except for highlights.
  private let expeditesTimers: Bool
  private var handledMinute: Int64
  /// The size of the snapshot that arrives.
  private var snapshotBudget = ReceiveBudget(of: "items")
  /// The revision that the screens show.
  private(set) var shownRevision: Revision?

  /// Creates the driver, and begins to watch the list of the performer's service.
  init(
    _ list: ListScreen, _ environment: ScreenEnvironment, session: Session, performer: EffectPerformer,
    watch: ShownListWatch, shownList: ListID, drafts: DraftWriter?, expeditesTimers: Bool
  ) {
    coordinator = Coordinator(list)
    (self.watch, self.shownList) = (watch, shownList)
    self.environment = environment
    self.session = session
    self.performer = performer
    (self.drafts, self.expeditesTimers) = (drafts, expeditesTimers)
    timers = LoopTimers(performer.queue, sleep: session.context.sleep)
    handledMinute = environment.now.minute
    watch.show(shownList, performer.service)
    // Only a server has other users.
    if environment.connection != .local { performer.perform(.readInvitations) }
  }

  /// Passes an event to the coordinator.
  ///
  /// - Returns: the effects that the caller performs: `copy`, `redraw` and `quit`.
  mutating func handle(_ event: ScreenEvent) -> [Effect] {
    coordinator.handle(event, environment).filter { !start($0) }
  }

  /// Passes an event of the watch to the coordinator.
  ///
  /// - Throws: `RPCError` if a snapshot is too large.
  mutating func handle(_ event: WatchEvent) throws -> [Effect] {
    switch event {
    case .restarted: snapshotBudget = ReceiveBudget(of: "items")
    case .snapshotPage(let items): try snapshotBudget.addPage(of: items)
    case .snapshotEnd(let revision), .progress(let revision): shownRevision = revision
    case .changes(let set): shownRevision = set.revision
    }
    let effects = handle(.watch(event))
    // The snapshot messages and the start-up code are no longer needed.
    if case .snapshotEnd = event { todo_release_unused_memory() }
    return effects
  }

  /// Handles the end of the watch.
  ///
  /// - Returns: the effects that the caller performs if another list is shown now, or `nil` if the interface ends.
  /// - Throws: the error of the watch, unless it is that the list was deleted.
  mutating func handle(_ end: Result<Void, any Error>) throws -> [Effect]? {
    if case .failure(ToDoError.listNotFound) = end, !shownList.isDefault { return handle(.listDeleted) }
    try end.get()
    return nil
  }

  /// Passes a new state of the connection to the coordinator.
  mutating func handle(_ state: ConnectionState) -> [Effect] {
    switch (state, environment.connection) {
    case (.connecting, _): environment.connection = .connecting
    case (.connected, _): environment.connection = .connected
    case (.disconnected, .lost): return []
    case (.disconnected, _): environment.connection = .lost(since: environment.now)
    }
    return handle(.connection(environment.connection))
  }

  /// Passes the expiry of a screen's timer to the coordinator, unless the timer was canceled.
  ///
  /// - Returns: the effects that the caller performs, or `nil` if the timer was canceled or is not one of the screens.
  mutating func handle(_ expiry: TimerExpiry) -> [Effect]? {
    guard timers.end(expiry), case .screen(let timer) = expiry.timer else { return nil }
    return handle(.timer(timer))
  }

  /// Updates the environment to the current time, and passes a new minute to the coordinator.
  ///
  /// - Returns: the effects that the caller performs, or `nil` in the same minute.
  mutating func advance(size: WindowSize) -> [Effect]? {
    environment.size = size
    environment.now = session.clock.now()
    environment.uptime = session.context.uptime()
    environment.dates = session.dueDateParser
    guard environment.now.minute != handledMinute else { return nil }
    handledMinute = environment.now.minute
    return handle(.minutePassed)
  }

  /// Returns the window to draw now.
  mutating func window() -> WindowDrawing {
    coordinator.noteDrawing()
    return coordinator.window(environment)
  }

  mutating func startTimer(_ timer: LoopTimer, _ duration: Duration) { timers.start(timer, duration) }
  mutating func cancelTimer(_ timer: LoopTimer) { timers.cancel(timer) }
  /// - Returns: whether the timer was running.
  mutating func endTimer(_ expiry: TimerExpiry) -> Bool { timers.end(expiry) }

  /// Has the form store its draft now, if it is going to. Cancels all timers.
  mutating func finish() {
    let mustStoreDraft = timers.isRunning(.screen(.draft))
    timers.cancelAll()
    if mustStoreDraft { _ = handle(.timer(.draft)) }
    timers.cancelAll()
  }

  /// Starts an effect.
  ///
  /// - Returns: `false` for an effect that the caller performs.
  private mutating func start(_ effect: Effect) -> Bool {
    switch effect {
    case .copy, .redraw, .quit: return false
    case .startTimer(let timer, let duration):
      timers.start(.screen(timer), expeditesTimers && timer != .highlight ? .zero : duration)
    case .cancelTimer(let timer): timers.cancel(.screen(timer))
    case .storeDraft(let draft):
      if draft == nil { performer.endNewItem() }
      drafts?.store(draft)
    case .showList(let list):
      performer.perform(effect)
      (shownList, shownRevision) = (list, nil)
      watch.show(list, performer.service)
    case .watchLists: watch.watchLists()
    default: performer.perform(effect)
    }
    return true
  }
}

extension Timestamp {
  /// The number of the minute. Texts and filters such as "today" depend on it.
  fileprivate var minute: Int64 { microseconds / 60_000_000 }
}
