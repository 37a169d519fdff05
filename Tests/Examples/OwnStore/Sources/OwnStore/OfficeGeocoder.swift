public import ToDoServer

/// A geocoder of one's own: it knows the rooms of an office.
public struct OfficeGeocoder: Geocoder {
  private let rooms: [String: [Coordinate]]

  /// No attribution is required.
  public let attribution = ""

  /// Creates a geocoder.
  ///
  /// - Parameter rooms: the places of each room. Rooms of several buildings may have the same name.
  public init(_ rooms: [String: [Coordinate]]) {
    self.rooms = rooms
  }

  public func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    try Task.checkCancellation()
    let name = query.address.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var places = rooms[name] ?? []
    if let bias = query.bias { places.sort { bias.distance(to: $0) < bias.distance(to: $1) } }
    return places.prefix(query.limit).map { place in
      GeocodeCandidate(coordinate: place, displayName: name, granularity: .house, source: "office")
    }
  }
}
