import Dispatch
import RPC

// `environ` is a mutable variable of C. No code of this program changes it.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Darwin
#endif

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
        continuation.resume(with: Result { try withoutTerminalSignals { try wait(for: start(command, path)) } })
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

  private static func start(_ command: String, _ path: String) throws -> pid_t {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads of this process block signals, and the process ignores SIGPIPE. The editor inherits neither.
    var (blocked, standard) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = (["sh", "-c", "\(command) \"$1\"", "sh", path] as [String]).map {
      strdup($0)
    }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", nil, &attributes, arguments, environ)
    guard code == 0 else { throw failure(command, "cannot be started: \(String(cString: strerror(code)))") }
    return process
  }

  /// Returns the status of a child process after its end, as waitpid reports it.
  private static func wait(for process: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      let code = errno
      guard code == EINTR else {
        throw Failure(
          code: .unknown, reason: "EDITOR_FAILED",
          message: "cannot wait for the editor: \(String(cString: strerror(code)))")
      }
    }
    return status
  }

  private static func failure(_ command: String, _ reason: String) -> Failure {
    Failure(
      code: .unknown, reason: "EDITOR_FAILED", message: "the editor '\(command.escapingControls())' \(reason)",
      details: ["Set VISUAL or EDITOR to the command of your editor."])
  }
}
