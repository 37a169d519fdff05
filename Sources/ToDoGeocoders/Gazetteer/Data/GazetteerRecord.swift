import ToDoModel

/// A place, a region or a country, as the gazetteer has it.
///
/// ```text
/// latitude  longitude  weight  name  region  country  0
/// 4         4          4       4     2       1        1   bytes
/// ```
///
/// Latitude and longitude are signed, in units of 1e-7 degrees.
struct GazetteerRecord {
  static let size = 20

  enum Kind {
    case place, region, country
  }

  let kind: Kind
  let coordinate: Coordinate
  /// How likely it is to be meant: of a place its population, of regions and countries a part of it.
  let weight: Int
  /// The name, in the pool.
  let name: UInt32
  /// Which region it lies in; 0 when that is not known.
  let region: Int
  /// Which country it lies in: of a country itself, or the country that it belongs to.
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
