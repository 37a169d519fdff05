#if HTTP
import FoundationEssentials
import NIOCore
import ToDoGeocoders
import ToDoHTTPTransport
import ToDoModel

/// The largest towns of the world, for the page's maps.
enum WorldTowns {
  /// The endpoint of the towns, as JSON: `{"unitsPerDegree": 100, "towns": [[NAME, LATITUDE, LONGITUDE]...]}`, the largest first.
  static var endpoint: StaticEndpoint {
    StaticEndpoint(path: "/page/towns.json", contentType: "application/json") {
      // Without towns, the maps have no names.
      (try? JSONEncoder().encode(List(towns: largest().map(Town.init)))).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
    }
  }

  private static let count = 2000
  private static let unitsPerDegree = 100

  private static func largest() -> [GazetteerPlace] {
    guard let gazetteer = try? GazetteerGeocoder(), let origin = Coordinate(latitude: 0, longitude: 0) else {
      return []
    }
    return gazetteer.places(near: origin, within: Coordinate.maximumDistance / 1000, limit: count)
  }

  private struct List: Encodable {
    var unitsPerDegree = WorldTowns.unitsPerDegree
    let towns: [Town]
  }

  private struct Town: Encodable {
    let place: GazetteerPlace

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(place.name)
      for degrees in [place.coordinate.latitude, place.coordinate.longitude] {
        try container.encode(Int((degrees * Double(unitsPerDegree)).rounded()))
      }
    }
  }
}
#endif
