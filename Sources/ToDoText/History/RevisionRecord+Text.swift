package import ToDoModel

extension RecordedChange {
  /// The past participle of the operation, such as "deleted".
  var verb: String {
    switch kind {
    case .put(let cause): cause.rawValue
    case .deleted: "deleted"
    }
  }

  /// The change as the commands print it, such as `Deleted 12: Buy milk`. A reversal is printed as its effect.
  ///
  /// - Parameters:
  ///   - isMove: whether the item moved between two lists.
  ///   - list: the name of the other list, if it is known.
  func text(isMove: Bool, list: String? = nil) -> String {
    let verb = isMove ? list == nil ? movedVerb : "moved" : printedVerb
    var subject = "\(verb.prefix(1).uppercased())\(verb.dropFirst()) \(item.reference(number))"
    if isMove, let list { subject += " \(kind == .deleted ? "to" : "here from") \(list.escapingControls())" }
    return title.map { "\(subject): \($0.escapingControls())" } ?? subject
  }

  /// The fields that `text` does not already name.
  var printedFields: [FieldChange] {
    fields.filter { $0.field != .done || printedVerb == Self.editedVerb }
  }

  /// The title before the change, or after it if the change did not set it.
  var formerTitle: String? {
    guard case .text(let title) = fields.first(where: { $0.field == .title })?.from else { return title }
    return title
  }

  private var movedVerb: String { kind == .deleted ? "moved away" : "moved here" }

  private var printedVerb: String {
    guard kind == .put(.reverted) else { return verb }
    guard let field = fields.first else { return "changed back" }
    guard fields.count == 1, case .done(let isDone) = field.to else { return Self.editedVerb }
    return isDone ? "checked" : "unchecked"
  }

  private static let editedVerb = "edited"
}

extension RevisionRecord {
  /// Creates a record with the changes of several revisions, or `nil` if there is none. The rest is that of the first.
  package init?(merging records: [RevisionRecord]) {
    guard var merged = records.first else { return nil }
    merged.changes = records.flatMap(\.changes)
    merged.changeCount = records.reduce(0) { $0 + $1.changeCount }
    self = merged
  }

  /// Returns the changes as a phrase, such as `deleted 12 'Buy milk'`, `added 3 items` or `added 2 of 3 items`. An item has
  /// the title that it has after the reversal.
  ///
  /// - Parameter count: the number of changes that the phrase is about.
  package func summary(of kind: ReversalStep.Kind, count: Int) -> String {
    let (changes, changeCount) = withoutOccurrences
    if changeCount == 1, let change = changes.first {
      let title = kind == .undo ? change.formerTitle : change.title
      return "\(verb(of: change)) \(change.item.text(change.number, title))"
    }
    let verb = changes.first.map(verb) ?? "changed"
    let isUniform = changes.allSatisfy { self.verb(of: $0) == verb }
    let counts = count < changeCount ? "\(count) of \(changeCount)" : "\(changeCount)"
    return "\(isUniform ? verb : "changed") \(counts) items"
  }

  private func verb(of change: RecordedChange) -> String { origin.moved == nil ? change.verb : "moved" }

  /// The changes without the done items of occurrences whose repeating items changed, too, and their number.
  private var withoutOccurrences: (changes: [RecordedChange], count: Int) {
    let others = changes.map(\.item).filter { !$0.isOccurrence }
    let rest = changes.filter { change in !others.contains { change.item.isOccurrence(of: $0) } }
    return (rest, changeCount - (changes.count - rest.count))
  }

  /// The user and the client, if they are known, such as `by ann, todo/0.1.0 laptop`.
  var originText: String {
    [userText, origin.clientText.escapingControls()].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The user, such as `by ann`; empty if it is unknown.
  var userText: String { origin.user.isEmpty ? "" : "by \(origin.user.escapingControls())" }
}

extension ItemID {
  /// Returns the item's number, or a part of the ID if the number is unknown.
  fileprivate func reference(_ number: ItemNumber?) -> String {
    guard let number, number != .unknown else { return likelyUniquePrefix }
    return number.description
  }

  /// Returns the number and the title of the item, such as `12 'Buy milk'`.
  package func text(_ number: ItemNumber?, _ title: String?) -> String {
    let title = title.map { " '\($0.escapingControls())'" } ?? ""
    return reference(number) + title
  }
}
