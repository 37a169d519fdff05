import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoText

extension ListSet {
  /// Returns the list with a name, in which hyphens may stand for blanks; `nil` if there is none, or it is deleted.
  func list(named text: String) -> UserList? {
    let folded = FoldedText.bytes(of: text)
    return lists.first { !$0.isDeleted && FoldedText.bytes(of: $0.name) == folded }
      ?? lists.first { !$0.isDeleted && FoldedText.bytes(of: $0.name.replacing(" ", with: "-")) == folded }
  }

  /// Returns the text by which arguments name a list: the name, with hyphens for blanks, or the ID if the name would not mean this
  /// list before an item's number.
  func reference(to list: UserList) -> String {
    let name = list.name.replacing(" ", with: "-").escapingControls()
    guard !name.hasPrefix("-"), name.contains(where: { !$0.isNumber }), (try? self.list(name).id) == list.id else {
      return list.id.description
    }
    return name
  }

  /// Returns the list that a name, an ID or the beginning of an ID means.
  ///
  /// - Parameter deleted: whether a deleted list is meant.
  /// - Throws: `Failure` with the status `notFound` if there is no such list, or with `usage` if several IDs match.
  func list(_ text: String, deleted: Bool = false) throws(Failure) -> UserList {
    let folded = FoldedText.bytes(of: text)
    let exact = lists.filter { FoldedText.bytes(of: $0.name) == folded }
    // As in quick add, hyphens stand for blanks.
    let hyphenated = lists.filter { FoldedText.bytes(of: $0.name.replacing(" ", with: "-")) == folded }
    let named = exact.contains { $0.isDeleted == deleted } ? exact : exact + hyphenated
    let found = named.filter { $0.isDeleted == deleted }
    guard found.count <= 1 else { throw .ambiguousList(text, "is the name", found) }
    if let list = found.first { return list }
    if let id = ListID(text.lowercased()), let list = lists.first(where: { $0.id == id }) {
      guard list.isDeleted == deleted else { throw .isDeleted(list) }
      return list
    }
    let matches = lists.filter { $0.isDeleted == deleted && $0.id.hasPrefix(text) }
    guard matches.count <= 1 else { throw .ambiguousList(text, "begins the ID", matches) }
    if let match = matches.first { return match }
    if let other = named.first { throw .isDeleted(other) }
    throw .unknownList(text, deleted: deleted, in: lists.filter { $0.isDeleted == deleted })
  }
}

extension ListID {
  /// Whether a text is the beginning of the ID, long enough not to be mistaken for a word.
  fileprivate func hasPrefix(_ text: String) -> Bool { text.count >= 6 && description.hasPrefix(text.lowercased()) }
}

extension Failure {
  /// A text means several lists.
  fileprivate static func ambiguousList(_ text: String, _ relation: String, _ lists: [UserList]) -> Failure {
    .usage(
      "'\(text.escapingControls())' \(relation) of \(lists.count) lists; use an ID", reason: "AMBIGUOUS_LIST",
      details: lists.map { list in
        "\(list.id)  \(list.name.escapingControls())\(list.ownerUser.isEmpty ? "" : " of \(list.ownerUser.escapingControls())")"
      })
  }

  /// No list has the name.
  fileprivate static func unknownList(_ text: String, deleted: Bool, in lists: [UserList]) -> Failure {
    let names = lists.map { $0.name.escapingControls() }.joined(separator: ", ")
    guard text.contains(where: { !$0.isWhitespace }) else {
      return .usage("the name of the list is empty", reason: "LIST_NOT_FOUND", details: ["The lists are: \(names)."])
    }
    let text = text.escapingControls()
    if deleted {
      return notFound(
        "no deleted list is named '\(text)'",
        [lists.isEmpty ? "No list can be restored." : "Can be restored: \(names)."])
    }
    return notFound(
      "no list is named '\(text)'", ["The lists are: \(names).", "Create it with: todo lists create '\(text)'"])
  }

  /// A deleted list is named where one that exists is needed, or the other way around.
  fileprivate static func isDeleted(_ list: UserList) -> Failure {
    let name = list.name.escapingControls()
    guard list.isDeleted else { return notFound("the list '\(name)' is not deleted", []) }
    guard list.role == .owner else {
      let owner = list.ownerUser.escapingControls()
      return notFound(
        "\(owner) has deleted the list '\(name)'",
        ["\(owner) can restore it. Leave it with: todo lists leave '\(name)'"])
    }
    return notFound("the list '\(name)' is deleted", ["Restore it with: todo lists restore '\(name)'"])
  }

  private static func notFound(_ message: String, _ details: [String]) -> Failure {
    Failure(code: .notFound, reason: "LIST_NOT_FOUND", message: message, details: details)
  }
}
