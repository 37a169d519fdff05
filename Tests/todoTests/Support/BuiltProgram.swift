import FoundationEssentials
import ToDoTestProcesses
import ToDoTestSupport

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
    try run(arguments, environment: environment)
  }

  /// Runs the program to its end with empty standard input.
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    let process = try CompletedProcess(Self.path, arguments, environment: self.environment(environment))
    return Run(status: process.termination.status, output: process.output, error: process.error)
  }

  /// Starts the program with empty standard input by default.
  func start(
    _ arguments: [String], _ environment: [String: String] = [:], input: SpawnedProcess.Stream = .null,
    output: SpawnedProcess.Stream = .inherited, error: SpawnedProcess.Stream = .inherited
  ) throws -> SpawnedProcess {
    try SpawnedProcess(
      Self.path, arguments, environment: self.environment(environment), input: input, output: output, error: error)
  }

  /// Returns all variables of the program's processes: those given here, the data directory and the time zone.
  func environment(_ additions: [String: String] = [:]) -> [String: String] {
    ["XDG_DATA_HOME": directory.path, "TZ": "UTC0"].merging(additions) { $1 }
  }

  private static let path = builtProgram("todo").path
}
