import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes out what was printed: whoever waits for a line in a pipe must not wait for a full buffer.
func flushStandardOutput() {
  fflush(nil)
}

/// Writes to standard error.
func printError(_ text: String, terminator: String = "\n") {
  var text = text + terminator
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The process itself.
enum ServerProcess {
  /// Whether a person reads standard error.
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Lets the other processes of the machine go first.
  static func lowerPriority() { _ = nice(10) }

  /// The user that it runs as.
  static var unixUser: UInt32 { geteuid() }

  /// How many processors it may run on, as /proc says; `nil` where there is no such thing.
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

  /// - Parameter line: such as `Cpus_allowed:	ff,00000003`, a bit for each processor.
  static func allowedProcessors(_ line: String) -> Int? {
    let name = "Cpus_allowed:"
    guard line.hasPrefix(name) else { return nil }
    return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
  }
}

/// The number of a user of the operating system.
///
/// - Parameter text: a number or a name.
/// - Throws: `SettingError` when there is no such user.
func unixUser(_ text: String, setting: String) throws -> UInt32 {
  if let number = UInt32(text) { return number }
  guard let entry = getpwnam(text) else {
    throw SettingError(name: setting, value: text, reason: "is neither a user of this machine nor the number of one")
  }
  return entry.pointee.pw_uid
}

/// The names of all variables of the environment.
var environmentVariableNames: some Sequence<String> { ProcessInfo.processInfo.environment.keys }

/// A variable of the environment.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
