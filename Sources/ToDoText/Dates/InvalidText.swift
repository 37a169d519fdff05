/// A text of the user that cannot be parsed.
package struct InvalidText: Error, Equatable, CustomStringConvertible {
  /// The machine-readable reason, in UPPER_SNAKE_CASE.
  package let reason: String
  /// A sentence without terminal control characters, with the remedy.
  package let description: String
}
