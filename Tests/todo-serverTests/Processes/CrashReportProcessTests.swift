import Foundation
import Glibc
import Testing
import ToDoModel
import ToDoTestServers
import ToDoTestSupport

/// Tests of the line that a crashing server writes to its log.
@Suite(.timeLimited, .blocking) struct CrashReportProcessTests {
  @Test(arguments: [
    (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGSEGV, "SIGSEGV"), (SIGBUS, "SIGBUS"), (SIGABRT, "SIGABRT"),
    (SIGFPE, "SIGFPE"),
  ])
  func signal_whenFatal_logsLineAndEndsServer(_ number: Int32, _ name: String) async throws {
    try await withTemporaryDirectory { directory async throws in
      let log = "\(directory)/log"
      let server = try ServerProcess(
        ["serve", "--listen", "unix://\(directory)/todo.sock", "--store", "memory:", "--geocoder", "none"],
        environment: ["SWIFT_BACKTRACE": "enable=no"], logFile: log)
      server.signal(number)
      #expect(server.terminatingSignal() == number)
      let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      let line = "todo-server \(ServiceInfo.currentVersion) crashed: \(name) (signal \(number))"
      #expect(lines.filter { $0.contains("crashed") } == [Substring(line)])
    }
  }
}
