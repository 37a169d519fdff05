import ToDoModel

extension Session {
  /// Prints a changed item in the format that the options select.
  ///
  /// - Parameter verb: the past tense of the operation, such as "Added".
  func printItem(_ item: ToDoItem, verb: String, _ prefixes: ShortestPrefixes) throws {
    if options.json {
      try print(JSONValue(item).indentedText)
    } else {
      try printLine(item, verb: verb, prefixes)
    }
  }

  /// Prints a changed item's ID with '--quiet', or one human-readable line otherwise.
  func printLine(_ item: ToDoItem, verb: String, _ prefixes: ShortestPrefixes) throws {
    try print(
      options.quiet ? item.id.description : "\(verb) \(palette.id(prefixes[item.id])): \(summary(of: item))")
  }

  /// Returns title, due date and place, such as `Buy milk, due Fri 2026-05-01 17:00 CEST, at Corner shop`.
  func summary(of item: ToDoItem) -> String {
    let due = item.due.map { ["due \($0.absoluteText(in: zone))"] } ?? []
    let place = item.location.map { ["at \($0.label.escapingControls())"] } ?? []
    return ([item.title.escapingControls()] + due + place).joined(separator: ", ")
  }

  /// Changes the items that the IDs refer to, and prints them. In JSON, several items are an array.
  ///
  /// - Parameter verb: the past tense of the operation, such as "Added".
  /// - Throws: the errors of `forEachItem`.
  func changeItems(
    _ ids: [String], verb: String, _ change: (any ToDoService, ItemID) async throws -> ToDoItem
  ) async throws {
    try await withService { service in
      let outcome = try await forEachItem(ids, in: service) { item, prefixes in
        let changed = try await change(service, item.id)
        if !options.json { try printLine(changed, verb: verb, prefixes) }
        return changed
      }
      if options.json {
        let items = outcome.values.map(JSONValue.init)
        try print((ids.count == 1 ? items[0] : .array(items)).indentedText)
      }
      try outcome.throwIfFailed()
    }
  }
}
