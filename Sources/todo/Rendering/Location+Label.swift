import ToDoModel

extension Location {
  /// Whether a text is the name, ignoring case.
  func isNamed(_ text: String) -> Bool { name?.lowercased() == text.lowercased() }

  /// The name of the place, or else its address, or else its coordinate.
  var label: String {
    name ?? address ?? coordinate.map(\.text) ?? ""
  }
}

extension Coordinate {
  /// The degrees north and east, in the format of `--at`.
  var text: String { "\(latitude),\(longitude)" }
}
