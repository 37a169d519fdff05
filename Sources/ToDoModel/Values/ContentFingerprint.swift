/// A 64-bit digest of what makes two items the same: title, description, due and location, but for a coordinate that a
/// geocoder found.
///
/// Equal contents share a fingerprint but for coordinates on either side of a cell's edge, so a look-up asks for
/// `matching(_:)`; contents that differ almost never share one, and whoever looks up compares the contents.
/// Stores keep fingerprints: another way of computing them needs a migration.
public struct ContentFingerprint: Hashable, Sendable {
  public let bits: UInt64

  public init(bits: UInt64) {
    self.bits = bits
  }

  /// The fingerprint that `content` is stored with.
  public init(of content: ItemContent) {
    self.init(of: content, cell: content.location?.givenCoordinate.map { Cell($0.latitude, $0.longitude) })
  }

  /// The fingerprints under which contents equal to `content` can be stored: one, or up to four when its coordinate
  /// lies at the edge of a cell.
  public static func matching(_ content: ItemContent) -> [ContentFingerprint] {
    guard let coordinate = content.location?.givenCoordinate else { return [ContentFingerprint(of: content)] }
    let reach = Coordinate.tolerance * 1.01
    var cells: [Cell] = []
    for latitude in [coordinate.latitude - reach, coordinate.latitude + reach] {
      for longitude in [coordinate.longitude - reach, coordinate.longitude + reach] {
        let cell = Cell(latitude, longitude)
        if !cells.contains(cell) { cells.append(cell) }
      }
    }
    return cells.map { ContentFingerprint(of: content, cell: $0) }
  }

  private init(of content: ItemContent, cell: Cell?) {
    var hash = FNV1a()
    hash.combine(content.title)
    hash.combine(content.itemDescription ?? "")
    switch content.due {
    case nil: hash.combine(0)
    case .time(let time):
      hash.combine(1)
      hash.combine(time.microseconds)
    case .date(let date):
      hash.combine(2)
      hash.combine(Int64(date.daysSinceEpoch))
    }
    hash.combine(content.location?.name ?? "")
    hash.combine(content.location?.address ?? "")
    if let cell {
      hash.combine(cell.latitude)
      hash.combine(cell.longitude)
    }
    bits = hash.value
  }

  /// A square of a millionth of a degree, ten times the tolerance of coordinates.
  private struct Cell: Equatable {
    let latitude: Int64
    let longitude: Int64

    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = Int64((latitude * 1e6).rounded(.down))
      self.longitude = Int64((longitude * 1e6).rounded(.down))
    }
  }
}
