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

/// The process itself.
enum ServerProcess {
  /// The user that it runs as.
  static var unixUser: UInt32 { geteuid() }
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

/// A variable of the environment.
func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
