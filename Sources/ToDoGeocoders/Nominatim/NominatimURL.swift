#if Nominatim
import FoundationEssentials
import ToDoModel

/// The base URL of a Nominatim-compatible server: the scheme `http` or `https`, a host, an optional port and an optional
/// path prefix.
package struct NominatimURL: Hashable, Sendable, CustomStringConvertible {
  /// The URL without a trailing slash.
  package let description: String

  /// Parses a URL. Returns `nil` if the text is not such a URL, for example because it has user information or a query.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains(where: { "@?#,\"<>\\".contains($0) }),
      let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host(), !host.isEmpty, Self.hasValidPort(text, url)
    else { return nil }
    description = String(text.reversed().drop { $0 == "/" }.reversed())
  }

  /// Returns whether the URL has no port, or a port from 1 to 65,535.
  private static func hasValidPort(_ text: String, _ url: URL) -> Bool {
    if let port = url.port { return (1...65_535).contains(port) }
    // `URL.port` is `nil` both for a missing port and for one that is not a number.
    let authority = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    return !authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...].contains(":")
  }

  /// Returns the URL of a search request.
  func searchURL(for query: GeocodeQuery) -> String {
    let limit = min(query.limit, Self.maximumLimit)
    var url = "\(self)/search?q=\(Self.percentEncoded(query.address))&format=jsonv2&limit=\(limit)"
    if let bias = query.bias { url += "&viewbox=\(Self.box(around: bias))" }
    return url
  }

  /// The highest limit that Nominatim supports.
  private static let maximumLimit = 40

  /// Half the side length of the box with preferred places, in degrees.
  private static let boxRadius = 0.5

  /// Returns the west, south, east and north edges of a box. The box is clipped at the antimeridian and the poles, which
  /// suffices because the box is only a preference.
  private static func box(around center: Coordinate) -> String {
    let (west, east) = (max(center.longitude - boxRadius, -180), min(center.longitude + boxRadius, 180))
    let (south, north) = (max(center.latitude - boxRadius, -90), min(center.latitude + boxRadius, 90))
    return [west, south, east, north].map(decimal).joined(separator: ",")
  }

  /// Formats degrees with four decimal places and no exponent.
  private static func decimal(_ degrees: Double) -> String {
    let tenThousandths = Int((degrees * 10_000).rounded())
    let digits = String(tenThousandths.magnitude)
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "\(tenThousandths < 0 ? "-" : "")\(padded.dropLast(4)).\(padded.suffix(4))"
  }

  /// Percent-encodes all characters except the unreserved ones of RFC 3986.
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
#endif
