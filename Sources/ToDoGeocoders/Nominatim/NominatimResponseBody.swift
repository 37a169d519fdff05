import FoundationEssentials
import ToDoModel

/// The candidates in the body of an answer of a Nominatim server.
enum NominatimResponseBody {
  /// The name that candidates bear as their source.
  static let source = "nominatim"

  /// Whom to credit when an answer does not say it.
  static let attribution = "Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright"

  /// Longer names are cut, in bytes of UTF-8. Clients refuse names and attributions that are longer, or that have control
  /// characters.
  static let nameLimit = 1024

  /// Reads an answer. Elements without a name or a coordinate that there is are left out.
  ///
  /// - Throws: `GeocoderError.malformedAnswer` when it is no JSON array, or no element is of use.
  static func candidates(in body: [UInt8], for query: GeocodeQuery) throws(GeocoderError) -> [GeocodeCandidate] {
    let elements: [Element]
    do { elements = try JSONDecoder().decode([Element].self, from: Data(body)) } catch {
      throw .malformedAnswer(detail: body.isHTML ? "it is a web page" : "it is not the JSON of a search")
    }
    let places = elements.compactMap(\.place)
    guard !places.isEmpty || elements.isEmpty else {
      throw .malformedAnswer(detail: "no element has a name and a coordinate")
    }
    return ranked(places, near: query.bias).prefix(query.limit).map(GeocodeCandidate.init)
  }

  /// In the order of the answer, but for neighbours that it finds equally important.
  private static func ranked(_ places: [NominatimPlace], near bias: Coordinate?) -> [NominatimPlace] {
    guard let bias else { return places }
    var rest = places[...]
    var ranked: [NominatimPlace] = []
    while let first = rest.first {
      let equals = rest.prefix { first.ranksEqually(with: $0) }
      rest = rest.dropFirst(max(1, equals.count))
      guard equals.count > 1 else {
        ranked.append(first)
        continue
      }
      ranked += equals.sorted { $0.coordinate.distance(to: bias) < $1.coordinate.distance(to: bias) }
    }
    return ranked
  }

  /// One bad element must not spoil the others.
  private struct Element: Decodable {
    let place: NominatimPlace?

    init(from decoder: any Decoder) throws {
      place = try? NominatimPlace(from: decoder)
    }
  }
}

extension NominatimPlace {
  fileprivate func ranksEqually(with other: NominatimPlace) -> Bool {
    guard let importance, let otherImportance = other.importance else { return false }
    return importance == otherImportance && rank == other.rank
  }
}

extension GeocodeCandidate {
  fileprivate init(_ place: NominatimPlace) {
    self.init(
      coordinate: place.coordinate,
      displayName: place.displayName.replacingControlCharacters.truncated(toUTF8Count: NominatimResponseBody.nameLimit),
      granularity: Location.Granularity(nominatimType: place.addressType, rank: place.rank) ?? .country,
      source: NominatimResponseBody.source,
      attribution: place.licence?.replacingControlCharacters.truncated(toUTF8Count: NominatimResponseBody.nameLimit)
        ?? NominatimResponseBody.attribution
    )
  }
}

extension String {
  /// The text with a space in the place of each control character.
  fileprivate var replacingControlCharacters: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
    let scalars = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The longest beginning that is not longer.
  fileprivate func truncated(toUTF8Count limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var cut = self
    while cut.utf8.count > limit { cut.removeLast() }
    return cut
  }
}

extension [UInt8] {
  fileprivate var isHTML: Bool {
    first { !(0x09...0x20).contains($0) } == UInt8(ascii: "<")
  }
}
