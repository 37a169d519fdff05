/// A question of the form, which the user answers with one key.
enum FormQuestion: Equatable, Sendable {
  case discardsChanges
  /// No coordinate was found for the address. The options save the item nevertheless.
  case savesWithoutCoordinate(SaveOptions)
  /// The list contains the same item. The options save the item nevertheless.
  case savesDuplicate(SaveOptions)
  /// The item has changed elsewhere.
  case overwrites(SaveOptions)

  /// The keys that answer the question.
  var hints: [KeyHint] {
    switch self {
    case .discardsChanges: [KeyHint("y", "discard"), KeyHint("n", "keep editing")]
    case .savesWithoutCoordinate, .savesDuplicate: [KeyHint("y", "save"), KeyHint("n", "keep editing")]
    case .overwrites: [KeyHint("s", "save over it"), KeyHint("Esc", "keep editing")]
    }
  }

  /// Returns the answer that a key means, or `nil` if it means none.
  func answer(_ key: KeyPress) -> Bool? {
    switch (self, key) {
    case (_, .escape): false
    case (.overwrites, .character("s")), (.overwrites, .character("S")), (.overwrites, .control("s")): true
    case (.overwrites, _): nil
    case (_, .character("y")), (_, .character("Y")): true
    case (_, .character("n")), (_, .character("N")): false
    default: nil
    }
  }
}
