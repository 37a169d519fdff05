public import ToDoModel
public import ToDoRules

/// A geocoder that searches a gazetteer on this machine, without a network and within microseconds.
///
/// The gazetteer contains towns of 5,000 or more inhabitants, with names in many languages and scripts, and the regions
/// and countries of these towns. It contains no streets. An address is located at its town, with the granularity
/// `.locality`; an address without a town has no candidates. Case, accents and the dots of abbreviations are ignored.
///
/// **Candidates** are the places in the address's best interpretation (see `AddressInterpreter`). "Paris" has a
/// candidate for every town of that name, "Paris, TX" has one. The coordinate of a region or country is the center of
/// its towns. They are guesses if the best of them is not what the address says: a word is ignored, or the name is an
/// abbreviation, or an alternative name that may mean something else.
///
/// Only opening a gazetteer can fail. A lookup does not suspend and allocates little, because the data is read in place
/// from the memory-mapped program or file.
public struct GazetteerGeocoder: Geocoder {
  let source: GazetteerSource

  /// Opens the gazetteer of the program.
  ///
  /// - Throws: `GazetteerError` if the data is missing or invalid.
  public init() throws { try self.init(.ofProgram()) }

  init(_ source: GazetteerSource) throws {
    try source.withFile { _ in }
    self.source = source
  }

  /// The source of the candidates.
  public static let source = "gazetteer"

  public var attribution: String { "GeoNames (geonames.org), CC BY 4.0" }

  public func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    try Task.checkCancellation()
    return try source.withFile { file in
      let interpreter = AddressInterpreter(query.address, in: file)
      let interpretations = interpreter.interpretations(near: query.bias)
      let isGuess = !interpreter.isCertain(query.address, interpretations)
      return file.withDisplayNames(interpretations.map(\.place), limit: query.limit).map { place, name in
        GeocodeCandidate(
          coordinate: place.coordinate, displayName: name, granularity: place.kind.granularity, source: Self.source,
          attribution: attribution, isGuess: isGuess)
      }
    }
  }
}

extension GazetteerRecord.Kind {
  fileprivate var granularity: Location.Granularity {
    switch self {
    case .place: .locality
    case .region: .region
    case .country: .country
    }
  }
}
