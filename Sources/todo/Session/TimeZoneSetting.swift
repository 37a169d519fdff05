import ToDoText

/// A value of the environment variable `TZ`.
struct TimeZoneSetting {
  /// The value without the colon that can precede a file's name.
  private let text: Substring

  init(_ text: String) { self.text = text.hasPrefix(":") ? text.dropFirst() : text[...] }

  /// Returns whether the C library knows the time zone. Otherwise it uses UTC.
  ///
  /// - Parameters:
  ///   - directory: the value of `TZDIR`.
  ///   - fileExists: returns whether a file exists.
  func isKnown(directory: String?, fileExists: (String) -> Bool) -> Bool {
    if text.isEmpty || PosixRule(text) != nil || ["UTC", "GMT", "UCT", "Z"].contains(text.uppercased()) { return true }
    if text.hasPrefix("/") { return fileExists(String(text)) }
    return (directory.map { [$0] } ?? Self.directories).contains { fileExists("\($0)/\(text)") }
  }

  /// The directories of time zones in the C libraries.
  private static let directories = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"]
}
