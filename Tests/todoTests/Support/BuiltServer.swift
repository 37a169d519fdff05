import FoundationEssentials
import Glibc
import Testing
import ToDoTestProcesses
import ToDoTestSupport

/// A built server in a separate process.
struct BuiltServer {
  let endpoint: String
  private let process: SpawnedProcess

  /// Starts a server with a database in a directory, and returns when it listens.
  init(in directory: TemporaryDirectory) throws {
    endpoint = "unix://\(directory.path)/todo.sock"
    let output = try ProcessPipe()
    process = try SpawnedProcess(
      builtProgram("todo-server").path,
      ["serve", "--listen", endpoint, "--store", "sqlite:\(directory.path)/items.sqlite"], environment: [:],
      output: .pipe(output), error: .null)
    ProcessGuard.shared.add(process)
    // The server prints a line when it listens.
    #expect(try !output.readingEnd.readLines(1).isEmpty)
  }

  /// Kills the server immediately, as a crash would.
  func crash() {
    process.signal(SIGKILL)
    process.wait()
    ProcessGuard.shared.remove(process)
  }
}
