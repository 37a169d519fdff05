import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo add`
struct AddCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.", usage: "todo add [<title> ...] [<options>]",
    discussion: """
      Several words are read as a sentence: a day and a time are the due date, and '@' begins a place, as in \
      'todo add Dinner tomorrow @Rossi 19:00'. '+errands' is a tag, and '--priority high' sets the priority; '#errands' and \
      '!', '!!' or '!!!' do the same, but a shell needs quotes around them. '/work' is the list, if you have one with this \
      name. If days or times don't combine, \
      you're asked which one you mean; in a script, they stay in the title. On a terminal, a title in quotes is read too. \
      Words after '--' are taken as they are.

      Without a title, asks for a sentence, which needs no quotes for the shell. With '-', reads standard input, in which \
      each line is the sentence of an item.

      <when> accepts:
      \(DueDateError.acceptedForms)

      '--remind' accepts:
      \(ReminderParser.acceptedForms)
      """)

  @Argument(help: "The title, or '-' for one item per line of standard input.")
  var title: [UserText] = []

  @OptionGroup var contentGroup: Rare<ContentOptions>

  @Option(help: ArgumentHelp("A step of the item's checklist. Can be repeated.", valueName: "text"))
  var step: [UserText] = []

  @Flag(help: "Add the item even if an identical incomplete item exists.")
  var allowDuplicate = false

  @Flag(help: "Print what would be saved, without saving it.")
  var dryRun = false

  @OptionGroup var global: GlobalOptions

  private var content: ContentOptions { contentGroup.options }

  func run(in session: Session) async throws {
    let fields = try AddedFields(content, steps: step, in: session)
    let readsPlace = content.place == nil && content.address == nil
    let reader = AddedTextReader(session: session, readsDue: fields.due == nil, readsPlace: readsPlace)
    let readsLines = title == [UserText("-")]
    let words = readsLines ? nil : try reader.words(title)
    // Without the name of a list, an error in the words is reported before a connection is opened.
    let text = try words.flatMap { $0.mayNameList ? nil : try reader.read($0) }
    if let text { try checkPlace(of: text) }
    try await session.withConnection(creatingList: !dryRun) { connection in
      var lists = AddedLists(connection, in: session)
      guard let words else { return try await addLines(reader, &lists, fields, in: session) }
      let read: AddedText
      if let text {
        read = text
      } else {
        read = try reader.read(words, lists: try await lists.names(for: words))
        try checkPlace(of: read)
      }
      let output = try await add(read, to: lists, fields, in: session)
      if session.options.json { try session.print(output.indentedText) }
      if !dryRun { try PrintedList.$current.withValue(lists.target(of: read).printed) { session.printUndoHint() } }
    }
  }

  private func checkPlace(of text: AddedText) throws(Failure) {
    if text.place != nil, content.near != nil, content.at?.coordinate != nil {
      throw .usage("'--near' has no effect beside '--at'; leave out one of them")
    }
    // A sentence that was asked for is not lost for an option.
    if text.place == nil, !title.isEmpty, content.near != nil, content.address == nil {
      throw .usage("'--near' needs '--address', or a place after '@' in the words")
    }
  }

  /// Saves an item in the list that its words name, as `add(_:_:in:)` does.
  private func add(
    _ text: AddedText, to lists: AddedLists, _ fields: AddedFields, in session: Session
  ) async throws -> JSONValue {
    let (service, printed) = try lists.target(of: text)
    let adder = ItemAdder(session, service, fields, allowingDuplicate: allowDuplicate)
    return try await PrintedList.$current.withValue(printed) { try await add(text, adder, in: session) }
  }

  /// Saves an item, or only prints it with `--dry-run`. Returns its JSON form, which is not printed.
  private func add(_ text: AddedText, _ adder: ItemAdder, in session: Session) async throws -> JSONValue {
    if dryRun {
      let (content, notices) = try await adder.preview(text)
      if !session.options.json, !session.options.quiet {
        let name = text.list ?? (session.list == nil ? nil : PrintedList.current?.list.name)
        let list = name.map { " to the list \($0.escapingControls())" } ?? ""
        try session.print("Would add\(list): \(session.summary(of: content))")
      }
      notices.forEach(session.printNotice)
      return JSONValue(content, notices: notices)
    }
    let (item, notices) = try await adder.add(text)
    if !session.options.json { try session.printLine(item, verb: "Added") }
    notices.forEach(session.printNotice)
    return JSONValue(item)
  }

  /// Adds an item for each line of standard input that is not blank. In JSON, the items are an array.
  ///
  /// - Throws: a failure that affects every item. Other failures are reported, and the highest status is thrown at the end.
  private func addLines(
    _ reader: AddedTextReader, _ lists: inout AddedLists, _ fields: AddedFields, in session: Session
  ) async throws {
    var (added, status) = ([JSONValue](), ExitStatus.success)
    while let line = session.context.terminal.readLine() {
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      do {
        let words = TypedWords(sentence: session.title(line))
        let text = try reader.read(words, lists: try await lists.names(for: words))
        added.append(try await add(text, to: lists, fields, in: session))
      } catch {
        if error is ExitStatus { throw error }
        let failure = Failure(error)
        guard failure.status < .unreachable else { throw failure }
        session.report(failure)
        status = max(status, failure.status)
      }
    }
    if session.options.json { try session.print(JSONValue.array(added).indentedText) }
    if status != .success { throw status }
  }
}
