package import ToDoModel

/// A point of the Earth as one number. Points that are near each other mostly have numbers that are near each other.
///
/// The latitudes and the longitudes are each divided into 2^31 equal parts, about 1 cm and 2 cm wide. The code interleaves the
/// bits of the two part numbers, longitude first (a Z-order, or Morton, code). Each cell of the repeatedly halved Earth is
/// one range of codes.
///
/// Codes are stored, and `Migration.placeCodes` computes the same codes with the same steps. Neither may change alone.
package struct MortonCode: Equatable, Sendable {
  /// The code, which is not negative.
  package let number: Int64

  /// Creates a code from its number.
  package init(number: Int64) {
    self.number = number
  }

  /// Creates the code of a point.
  package init(_ coordinate: Coordinate) {
    number = Int64(Self.spread(Self.row(coordinate.latitude)) | Self.spread(Self.column(coordinate.longitude)) << 1)
  }

  /// The center of the cell with this code. Every point of the cell is less than `precision` away from it.
  package var center: Coordinate {
    let bits = UInt64(bitPattern: number)
    let (row, column) = (Self.gather(bits), Self.gather(bits >> 1))
    let center = Coordinate(
      latitude: (Double(row) + 0.5) / Double(Self.partCount) * 180 - 90,
      longitude: (Double(column) + 0.5) / Double(Self.partCount) * 360 - 180)
    guard let center else { preconditionFailure("every part is within the degrees") }
    return center
  }

  /// The maximum error of a distance that is computed from codes, in metres. Most of it is the rounding error of distances
  /// between points on opposite sides of the Earth.
  package static let precision = 1.0

  /// The number of parts of the latitudes, and of the longitudes: 31 bits each.
  static let partCount: UInt64 = 1 << 31

  /// Returns the part of a latitude. The function is monotonic.
  static func row(_ latitude: Double) -> UInt64 { part((latitude + 90) / 180) }

  /// Returns the part of a longitude. The function is monotonic.
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

  /// Moves bit 2n to bit n, and discards the odd bits.
  private static func gather(_ bits: UInt64) -> UInt64 {
    var bits = bits & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits >> 16) & 0x0000_0000_7FFF_FFFF
  }
}
