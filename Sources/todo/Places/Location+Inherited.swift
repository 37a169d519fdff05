import ToDoModel

extension Location {
  /// The place for another item. A coordinate that was found for the address is left out, so that the service finds it again
  /// together with its granularity: a coordinate in a request counts as exact.
  var inherited: Location {
    guard provenance != nil, address != nil else { return self }
    return Location(name: name, address: address)
  }
}
