import ToDoModel

extension Coordinate {
  /// The `geo` URI (RFC 5870) in WGS 84.
  package var geoURI: String {
    // Section 3.4.2: at a pole, the longitude should be 0.
    let isPole = Self.decimal(latitude.magnitude) == "90"
    return "geo:\(Self.decimal(latitude)),\(isPole ? "0" : Self.decimal(longitude))"
  }

  /// The URL of an OpenStreetMap page with a marker at the coordinate.
  package var openStreetMapURL: String {
    let (latitude, longitude) = (Self.decimal(latitude), Self.decimal(longitude))
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=15/\(latitude)/\(longitude)"
  }

  /// Returns degrees without an exponent, with seven decimal places, which is the precision of coordinates.
  private static func decimal(_ degrees: Double) -> String {
    let units = Int((degrees.magnitude * 1e7).rounded())
    let (whole, fraction) = units.quotientAndRemainder(dividingBy: 10_000_000)
    let sign = degrees < 0 && units > 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    // The added leading digit preserves zeros after the decimal point.
    let digits = String(fraction + 10_000_000).dropFirst()
    return "\(sign)\(whole).\(digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex))"
  }
}
