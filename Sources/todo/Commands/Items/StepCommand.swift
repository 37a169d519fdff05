import ArgumentParser
import ToDoModel
import ToDoText

/// `todo step`
struct StepCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Show or change the steps of an item.",
    usage: """
      todo step <item>
      todo step <item> add <text> ...
      todo step <item> check <step> ...
      todo step <item> uncheck <step> ...
      todo step <item> edit <step> <text> ...
      todo step <item> remove <step> ...
      todo step <item> move <step> <position>
      """,
    discussion: """
      The steps of an item are its checklist, at most 100. <step> is the number of a step or a range such as 2-3. 'add' and \
      'edit' take all words as one step; 'add -' reads standard input, in which each line is a step.

      'todo add --step' adds an item with steps.
      """)

  @Argument(
    help: ArgumentHelp(
      "\(ItemReference.singleHelp) Then add, check, uncheck, edit, remove or move, with its arguments.",
      valueName: "item> ... <change"))
  var arguments: [UserText]

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let (item, change) = try split(in: session)
    try await session.withService { service in
      var resolver = ItemResolver(session, service, words: words)
      let found = try await resolver.item(item)
      guard let change else { return try show(found, in: session) }
      let changed = try await save(change, of: found, in: service)
      if changed.revision == found.revision {
        if session.options.json { return try session.print(JSONValue(changed).indentedText) }
        return try session.printUnchanged(found)
      }
      try session.printItem(changed, verb: "Edited")
      if !session.options.json, !session.options.quiet { try session.printLines(Self.lines(changed)) }
      session.printUndoHint()
    }
  }

  /// Returns the words that refer to the item, and the change after them.
  private func split(in session: Session) throws -> (item: [UserText], change: StepChange?) {
    guard
      let index = arguments.indices.dropFirst().first(where: {
        !arguments[$0].isLiteral && StepChange.names.contains(arguments[$0].text)
      })
    else { return (arguments, nil) }
    let texts = arguments[(index + 1)...].map(\.text)
    let item = Array(arguments[..<index])
    if arguments[index].text == "add", texts == ["-"] { return (item, .add(try steps(in: session))) }
    return (item, try StepChange(arguments[index].text, texts[...]))
  }

  /// Reads a step from each line of standard input that is not blank.
  private func steps(in session: Session) throws -> [String] {
    var steps: [String] = []
    while let line = session.context.terminal.readLine() {
      if line.contains(where: { !$0.isWhitespace }) { steps.append(line) }
    }
    guard !steps.isEmpty else { throw Failure.usage("the input has no step") }
    return steps
  }

  private func show(_ item: ToDoItem, in session: Session) throws {
    if session.options.json { return try session.print(JSONValue(item).indentedText) }
    if session.options.quiet { return try session.print(item.id.description) }
    guard !item.steps.isEmpty else {
      return session.printNotice(
        "\(item.shortReference) '\(item.title.escapingControls())' has no steps. Add one with: todo step \(item.shortReference) add 'Buy paint'"
      )
    }
    try session.print(
      StyledText("\(item.title.escapingControls()) (\(StepText.progress(item.steps)))", .heading))
    try session.printLines(Self.lines(item))
  }

  private static func lines(_ item: ToDoItem) -> [StyledText] {
    zip(StepText.numbered(item.steps), item.steps).map { StyledText("  \($0)", $1.isDone ? .faint : .plain) }
  }

  /// The number of times that a change is tried while the item changes elsewhere.
  private static let attempts = 5

  /// Saves a change. If the item has changed elsewhere, applies it again, unless it may then mean other steps.
  private func save(_ change: StepChange, of item: ToDoItem, in service: any ToDoService) async throws -> ToDoItem {
    var item = item
    for attempt in 1... {
      var edit = ItemEdit()
      edit.steps = try change.applied(to: item.steps)
      do {
        return try await service.updateItem(
          item.id, edit, ifRevision: item.revision, options: SaveOptions(allowsDuplicate: true))
      } catch let error as ToDoError {
        guard case .revisionMismatch = error, attempt < Self.attempts else { throw error }
        let current = try await service.item(item.id)
        guard change.isIndependent || current.steps == item.steps else {
          var failure = Failure(error)
          failure.message = "the steps of \(item.shortReference) have changed elsewhere; nothing was changed"
          failure.details = ["'todo step \(item.shortReference)' prints them."]
          throw failure
        }
        item = current
      }
    }
    return item
  }
}
