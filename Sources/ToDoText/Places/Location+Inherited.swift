package import ToDoModel

extension Sequence<ToDoItem> {
  /// Returns the location for another item at a named place: that of the item with this place that was changed last.
  package func inheritedLocation(named place: String) -> Location? {
    let items = lazy.filter { $0.location?.isNamed(place) == true }
    return items.max { $0.updatedAt < $1.updatedAt }?.location
  }
}
