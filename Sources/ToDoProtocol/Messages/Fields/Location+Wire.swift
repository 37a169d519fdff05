import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension Location {
  /// Decodes a location.
  ///
  /// - Parameter provenance: the origin of the coordinate.
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
  ///
  /// - Parameter isConfirmed: whether a provenance says that the caller has confirmed a candidate, as in requests.
  func message(in arena: Arena, isConfirmed: Bool) -> UnsafeMutablePointer<Todo__V1__Location> {
    let message = arena.make(todo__v1__location__init)
    if let name { message.pointee.name = arena.bytes(name) }
    if let address { message.pointee.address = arena.bytes(address) }
    message.pointee.coordinate = coordinate?.message(in: arena)
    if let provenance {
      message.pointee.source = arena.bytes(provenance.source)
      message.pointee.granularity = provenance.granularity.wire
      message.pointee.geocoded = isConfirmed ? 1 : 0
    }
    return message
  }
}

extension Location.Provenance {
  /// Decodes the provenance of a confirmed candidate, or returns `nil` if the request names none.
  init?(
    request message: Todo__V1__Location, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    guard message.geocoded != 0, message.coordinate != nil else { return nil }
    let source = try message.source.text("\(path()).source")
    if message.granularity == TODO__V1__GRANULARITY__GRANULARITY_UNSPECIFIED {
      violations.append(FieldViolation("\(path()).granularity", "must be set"))
    }
    // A value of a later schema version is treated as imprecise.
    self.init(source: source, granularity: Location.Granularity(message.granularity) ?? .region)
  }

  /// Decodes the provenance of a stored coordinate. Returns `nil` if the coordinate was not geocoded, or if this version
  /// does not support the precision.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init?(response message: Todo__V1__Location, at path: @autoclosure () -> String) throws {
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
