import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == GeocodeQuery {
  static var geocodeAddressRequest: Codec {
    Codec(todo__v1__geocode_address_request__init) { message in
      var violations: [FieldViolation] = []
      let bias = message.bias.flatMap { Coordinate($0.pointee, at: "bias", &violations) }
      guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return GeocodeQuery(
        address: try message.address.text("address"), bias: bias,
        limit: message.limit == 0 ? GeocodeQuery.defaultLimit : Int(message.limit))
    } encode: { query, message, arena in
      message.pointee.address = arena.bytes(query.address)
      message.pointee.bias = query.bias?.message(in: arena)
      message.pointee.limit = Int32(clamping: query.limit)
    }
  }
}

extension Codec where Value == GeocodeResult {
  static var geocodeAddressResponse: Codec {
    Codec(todo__v1__geocode_address_response__init) { message in
      let attribution = try message.attribution.line("attribution", upTo: ResponseLimits.attribution)
      let candidates = try UnsafeBufferPointer(start: message.candidates, count: message.n_candidates)
        .messages(of: "candidates", upTo: GeocodeQuery.limits.upperBound) { try GeocodeCandidate($0, at: $1()) }
      return GeocodeResult(candidates: candidates, attribution: attribution)
    } encode: { result, message, arena in
      message.pointee.n_candidates = result.candidates.count
      message.pointee.candidates = arena.array(result.candidates.map { $0.message(in: arena) })
      message.pointee.attribution = arena.bytes(result.attribution)
    }
  }
}

extension GeocodeCandidate {
  /// Decodes a candidate of a response. The response has one attribution for all candidates.
  fileprivate init(_ message: Todo__V1__GeocodeCandidate, at path: @autoclosure () -> String) throws {
    guard let latLng = message.coordinate else {
      throw RPCError.malformedResponse("\(path()).coordinate", "must be set")
    }
    var violations: [FieldViolation] = []
    guard let coordinate = Coordinate(latLng.pointee, at: "\(path()).coordinate", &violations) else {
      throw RPCError.malformedResponse(violations)
    }
    self.init(
      coordinate: coordinate,
      displayName: try message.display_name.line("\(path()).display_name", upTo: ResponseLimits.displayName),
      // A value of a later schema version is treated as imprecise.
      granularity: Location.Granularity(message.granularity) ?? .region,
      source: try message.source.line("\(path()).source", upTo: ResponseLimits.name), isGuess: message.guess != 0)
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__GeocodeCandidate> {
    let message = arena.make(todo__v1__geocode_candidate__init)
    message.pointee.coordinate = coordinate.message(in: arena)
    message.pointee.display_name = arena.bytes(displayName)
    message.pointee.granularity = granularity.wire
    message.pointee.source = arena.bytes(source)
    message.pointee.guess = isGuess ? 1 : 0
    return message
  }
}
