// `environ` is a mutable C variable. No test changes it.
@preconcurrency import Glibc
import Synchronization

/// A child process of the test's process, which is killed when this value is deinitialized.
///
/// The process starts with no signal blocked or ignored.
package final class SpawnedProcess: Sendable {
  /// The process ID. Signals sent with `signal(_:)` never reach another process that reuses it.
  package let id: Int32
  private let termination = Mutex<Termination?>(nil)
  /// Locked while a thread waits, so that the others get its result.
  private let waiter = Mutex(())

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the program's path.
  ///   - environment: all variables of the process; `nil` stands for those of the test's process.
  ///   - survivesGroup: whether the process has a process group of its own, which signals to the test's group miss.
  /// - Throws: `SystemError` with the program's path.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: Stream = .null,
    output: Stream = .inherited, error: Stream = .inherited, survivesGroup: Bool = false
  ) throws {
    let streams = [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)]
    let descriptors = try streams.map { (target: $0, source: try $1.descriptor(for: $0)) }
    var id: Int32 = 0
    let code = withExtendedLifetime(descriptors) {
      let numbers = descriptors.compactMap { target, source in source.map { (target, $0.number) } }
      return withCStrings([program] + arguments) { arguments in
        guard let environment else { return Self.spawn(&id, program, arguments, environ, numbers, survivesGroup) }
        return withCStrings(environment.map { "\($0)=\($1)" }) { variables in
          variables.withUnsafeBufferPointer {
            Self.spawn(&id, program, arguments, $0.baseAddress, numbers, survivesGroup)
          }
        }
      }
    }
    guard code == 0 else { throw SystemError("cannot start \(program)", code: code) }
    self.id = id
    // Otherwise a reader would never reach the end of the pipe.
    for case (let target, .pipe(let pipe)) in streams { pipe.end(for: target).close() }
  }

  deinit {
    signal(SIGKILL)
    wait()
  }

  /// Calls posix_spawn.
  ///
  /// - Returns: an error number, or 0.
  private static func spawn(
    _ id: inout Int32, _ program: String, _ arguments: [UnsafeMutablePointer<CChar>?],
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ descriptors: [(target: Int32, source: Int32)],
    _ survivesGroup: Bool
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    var files = posix_spawn_file_actions_t()
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&files)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&files)
    }
    // The threads that run tests block signals.
    var (blocked, standard) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigfillset(&standard)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    let group = survivesGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    for (target, source) in descriptors {
      let code = posix_spawn_file_actions_adddup2(&files, source, target)
      guard code == 0 else { return code }
    }
    // SwiftNIO's listening sockets are inheritable. Linux ignores descriptors that are not open.
    for descriptor in (STDERR_FILENO + 1)..<Int32(min(1024, sysconf(Int32(_SC_OPEN_MAX)))) {
      posix_spawn_file_actions_addclose(&files, descriptor)
    }
    return ProcessPipe.whileNoneIsInheritable {
      posix_spawn(&id, program, &files, &attributes, arguments, environment)
    }
  }

  /// Whether the process has not ended yet.
  package var isRunning: Bool {
    termination.withLock { termination in
      guard termination == nil else { return false }
      var info = siginfo_t()
      waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT | WNOHANG)
      return info.si_signo == 0
    }
  }

  /// Sends a signal. Does nothing after `wait()` has returned.
  package func signal(_ number: Int32) {
    termination.withLock { termination in
      // Until the process is reaped, no other process can have its ID.
      if termination == nil { kill(id, number) }
    }
  }

  /// Waits for the end of the process. Blocks the thread.
  @discardableResult
  package func wait() -> Termination {
    waiter.withLock { _ in
      if let termination = termination.withLock({ $0 }) { return termination }
      // Leaves the process to be reaped below, because signals may be sent meanwhile.
      var info = siginfo_t()
      while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      return termination.withLock { termination in
        var status: Int32 = 0
        guard waitpid(id, &status, 0) == id else { preconditionFailure("process \(id) was reaped elsewhere") }
        let result = Termination(status)
        termination = result
        return result
      }
    }
  }

  /// The end of a process.
  package enum Termination: Equatable, Sendable {
    case exited(Int32)
    case signaled(Int32)

    /// - Parameter status: a status of waitpid.
    fileprivate init(_ status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }

    /// The status that a shell would report: the exit status, or 128 plus the signal.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .signaled(let signal): 128 + signal
      }
    }
  }

  /// The source or destination of a standard stream.
  package enum Stream: Sendable {
    /// The stream of the test's process.
    case inherited
    case null
    case file(StreamFile)
    /// A pipe whose other end the test uses. The start closes the process's end in the test's process.
    case pipe(ProcessPipe)
    case descriptor(OwnedDescriptor)

    fileprivate func descriptor(for target: Int32) throws -> OwnedDescriptor? {
      switch self {
      case .inherited: nil
      case .null: try StreamFile(path: "/dev/null").descriptor
      case .file(let file): file.descriptor
      case .pipe(let pipe): pipe.end(for: target)
      case .descriptor(let descriptor): descriptor
      }
    }
  }
}

extension ProcessPipe {
  /// The end that a process uses as a standard stream.
  fileprivate func end(for target: Int32) -> OwnedDescriptor { target == STDIN_FILENO ? readingEnd : writingEnd }
}

/// Calls `body` with C strings, followed by a null pointer.
private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
  let pointers = strings.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
