package import ToDoProtobuf

/// The reason why a message could not be converted.
package struct MessageJSONError: Error, Equatable, CustomStringConvertible {
  /// The wrong field's path, with the schema's names: `item.reminders[2].snooze_time`. Empty for the
  /// message itself.
  package private(set) var path: String
  /// The reason. It contains no text of the input.
  package let reason: String
  /// Whether the message is wrong, or exceeds a limit.
  package let failure: DecodingFailure

  package init(path: String = "", reason: String, failure: DecodingFailure = .malformed) {
    self.path = path
    self.reason = reason
    self.failure = failure
  }

  package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  /// Returns the error with the field that contains the path.
  func inside(_ field: String) -> MessageJSONError {
    var error = self
    error.path = path.isEmpty || path.hasPrefix("[") ? field + path : "\(field).\(path)"
    return error
  }

  /// Returns the error with the index of the element that contains the path.
  func inside(element index: Int) -> MessageJSONError { inside("[\(index)]") }
}

extension MessageJSONError {
  static let tooDeep = MessageJSONError(reason: "is nested too deeply")
  static let tooLarge = MessageJSONError(reason: "the message is too large", failure: .tooLarge)
  static let tooManyElements = MessageJSONError(reason: "the lists have too many elements", failure: .tooManyElements)

  static let hasNoForm = MessageJSONError(reason: "has no form in JSON")

  /// An error in the syntax of the text.
  static func expected(_ what: StaticString, at offset: Int) -> MessageJSONError {
    MessageJSONError(reason: "expected \(what) at byte \(offset)")
  }
}
