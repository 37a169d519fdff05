import ToDoModel

extension Session {
  /// Prints an item that something was done to, in the form that the options ask for.
  ///
  /// - Parameter done: what was done, for people, as in "Added".
  func printItem(_ item: ToDoItem, done: String, _ prefixes: ShortestPrefixes) throws {
    if options.json {
      try print(JSONValue(item).indentedText)
    } else {
      try printLine(item, done: done, prefixes)
    }
  }

  /// Prints the id, or what was done to the item on one line for people.
  func printLine(_ item: ToDoItem, done: String, _ prefixes: ShortestPrefixes) throws {
    try print(
      options.quiet ? item.id.description : "\(done) \(palette.id(prefixes[item.id])): \(summary(of: item))")
  }

  /// Title, due date and place: `Buy milk, due Fri 2026-05-01 17:00 CEST, at Corner shop`.
  func summary(of item: ToDoItem) -> String {
    let due = item.due.map { ["due \($0.absoluteText(in: zone))"] } ?? []
    let place = item.location.map { ["at \($0.label.escapingControls())"] } ?? []
    return ([item.title.escapingControls()] + due + place).joined(separator: ", ")
  }

  /// Changes the items that the ids name, and prints them: one as itself, several as an array in JSON.
  ///
  /// - Parameter done: what was done, for people.
  /// - Throws: as `forEachItem` does.
  func changeItems(
    _ ids: [String], done: String, _ change: (any ToDoService, ItemID) async throws -> ToDoItem
  ) async throws {
    try await withService { service in
      let outcome = try await forEachItem(ids, in: service) { item, prefixes in
        let changed = try await change(service, item.id)
        if !options.json { try printLine(changed, done: done, prefixes) }
        return changed
      }
      if options.json {
        let items = outcome.values.map(JSONValue.init)
        try print((ids.count == 1 ? items[0] : .array(items)).indentedText)
      }
      try outcome.finish()
    }
  }
}
