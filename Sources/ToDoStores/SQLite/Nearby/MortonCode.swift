import ToDoModel

/// A point of the Earth as one number, such that what is near it has, for the most part, numbers near its own.
///
/// The Earth is cut into 2^31 equal parts of latitude and as many of longitude, about 1 cm and 2 cm wide. The numbers of the
/// two parts, bit by bit in turn, longitude first, are the code (a Z-order, or Morton, code): all that lies in a square of
/// the halved, quartered, ... Earth is one range of codes.
///
/// Codes are stored, and `Migration.placeCodes` computes the same ones with the same steps: neither is ever changed alone.
struct MortonCode: Equatable, Sendable {
  /// Not negative.
  let number: Int64

  init(number: Int64) {
    self.number = number
  }

  init(_ coordinate: Coordinate) {
    number = Int64(Self.spread(Self.row(coordinate.latitude)) | Self.spread(Self.column(coordinate.longitude)) << 1)
  }

  /// The centre of what has this code. A point is less than `precision` away from that of its own.
  var center: Coordinate {
    let bits = UInt64(bitPattern: number)
    let (row, column) = (Self.gather(bits), Self.gather(bits >> 1))
    let center = Coordinate(
      latitude: (Double(row) + 0.5) / Double(Self.partCount) * 180 - 90,
      longitude: (Double(column) + 0.5) / Double(Self.partCount) * 360 - 180)
    guard let center else { preconditionFailure("every part is within the degrees") }
    return center
  }

  /// In metres. Most of it is what rounding makes of the distance between points on opposite sides of the Earth.
  static let precision = 1.0

  /// How many parts the latitudes have, and the longitudes: 31 bits of each.
  static let partCount: UInt64 = 1 << 31

  /// The number of the part that a latitude is in. A greater latitude never has a smaller number.
  static func row(_ latitude: Double) -> UInt64 { part((latitude + 90) / 180) }

  /// The number of the part that a longitude is in. A greater longitude never has a smaller number.
  static func column(_ longitude: Double) -> UInt64 { part((longitude + 180) / 360) }

  private static func part(_ fraction: Double) -> UInt64 {
    min(UInt64(max(0, fraction * Double(partCount))), partCount - 1)
  }

  /// Moves bit n of 31 to bit 2n.
  private static func spread(_ bits: UInt64) -> UInt64 {
    var bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  /// Moves bit 2n to bit n, and forgets the odd ones.
  private static func gather(_ bits: UInt64) -> UInt64 {
    var bits = bits & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits >> 16) & 0x0000_0000_7FFF_FFFF
  }
}
