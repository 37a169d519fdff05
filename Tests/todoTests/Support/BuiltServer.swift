import FoundationEssentials
import Glibc
import Testing
import ToDoTestProcesses
import ToDoTestSupport

/// A built server in a separate process.
struct BuiltServer {
  let endpoint: String
  /// The address of the HTTP port, such as `http://127.0.0.1:8080`; `nil` if there is none.
  let url: String?
  private let process: SpawnedProcess

  /// Starts a server with a database in a directory, and returns when it listens.
  ///
  /// - Parameter httpOptions: options besides `--http-listen`; `nil` for no HTTP port.
  init(in directory: TemporaryDirectory, httpOptions: [String]? = nil) throws {
    endpoint = "unix://\(directory.path)/todo.sock"
    let output = try ProcessPipe()
    process = try SpawnedProcess(
      builtProgram("todo-server").path,
      ["serve", "--listen", endpoint, "--store", "sqlite:\(directory.path)/items.sqlite"]
        + (httpOptions.map { ["--http-listen", "127.0.0.1:0"] + $0 } ?? []), environment: [:],
      output: .pipe(output), error: .null)
    ProcessGuard.shared.add(process)
    // The server prints a line for each port when it listens.
    let lines = try output.readingEnd.readLines(httpOptions == nil ? 1 : 2)
    #expect(!lines.isEmpty)
    let prefix = "listening on http+tcp://"
    url = lines.split(separator: "\n").first { $0.hasPrefix(prefix) }.map { "http://\($0.dropFirst(prefix.count))" }
  }

  /// Kills the server immediately, as a crash would.
  func crash() {
    process.signal(SIGKILL)
    process.wait()
    ProcessGuard.shared.remove(process)
  }
}
