#if Nominatim
import FoundationEssentials
import ToDoModel
import ToDoRules

/// The parser of a Nominatim response's body.
enum NominatimResponseBody {
  /// The source of the candidates.
  static let source = "nominatim"

  /// The attribution of candidates whose response contains none.
  static let attribution = "Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright"

  /// The maximum length of names and attributions, in bytes of UTF-8; longer ones are truncated. Clients reject names and
  /// attributions that are longer, or that contain control characters.
  static let nameLimit = 1024

  /// The maximum number of elements that are read: more than a server returns, and few enough if all are invalid.
  static let elementLimit = 100

  /// Parses the body of a response. Elements after the first `elementLimit` are ignored. Elements without a name or a valid
  /// coordinate are skipped.
  ///
  /// - Throws: `GeocoderError.malformedResponse` if the body is not a JSON array, or all its elements were skipped.
  static func candidates(in body: [UInt8], for query: GeocodeQuery) throws(GeocoderError) -> [GeocodeCandidate] {
    let elements: [Element]
    do { elements = try JSONDecoder().decode(Elements.self, from: Data(body)).first } catch {
      throw .malformedResponse(
        detail: body.isHTML ? "the response is HTML" : "the response is not a JSON array of places")
    }
    let places = elements.compactMap(\.place)
    guard !places.isEmpty || elements.isEmpty else {
      throw .malformedResponse(detail: "no place in the response has a name and a valid coordinate")
    }
    return ranked(places, near: query.bias).prefix(query.limit).map(GeocodeCandidate.init)
  }

  /// Returns the places in the order of the response, except that consecutive places of equal importance and rank are
  /// ordered by their distance from the bias.
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

  /// The first elements of the array.
  private struct Elements: Decodable {
    private(set) var first: [Element] = []

    init(from decoder: any Decoder) throws {
      var array = try decoder.unkeyedContainer()
      while !array.isAtEnd, first.count < NominatimResponseBody.elementLimit {
        first.append(try array.decode(Element.self))
      }
    }
  }

  /// An element of the array, whose place is `nil` if the element is invalid, so that the other elements are still used.
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
      displayName: place.displayName.replacingControlCharacters.truncated(
        toUTF8Count: NominatimResponseBody.nameLimit),
      granularity: Location.Granularity(nominatimType: place.addressType, rank: place.rank) ?? .country,
      source: NominatimResponseBody.source,
      attribution: place.licence?.replacingControlCharacters.truncated(toUTF8Count: NominatimResponseBody.nameLimit)
        ?? NominatimResponseBody.attribution
    )
  }
}

extension String {
  /// The text with each control character replaced by a space.
  fileprivate var replacingControlCharacters: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    let scalars = unicodeScalars.map { $0.isControl ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension [UInt8] {
  fileprivate var isHTML: Bool {
    first { !(0x09...0x20).contains($0) } == UInt8(ascii: "<")
  }
}
#endif
