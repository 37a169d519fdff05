import ToDoModel

/// The place that an address means, which the request that saves an item names, so that the service does not look it up again.
struct AddressMatch: Equatable {
  let address: String
  let place: GeocodeCandidate

  /// Returns the place and the precision of a saved item's coordinate, such as
  /// `Neustadt → Baia Mare, Romania; town centre`, or `nil` if the item has no coordinate.
  func text(for location: Location?) -> String? {
    guard let coordinate = location?.coordinate else { return nil }
    // A service that does not support confirmed candidates may have stored another place.
    let isSame = coordinate.distance(to: place.coordinate) < 100
    let name = isSame ? place.displayName : coordinate.text
    let granularity = location?.provenance?.granularity ?? (isSame ? place.granularity : nil)
    let precision = granularity.map { "; \($0.words)" } ?? ""
    return "\(address.escapingControls()) → \(name.escapingControls())\(precision)"
  }
}

extension Session {
  /// Prints the place that was found for the address of a saved item.
  func printMatch(_ match: AddressMatch?, of item: ToDoItem) {
    if let text = match?.text(for: item.location) { printNotice(text) }
  }
}
