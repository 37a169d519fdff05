/// A form that cannot be parsed.
package struct EditFormError: Error, Equatable, CustomStringConvertible {
  /// The number of the line, from 1.
  let line: Int
  /// A sentence without terminal control characters, with the remedy.
  let reason: String

  package var description: String { "line \(line) of the form: \(reason)" }
}
