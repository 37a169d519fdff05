import ToDoModel

/// A question of the form, which the user answers with one key.
enum FormQuestion: Equatable, Sendable {
  case discardsChanges
  /// No coordinate was found for the address, because the geocoder failed if there is a reason. The options save the item
  /// nevertheless.
  case savesWithoutCoordinate(SaveOptions, lookupFailure: String? = nil)
  /// The list contains the same item. The options save the item nevertheless.
  case savesDuplicate(SaveOptions)
  /// The date of the title is ambiguous or past.
  case choosesReading(SaveOptions)
  /// The place of the title can mean several places.
  case choosesPlace(SaveOptions)
  /// The item repeats: the edit is of only this occurrence, or also of the following ones.
  case choosesOccurrences(SaveOptions, OccurrenceChange)
  /// The address is not the name of the place that was found.
  case acceptsGuess(SaveOptions)
  /// The item has changed elsewhere.
  case overwrites(SaveOptions)

  enum Answer: Equatable, Sendable {
    case agree
    /// The user continues to edit.
    case refuse
    /// The index of a choice.
    case choice(Int)
  }

  /// Returns the answer that a key means, or `nil` if it means none.
  func answer(_ key: KeyPress) -> Answer? {
    switch (self, key) {
    case (_, .escape): .refuse
    case (.choosesReading, .character(let key)), (.choosesPlace, .character(let key)),
      (.choosesOccurrences, .character(let key)):
      key.isASCII ? key.wholeNumberValue.map { .choice($0 - 1) } : nil
    case (.choosesReading, _), (.choosesPlace, _), (.choosesOccurrences, _): nil
    case (.overwrites, .character("s")), (.overwrites, .character("S")), (.overwrites, .control("s")): .agree
    case (.overwrites, _): nil
    case (_, .character("y")), (_, .character("Y")): .agree
    case (_, .character("n")), (_, .character("N")): .refuse
    default: nil
    }
  }

  /// Returns a question with a numbered line for each choice.
  static func text(_ start: String, choices: [String]) -> String {
    let numbered = choices.enumerated().map { "\($0.offset + 1)  \($0.element)" }
    return ([start] + numbered).joined(separator: "\n")
  }
}
