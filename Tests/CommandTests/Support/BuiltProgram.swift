import Foundation
import TestSupport

/// The built program, run in separate processes, with a data directory that is deleted with this value.
final class BuiltProgram: Sendable {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The result of one process.
  struct Run: Equatable {
    var status: Int32
    var output: String
    var error: String
  }

  /// Runs the program to its end with empty standard input.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
    let process = process(arguments, environment)
    let (output, error) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // Errors fit into the pipe's buffer, so that the pipes can be read one after the other.
    let texts = try [output, error].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: texts[0], error: texts[1])
  }

  /// Returns a process that has no streams and is not started. Its environment contains only the variables given here.
  func process(_ arguments: [String], _ environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = builtProgram("todo")
    process.arguments = arguments
    process.environment = ["XDG_DATA_HOME": directory.path, "TZ": "UTC0"].merging(environment) { $1 }
    return process
  }
}
