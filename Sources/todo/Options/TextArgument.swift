import ArgumentParser

/// The argument of commands that list items with a text.
struct TextArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Words that the title, the note or the place of an item must contain. (default: list every item)",
      valueName: "text"))
  var words: [UserText] = []

  /// The words as one text. Empty for every item.
  var text: String { words.map(\.text).joined(separator: " ") }
}
