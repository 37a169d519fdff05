import Foundation
import ToDoTestProcesses
import ToDoTestSupport

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
    let output = try ProcessPipe()
    let process = try SpawnedProcess(
      builtProgram(program).path, arguments, environment: environment, input: .file(StreamFile(text: input)),
      output: .pipe(output), error: .pipe(output))
    self.output = try output.readingEnd.readToEnd()
    status = process.wait().status
  }
}
