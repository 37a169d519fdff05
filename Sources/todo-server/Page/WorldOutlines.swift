#if HTTP
import NIOCore
import ToDoHTTPTransport
import ToDoModel
import ToDoText

/// The coastlines and borders of the world, for the page's maps.
enum WorldOutlines {
  /// The outlines' endpoint, as JSON: `{"unitsPerDegree": 100, "coasts": [LINE...], "borders": [LINE...]}`. A line is an array of
  /// longitudes and latitudes in turns, of which the first are absolute, and each other is the difference from the point before.
  static var endpoint: StaticEndpoint {
    StaticEndpoint(path: "/page/world.json", contentType: "application/json") { json() }
  }

  private static func json() -> ByteBuffer {
    // The data is a part of the program.
    let lines = (try? MapData.world()) ?? []
    func text(_ kind: MapLine.Kind) -> String {
      lines.filter { $0.kind == kind }.map { "[\(differences($0).map(String.init).joined(separator: ","))]" }
        .joined(separator: ",")
    }
    return ByteBuffer(
      string: #"{"unitsPerDegree":\#(unitsPerDegree),"coasts":[\#(text(.coast))],"borders":[\#(text(.border))]}"#)
  }

  /// The precision of the data.
  private static let unitsPerDegree = 100

  private static func differences(_ line: MapLine) -> [Int] {
    var (differences, previous): ([Int], (Int, Int)) = ([], (0, 0))
    for point in line.points {
      let current = (units(point.longitude), units(point.latitude))
      differences += [current.0 - previous.0, current.1 - previous.1]
      previous = current
    }
    return differences
  }

  private static func units(_ degrees: Double) -> Int { Int((degrees * Double(unitsPerDegree)).rounded()) }
}
#endif
