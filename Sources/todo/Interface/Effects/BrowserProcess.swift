import Dispatch
import Synchronization

// `environ` is a mutable variable of C. No code of this program changes it.
#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Darwin
#endif

/// A web browser as a separate process.
enum BrowserProcess {
  /// Opens a web page with the command in `BROWSER`, or with `xdg-open`.
  ///
  /// The URL is an argument of the command; no shell reads it. The output of the command is discarded.
  ///
  /// - Returns: whether the browser opened the page. A command that runs for more than two seconds is the browser itself.
  static func open(_ url: String) async -> Bool {
    guard let process = start([command, url]) else { return false }
    return await withCheckedContinuation { continuation in
      let outcome = FirstOutcome(continuation)
      // The wait lasts as long as the browser runs, so it blocks a thread that no task needs.
      DispatchQueue(label: "todo.browser").async { outcome.resume(wait(for: process)) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { outcome.resume(true) }
    }
  }

  /// The first command of `BROWSER`, in which colons separate alternatives.
  private static var command: String {
    let commands = getenv("BROWSER").map { String(cString: $0) } ?? ""
    return commands.split(separator: ":").first.map(String.init) ?? "xdg-open"
  }

  private static func start(_ command: [String]) -> pid_t? {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      var files: posix_spawn_file_actions_t?
    #else
      var attributes = posix_spawnattr_t()
      var files = posix_spawn_file_actions_t()
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&files)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&files)
    }
    // The threads of this process block signals, and the process ignores SIGPIPE. The browser inherits neither, and in a
    // process group of its own it is not reached by Ctrl-C.
    var (blocked, standard) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", mode, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process = pid_t()
    return posix_spawnp(&process, command[0], &files, &attributes, arguments, environ) == 0 ? process : nil
  }

  /// Waits for the end of a process.
  ///
  /// - Returns: whether it succeeded.
  private static func wait(for process: pid_t) -> Bool {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }
}

/// A continuation that the first of several outcomes resumes.
private final class FirstOutcome: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Mutex(continuation)
  }

  func resume(_ value: Bool) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: value)
  }
}

extension CommandContext {
  /// Opens a web page, unless the user is at another machine or has no desktop.
  ///
  /// - Returns: whether the page was opened.
  func open(_ url: String) async -> Bool {
    let hasDesktop = environment("DISPLAY") != nil || environment("WAYLAND_DISPLAY") != nil
    guard hasDesktop, environment("SSH_CONNECTION") == nil else { return false }
    return await openURL(url)
  }
}
