import Foundation
import Glibc
import ToDoTestProcesses
import ToDoTestSupport
package import ToDoTransport

/// A server in a separate process.
package final class ServerProcess: Sendable {
  package let endpoints: [Endpoint]
  /// The lines that the server printed when it was ready.
  package let announced: [String]
  private let process: SpawnedProcess
  /// Stays open, so that the server can write to it.
  private let output: OwnedDescriptor

  /// Starts the server, and returns when it listens.
  ///
  /// - Throws: `Failure` with the text of standard error if the server exits first.
  package convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(arguments, environment: environment)
  }

  /// - Parameters:
  ///   - logFile: the file for standard error; `nil` stands for a temporary one.
  ///   - limit: the time within which the server must listen.
  /// - Throws: `Failure` if the server exits first, `Silence` at the limit.
  package init(
    _ arguments: [String], environment: [String: String] = [:], logFile: String? = nil, limit: Duration = .seconds(300)
  ) throws {
    let (output, log) = (try ProcessPipe(), try StreamFile(path: logFile))
    process = try SpawnedProcess(
      builtProgram("todo-server").path, arguments, environment: environment, output: .pipe(output), error: .file(log))
    ProcessGuard.shared.add(process)
    self.output = output.readingEnd
    let lineCount = max(1, arguments.count { $0 == "--listen" })
    do {
      announced = try Self.announcement(of: process, output.readingEnd, log, lineCount, limit)
    } catch {
      process.signal(SIGKILL)
      process.wait()
      ProcessGuard.shared.remove(process)
      throw error
    }
    endpoints = announced.compactMap { line in
      line.hasPrefix("listening on ") ? Endpoint(String(line.dropFirst("listening on ".count))) : nil
    }
  }

  deinit {
    kill()
    ProcessGuard.shared.remove(process)
  }

  /// Returns the lines that a server prints when it is ready.
  private static func announcement(
    of process: SpawnedProcess, _ output: OwnedDescriptor, _ log: StreamFile, _ lineCount: Int, _ limit: Duration
  ) throws -> [String] {
    do {
      let text = try output.readLines(lineCount, within: limit)
      guard text.count(where: { $0 == "\n" }) >= lineCount else {
        throw Failure(status: process.wait().status, error: try log.text())
      }
      return text.split(separator: "\n").map(String.init)
    } catch let timeout as OwnedDescriptor.TimedOut {
      throw Silence(limit: limit, announced: timeout.text, error: try log.text())
    }
  }

  /// A server that exited before it was ready.
  package struct Failure: Error {
    package let status: Int32
    package let error: String
  }

  /// A server that was not ready in time.
  package struct Silence: Error, CustomStringConvertible {
    let limit: Duration
    package let announced: String
    package let error: String

    package var description: String {
      "todo-server did not listen within \(limit); it printed “\(announced)” and the errors “\(error)”"
    }
  }

  /// Sends SIGTERM, and waits for the end of the server.
  ///
  /// - Returns: the exit status.
  package func terminate() -> Int32 {
    process.signal(SIGTERM)
    return exitStatus()
  }

  package var processID: Int32 { process.id }

  /// Waits for the end of the server.
  ///
  /// - Returns: the signal that ended it, or `nil` if it exited.
  package func terminatingSignal() -> Int32? {
    guard case .signaled(let signal) = process.wait() else { return nil }
    return signal
  }

  /// Waits until the server exits by itself.
  ///
  /// - Returns: the exit status.
  package func exitStatus() -> Int32 { process.wait().status }

  package func signal(_ number: Int32) { process.signal(number) }

  /// Kills the server immediately, as a crash would.
  package func kill() {
    process.signal(SIGKILL)
    process.wait()
  }
}
