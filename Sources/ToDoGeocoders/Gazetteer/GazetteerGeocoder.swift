public import ToDoModel

/// Finds places in data that is part of the program: without a network, in microseconds.
///
/// It knows the towns of 5,000 inhabitants and more, by their names in many languages and scripts, and the regions and
/// countries that they lie in. It knows no streets: an address is where its town is, with the granularity `.locality`,
/// and one that names no town has no candidates. Case, accents and the dots of abbreviations do not matter.
///
/// **Candidates** are all of one interpretation of the address, as `AddressInterpreter` describes it: those of "Paris" are every
/// Paris, that of "Paris, TX" is one. A region stands for the middle of its towns, and so does a country.
///
/// Nothing but opening fails. A look-up neither waits nor allocates much: the data is read where it lies in the program,
/// which the system maps page by page.
public struct GazetteerGeocoder: Geocoder {
  let source: GazetteerSource

  /// Opens the data that is part of the program.
  ///
  /// - Throws: `GazetteerError`.
  public init() throws { try self.init(.embedded) }

  init(_ source: GazetteerSource) throws {
    try source.withFile { _ in }
    self.source = source
  }

  /// The name that its candidates have as their source.
  public static let source = "gazetteer"

  public var attribution: String { "GeoNames (geonames.org), CC BY 4.0" }

  public func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    try Task.checkCancellation()
    return try source.withFile { file in
      let interpretations = AddressInterpreter(query.address, in: file).interpretations(near: query.bias)
      return file.withDisplayNames(interpretations.map(\.place), limit: query.limit).map { place, name in
        GeocodeCandidate(
          coordinate: place.coordinate, displayName: name, granularity: place.kind.granularity, source: Self.source,
          attribution: attribution)
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
