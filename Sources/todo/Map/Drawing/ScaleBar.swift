#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A line as long as a round distance is on a map, and the distance: `├───────┤ 50 km`.
struct ScaleBar: Equatable, Sendable {
  let text: String

  /// - Parameters:
  ///   - kilometersPerColumn: positive.
  ///   - limit: how many columns the line takes at most.
  /// - Returns: `nil` when the limit is too low for a line, or the distance too short for a name.
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
