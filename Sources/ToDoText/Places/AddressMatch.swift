package import ToDoModel

/// The place that an address means, which the request that saves an item names, so that the service does not look it up again.
package struct AddressMatch: Equatable {
  let address: String
  /// The candidate of the geocoder.
  package let place: GeocodeCandidate

  /// Creates the match of an address.
  package init(address: String, place: GeocodeCandidate) {
    (self.address, self.place) = (address, place)
  }

  /// Returns the place and the precision of a saved item's coordinate, such as
  /// `Neustadt → Baia Mare, Romania; town center`, or `nil` if the item has no coordinate.
  package func text(for location: Location?) -> String? {
    guard let coordinate = location?.coordinate else { return nil }
    // A service that does not support confirmed candidates may have stored another place.
    let isSame = coordinate.distance(to: place.coordinate) < 100
    let name = isSame ? place.displayName : coordinate.text
    let granularity = location?.provenance?.granularity ?? (isSame ? place.granularity : nil)
    let precision = granularity.map { "; \($0.words)" } ?? ""
    return "\(address.escapingControls()) → \(name.escapingControls())\(precision)"
  }
}
