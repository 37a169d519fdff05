import ToDoGeocoders
import ToDoModel

/// The towns of the gazetteer, for maps.
struct GazetteerLabels: PlaceLabels {
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel] {
    // A map without names is better than none.
    guard let gazetteer = try? GazetteerGeocoder() else { return [] }
    return gazetteer.places(near: coordinate, within: distance, limit: limit).map {
      PlaceLabel(name: $0.name, coordinate: $0.coordinate, population: $0.population)
    }
  }
}
