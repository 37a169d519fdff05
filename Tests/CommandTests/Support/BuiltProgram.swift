import Foundation
import TestSupport

/// The program as it was built, in processes of its own, with a data directory that is removed with this value.
final class BuiltProgram: Sendable {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// What one process did.
  struct Run: Equatable {
    var status: Int32
    var output: String
    var error: String
  }

  /// Runs it to its end with nothing on standard input.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
    let process = process(arguments, environment)
    let (output, error) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // Errors are a few lines and fit into the pipe, so that one may be read after the other.
    let texts = try [output, error].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: texts[0], error: texts[1])
  }

  /// A process that is yet to be given its streams and started. Its environment has nothing but what is given here.
  func process(_ arguments: [String], _ environment: [String: String] = [:]) -> Process {
    let process = Process()
    process.executableURL = builtProgram("todo")
    process.arguments = arguments
    process.environment = ["XDG_DATA_HOME": directory.path, "TZ": "UTC0"].merging(environment) { $1 }
    return process
  }
}
