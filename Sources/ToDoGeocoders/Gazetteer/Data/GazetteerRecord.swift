import ToDoModel

/// A place, region or country of the gazetteer.
///
/// ```text
/// latitude  longitude  weight  name  region  country  0
/// 4         4          4       4     2       1        1   bytes
/// ```
///
/// Latitude and longitude are signed integers in units of 1e-7 degrees.
struct GazetteerRecord {
  static let size = 20

  enum Kind {
    case place, region, country
  }

  let kind: Kind
  let coordinate: Coordinate
  /// The likelihood that an address means this record: a place's population, and a part of that of a
  /// region or country.
  let weight: Int
  /// The reference of the name in the pool.
  let name: UInt32
  /// The index of the region; 0 if it is unknown.
  let region: Int
  /// The country's index. For a country, its own index or the index of the country that it belongs to.
  let country: Int

  init?(at offset: Int, in section: GazetteerSection, kind: Kind) {
    let latitude = Double(section.number(at: offset, as: Int32.self)) / 1e7
    let longitude = Double(section.number(at: offset + 4, as: Int32.self)) / 1e7
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    self.kind = kind
    self.coordinate = coordinate
    weight = section.integer(at: offset + 8)
    name = section.number(at: offset + 12)
    region = Int(section.number(at: offset + 16, as: UInt16.self))
    country = Int(section.byte(at: offset + 18))
  }
}
