import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension Location {
  /// Decodes all fields except the provenance, which only responses contain.
  init(
    _ message: Todo__V1__Location, at path: @autoclosure () -> String, provenance: Provenance?,
    _ violations: inout [FieldViolation]
  ) throws {
    self.init(
      name: try message.name.optionalText("\(path()).name"),
      address: try message.address.optionalText("\(path()).address"),
      coordinate: message.coordinate.flatMap { Coordinate($0.pointee, at: "\(path()).coordinate", &violations) },
      provenance: provenance)
  }

  /// Builds the message of the location.
  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Location> {
    let message = arena.make(todo__v1__location__init)
    if let name { message.pointee.name = arena.bytes(name) }
    if let address { message.pointee.address = arena.bytes(address) }
    message.pointee.coordinate = coordinate?.message(in: arena)
    if let provenance {
      message.pointee.source = arena.bytes(provenance.source)
      message.pointee.granularity = provenance.granularity.wire
    }
    return message
  }
}

extension Location.Provenance {
  /// Decodes a provenance. Returns `nil` if the coordinate was not geocoded, or if this version does not support the
  /// precision.
  ///
  /// - Throws: `RPCError.malformedResponse`, because only responses contain a provenance.
  init?(_ message: Todo__V1__Location, at path: @autoclosure () -> String) throws {
    let source = try message.source.line("\(path()).source", upTo: ResponseLimits.name)
    guard !source.isEmpty, let granularity = Location.Granularity(message.granularity) else { return nil }
    self.init(source: source, granularity: granularity)
  }
}

extension Coordinate {
  init?(_ message: Google__Type__LatLng, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]) {
    guard let valid = Coordinate(latitude: message.latitude, longitude: message.longitude) else {
      if !Self.latitudes.contains(message.latitude) {
        violations.append(FieldViolation("\(path()).latitude", "is \(message.latitude); it must lie in -90...90"))
      }
      if !Self.longitudes.contains(message.longitude) {
        violations.append(FieldViolation("\(path()).longitude", "is \(message.longitude); it must lie in -180...180"))
      }
      return nil
    }
    self = valid
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Google__Type__LatLng> {
    let message = arena.make(google__type__lat_lng__init)
    message.pointee.latitude = latitude
    message.pointee.longitude = longitude
    return message
  }
}

extension Location.Granularity {
  /// Creates a granularity, or returns `nil` if it is unset or this version does not support it.
  init?(_ wire: Todo__V1__Granularity) {
    guard let match = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = match
  }

  var wire: Todo__V1__Granularity {
    switch self {
    case .house: TODO__V1__GRANULARITY__GRANULARITY_HOUSE
    case .street: TODO__V1__GRANULARITY__GRANULARITY_STREET
    case .locality: TODO__V1__GRANULARITY__GRANULARITY_LOCALITY
    case .region: TODO__V1__GRANULARITY__GRANULARITY_REGION
    case .country: TODO__V1__GRANULARITY__GRANULARITY_COUNTRY
    }
  }
}
