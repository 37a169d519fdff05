import ToDoGeocoders
import ToDoModel
import ToDoText

/// Town names from the built-in gazetteer.
struct GazetteerLabels: PlaceLabels {
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel] {
    // Without the gazetteer, the map has no names.
    guard let gazetteer = try? GazetteerGeocoder() else { return [] }
    return gazetteer.places(near: coordinate, within: distance, limit: limit).map {
      PlaceLabel(name: $0.name, coordinate: $0.coordinate, population: $0.population)
    }
  }
}
