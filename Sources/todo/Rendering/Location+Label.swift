import ToDoModel

extension Location {
  /// What to call the place: its name, or else its address, or else its coordinate.
  var label: String {
    name ?? address ?? coordinate.map(\.text) ?? ""
  }
}

extension Coordinate {
  /// Degrees north and east, in the form that `--at` takes.
  var text: String { "\(latitude),\(longitude)" }
}
