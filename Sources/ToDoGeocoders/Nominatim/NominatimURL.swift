import FoundationEssentials
import ToDoModel

/// Where a Nominatim-compatible server is: `http` or `https`, a host, a port if need be, and a path that all its
/// requests begin with.
package struct NominatimURL: Hashable, Sendable, CustomStringConvertible {
  /// Without a slash at the end.
  package let description: String

  /// `nil` for anything else, such as a user's name, a query or a host that is missing.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(where: { "@?#,\"<>\\".contains($0) }),
      let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host(), !host.isEmpty, Self.hasValidPort(text, url)
    else { return nil }
    description = String(text.reversed().drop { $0 == "/" }.reversed())
  }

  /// Whether there is no port, or one that can be connected to.
  private static func hasValidPort(_ text: String, _ url: URL) -> Bool {
    if let port = url.port { return (1...65_535).contains(port) }
    // `URL` says of a port that is no number what it says of none.
    let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    return !authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...].contains(":")
  }

  /// The request that asks a query.
  func searchURL(for query: GeocodeQuery) -> String {
    let limit = min(query.limit, Self.maximumLimit)
    var url = "\(self)/search?q=\(Self.percentEncoded(query.address))&format=jsonv2&limit=\(limit)"
    if let bias = query.bias { url += "&viewbox=\(Self.box(around: bias))" }
    return url
  }

  /// More than this Nominatim does not answer.
  private static let maximumLimit = 40

  /// How far the box of preferred places reaches from its middle, in degrees.
  private static let boxRadius = 0.5

  /// West, south, east and north; cut off at the antimeridian and at the poles, as a box is a preference only.
  private static func box(around center: Coordinate) -> String {
    let (west, east) = (max(center.longitude - boxRadius, -180), min(center.longitude + boxRadius, 180))
    let (south, north) = (max(center.latitude - boxRadius, -90), min(center.latitude + boxRadius, 90))
    return [west, south, east, north].map(decimal).joined(separator: ",")
  }

  /// With four digits after the point and no exponent.
  private static func decimal(_ degrees: Double) -> String {
    let tenThousandths = Int((degrees * 10_000).rounded())
    let digits = String(tenThousandths.magnitude)
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "\(tenThousandths < 0 ? "-" : "")\(padded.dropLast(4)).\(padded.suffix(4))"
  }

  /// Everything but the unreserved characters of RFC 3986 is encoded.
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
