import ToDoModel

/// The place that an address means.
struct AddressMatch: Equatable {
  let address: String
  let place: GeocodeCandidate
  /// Whether the place is the first candidate, whose coordinate the service stores with its source and granularity.
  let isFirst: Bool

  /// The coordinate to send with the address, or `nil` if the service finds it.
  ///
  /// The service treats a coordinate that it receives as set by the user. It therefore stores no source and no
  /// granularity, and retains the coordinate if the address changes.
  var coordinateToSet: Coordinate? { isFirst ? nil : place.coordinate }

  /// Returns the place and the precision of a saved item's coordinate, such as
  /// `Neustadt → Baia Mare, Romania; town centre`, or `nil` if the item has no coordinate.
  func text(for location: Location?) -> String? {
    guard let coordinate = location?.coordinate else { return nil }
    // The geocoder may have returned another place when the item was saved.
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
