package import ToDoModel
package import ToDoText

/// Some towns, with coordinates to about a tenth of a degree.
package struct FakePlaceLabels: PlaceLabels {
  package var places = Self.towns.compactMap { name, latitude, longitude, population in
    Coordinate(latitude: latitude, longitude: longitude).map {
      PlaceLabel(name: name, coordinate: $0, population: population * 1000)
    }
  }

  package init() {}

  package init(places: [PlaceLabel]) {
    self.places = places
  }

  package func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel] {
    let projection = Projection(center: coordinate)
    let near = places.filter { projection.distance(to: $0.coordinate) <= distance }
    return Array(near.sorted { $0.population > $1.population }.prefix(limit))
  }

  /// The populations are in thousands.
  private static let towns: [(String, Double, Double, Int)] = [
    ("Munich", 48.14, 11.58, 1500), ("Augsburg", 48.37, 10.9, 300), ("Nuremberg", 49.45, 11.08, 520),
    ("Salzburg", 47.8, 13.05, 155), ("Innsbruck", 47.27, 11.39, 130), ("Regensburg", 49.02, 12.1, 150),
    ("Zürich", 47.37, 8.54, 430), ("Stuttgart", 48.78, 9.18, 630), ("Linz", 48.31, 14.29, 205),
    ("Plzeň", 49.75, 13.38, 175),
    ("Bolzano", 46.5, 11.35, 107), ("東京", 35.68, 139.69, 9700), ("横浜", 35.44, 139.64, 3700), ("静岡", 34.98, 138.38, 690),
    ("名古屋", 35.18, 136.91, 2300), ("仙台", 38.27, 140.87, 1090), ("水戸", 36.37, 140.47, 270), ("Suva", -18.14, 178.44, 93),
    ("Lautoka", -17.61, 177.45, 72), ("Labasa", -16.43, 179.36, 28), ("Reykjavik", 64.15, -21.94, 130),
    ("Akureyri", 65.68, -18.09, 19), ("Vík", 63.42, -19.01, 1), ("New York", 40.71, -74.01, 8300),
    ("Philadelphia", 39.95, -75.17, 1600), ("Boston", 42.36, -71.06, 650), ("Albany", 42.65, -73.75, 99),
    ("Hartford", 41.76, -72.68, 121), ("Baltimore", 39.29, -76.61, 585),
  ]
}
