/// A value of the environment variable `TZ`.
struct TimeZoneSetting {
  /// The value without the colon that can precede the name of a file.
  private let text: Substring

  init(_ text: String) { self.text = text.hasPrefix(":") ? text.dropFirst() : text[...] }

  /// Returns whether the C library knows the time zone. Otherwise it uses UTC.
  ///
  /// - Parameters:
  ///   - directory: the value of `TZDIR`.
  ///   - fileExists: returns whether a file exists.
  func isKnown(directory: String?, fileExists: (String) -> Bool) -> Bool {
    if text.isEmpty || isRule || ["UTC", "GMT", "UCT", "Z"].contains(text.uppercased()) { return true }
    if text.hasPrefix("/") { return fileExists(String(text)) }
    return (directory.map { [$0] } ?? Self.directories).contains { fileExists("\($0)/\(text)") }
  }

  /// The directories of time zones in the C libraries.
  private static let directories = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"]

  /// Whether the value begins like a rule of POSIX, with the abbreviation of a zone and its offset: `CET-1`, `<+03>-3`.
  private var isRule: Bool {
    var rest = text
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      rest = rest.drop(while: \.isLetter)
      guard text.count - rest.count >= 3 else { return false }
    }
    if let sign = rest.first, "+-".contains(sign) { rest = rest.dropFirst() }
    return rest.first?.isNumber == true
  }
}
