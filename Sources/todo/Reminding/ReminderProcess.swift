import Dispatch
import Glibc
import Synchronization
import ToDoModel
import ToDoRPC

/// A program that tells the user about a reminder, as a child process.
enum ReminderProcess {
  /// The time after which a program is ended.
  static let limit = Duration.seconds(10)

  /// Runs a program until it exits. Its input is empty.
  ///
  /// - Parameters:
  ///   - arguments: the program, which is searched for in `PATH`, and its arguments. No shell reads them.
  ///   - environment: variables in addition to those of this process.
  /// - Throws: `Failure` if the program cannot be started, fails or exceeds the limit.
  static func run(_ arguments: [String], _ environment: [String: String]) async throws {
    try await run(arguments, environment, limit: limit)
  }

  static func run(_ arguments: [String], _ environment: [String: String], limit: Duration) async throws {
    let process: ChildProcess
    do {
      process = try ChildProcess(arguments, environment: environment, isInGroup: true)
    } catch {
      throw failure(arguments[0], "cannot be started: \(error.reason)")
    }
    let end = Mutex(End.none)
    let nanoseconds = Int(limit / .nanoseconds(1))
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      end.withLock { end in
        guard end == .none else { return }
        end = .tooSlow
        process.end()
      }
    }
    let status = await withCheckedContinuation { continuation in
      // The wait blocks a thread that no task needs.
      DispatchQueue(label: "todo.reminder").async {
        process.waitForEnd()
        // Before the number of the process may be another one's.
        end.withLock { end in
          if end == .none { end = .exited }
        }
        continuation.resume(returning: (try? process.wait()) ?? -1)
      }
    }
    if end.withLock({ $0 == .tooSlow }) {
      throw failure(arguments[0], "took longer than \(limit.components.seconds) s")
    }
    guard status != 0 else { return }
    let signal = status & 0x7F
    throw failure(
      arguments[0], signal == 0 ? "exited with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)")
  }

  /// The outcome of a run.
  private enum End {
    case none, exited, tooSlow
  }

  private static func failure(_ program: String, _ reason: String) -> Failure {
    Failure(code: .unknown, reason: "REMINDER_FAILED", message: "'\(program.escapingControls())' \(reason)")
  }
}
