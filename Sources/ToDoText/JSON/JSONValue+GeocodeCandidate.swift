package import ToDoModel

extension JSONValue {
  /// Creates the JSON form of a candidate for an address.
  ///
  /// - Parameter origin: the origin of the distance, which is null without one.
  package init(_ candidate: GeocodeCandidate, from origin: Coordinate?) {
    self = .object([
      Member("name", .string(candidate.displayName)),
      Member("latitude", .number(candidate.coordinate.latitude)),
      Member("longitude", .number(candidate.coordinate.longitude)),
      Member("granularity", .string(candidate.granularity.rawValue)),
      Member("source", .string(candidate.source)),
      Member("distanceMeters", .optional(origin?.distance(to: candidate.coordinate))),
    ])
  }
}
