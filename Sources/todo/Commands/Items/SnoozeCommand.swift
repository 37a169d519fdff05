import ArgumentParser
import ToDoModel
import ToDoText

/// `todo snooze`
struct SnoozeCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: "Postpone items.",
    usage: """
      todo snooze <item> ... <when> [<options>]
      todo snooze --overdue <when> [<options>]
      """,
    discussion: """
      <when> is a date or time (see 'todo help add'), or a duration: 2d and 2h count from an item's due date, or from now \
      if that has passed or there is none; 'in 2d' always counts from now. If <when> is a day, an item that is due at a \
      time keeps that time, unless it has passed on that day.
      """,
    aliases: ["postpone"])

  @Argument(
    help: ArgumentHelp("\(ItemReference.help) The last words are the new date or time.", valueName: "item> ... <when"))
  var arguments: [UserText]

  @Flag(help: "Postpone all incomplete items that are overdue.") var overdue = false

  @Flag(help: "Postpone the items even if identical incomplete items exist.")
  var allowDuplicate = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let parser = session.dueDateParser
    let (items, text) = try split(with: parser)
    let postponement = Postponement(text: text, dates: parser)
    let postpone = { (service: any ToDoService, item: ToDoItem) in
      var edit = ItemEdit()
      edit.due = .set(try postponement.due(after: item.due))
      return try await session.save(edit, of: item.id, allowingDuplicate: allowDuplicate, in: service)
    }
    if overdue {
      // A time that has passed is wrong for every item.
      _ = try postponement.due(after: nil)
      let due = try DueFilterParser(dates: parser).parse("overdue")
      let query = ItemQuery(state: .toDo, filter: ItemFilter(due: due))
      try await session.changeItems(matching: query, verb: "Postponed", postpone)
    } else {
      try await session.changeItems(
        items, words: words, verb: "Postponed", unless: { $0.isDone ? "already done" : nil }, postpone)
    }
  }

  /// Returns the references to items, and the date or time after them: the last words, as many as have a meaning together.
  private func split(with parser: DueDateParser) throws -> (items: [UserText], when: String) {
    let texts = arguments.map(\.text)
    if overdue {
      let text = texts.joined(separator: " ")
      _ = try parser.parse(text)
      return ([], text)
    }
    guard let start = texts.indices.dropFirst().first(where: { Self.isDate(texts[$0...], parser) }) else {
      let last = texts.last ?? ""
      throw Failure.usage(
        "'\(last.escapingControls())' is not a date or time; specify one after the items, such as 2d, fri or 'tomorrow 17:00'"
      )
    }
    return (Array(arguments[..<start]), texts[start...].joined(separator: " "))
  }

  /// Whether words are a date or time, and the first is not more likely an item's number.
  private static func isDate(_ words: ArraySlice<String>, _ parser: DueDateParser) -> Bool {
    guard let first = words.first, (try? parser.parse(words.joined(separator: " "))) != nil else { return false }
    guard let reference = try? ItemReference.parse([UserText(first)]).first, case .numbers = reference else {
      return true
    }
    // 7 17:00 is item 7 at 17:00, and 28 nov is a day.
    let rest = words.dropFirst().joined(separator: " ")
    return !rest.isEmpty && (try? parser.parse(rest)) == nil
  }
}
