import ArgumentParser
import ToDoModel
import ToDoRules

/// `todo check`
struct CheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Mark items as done.",
    usage: """
      todo check <item> ... [<options>]
      todo check <filters> [<options>]
      """,
    discussion: """
      Filters such as '--due', '--place' and '--tag' mark all incomplete items that match and don't wait. 'todo list --todo' \
      with the same options lists these items.

      An item that repeats moves on to its next occurrence, and the occurrence that you checked becomes a done item.
      """, aliases: ["done"])

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText] = []

  @OptionGroup var filterGroup: Rare<FilterOptions>

  @OptionGroup var alternativeGroup: Rare<AlternativeOptions>

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  private var filters: FilterOptions { filterGroup.options }
  private var alternatives: AlternativeOptions { alternativeGroup.options }

  func validate() throws {
    if !alternatives.groups.isEmpty && (!items.isEmpty || !isSelecting) {
      throw ValidationError("'--or' must be between two groups of filters")
    }
    if items.isEmpty && !isSelecting {
      throw ValidationError(
        "missing <item>; specify items, or select them with '--due', '--place', '--tag' or '--priority'")
    }
    if !items.isEmpty && isSelecting {
      throw ValidationError("<item> cannot be combined with '--due', '--place', '--tag' or '--priority'")
    }
    // An unset variable of a script must not mark every item.
    if let place = filters.placeText, TextFilter(place).isEmpty {
      throw ValidationError("'--place' has no words; specify words that the place's name or address contains")
    }
  }

  /// Whether there are filters before the first `--or`.
  private var isSelecting: Bool { !filters.isEmpty || alternatives.noText != nil || !alternatives.exclusions.isEmpty }

  func run(in session: Session) async throws {
    if items.isEmpty {
      filters.printNotice(in: session)
      let query = ItemQuery(state: .toDo, filter: try alternatives.combined(text: "", filters, in: session))
      try await session.changeItems(
        matching: query, verb: "Checked", text: session.nextText, notice: session.earlyCheck, Self.check)
    } else {
      try await session.changeItems(
        items, words: words, verb: "Checked", unless: { $0.isDone ? "already done" : nil }, text: session.nextText,
        notice: session.earlyCheck, Self.check)
    }
  }

  /// Checks an item at its revision, so that the client can repeat the call. If an item does not repeat, another change of it is no
  /// reason against it.
  private static func check(_ service: any ToDoService, _ item: ToDoItem) async throws -> ToDoItem {
    do {
      return try await service.checkItem(item.id, ifRevision: item.revision)
    } catch ToDoError.revisionMismatch where item.repetition == nil {
      let current = try await service.item(item.id)
      guard current.repetition == nil else { throw ToDoError.revisionMismatch(item.id, current: current.revision) }
      return try await service.checkItem(current.id, ifRevision: current.revision)
    }
  }
}
