import Glibc

/// A scale bar with a round distance: `├───────┤ 50 km`.
struct ScaleBar: Equatable, Sendable {
  let text: String

  /// Creates a scale bar, or returns `nil` if the limit is too small or the distance is below one meter.
  ///
  /// - Parameters:
  ///   - kilometersPerColumn: the scale of the map, which must be positive.
  ///   - limit: the maximum length of the bar in columns.
  init?(kilometersPerColumn: Double, limit: Int) {
    let meters = kilometersPerColumn * 1000 * Double(limit)
    guard limit >= 3, meters >= 1, meters.isFinite else { return nil }
    let power = pow(10, log10(meters).rounded(.down))
    let digit = [5.0, 2, 1].first { $0 * power <= meters } ?? 1
    let columns = Int((digit * power / 1000 / kilometersPerColumn).rounded())
    text = "├" + String(repeating: "─", count: max(0, columns - 2)) + "┤ " + Self.name(of: digit * power)
  }

  private static func name(of meters: Double) -> String {
    guard meters >= 1000 else { return "\(Int(meters)) m" }
    let kilometers = String(Int(meters / 1000))
    return (kilometers.count > 3 ? kilometers.dropLast(3) + "," + kilometers.suffix(3) : kilometers[...]) + " km"
  }
}
