import ToDoModel

extension RecordedChange {
  /// The past participle of the operation, such as "deleted".
  var verb: String {
    switch kind {
    case .put(let cause): cause.rawValue
    case .deleted: "deleted"
    }
  }

  /// The change as the commands print it, such as `Deleted 12: Buy milk`.
  var text: String {
    let subject = "\(verb.prefix(1).uppercased())\(verb.dropFirst()) \(item.reference(number))"
    return title.map { "\(subject): \($0.escapingControls())" } ?? subject
  }
}

extension RevisionRecord {
  /// Creates a record with the changes of several revisions, or `nil` if there is none. The rest is that of the first.
  init?(merging records: [RevisionRecord]) {
    guard var merged = records.first else { return nil }
    merged.changes = records.flatMap(\.changes)
    merged.changeCount = records.reduce(0) { $0 + $1.changeCount }
    self = merged
  }

  /// Returns the changes as a phrase, such as `deleted 12 "Buy milk"`, `added 3 items` or `added 2 of 3 items`.
  ///
  /// - Parameter count: the number of changes that the phrase is about.
  func summary(count: Int) -> String {
    if changeCount == 1, let change = changes.first {
      return "\(change.verb) \(change.item.text(change.number, change.title))"
    }
    let verb = changes.first?.verb ?? "changed"
    let isUniform = changes.allSatisfy { $0.verb == verb }
    let counts = count < changeCount ? "\(count) of \(changeCount)" : "\(changeCount)"
    return "\(isUniform ? verb : "changed") \(counts) items"
  }

  /// The reverted revision, the user and the client, as far as they are known, such as
  /// `undo of revision 7, by ann, todo/0.1.0 laptop`.
  var originText: String {
    let parts = [
      origin.reverted.map { "undo of revision \($0)" },
      origin.user.isEmpty ? nil : "by \(origin.user.escapingControls())",
      origin.clientText.isEmpty ? nil : origin.clientText.escapingControls(),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension ItemID {
  /// Returns the number of the item, or a part of the ID if the number is unknown.
  fileprivate func reference(_ number: ItemNumber?) -> String {
    guard let number, number != .unknown else { return likelyUniquePrefix }
    return number.description
  }

  /// Returns the number and the title of the item, such as `12 "Buy milk"`.
  func text(_ number: ItemNumber?, _ title: String?) -> String {
    let title = title.map { " \"\($0.escapingControls())\"" } ?? ""
    return reference(number) + title
  }
}
