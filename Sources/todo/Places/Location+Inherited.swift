import ToDoModel

extension Location {
  /// The place for another item. A coordinate that was found for the address is left out, so that the service finds it again
  /// together with its granularity: a coordinate in a request counts as exact.
  var inherited: Location {
    guard provenance != nil, address != nil else { return self }
    return Location(name: name, address: address)
  }
}

extension Sequence<ToDoItem> {
  /// Returns the location for another item at a named place: that of the item with this place that was changed last.
  func inheritedLocation(named place: String) -> Location? {
    let items = lazy.filter { $0.location?.isNamed(place) == true }
    return items.max { $0.updatedAt < $1.updatedAt }?.location?.inherited
  }
}
