package import ToDoModel

extension EditForm {
  /// Returns the edit that changes an item from another form into this one. It contains only the fields that differ.
  ///
  /// - Parameter original: the form of the item before the user changed it.
  /// - Throws: `DueDateError`, or `InvalidText` if the coordinate cannot be parsed.
  package func edit(from original: EditForm, _ parser: DueDateParser) throws -> ItemEdit {
    var edit = ItemEdit()
    if self[.title] != original[.title] { edit.title = self[.title] }
    if !hasSameNote(as: original) { edit.itemDescription = note.allSatisfy(\.isWhitespace) ? .clear : .set(note) }
    edit.due = try change(of: .due, from: original) { try parser.parse($0) }
    let name = change(of: .place, from: original) { $0 }
    let address = change(of: .address, from: original) { $0 }
    let coordinate = try change(of: .coordinate, from: original, Self.coordinate)
    if name != .keep || address != .keep || coordinate != .keep {
      edit.location = .edit(name: name, address: address, coordinate: coordinate)
    }
    return edit
  }

  private func change<Value: Equatable & Sendable>(
    of field: Field, from original: EditForm, _ parse: (String) throws -> Value
  ) rethrows -> FieldEdit<Value> {
    guard self[field] != original[field] else { return .keep }
    return self[field].isEmpty ? .clear : .set(try parse(self[field]))
  }

  /// Whether the notes are equal. Ignores what editors change: the kind of line ends, and line ends after the text.
  private func hasSameNote(as other: EditForm) -> Bool {
    Self.comparable(note) == Self.comparable(other.note)
  }

  private static func comparable(_ note: String) -> String {
    var lines = note.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  private static func coordinate(_ text: String) throws -> Coordinate {
    guard let coordinate = Coordinate(text) else {
      throw InvalidText(
        reason: "INVALID_COORDINATE",
        description:
          "'\(text.escapingControls())' is not a coordinate; write latitude,longitude in degrees, such as 52.52,13.405")
    }
    return coordinate
  }
}
