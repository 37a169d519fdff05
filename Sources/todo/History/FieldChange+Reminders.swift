import ToDoModel

extension FieldChange {
  /// Whether the change set only the states of reminders, as programs do that tell the user about them.
  var isOfReminderStates: Bool {
    guard field == .reminders, case .text(let old) = from, case .text(let new) = to else { return false }
    let (former, latter) = (Self.triggers(in: old), Self.triggers(in: new))
    // If both are excerpts, one can contain more triggers than the other.
    let isExcerpt = [old, new].contains { $0.hasSuffix(Self.ellipsis) }
    return isExcerpt ? zip(former, latter).allSatisfy(==) : former == latter
  }

  private static let ellipsis = "…"

  /// Returns the words of the triggers, without those of states, and without a word that is cut at the end.
  private static func triggers(in text: String) -> [String] {
    var words = text.split(separator: " ").map(String.init)
    if text.hasSuffix(ellipsis) { words.removeLast() }
    var (triggers, rest) = ([String](), words[...])
    while let word = rest.popFirst() {
      switch word {
      case "acknowledged": rest = rest.dropFirst()
      case "snoozed": rest = rest.dropFirst(2)
      default: triggers.append(word.hasSuffix(";") ? String(word.dropLast()) : word)
      }
    }
    return triggers
  }
}
