import Synchronization
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import todo

/// The program in the test's process, with a fake context: it is Wednesday, 2026-04-29, 10:15:42 in Berlin, and the list is
/// empty.
final class TestBench: Sendable {
  let clock: TestClock
  let service: any ToDoService
  let lists: any ToDoListService
  /// The clock of the program's timers, except for those up to `State.immediateSleep`.
  let timers = ManualClock()
  private let state: Mutex<State>

  struct State: Sendable {
    /// A test that writes state has a directory of its own; nothing can be made in this one.
    var environment = ["HOME": "/home/ann", "XDG_STATE_HOME": "/proc/none"]
    /// Whether all three standard streams are terminals.
    var isInteractive = false
    var columns: Int?
    /// The lines that the user types.
    var answers: [String] = []
    /// What a command that reads all of standard input receives.
    var input: [UInt8] = []
    var inputFailure: InputBytes.ReadError?
    var output = ""
    var error = ""
    var selections: [ServiceSelection] = []
    var closedConnections = 0
    var addedCount: UInt64 = 0
    var uptime = Duration.zero
    var health = ServiceConnection.Health.serving
    var healthFailure: RPCError?
    var outputFailure: Failure?
    /// The database files by path.
    var databases: [String: MachineInspection.Database] = [:]
    var databaseFailure: (any Error)?
    var addressFailure: Failure?
    /// The source of town names for maps.
    var placeLabels: any PlaceLabels = NoPlaceLabels()
    /// The geocoder of this machine, without a service.
    var gazetteer: (any Geocoder)?
    var screen = TerminalScreen.none
    /// Receives each write to standard output.
    var onOutput: (@Sendable (String) -> Void)?
    var connectionStates: (@Sendable () -> AsyncStream<ConnectionState>)?
    /// The editor, which receives its command and the path of the file.
    var editor: @Sendable (_ command: String, _ path: String) async throws -> Void = { _, _ in }
    /// Whether the database file exists.
    var hasDatabase = true
    /// Whether the deadline of completions passes while a connection is being opened. Otherwise it never passes.
    var isCompletionOverdue = false
    /// Where the server sends reminders.
    var notifications: (any NotificationService)?
    /// The user's calendar feeds.
    var feeds: (any CalendarFeedService)?
    /// What makes links that sign a browser in.
    var signIn: (any SignInService)?
    /// What takes reports of positions.
    var positions: (any PositionService)?
    /// What says which reminders are due.
    var reminders: (any ReminderService)?
    /// The list that each connection has selected.
    var selectedList: UserList?
    /// Fails each connection.
    var connectionFailure: Failure?
    /// The maximum duration of the timers that expire immediately.
    var immediateSleep = Duration.milliseconds(60)
    /// Receives the web pages to open, and returns whether that succeeded.
    var openURL: @Sendable (_ url: String) async -> Bool = { _ in true }
    /// Receives the programs that tell of reminders, and their environments.
    var runProgram: @Sendable (_ arguments: [String], _ environment: [String: String]) async throws -> Void = { _, _ in
    }
  }

  /// The result of one run.
  struct Run: Equatable {
    var status: ExitStatus
    var output: String
    var error: String
  }

  init(
    _ state: State = State(), service: (any ToDoService)? = nil, lists: (any ToDoListService)? = nil,
    geocoder: (any Geocoder)? = nil
  ) {
    let clock = TestClock(Self.start)
    self.clock = clock
    if let lists {
      self.lists = lists
      self.service = lists.items(in: .default)
    } else if let service {
      self.service = service
      self.lists = NoLists(service: service)
    } else {
      let store = MemoryToDoItemStore()
      let service = LocalToDoService(store: store, geocoder: geocoder, clock: clock)
      let lists = LocalToDoListService(ListDirectory(MemoryAccountStore(lists: store)), defaultList: service)
      self.lists = lists
      self.service = lists.items(in: .default)
    }
    self.state = Mutex(state)
  }

