import ToDoModel
import ToDoQuickAdd
import ToDoSupport
import ToDoText

/// What the words after `todo add` say about an item.
struct AddedText: Equatable {
  var title: String
  var due: DueDate?
  var repetition: Repetition?
  /// The words that are the due date and the repetition.
  var dateWords = ""
  var place: String?
  var tags: [String] = []
  var priority: Priority?
  /// What the user should know about the reading, in one sentence.
  var notice: String?
  /// Whether the words look like a date, but none was read.
  var lacksDate = false

  /// Returns the notice with what to do, after the item was saved.
  func notice(for item: ToDoItem) -> String? {
    notice.map { lacksDate ? "\($0) Set one with 'todo edit \(item.shortReference) --due'." : $0 }
  }
}

/// Reads what a user types after `todo add`.
struct AddedTextReader {
  let session: Session
  /// Whether a due date is read. Otherwise its words stay in the title.
  let readsDue: Bool
  /// Whether a place is read. Otherwise its words stay in the title.
  let readsPlace: Bool

  /// Reads arguments. Words after `--` belong to the title, and so does a single argument, unless the user is at a terminal.
  ///
  /// - Throws: as `read(_:)`.
  func read(_ arguments: [UserText]) throws -> AddedText {
    let words = arguments.prefix { !$0.isLiteral }.map(\.text)
    let literal = arguments.dropFirst(words.count).map(\.text)
    let terminal = session.context.terminal
    guard !words.isEmpty, arguments.count > 1 || (terminal.inputIsTerminal && terminal.outputIsTerminal) else {
      return AddedText(title: session.title((words + literal).joined(separator: " ")))
    }
    var text = try read(session.title(words.joined(separator: " ")))
    if !literal.isEmpty { text.title = session.title(([text.title] + literal).joined(separator: " ")) }
    return text
  }

  /// Prompts for a sentence, and reads it.
  ///
  /// - Throws: `ExitStatus.failure` if the user enters none; `Failure` if the session cannot prompt; as `read(_:)`.
  func prompt() throws -> AddedText {
    guard session.canPrompt else { throw Failure.usage("Missing expected argument '<title> ...'") }
    session.context.terminal.error("What do you want to do? (such as: Dinner tomorrow @Rossi 19:00) ")
    guard let line = session.context.terminal.readLine(), line.contains(where: { !$0.isWhitespace }) else {
      session.printNotice("Nothing was added.")
      throw ExitStatus.failure
    }
    return try read(session.title(line))
  }

  /// Reads a sentence. If its date is ambiguous or past, prompts for one of its readings.
  ///
  /// - Throws: `ExitStatus.failure` if the user chooses none, or the `Failure` of `Session.choose(_:from:)`.
  func read(_ text: String) throws -> AddedText {
    let zoneName = LocalZoneName(session.context.environment)
    let reader = ItemSentenceReader(
      zone: session.zone, zoneName: zoneName.name, environment: session.context.environment)
    let sentence = reader.read(text, at: session.clock.now(), readsDue: readsDue, readsPlace: readsPlace)
    if let choice = try choose(sentence) {
      return AddedText(
        title: choice.title, due: choice.due, repetition: choice.repetition, dateWords: text, place: sentence.place,
        tags: sentence.reading.tags, priority: sentence.reading.priority)
    }
    return AddedText(
      title: sentence.title, due: sentence.due, repetition: sentence.repetition,
      dateWords: sentence.reading.words.filter { $0.role == .date }.map(\.text).joined(separator: " "),
      place: sentence.place,
      tags: sentence.reading.tags, priority: sentence.reading.priority,
      notice: sentence.notice ?? (sentence.repetition == nil ? nil : zoneName.notice),
      lacksDate: sentence.lacksDate)
  }

  /// Returns the reading that the user means, or `nil` if the words stay in the title. `--yes` confirms a date that is past.
  private func choose(_ sentence: ItemSentence) throws -> ItemSentence.Alternative? {
    guard let first = sentence.alternatives.first else { return nil }
    if session.options.yes, sentence.reading.notice == .past { return first }
    guard session.canPrompt else { return nil }
    let choices = sentence.alternatives + [ItemSentence.Alternative(title: sentence.title, due: nil)]
    let width = String(choices.count).count
    let lines = choices.enumerated().map { index, choice in
      let summary = session.summary(
        of: ItemContent(title: choice.title, due: choice.due, repetition: choice.repetition))
      return String(index + 1).padded(toLeftWidth: width) + "  " + summary
        + (choice.due == nil ? " · no due date" : "")
    }
    let problem = sentence.reading.notice == .past ? "The date is in the past" : "The days or times don't combine"
    return try session.choose(
      .usage(problem, reason: "AMBIGUOUS_DATE", details: lines),
      from: choices.enumerated().map { (String($0.offset + 1), $0.element) })
  }
}
