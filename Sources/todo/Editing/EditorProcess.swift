import Dispatch
import Glibc
import ToDoModel
import ToDoRPC

/// An editor that runs as a child process in the terminal of this process.
enum EditorProcess {
  /// Runs an editor until it exits.
  ///
  /// - Parameters:
  ///   - command: a shell command, such as `code -w`. The path follows it as an argument.
  ///   - path: the file to edit.
  /// - Throws: `Failure` if the editor cannot be started or fails.
  static func run(_ command: String, _ path: String) async throws {
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      // The wait lasts as long as the user edits, so it blocks a thread that no task needs.
      DispatchQueue(label: "todo.editor").async {
        continuation.resume(with: Result { try withoutTerminalSignals { try Self.status(of: command, path) } })
      }
    }
    guard status != 0 else { return }
    let signal = status & 0x7F
    throw failure(command, signal == 0 ? "exited with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)")
  }

  /// Runs `body` while Ctrl-C and Ctrl-\ do not end this process. The terminal sends their signals to the editor too.
  ///
  /// The handlers do nothing. A signal that is ignored instead would also be ignored by the editor.
  private static func withoutTerminalSignals<Value>(_ body: () throws -> Value) rethrows -> Value {
    let previous = [SIGINT, SIGQUIT].map { (signal: $0, action: SignalAction.current(for: $0)) }
      .filter { !$0.action.isIgnored }
    for (signal, _) in previous { SignalAction({ _ in }).set(for: signal) }
    defer { for (signal, action) in previous { action.set(for: signal) } }
    return try body()
  }

  /// Returns the status of the editor after its end, as waitpid reports it.
  private static func status(of command: String, _ path: String) throws -> Int32 {
    let process: ChildProcess
    do {
      process = try ChildProcess(["/bin/sh", "-c", "\(command) \"$1\"", "sh", path])
    } catch {
      throw failure(command, "cannot be started: \(error.reason)")
    }
    do {
      return try process.wait()
    } catch {
      throw Failure(
        code: .unknown, reason: "EDITOR_FAILED", message: "cannot wait for the editor: \(error.reason)")
    }
  }

  private static func failure(_ command: String, _ reason: String) -> Failure {
    Failure(
      code: .unknown, reason: "EDITOR_FAILED", message: "the editor '\(command.escapingControls())' \(reason)",
      details: ["Set VISUAL or EDITOR to the command of your editor."])
  }
}
