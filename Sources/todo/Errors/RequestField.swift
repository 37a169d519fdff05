import ToDoModel

/// The command-line and JSON names of a request field that a violation refers to.
struct RequestField: Equatable {
  /// The argument or option that sets the field.
  let option: String
  /// The field's path in the JSON output.
  let jsonPath: String

  /// Creates a field's names. Unknown paths are used as they are.
  ///
  /// - Parameter path: a schema path, such as `item.location.name`.
  init(_ path: String) {
    let entry = Self.table.first { path == $0.path || path.hasPrefix($0.path + ".") || path.hasPrefix($0.path + "[") }
    option = entry?.option ?? path.escapingControls()
    jsonPath = entry?.jsonPath ?? path
  }

  /// The command-line and JSON names by schema path. A path comes before its prefixes, because the first match applies.
  private static let table = fields + others

  private static let fields: [(path: String, option: String, jsonPath: String)] = ItemField.all.compactMap { field in
    guard let option = field.option, let key = field.key else { return nil }
    return ("item.\(field.name.rawValue)", option, key)
  }

  private static let others: [(path: String, option: String, jsonPath: String)] = [
    ("item.due_time", "--due", "dueTime"),
    ("item.due_date", "--due", "dueDate"),
    ("item.location.name", "--place", "location.name"),
    ("item.location.address", "--address", "location.address"),
    ("item.location.coordinate.latitude", "--at", "location.latitude"),
    ("item.location.coordinate.longitude", "--at", "location.longitude"),
    ("item.location.coordinate", "--at", "location"),
    ("item.location", "--place, --address or --at", "location"),
    ("filter.tags.all", "--tag", "tags"),
    ("filter.tags.any", "--any-tag", "tags"),
    ("filter.tags.none", "--no-tag", "tags"),
    ("filter.any_of", "--or", "filter"),
    ("filter.none_of", "--not", "filter"),
    ("filter.no_text", "--no-text", "text"),
    ("list.name", "name", "name"),
    ("from", "<tag>", "from"),
    ("to", "<new-tag>", "to"),
    ("text", "--search", "text"),
    ("address", "address", "address"),
    ("limit", "--limit", "limit"),
    ("user", "<user>", "user"),
    ("target.url", "<url>", "url"),
    ("target.address", "<address>", "url"),
    ("target.secret", "--secret-file", "secret"),
    ("target.kind", "<kind>", "kind"),
    ("radius_meters", "--within", "radiusMeters"),
  ]
}
