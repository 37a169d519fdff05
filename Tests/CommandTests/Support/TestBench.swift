import ProgramSupport
import Synchronization
import TestSupport
import ToDoModel
import ToDoStores

@testable import todo

/// The program in this process, with everything outside of it faked: it is Wednesday, 2026-04-29, 10:15:42 in Berlin,
/// and the list is empty.
final class TestBench: Sendable {
  let clock: TestClock
  let service: any ToDoService
  private let surroundings: Mutex<Surroundings>

  struct Surroundings: Sendable {
    var environment = ["HOME": "/home/ann"]
    /// Whether all three streams are a terminal.
    var isInteractive = false
    var columns: Int?
    /// What the person types.
    var answers: [String] = []
    var output = ""
    var error = ""
    var selections: [ServiceSelection] = []
    var closedConnections = 0
    var addedCount: UInt64 = 0
    var uptime = Duration.zero
    var health = ServiceConnection.Health.serving
    var outputFailure: Failure?
    /// The towns that maps name.
    var placeLabels: any PlaceLabels = NoPlaceLabels()
    var screen = TerminalScreen.none
    /// Is told everything that is printed.
    var onOutput: (@Sendable (String) -> Void)?
    var connectionStates: (@Sendable () -> AsyncStream<ConnectionState>)?
  }

  /// What one run did.
  struct Run: Equatable {
    var status: ExitStatus
    var output: String
    var error: String
  }

  init(
    _ surroundings: Surroundings = Surroundings(), service: (any ToDoService)? = nil,
    geocoder: (any Geocoder)? = nil
  ) {
    let clock = TestClock(Self.start)
    self.clock = clock
    self.service = service ?? LocalToDoService(store: MemoryToDoItemStore(), geocoder: geocoder, clock: clock)
    self.surroundings = Mutex(surroundings)
  }

  /// Runs the program; the words of `line` are its arguments, and `'...'` is one word.
  @discardableResult
  func run(_ line: String) async -> Run {
    await run(
      line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
        index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
      })
  }

  @discardableResult
  func run(_ arguments: [String]) async -> Run {
    surroundings.withLock { ($0.output, $0.error) = ("", "") }
    let status = await Program(context: context).run(arguments)
    return surroundings.withLock { Run(status: status, output: $0.output, error: $0.error) }
  }

  func change(_ body: @Sendable (inout Surroundings) -> Void) {
    surroundings.withLock { body(&$0) }
  }

  var selections: [ServiceSelection] { surroundings.withLock(\.selections) }
  var closedConnections: Int { surroundings.withLock(\.closedConnections) }

  static let start = Timestamp(microseconds: 1_777_450_542_000_000)

  /// The identity of the n-th item that the program added, from 1; they differ from the twelfth digit on.
  static func id(_ number: UInt64) -> ItemID {
    ItemID(high: 0x0198_c0de_0000_7000 | number << 16, low: 0x8000_0000_0000_0000 | number)
  }

  private var context: CommandContext {
    let isInteractive = surroundings.withLock(\.isInteractive)
    return CommandContext(
      terminal: Terminal(
        output: { [self] text in try surroundings.withLock { try $0.write(text) } },
        error: { [self] text in surroundings.withLock { $0.error += text } },
        readLine: { [self] in surroundings.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } },
        readSecret: { [self] in surroundings.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } },
        inputIsTerminal: isInteractive,
        outputIsTerminal: isInteractive,
        errorIsTerminal: isInteractive,
        windowColumns: { [self] in surroundings.withLock(\.columns) },
        screen: surroundings.withLock(\.screen)),
      environment: { [self] name in surroundings.withLock { $0.environment[name] } },
      clock: clock,
      zone: CentralEuropeanZone(),
      uptime: { [self] in surroundings.withLock { $0.tick() } },
      makeID: { [self] _ in Self.id(surroundings.withLock { $0.nextNumber() }) },
      connect: { [self] in connect($0) },
      placeLabels: surroundings.withLock(\.placeLabels))
  }

  private func connect(_ selection: ServiceSelection) -> ServiceConnection {
    surroundings.withLock { $0.selections.append(selection) }
    return ServiceConnection(
      service: service, endpoint: "embedded /home/ann/items.sqlite",
      health: { [self] in surroundings.withLock(\.health) },
      connectionStates: surroundings.withLock(\.connectionStates),
      close: { [self] in surroundings.withLock { $0.closedConnections += 1 } })
  }
}

extension TestBench.Surroundings {
  fileprivate mutating func write(_ text: String) throws {
    if let outputFailure { throw outputFailure }
    output += text
    onOutput?(text)
  }

  /// Each look at the clock takes a millisecond and a quarter.
  fileprivate mutating func tick() -> Duration {
    uptime += .microseconds(1250)
    return uptime
  }

  fileprivate mutating func nextNumber() -> UInt64 {
    addedCount += 1
    return addedCount
  }
}
