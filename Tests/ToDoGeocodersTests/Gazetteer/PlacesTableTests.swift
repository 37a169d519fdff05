import Foundation
import Testing
import ToDoGeocoders
import ToDoModel
import ToDoTestSupport

/// Compares the gazetteer's results with well-known places in `places.tsv`.
@Suite(.unitTimeLimited) struct PlacesTableTests {
  /// The addresses in the table whose results are known to be wrong.
  static let knownMisses: Set<String> = [
    // Santos is a town in the state of São Paulo, and `StreetWords` does not contain "alameda".
    "Alameda Santos 200, São Paulo, Brasil",
    // "Frankfurt a.M." contains an unknown word, so Zeil is the only name that is a whole part.
    "Zeil 106, Frankfurt a.M.",
  ]

  @Test func candidates_whenAddressIsInTable_areWithin25Kilometres() async throws {
    let rows = try Self.rows()
    try #require(rows.count >= 100)
    let geocoder = try GazetteerGeocoder()
    var misses: Set<String> = []
    for row in rows {
      let best = try await geocoder.candidates(for: GeocodeQuery(address: row.address)).first
      if let best, best.coordinate.distance(to: row.place) <= 25_000 { continue }
      misses.insert(row.address)
      print("missed: \(row.address): \(best.map { "\($0.displayName), \($0.coordinate)" } ?? "nothing")")
    }
    #expect(misses == Self.knownMisses)
    #expect(misses.count * 100 <= rows.count * 3)
  }

  private static func rows() throws -> [(address: String, place: Coordinate)] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "places.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    return try lines.map { line in
      let fields = line.split(separator: "\t").map(String.init)
      try #require(fields.count == 3, "\(line)")
      let latitude = try #require(Double(fields[1]), "\(line)")
      let longitude = try #require(Double(fields[2]), "\(line)")
      return (fields[0], try #require(Coordinate(latitude: latitude, longitude: longitude), "\(line)"))
    }
  }
}
