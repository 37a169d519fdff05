import CToDoProcessMemory
import FoundationEssentials
import Glibc
import ToDoTransport

/// Flushes the printed output, so that a reader of a pipe receives it immediately.
func flushStandardOutput() {
  fflush(nil)
}

/// Writes to standard error.
func printError(_ text: String, terminator: String = "\n") {
  var text = text + terminator
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The server's own process.
enum ThisProcess {
  /// Whether standard error is a terminal.
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Ignores SIGHUP until the server handles it. By default, the signal would end the process.
  static func ignoreHangup() { signal(SIGHUP, SIG_IGN) }

  /// Lowers the scheduling priority of the process.
  static func lowerPriority() { _ = nice(10) }

  /// Removes code, constants and free memory from the resident memory. Code that runs again returns from the page cache.
  static func releaseUnusedMemory() { todo_release_unused_memory() }

  /// The Unix user of the process.
  static var unixUser: UInt32 { geteuid() }

  /// Returns whether the permissions of a file or its directories keep this process from reading the file.
  static func isForbidden(_ path: String) -> Bool { access(path, R_OK) != 0 && errno == EACCES }

  /// The number of processors that the process may use according to /proc, or `nil` on systems without /proc.
  static var processorCount: Int? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8192) { buffer in
      while let line = fgets(buffer.baseAddress, Int32(buffer.count), file) {
        guard let mask = allowedProcessors(String(cString: line)) else { continue }
        return mask
      }
      return nil
    }
  }

  /// Parses a line of /proc/self/status, or returns `nil` if it does not list the allowed processors.
  ///
  /// - Parameter line: a line such as `Cpus_allowed:	ff,00000003`, a bit for each processor.
  static func allowedProcessors(_ line: String) -> Int? {
    let name = "Cpus_allowed:"
    guard line.hasPrefix(name) else { return nil }
    return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
  }
}

/// Returns the number of a Unix user.
///
/// - Parameter text: a number or a name.
/// - Throws: `SettingError` if the user does not exist.
func unixUser(_ text: String, setting: String) throws -> UInt32 {
  guard let number = UnixUser.number(of: text) else {
    throw SettingError(name: setting, value: text, reason: "is not a user of this machine; use a user name or number")
  }
  return number
}

/// The names of all environment variables.
var environmentVariableNames: some Sequence<String> { ProcessInfo.processInfo.environment.keys }

/// Returns the value of an environment variable.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
