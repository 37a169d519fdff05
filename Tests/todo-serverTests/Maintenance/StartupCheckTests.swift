import Logging
import Synchronization
import Testing
import ToDoStores
import ToDoTestSupport

@testable import todo_server

/// Tests of the database check at each start.
@Suite(.timeLimited) struct StartupCheckTests {
  /// A log handler that collects messages in memory.
  private struct Log: LogHandler {
    final class Lines: Sendable {
      let texts = Mutex<[String]>([])
    }

    let lines = Lines()
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.texts.withLock { $0.append("\(event.level): \(event.message)") } }
  }

  @Test(arguments: [(0o600, false), (0o640, true), (0o604, true)])
  func run_whenOtherUsersCanOpenDatabase_warns(_ mode: Int, _ isWarned: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("items.sqlite")
    let store = try SQLiteToDoItemStore(path: path)
    await store.close()
    try directory.setPermissions(of: path, to: mode)
    let log = Log()
    try StartupCheck(.sqlite(path: path)).run(Logger(label: "test") { _ in log })
    let texts = log.lines.texts.withLock(\.self)
    #expect(texts.contains { $0.hasPrefix("warning: other users of this machine can open") } == isWarned)
  }
}
