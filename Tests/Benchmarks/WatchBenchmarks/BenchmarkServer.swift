import Foundation
import ToDoTestProcesses
import ToDoTransport

/// The server program in a process of its own, and what it costs.
final class BenchmarkServer {
  let endpoint: Endpoint
  private let process: SpawnedProcess
  /// Stays open, so that the server can write to it.
  private let output: OwnedDescriptor

  /// Returns once it listens.
  init(in directory: String) throws {
    endpoint = .unix(path: "\(directory)/todo.sock")
    let pipe = try ProcessPipe()
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
      component: "todo-server")
    process = try SpawnedProcess(
      program.path, ["serve", "--listen", "\(endpoint)", "--store", "sqlite:\(directory)/items.sqlite"],
      output: .pipe(pipe))
    output = pipe.readingEnd
    _ = try output.readLines(1)
  }

  func stop() {
    process.signal(SIGTERM)
    process.wait()
  }

  /// User and system time so far.
  var cpuSeconds: Double {
    // proc(5): the fields 14 and 15, counted after the name in parentheses.
    let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  var residentBytes: Int {
    let pages = text("statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd").count) ?? 0
  }

  private func text(_ file: String) -> String {
    (try? String(contentsOfFile: "/proc/\(process.id)/\(file)", encoding: .utf8)) ?? ""
  }
}
