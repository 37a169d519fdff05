import ToDoModel

extension ItemEdit {
  /// Returns the address that the service looks up if it applies this edit to an item, or `nil` if it looks up none.
  func addressToLookUp(in item: ToDoItem) -> String? {
    switch location {
    case .keep, .clear, .edit(_, .keep, .keep), .edit(_, .keep, .set): nil
    case .set, .edit: item.content.applying(self).location?.addressToLookUp
    }
  }

  /// Returns the edit with a coordinate for the address that it sets.
  func setting(_ coordinate: Coordinate?) -> ItemEdit {
    guard let coordinate, case .edit(let name, let address, _) = location else { return self }
    var edit = self
    edit.location = .edit(name: name, address: address, coordinate: .set(coordinate))
    return edit
  }
}
