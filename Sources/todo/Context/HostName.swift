import Glibc

/// The name of this process's user.
enum LoginName {
  /// The name in the environment, or an empty text if it has none.
  static var current: String {
    guard let name = getenv("USER") ?? getenv("LOGNAME") else { return "" }
    return String(cString: name)
  }
}

/// The name of the computer.
enum HostName {
  /// The name of the computer, or an empty text if it has none.
  static var current: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, gethostname(start, buffer.count) == 0 else { return "" }
      buffer[buffer.count - 1] = 0
      return String(cString: start)
    }
  }
}
