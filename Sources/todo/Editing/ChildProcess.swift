// `environ` is a mutable variable of C. No code of this program changes it.
@preconcurrency import Glibc

/// A child process of this program.
struct ChildProcess {
  /// An error of the operating system.
  struct SystemError: Error {
    let code: Int32

    var reason: String { String(cString: strerror(code)) }
  }

  private let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the program, which is searched for in `PATH`, and its arguments. No shell reads them.
  ///   - environment: variables in addition to those of this process.
  ///   - isInBackground: whether its input and output are discarded, and Ctrl-C does not reach it.
  ///   - isInGroup: whether its input is empty, and it is the leader of a group of processes, which `end` ends.
  /// - Throws: `SystemError`.
  init(
    _ arguments: [String], environment: [String: String] = [:], isInBackground: Bool = false, isInGroup: Bool = false
  ) throws(SystemError) {
    var attributes = posix_spawnattr_t()
    var files = posix_spawn_file_actions_t()
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&files)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&files)
    }
    // The threads of this process block signals, and the process ignores SIGPIPE. The child inherits neither.
    var (blocked, standard) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if isInBackground || isInGroup {
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
      posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if isInBackground {
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0)
      }
    }
    // Sockets and event queues of the network library would stay open in an editor that lives on in the background.
    // The system ignores numbers that are not open, or not allowed. This program never has more open.
    for descriptor in (STDERR_FILENO + 1)..<1024 {
      posix_spawn_file_actions_addclose(&files, descriptor)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let variables = Self.variables(adding: environment)
    defer { for pointer in pointers + variables { free(pointer) } }
    var id = pid_t()
    let code = posix_spawnp(&id, arguments[0], &files, &attributes, pointers, variables)
    guard code == 0 else { throw SystemError(code: code) }
    self.id = id
  }

  /// Returns copies of this process's variables with others in addition, and `nil` at the end.
  private static func variables(adding added: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = added.map { strdup("\($0)=\($1)") }
    var next = environ
    while let variable = next.pointee {
      let isReplaced = !added.isEmpty && added.keys.contains { strncmp(variable, "\($0)=", $0.utf8.count + 1) == 0 }
      if !isReplaced { variables.append(strdup(variable)) }
      next += 1
    }
    return variables + [nil]
  }

  /// Ends the process and its group, which it leads.
  func end() { kill(-id, SIGKILL) }

  /// Waits until the process has ended, and leaves it as it is, so that the system gives its number to no other process before
  /// `wait`. Blocks the thread.
  func waitForEnd() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// Waits for the end of the process. Blocks the thread.
  ///
  /// - Returns: its status, as waitpid reports it.
  /// - Throws: `SystemError`.
  func wait() throws(SystemError) -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      let code = errno
      guard code == EINTR else { throw SystemError(code: code) }
    }
    return status
  }
}
