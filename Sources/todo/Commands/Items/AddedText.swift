import ToDoModel
import ToDoSupport
import ToDoText

/// The item that the words after `todo add` describe.
struct AddedText: Equatable {
  var title: String
  var due: DueDate?
  var repetition: Repetition?
  /// The words that are the due date and the repetition.
  var dateWords = ""
  var place: String?
  var tags: [String] = []
  var priority: Priority?
  /// The list's name.
  var list: String?
  /// A remark about the reading for the user, in one sentence; `nil` if there is none.
  var notice: String?
  /// Whether the words look like a date, but none was read.
  var lacksDate = false

  /// Returns the notice with a suggestion, after the item was saved.
  func notice(for item: ToDoItem) -> String? {
    notice.map { lacksDate ? "\($0) Set one with 'todo edit \(item.shortReference) --due'." : $0 }
  }
}

/// The words that a user typed after `todo add`, before they are read.
struct TypedWords: Equatable {
  /// The words to read; `nil` if they are the title as they are.
  var sentence: String?
  /// The words that belong to the title.
  var literal = ""

  /// Whether the words can name a list, such as `/work`.
  var mayNameList: Bool {
    sentence?.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix("/") && $0.count > 1 } == true
  }
}

/// Reads what a user types after `todo add`.
struct AddedTextReader {
  let session: Session
  /// Whether a due date is read. Otherwise its words stay in the title.
  let readsDue: Bool
  /// Whether a place is read. Otherwise its words stay in the title.
  let readsPlace: Bool

  /// Returns the words of arguments, or prompts for a sentence if there are none. Words after `--` belong to the title, and so
  /// does a single argument, unless the user is at a terminal.
  ///
  /// - Throws: as `prompt()`.
  func words(_ arguments: [UserText]) throws -> TypedWords {
    if arguments.isEmpty { return try prompt() }
    let words = arguments.prefix { !$0.isLiteral }.map(\.text)
    let literal = arguments.dropFirst(words.count).map(\.text)
    let terminal = session.context.terminal
    guard !words.isEmpty, arguments.count > 1 || (terminal.inputIsTerminal && terminal.outputIsTerminal) else {
      return TypedWords(sentence: nil, literal: session.title((words + literal).joined(separator: " ")))
    }
    return TypedWords(
      sentence: session.title(words.joined(separator: " ")), literal: literal.joined(separator: " "))
  }

  /// Reads words.
  ///
  /// - Parameter lists: the names of the lists that a sentence can name.
  /// - Throws: as `read(_:lists:)`.
  func read(_ words: TypedWords, lists: Set<String> = []) throws -> AddedText {
    guard let sentence = words.sentence else { return AddedText(title: words.literal) }
    var text = try read(sentence, lists: lists)
    if !words.literal.isEmpty { text.title = session.title(text.title + " " + words.literal) }
    return text
  }

  /// Prompts for a sentence.
  ///
  /// - Throws: `ExitStatus.failure` if the user enters none; `Failure` if the session cannot prompt.
  private func prompt() throws -> TypedWords {
    guard session.canPrompt else { throw Failure.usage("Missing expected argument '<title> ...'") }
    session.context.terminal.error("What do you want to do? (such as: Dinner tomorrow @Rossi 19:00) ")
    guard let line = session.context.terminal.readLine(), line.contains(where: { !$0.isWhitespace }) else {
      session.printNotice("Nothing was added.")
      throw ExitStatus.failure
    }
    return TypedWords(sentence: session.title(line))
  }

  /// Reads a sentence, which can name a list. If its date is ambiguous or past, asks which reading is meant.
  ///
  /// - Throws: `ExitStatus.failure` if the user chooses none, or the `Failure` of `Session.choose(_:from:)`.
  private func read(_ text: String, lists: Set<String>) throws -> AddedText {
    let zoneName = LocalZoneName(session.context.environment)
    let reader = ItemSentenceReader(
      zone: session.zone, zoneName: zoneName.name, environment: session.context.environment)
    let sentence = reader.read(
      text, at: session.clock.now(), lists: lists, readsDue: readsDue, readsPlace: readsPlace)
    if let choice = try choose(sentence) {
      return AddedText(
        title: choice.title, due: choice.due, repetition: choice.repetition, dateWords: text, place: sentence.place,
        tags: sentence.tags, priority: sentence.priority, list: sentence.list)
    }
    return AddedText(
      title: sentence.title, due: sentence.due, repetition: sentence.repetition,
      dateWords: sentence.dateWords,
      place: sentence.place,
      tags: sentence.tags, priority: sentence.priority, list: sentence.list,
      notice: sentence.notice ?? (sentence.repetition == nil ? nil : zoneName.notice),
      lacksDate: sentence.lacksDate)
  }

  /// Returns the reading that the user means, or `nil` if the words stay in the title. `--yes` confirms a date that is past.
  private func choose(_ sentence: ItemSentence) throws -> ItemSentence.Alternative? {
    guard let first = sentence.alternatives.first else { return nil }
    if session.options.yes, sentence.isPast { return first }
    guard session.canPrompt else { return nil }
    let choices = sentence.alternatives + [ItemSentence.Alternative(title: sentence.title, due: nil)]
    let width = String(choices.count).count
    let lines = choices.enumerated().map { index, choice in
      let summary = session.summary(
        of: ItemContent(title: choice.title, due: choice.due, repetition: choice.repetition))
      return String(index + 1).padded(toLeftWidth: width) + "  " + summary
        + (choice.due == nil ? " · no due date" : "")
    }
    let problem = sentence.isPast ? "The date is in the past" : "The days or times don't combine"
    return try session.choose(
      .usage(problem, reason: "AMBIGUOUS_DATE", details: lines),
      from: choices.enumerated().map { (String($0.offset + 1), $0.element) })
  }
}