  /// Runs the program. The arguments are the words of `line`, in which `'...'` is one word.
  @discardableResult
  func run(_ line: String) async -> Run {
    await run(
      line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
        index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
      })
  }

  @discardableResult
  func run(_ arguments: [String]) async -> Run {
    state.withLock { ($0.output, $0.error) = ("", "") }
    let status = await Self.run(arguments, Program(context: context))
    return state.withLock { Run(status: status, output: $0.output, error: $0.error) }
  }

  /// The commands of the runs before, by their arguments and whether standard output was a terminal.
  private static let parsed = Mutex<[[String]: (command: any ToDoCommand, list: ListArgument?)]>([:])

  /// Runs the program as `Program.run` does, but parses equal arguments once: in a debug build, ArgumentParser also checks the
  /// declaration of each option about fifty times whenever it parses.
  private static func run(_ arguments: [String], _ program: Program) async -> ExitStatus {
    let key = arguments + ["\(program.context.terminal.outputIsTerminal)"]
    if let known = parsed.withLock({ $0[key] }) { return await program.run(known.command, list: known.list) }
    switch program.prepare(arguments) {
    case .command(let command, let list):
      parsed.withLock { $0[key] = (command, list) }
      return await program.run(command, list: list)
    case .completion(let request): return await program.complete(request)
    case .finished(let status): return status
    }
  }

  func change(_ body: @Sendable (inout State) -> Void) {
    state.withLock { body(&$0) }
  }

  var selections: [ServiceSelection] { state.withLock(\.selections) }
  var closedConnections: Int { state.withLock(\.closedConnections) }

  static let start = Sample.start

  /// The ID of the nth item that the program added, from 1.
  static func id(_ number: UInt64) -> ItemID { Sample.id(number) }

  /// The only item of a scripted service.
  static let milk = ToDoItem(
    id: id(1), number: ItemNumber(1), content: ItemContent(title: "Milk"), createdAt: start, updatedAt: start,
    revision: Revision(1))

  private func sleep(_ duration: Duration) async throws {
    guard duration > state.withLock(\.immediateSleep) else { return try Task.checkCancellation() }
    try await timers.sleep(until: timers.now.advanced(by: duration), tolerance: nil)
  }

  /// The context of the program.
  var context: CommandContext {
    let isInteractive = state.withLock(\.isInteractive)
    return CommandContext(
      terminal: Terminal(
        output: { [self] text in try state.withLock { try $0.write(text) } },
        error: { [self] text in state.withLock { $0.error += text } },
        readLine: { [self] in state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } },
        readInput: { [self] _ throws(InputBytes.ReadError) in
          if let failure = state.withLock(\.inputFailure) { throw failure }
          return state.withLock(\.input)
        },
        readSecret: { [self] in state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } },
        inputIsTerminal: isInteractive,
        outputIsTerminal: isInteractive,
        errorIsTerminal: isInteractive,
        windowColumns: { [self] in state.withLock(\.columns) },
        screen: state.withLock(\.screen)),
      environment: { [self] name in state.withLock { $0.environment[name] } },
      clock: clock,
      zone: CentralEuropeanZone(),
      uptime: { [self] in state.withLock { $0.tick() } },
      makeID: { [self] _ in Self.id(state.withLock { $0.nextNumber() }) },
      connect: { [self] selection in
        // A server that never responds.
        if state.withLock(\.isCompletionOverdue) { try await Task.sleep(for: .seconds(3600)) }
        return try connect(selection)
      },
      machine: machine,
      openEditor: { [self] in try await state.withLock(\.editor)($0, $1) },
      fileExists: { [self] _ in state.withLock(\.hasDatabase) },
      completionDeadline: { [self] in
        if !state.withLock(\.isCompletionOverdue) { try? await Task.sleep(for: .seconds(3600)) }
      },
      placeLabels: state.withLock(\.placeLabels),
      gazetteer: { [self] in state.withLock(\.gazetteer) },
      sleep: { [self] in try await sleep($0) },
      runProgram: { [self] in try await state.withLock(\.runProgram)($0, $1) },
      openURL: { [self] in await state.withLock(\.openURL)($0) })
  }

  private var machine: MachineInspection {
    MachineInspection(
      address: { [self] _ in
        try state.withLock { state in
          if let failure = state.addressFailure { throw failure }
          return "192.0.2.7"
        }
      },
      database: { [self] path in
        try state.withLock { state in
          if let failure = state.databaseFailure { throw failure }
          return state.databases[path]
        }
      })
  }

  private func connect(_ selection: ServiceSelection) throws -> ServiceConnection {
    try state.withLock { state in
      state.selections.append(selection)
      if let failure = state.connectionFailure { throw failure }
    }
    let list = state.withLock(\.selectedList)
    return ServiceConnection(
      service: list.map { lists.items(in: $0.id) } ?? service, lists: lists,
      notifications: state.withLock(\.notifications), positions: state.withLock(\.positions),
      reminders: state.withLock(\.reminders), feeds: state.withLock(\.feeds),
      signIn: state.withLock(\.signIn), listWatches: lists as? any ListWatchService, list: list,
      endpoint: "embedded /home/ann/items.sqlite",
      health: { [self] in
        try state.withLock { state in
          if let failure = state.healthFailure { throw failure }
          return state.health
        }
      },
      connectionStates: state.withLock(\.connectionStates),
      close: { [self] in state.withLock { $0.closedConnections += 1 } })
  }
}

extension TestBench.State {
  fileprivate mutating func write(_ text: String) throws {
    if let outputFailure { throw outputFailure }
    output += text
    onOutput?(text)
  }

  /// Returns the uptime, which advances by 1.25 ms with each call.
  fileprivate mutating func tick() -> Duration {
    uptime += .microseconds(1250)
    return uptime
  }

  fileprivate mutating func nextNumber() -> UInt64 {
    addedCount += 1
    return addedCount
  }
}
