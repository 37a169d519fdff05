import ToDoModel
import ToDoScreens
import ToDoText

extension Session {
  /// Prints a changed item in the format that the options select.
  ///
  /// - Parameter verb: the past tense of the operation, such as "Added".
  func printItem(_ item: ToDoItem, verb: String) throws {
    if options.json {
      try print(JSONValue(item).indentedText)
    } else {
      try printLine(item, verb: verb)
    }
  }

  /// Prints a changed item's ID with '--quiet', or one human-readable line otherwise.
  ///
  /// - Parameter text: the line's text about the item, or `nil` for its fields.
  func printLine(_ item: ToDoItem, verb: String, text: String? = nil) throws {
    if options.quiet { return try print(item.id.description) }
    try print(
      StyledText("\(verb) ") + StyledText(item.shortReference, .id) + StyledText(": \(text ?? summary(of: item))"))
  }

  /// Returns a title without leading and trailing blanks. Tabs and line breaks become blanks, with a notice.
  func title(_ text: String) -> String {
    let isBreak = { (character: Character) in character.isNewline || character == "\t" }
    var line = text
    if text.contains(where: isBreak) {
      line = text.split(omittingEmptySubsequences: false, whereSeparator: isBreak).joined(separator: " ")
      printNotice("Tabs and line breaks in the title became blanks.")
    }
    let end = line.lastIndex { !$0.isWhitespace }
    return end.map { String(line[...$0].drop(while: \.isWhitespace)) } ?? ""
  }

  /// Returns the title and the other fields that are set, such as `Buy milk · tomorrow, Fri 1 May, 17:00 · at Corner shop`.
  func summary(of item: ToDoItem) -> String { summary(of: item.content) }

  /// Returns the title and the other fields that are set, as `summary(of:)` does for an item.
  func summary(of item: ItemContent) -> String {
    ([item.title.escapingControls()] + item.facts(today: context.today, in: zone)).joined(separator: " · ")
  }

  /// Prints the command that undoes a change, if the user is at a terminal.
  func printUndoHint() {
    guard context.terminal.outputIsTerminal, context.terminal.errorIsTerminal else { return }
    printNotice(palette.encode(StyledText("Undo with 'todo undo\(PrintedList.option)'.", .faint)))
  }

  /// Changes the items that the arguments refer to, and prints them. In JSON, several items are an array.
  ///
  /// - Parameters:
  ///   - preferred: the state of the items that title words mean.
  ///   - deleted: whether the arguments refer to deleted items.
  ///   - words: the comparison of title words.
  ///   - verb: the past tense of the operation, such as "Added".
  ///   - reason: the reason why an item needs no change, such as "already done", or `nil` if it does. Such an item is not changed.
  ///   - text: the text to print about an item before and after its change, or `nil` for its fields.
  ///   - notice: a notice about an item before and after its change, or `nil` for nothing.
  /// - Throws: the errors of `forEachItem`.
  func changeItems(
    _ arguments: [UserText], preferring preferred: ItemState = .toDo, deleted: DeletedItems = .excluded,
    words: WordOptions, verb: String, unless reason: (ToDoItem) -> String? = { _ in nil },
    text: (ToDoItem, ToDoItem) -> String? = { _, _ in nil },
    notice: (ToDoItem, ToDoItem) -> String? = { _, _ in nil },
    _ change: (any ToDoService, ToDoItem) async throws -> ToDoItem
  ) async throws {
    try await withService { service in
      let outcome = try await forEachItem(
        arguments, preferring: preferred, deleted: deleted, words: words, in: service
      ) { item in
        guard let reason = reason(item) else {
          return try await changeItem(item, in: service, verb: verb, text: text, notice: notice, change)
        }
        try printUnchanged(item, reason)
        return item
      }
      try finish(outcome)
    }
  }

  /// Changes the items that match a query and do not wait, and prints them. In JSON, the items are an array.
  ///
  /// - Parameters:
  ///   - verb: the past tense of the operation, such as "Added".
  ///   - text: the text to print about an item before and after its change, or `nil` for its fields.
  ///   - notice: a notice about an item before and after its change, or `nil` for nothing.
  /// - Throws: the errors of `forEachItem`; any error of the service.
  func changeItems(
    matching query: ItemQuery, verb: String, text: (ToDoItem, ToDoItem) -> String? = { _, _ in nil },
    notice: (ToDoItem, ToDoItem) -> String? = { _, _ in nil },
    _ change: (any ToDoService, ToDoItem) async throws -> ToDoItem
  ) async throws {
    try await withService { service in
      // A server of an earlier version ignores the filter.
      let matcher = ItemMatcher(text: query.text, filter: query.filter)
      let now = clock.now()
      let items = try await service.allItems(query).items.filter { matcher.matches($0) && !$0.isWaiting(at: now) }
      if items.isEmpty { printNotice("No item matches.") }
      let outcome = try await forEachItem(of: items) {
        try await changeItem($0, in: service, verb: verb, text: text, notice: notice, change)
      }
      try finish(outcome)
    }
  }

  /// Changes an item, and prints it unless the format is JSON, in which `finish` prints all items together.
  private func changeItem(
    _ item: ToDoItem, in service: any ToDoService, verb: String, text: (ToDoItem, ToDoItem) -> String?,
    notice: (ToDoItem, ToDoItem) -> String?, _ change: (any ToDoService, ToDoItem) async throws -> ToDoItem
  ) async throws -> ToDoItem {
    let changed = try await change(service, item)
    if changed.revision == item.revision {
      try printUnchanged(item)
    } else if !options.json {
      try printLine(changed, verb: verb, text: text(item, changed))
    }
    notice(item, changed).map(printNotice)
    return changed
  }

  /// Prints that a change left an item as it was, as `printUnchanged(_:_:)` does.
  func printUnchanged(_ item: ToDoItem) throws { try printUnchanged(item, "as it was; nothing changed") }

  /// Prints the ID of an item that needs no change with '--quiet', or else a notice. `finish` prints it in JSON.
  func printUnchanged(_ item: ToDoItem, _ reason: String) throws {
    if options.quiet { try print(item.id.description) }
    printNotice("\(item.shortReference) '\(item.title.escapingControls())' is \(reason)")
  }

  /// Prints the changed items if the format is JSON. Then throws the highest status, unless every change succeeded.
  func finish(_ outcome: BatchOutcome<ToDoItem>) throws {
    if options.json {
      let items = outcome.values.map(JSONValue.init)
      try print((outcome.isSingle ? items[0] : .array(items)).indentedText)
    }
    try outcome.throwIfFailed()
  }
}
