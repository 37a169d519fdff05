/// A field that a violation names, in the words of the command line and of the JSON output.
struct RequestField: Equatable {
  /// What the person wrote it with.
  let option: String
  /// Where it stands in the JSON of an item.
  let jsonPath: String

  /// - Parameter path: in the schema's names, as in `item.location.name`.
  init(_ path: String) {
    let known = Self.table.first { path == $0.path || path.hasPrefix($0.path + ".") }
    option = known?.option ?? path.escapingControls()
    jsonPath = known?.jsonPath ?? path
  }

  /// The longer of two paths with the same beginning comes first.
  private static let table: [(path: String, option: String, jsonPath: String)] = [
    ("item.title", "title", "title"),
    ("item.description", "--note", "description"),
    ("item.due_time", "--due", "dueTime"),
    ("item.due_date", "--due", "dueDate"),
    ("item.location.name", "--place", "location.name"),
    ("item.location.address", "--address", "location.address"),
    ("item.location.coordinate.latitude", "--at", "location.latitude"),
    ("item.location.coordinate.longitude", "--at", "location.longitude"),
    ("item.location.coordinate", "--at", "location"),
    ("item.location", "--place, --address or --at", "location"),
    ("text", "--search", "text"),
    ("address", "address", "address"),
    ("limit", "--limit", "limit"),
    ("radius_meters", "--within", "radiusMeters"),
  ]
}
