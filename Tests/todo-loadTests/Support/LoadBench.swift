import Logging
import NIOPosix
import Synchronization
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoSupport
import ToDoTTRPCTransport
import ToDoTestSupport
import ToDoTransport

@testable import todo_load

/// A server in this process, and the program with captured output.
final class LoadBench: Sendable {
  let service: LocalToDoService
  let lists: LocalToDoListService
  let endpoint: Endpoint
  let listener: ServerListener
  private let printed = Mutex<(output: String, error: String)>(("", ""))

  private init(_ service: LocalToDoService, _ lists: LocalToDoListService, _ listener: ServerListener) {
    (self.service, self.lists, self.listener, endpoint) = (service, lists, listener, listener.endpoints[0])
  }

  /// Runs a server on a Unix socket while `body` runs.
  static func with(
    itemLimit: Int = LocalToDoService.defaultItemLimit, _ body: (LoadBench) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let store = MemoryToDoItemStore()
    let service = LocalToDoService(store: store, itemLimit: itemLimit)
    let listDirectory = ListDirectory(MemoryAccountStore(lists: store))
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let listener = try await ServerListener.bind(
      [.unix(path: directory.file("s"))],
      methods: MethodTable(
        serving: OpenAccess(to: service, userLists: UserLists(listDirectory, list: service)),
        health: HealthMonitor(services: [])),
      on: MultiThreadedEventLoopGroup.singleton, logger: logger)
    do {
      try await body(LoadBench(service, LocalToDoListService(listDirectory, defaultList: service), listener))
      await listener.shutDown(grace: .zero)
    } catch {
      await listener.shutDown(grace: .zero)
      throw error
    }
  }

  /// Runs the program against the server.
  ///
  /// - Parameter arguments: The arguments without `--server`, separated by spaces.
  func run(
    _ arguments: String, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) async -> (status: ExitStatus, output: String, error: String) {
    let words = "--server \(endpoint) \(arguments)".split(separator: " ").map(String.init)
    let status = await LoadProgram(context: context(isInterrupted)).run(words)
    let (output, error) = printed.withLock { $0 }
    return (status, output, error)
  }

  private func context(_ isInterrupted: @escaping @Sendable () -> Bool) -> ProgramContext {
    ProgramContext(
      environment: { _ in nil },
      print: { text in self.printed.withLock { $0.output += text } },
      printError: { text in self.printed.withLock { $0.error += text } },
      isInterrupted: isInterrupted)
  }
}
