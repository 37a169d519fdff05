import ToDoModel

/// The cache key of a query. Queries with equal keys share one cached result.
///
/// White space is normalized. A bias is rounded to hundredths of a degree, about a kilometer.
package struct GeocodeCacheKey: Hashable, Sendable {
  /// The encoded key.
  package let text: String

  /// Creates the key of a query.
  ///
  /// - Parameter scope: a name of the geocoder, which separates its results from those of other geocoders.
  init(_ query: GeocodeQuery, scope: String) {
    let bias = query.bias.map { "\(Self.hundredths($0.latitude)),\(Self.hundredths($0.longitude))" } ?? ""
    text = [scope, bias, query.address.collapsingWhitespace].joined(separator: "\n")
  }

  init(text: String) {
    self.text = text
  }

  private static func hundredths(_ degrees: Double) -> Int { Int((degrees * 100).rounded()) }
}
