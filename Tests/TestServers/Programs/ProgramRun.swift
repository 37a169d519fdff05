import Foundation
import TestSupport

/// A completed run of a built program.
package struct ProgramRun {
  package let status: Int32
  /// The combined text of standard output and standard error.
  package let output: String

  /// The output without leading and trailing white space.
  package var text: String { output.trimmingCharacters(in: .whitespacesAndNewlines) }

  package init(_ program: String, _ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(program, arguments, environment: environment)
  }

  package init(_ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]) throws
  {
    let process = Process()
    let (standardInput, output) = (Pipe(), Pipe())
    process.executableURL = builtProgram(program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    standardInput.fileHandleForWriting.write(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    self.output = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
