import ArgumentParser
import ToDoModel
import ToDoText

/// The argument of commands that list items with a text.
struct TextArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Words that the title, the note or the place of an item must contain. (default: list every item)",
      valueName: "text"))
  var words: [UserText] = []

  /// The words as one text. Empty for every item.
  var text: String { words.map(\.text).joined(separator: " ") }

  /// The advice to select by tag, for each word that looks like one.
  var tagNotices: [String] {
    words.map(\.text).filter { $0.hasPrefix("#") }.compactMap { word in
      guard let tag = try? TagText.parse(word).first else { return nil }
      let option = "'--tag \(tag.escapingControls())'"
      return "'\(word.escapingControls())' is searched in texts; \(option) lists the items with that tag."
    }
  }
}
