import ToDoModel

/// What look-ups have in common that have one answer.
///
/// White space makes no difference, nor do biases that are less than about a kilometre apart: they are rounded to
/// hundredths of a degree.
package struct GeocodeCacheKey: Hashable, Sendable {
  package let text: String

  /// - Parameter scope: whose answers these are, so that those of another server are not taken for them.
  init(_ query: GeocodeQuery, scope: String) {
    let bias = query.bias.map { "\(Self.hundredths($0.latitude)),\(Self.hundredths($0.longitude))" } ?? ""
    text = [scope, bias, query.address.collapsingWhitespace].joined(separator: "\n")
  }

  init(text: String) {
    self.text = text
  }

  private static func hundredths(_ degrees: Double) -> Int { Int((degrees * 100).rounded()) }
}
