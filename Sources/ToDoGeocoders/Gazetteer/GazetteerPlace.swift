package import ToDoModel
import ToDoRules

/// A town of the gazetteer, for display on a map.
package struct GazetteerPlace: Equatable, Sendable {
  /// The town's name.
  package let name: String
  /// The town's coordinate.
  package let coordinate: Coordinate
  /// The number of inhabitants.
  package let population: Int
}

extension GazetteerGeocoder {
  /// Returns the most populous towns in a circle, most populous first.
  ///
  /// - Parameters:
  ///   - center: the center of the circle.
  ///   - kilometers: the radius of the circle.
  ///   - limit: the maximum number of towns.
  package func places(near center: Coordinate, within kilometers: Double, limit: Int) -> [GazetteerPlace] {
    guard kilometers >= 0, limit > 0 else { return [] }
    let found = try? source.withFile { file in
      file.places(near: center, radius: kilometers * 1000).prefix(limit).map { record in
        GazetteerPlace(name: file.text(record.name), coordinate: record.coordinate, population: record.weight)
      }
    }
    // Reading cannot fail, because the initializer has already opened the data.
    return found ?? []
  }
}

extension GazetteerFile {
  /// Returns the places in a circle, most populous first. The radius is in meters.
  func places(near center: Coordinate, radius: Double) -> [GazetteerRecord] {
    var found: [GazetteerRecord] = []
    for box in CoordinateBox.boxes(around: center, radius: min(radius, Coordinate.maximumDistance)) {
      for range in GazetteerCells.ranges(in: box) {
        let first = cells.integer(at: range.lowerBound * 4)
        let end = min(cells.integer(at: (range.upperBound + 1) * 4), placeCount)
        guard first < end else { continue }
        for number in first..<end {
          guard let record = record(number), box.contains(record.coordinate),
            record.coordinate.distance(to: center) <= radius
          else { continue }
          found.append(record)
        }
      }
    }
    return found.sorted { $0.weight > $1.weight }
  }
}
