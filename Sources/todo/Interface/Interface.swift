import ToDoClient
import ToDoModel
import ToDoRules
import ToDoScreens
import ToDoSupport
import ToDoText

/// The screens of `todo ui` and `todo watch` over an open service, until the user quits.
struct Interface {
  /// The presentation of the screens.
  enum Mode: Equatable, Sendable {
    /// In the whole terminal window.
    case screen
    /// In the whole terminal window, without changing anything.
    case readOnlyScreen
    /// As lines of text.
    case lines
  }

  let session: Session
  let mode: Mode
  let section: ListSection
  let filter: WatchFilter

  private var terminal: Terminal { session.context.terminal }

  /// Runs the screens. The terminal is restored when it returns or throws.
  ///
  /// - Throws: `ExitStatus.interrupted` if the process must terminate; `ExitStatus.failure` if a change failed after the user
  ///   had quit, which is reported; any error of the watch and the output.
  func run(with connection: ServiceConnection) async throws {
    let queue = EventQueue()
    let performer = EffectPerformer(connection.service, lists: connection.lists, session.context, queue) {
      (try? await AddressMatcher(session, $0).matches(ofPlace: $1)) ?? []
    }
    let watch = ShownListWatch(connection.lists, queue)
    let (drafts, draft) = mode == .readOnlyScreen ? (nil, nil) : openDrafts(connection.endpoint)
    let selected = connection.list ?? .inbox
    let list = ListScreen(showing: section, filter: try filter.listFilter, of: selected)
    let driver = InterfaceDriver(
      list, environment(connection), session: session, performer: performer, watch: watch, shownList: selected.id,
      drafts: drafts, expeditesTimers: mode == .lines)
    let result: Result<[EffectFailure], any Error>
    do {
      result = .success(
        try await withProducers(connection, queue, drafts) {
          mode == .lines
            ? try await runLines(driver, queue, draft) : try await runScreen(driver, queue, draft)
        })
    } catch {
      result = .failure(error)
    }
    await watch.stop()
    await performer.stop()
    if let failure = drafts?.close() { session.report(failure) }
    try report(try result.get())
  }

  private func runScreen(
    _ driver: InterfaceDriver, _ queue: EventQueue, _ draft: FormDraft?
  ) async throws -> [EffectFailure] {
    let stop = terminal.screen.listen(.all) { queue.put($0) }
    defer {
      queue.close()
      stop()
    }
    terminal.screen.enter()
    defer { terminal.screen.leave() }
    var loop = InterfaceLoop(driver, queue, session)
    try await loop.run(draft: draft)
    return loop.closingFailures
  }

  private func runLines(
    _ driver: InterfaceDriver, _ queue: EventQueue, _ draft: FormDraft?
  ) async throws -> [EffectFailure] {
    var lines = LineInterface(driver, queue, session)
    try await lines.run(draft: draft)
    return []
  }

  /// Runs `body` while tasks put the states of the connection into the queue, and store drafts.
  private func withProducers<Value>(
    _ connection: ServiceConnection, _ queue: EventQueue, _ drafts: DraftWriter?, _ body: () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      if let states = connection.connectionStates?() {
        group.addTask {
          for await state in states { queue.put { $0.connection = state } }
        }
      }
      if let drafts { group.addTask { await drafts.run() } }
      return try await body()
    }
  }

  private func environment(_ connection: ServiceConnection) -> ScreenEnvironment {
    let size = mode == .lines ? LineInterface.size : terminal.screen.size() ?? WindowSize(rows: 24, columns: 80)
    let zoneName = LocalZoneName(session.context.environment).name
    var environment = ScreenEnvironment(
      size: size, now: session.clock.now(), uptime: session.context.uptime(), zone: session.zone,
      dates: session.dueDateParser,
      sentences: ItemSentenceReader(
        zone: session.zone, zoneName: zoneName, environment: session.context.environment),
      zoneName: zoneName, locale: ItemSentenceReader.locale(session.context.environment) ?? "",
      search: ItemMatcher.rules, world: session.worldMap,
      labels: session.context.placeLabels,
      isReadOnly: mode == .readOnlyScreen, takesCommands: mode == .lines,
      connection: connection.connectionStates == nil ? .local : .connecting)
    let zones = TimeZoneFiles()
    environment.rules = { zones.rules(of: $0) }
    return environment
  }

  /// Opens a file of drafts that no other program has open, and reads the draft of an earlier run.
  ///
  /// - Returns: no writer if drafts cannot be stored, which is reported. A file that cannot be read stays as it is.
  private func openDrafts(_ service: String) -> (DraftWriter?, FormDraft?) {
    do {
      let file = try DraftFile(for: service, environment: session.context.environment)
      do {
        return (DraftWriter(file), try file.read())
      } catch {
        throw Failure.usage(
          "\(Failure(error).message); move or delete \(file.path.escapingControls())", reason: "INVALID_DRAFT")
      }
    } catch {
      session.printNotice("No drafts are stored: \(Failure(error).message)")
      return (nil, nil)
    }
  }

  /// Reports the changes that failed after the user had quit.
  private func report(_ failures: [EffectFailure]) throws {
    for failure in failures {
      session.report(Failure(code: .unknown, reason: "CHANGE_FAILED", message: failure.message))
    }
    if !failures.isEmpty { throw ExitStatus.failure }
  }
}
