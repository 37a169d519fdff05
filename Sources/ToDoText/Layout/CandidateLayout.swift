package import ToDoModel

/// The candidates for an address, one per line:
///
///     Munich, Bavaria, Germany  locality  48.137,11.575  504 km
package struct CandidateLayout {
  let candidates: [GeocodeCandidate]
  /// The origin of the distances, or `nil` to omit them.
  let origin: Coordinate?

  /// Creates the layout of candidates.
  package init(candidates: [GeocodeCandidate], origin: Coordinate?) {
    (self.candidates, self.origin) = (candidates, origin)
  }

  /// Returns the lines with aligned columns.
  package var lines: [StyledText] {
    let rows = candidates.map { candidate in
      [
        candidate.displayName.escapingControls(), candidate.granularity.rawValue, candidate.coordinate.text,
        origin.map { candidate.coordinate.distance(to: $0).distanceText } ?? "",
      ]
    }
    let widths = (0..<4).map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    return rows.map { row in
      let cells = [
        StyledText(row[0].padded(toWidth: widths[0])), StyledText(row[1].padded(toWidth: widths[1]), .faint),
        StyledText(row[3].isEmpty ? row[2] : row[2].padded(toWidth: widths[2])), StyledText(row[3]),
      ]
      return cells.filter { !$0.text.isEmpty }.joined(separator: "  ")
    }
  }
}

extension Double {
  /// The rounded text of a distance in meters, such as `80 m`, `1.2 km` or `504 km`, or `?` if the value cannot be a distance
  /// on Earth.
  package var distanceText: String {
    guard (0...Self.maximumDistance).contains(self) else { return "?" }
    // Rounding comes first, so that 999.9 m is 1.0 km.
    let meters = rounded()
    if meters < 1_000 { return "\(Int(meters)) m" }
    let tenths = (meters / 100).rounded()
    if tenths < 100 { return "\(Int(tenths) / 10).\(Int(tenths) % 10) km" }
    return "\(Int((meters / 1_000).rounded())) km"
  }

  /// The rounded number of meters, or an empty text if the value cannot be a distance on Earth.
  package var metersText: String { (0...Self.maximumDistance).contains(self) ? "\(Int(rounded()))" : "" }

  /// More than half of the equator, in meters.
  private static let maximumDistance = 1e8
}
