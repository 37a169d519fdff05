#if Nominatim
import FoundationEssentials
import ToDoModel

/// One place of a Nominatim response to `/search?format=jsonv2`, with the fields that are used.
///
/// Only the coordinate and the name are required, because servers omit different fields.
struct NominatimPlace: Decodable {
  let coordinate: Coordinate
  let displayName: String
  let licence: String?
  /// The address component that the place is, for example "road" or "city".
  let addressType: String?
  /// The rank, from 2 for a continent to 30 for a house.
  let rank: Int?
  /// The importance, from 0 to 1.
  let importance: Double?

  private enum CodingKeys: String, CodingKey {
    case latitude = "lat"
    case longitude = "lon"
    case displayName = "display_name"
    case addressType = "addresstype"
    case rank = "place_rank"
    case licence, importance
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try Self.degrees(in: container, .latitude)
    let longitude = try Self.degrees(in: container, .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: container, debugDescription: "not a valid coordinate")
    }
    self.coordinate = coordinate
    displayName = try container.decode(String.self, forKey: .displayName)
    licence = try? container.decode(String.self, forKey: .licence)
    addressType = try? container.decode(String.self, forKey: .addressType)
    rank = try? container.decode(Int.self, forKey: .rank)
    importance = try? container.decode(Double.self, forKey: .importance)
  }

  /// Decodes degrees. Nominatim encodes them as strings, compatible servers also as numbers.
  private static func degrees(
    in container: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
  ) throws -> Double {
    if let number = try? container.decode(Double.self, forKey: key) { return number }
    guard let number = Double(try container.decode(String.self, forKey: key)) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "not a number")
    }
    return number
  }
}

extension Location.Granularity {
  /// Creates the granularity of a place from its address type or, if that is unknown, from its rank. Returns `nil` if
  /// both are unknown.
  init?(nominatimType type: String?, rank: Int?) {
    if let known = type.flatMap({ Self.byType[$0] }) {
      self = known
      return
    }
    switch rank {
    case .some(1...4): self = .country
    case .some(5...12): self = .region
    case .some(13...25): self = .locality
    case .some(26...27): self = .street
    case .some(28...30): self = .house
    default: return nil
    }
  }

  private static let byType: [String: Location.Granularity] = {
    let types: [Location.Granularity: [String]] = [
      .country: ["continent", "country"],
      .region: ["region", "state", "state_district", "province", "county"],
      .locality: [
        "municipality", "city", "town", "village", "hamlet", "isolated_dwelling", "borough", "city_district",
        "district",
        "suburb", "quarter", "neighbourhood", "subdivision", "postcode", "island", "islet",
      ],
      .street: ["road", "street", "square"],
      .house: ["house", "house_number", "house_name", "building", "amenity", "shop", "office", "tourism"],
    ]
    return Dictionary(uniqueKeysWithValues: types.flatMap { kind, names in names.map { ($0, kind) } })
  }()
}
#endif
