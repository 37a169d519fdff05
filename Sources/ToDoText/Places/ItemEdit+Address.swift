package import ToDoModel

extension ItemEdit {
  /// Returns the address that the service looks up if it applies this edit to an item, or `nil` if it looks up none.
  package func addressToLookUp(in item: ToDoItem) -> String? {
    switch location {
    case .keep, .clear, .edit(_, .keep, .keep, _), .edit(_, .keep, .set, _): nil
    case .set, .edit: item.content.applying(self).location?.addressToLookUp
    }
  }

  /// Returns the edit with a coordinate for the address that it sets.
  ///
  /// - Parameter provenance: the geocoder's candidate that was confirmed, or `nil` for the user's own coordinate.
  package func setting(_ coordinate: Coordinate, _ provenance: Location.Provenance?) -> ItemEdit {
    guard case .edit(let name, let address, _, _) = location else { return self }
    var edit = self
    edit.location = .edit(name: name, address: address, coordinate: .set(coordinate), provenance: provenance)
    return edit
  }
}
