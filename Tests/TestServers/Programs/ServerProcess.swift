import Foundation
import Glibc
import TestSupport
package import Transport

/// A server in a separate process.
package final class ServerProcess: Sendable {
  package let endpoints: [Endpoint]
  /// The lines that the server printed when it was ready.
  package let announced: [String]
  private let process: Process

  /// Starts the server, and returns when it listens.
  ///
  /// - Throws: `Failure` with the text of standard error if the server exits first.
  package convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(arguments, environment: environment)
  }

  /// - Parameter logFile: the file for standard error, or `nil` to discard it.
  package init(_ arguments: [String], environment: [String: String] = [:], logFile: String? = nil) throws {
    let (output, error) = (Pipe(), Pipe())
    process = Process()
    process.executableURL = builtProgram("todo-server")
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    if let logFile {
      _ = FileManager.default.createFile(atPath: logFile, contents: nil)
      process.standardError = try FileHandle(forWritingTo: URL(filePath: logFile))
    } else {
      process.standardError = error
    }
    try process.run()
    ProcessGuard.shared.add(process)
    var announced = ""
    let expected = max(1, arguments.count { $0 == "--listen" })
    while announced.count(where: { $0 == "\n" }) < expected {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        process.waitUntilExit()
        let text = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        throw Failure(status: process.terminationStatus, error: text)
      }
      announced += String(decoding: more, as: UTF8.self)
    }
    self.announced = announced.split(separator: "\n").map(String.init)
    endpoints = self.announced.compactMap { line in
      line.hasPrefix("listening on ") ? Endpoint(String(line.dropFirst("listening on ".count))) : nil
    }
    // Later log lines must not fill the pipe.
    if logFile == nil {
      error.fileHandleForReading.readabilityHandler = { $0.availableData.isEmpty ? $0.readabilityHandler = nil : () }
    }
  }

  deinit {
    if process.isRunning { kill() }
    ProcessGuard.shared.remove(process)
  }

  package struct Failure: Error {
    package let status: Int32
    package let error: String
  }

  /// Sends SIGTERM, and waits for the end of the server.
  ///
  /// - Returns: the exit status.
  package func terminate() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  package var processID: Int32 { process.processIdentifier }

  /// Waits for the end of the server.
  ///
  /// - Returns: the signal that ended it, or `nil` if it exited.
  package func terminatingSignal() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
  }

  /// Waits until the server exits by itself.
  ///
  /// - Returns: the exit status.
  package func exitStatus() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  package func signal(_ number: Int32) { _ = Glibc.kill(process.processIdentifier, number) }

  /// Kills the server immediately, as a crash would.
  package func kill() {
    _ = Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
