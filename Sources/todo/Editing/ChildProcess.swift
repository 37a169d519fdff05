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
  ///   - isInBackground: whether its input and output are discarded, and Ctrl-C does not reach it.
  /// - Throws: `SystemError`.
  init(_ arguments: [String], isInBackground: Bool = false) throws(SystemError) {
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
    if isInBackground {
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
      for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", mode, 0)
      }
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var id = pid_t()
    let code = posix_spawnp(&id, arguments[0], &files, &attributes, pointers, environ)
    guard code == 0 else { throw SystemError(code: code) }
    self.id = id
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
