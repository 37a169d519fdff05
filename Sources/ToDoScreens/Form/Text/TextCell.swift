import ToDoModel
import ToDoText

/// A character of a text field and its appearance.
///
/// The properties are stored, because finding them for each character of a long note would take longer than a key may.
struct TextCell: Equatable, Sendable {
  let character: Character
  /// The width of `text` in columns. A line break has none.
  let width: Int
  let isNewline: Bool
  let isWhitespace: Bool

  init(_ character: Character) {
    self.character = character
    isNewline = character.isNewline
    isWhitespace = character.isWhitespace
    width = isNewline ? 0 : Self.text(of: character).displayWidth
  }

  /// The text that represents the character. It contains no control characters.
  var text: String { Self.text(of: character) }

  private static func text(of character: Character) -> String {
    character == "\t" ? "    " : String(character).escapingControls()
  }
}
