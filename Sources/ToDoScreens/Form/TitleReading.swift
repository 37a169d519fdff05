import ToDoModel
import ToDoText

/// The reading of a new item's title, as `todo add` reads its words.
struct TitleReading: Equatable, Sendable {
  private let source: Source
  /// The meaning of the title at the time when it was typed.
  let sentence: ItemSentence
  /// The reading that the user has chosen, if the date is ambiguous or past.
  private var chosen: ItemSentence.Alternative?

  /// The title, and which of its words are read: only those for fields that are empty.
  private struct Source: Equatable {
    let title: String
    let readsDue: Bool
    let readsPlace: Bool
    /// The names of the lists that the title can name.
    let lists: Set<String>

    init(_ texts: FormTexts, _ lists: Set<String>) {
      title = texts[.title].text.oneLine
      self.lists = lists
      (readsDue, readsPlace) = (texts[.due].isBlank, texts[.place].isBlank)
    }
  }

  /// - Parameter lists: the names of the lists that the title can name.
  init(_ texts: FormTexts, lists: Set<String>, _ environment: ScreenEnvironment) {
    source = Source(texts, lists)
    sentence = environment.sentences.read(
      source.title, at: environment.now, lists: lists, readsDue: source.readsDue, readsPlace: source.readsPlace)
  }

  /// Whether the texts are those that were read, with the same lists.
  func isReading(of texts: FormTexts, lists: Set<String>) -> Bool { source == Source(texts, lists) }

  /// The words that are neither the due date nor the place.
  var title: String { chosen?.title ?? sentence.title }
  var due: DueDate? { chosen == nil ? sentence.due : chosen?.due }
  /// The repetition in the chosen reading; `nil` if the item does not repeat.
  var repetition: Repetition? { chosen == nil ? sentence.repetition : chosen?.repetition }
  /// The place's name, or its coordinate as it was typed.
  var place: String? { sentence.place }
  /// The list's name.
  var list: String? { sentence.list }
  /// The title and the words that name the list, which no field of the form contains.
  var titleWithList: String { list == nil ? title : "\(title) \(sentence.listWords)" }
  /// The coordinate, if the place is one.
  var coordinate: Coordinate? { place.flatMap { Coordinate($0) } }

  /// A remark about the reading for the user; `nil` if the user has chosen the reading.
  var notice: String? { chosen == nil ? sentence.notice : nil }

  /// Returns the due date, the place, the tags, the priority and the list as texts.
  ///
  /// - Parameter place: the known part of the place.
  func facts(_ place: TitlePlace?, in zone: any TimeZoneRules) -> [String] {
    let placeText = place?.summary ?? self.place?.escapingControls()
    return [due?.absoluteText(in: zone), repetition?.rule.words(in: zone), placeText.map { "at \($0)" }].compactMap(
      \.self)
      + TagText.facts(sentence.tags, sentence.priority)
      + [list.map { "in '\($0.escapingControls())'" }].compactMap(\.self)
  }

  /// Returns a form with the place, the tags and the priority that were read, and with the title that is left. A priority in the
  /// form stays.
  func completing(_ form: EditForm) -> EditForm {
    let (tags, priority) = (sentence.tags, sentence.priority)
    guard due != nil || place != nil || chosen != nil || !tags.isEmpty || priority != nil || list != nil else {
      return form
    }
    var form = form
    if !tags.isEmpty { form[.tags] = ([form[.tags]] + tags).filter { !$0.isEmpty }.joined(separator: " ") }
    if let priority, form[.priority].isEmpty { form[.priority] = priority.rawValue }
    form[.title] = title
    if let place { form[coordinate == nil ? .place : .coordinate] = place }
    return form
  }
}

// MARK: - The choice of a reading

extension TitleReading {
  /// The maximum number of readings to choose from, each with a digit.
  private static let choiceLimit = 9

  /// The readings from which the user must choose: the last keeps the words in the title. Empty if there is no choice.
  var choices: [ItemSentence.Alternative] {
    guard chosen == nil, !sentence.alternatives.isEmpty else { return [] }
    let dates = sentence.alternatives.prefix(Self.choiceLimit - 1)
    return dates + [ItemSentence.Alternative(title: sentence.title, due: nil)]
  }

  /// The reason for the choice, in one sentence.
  var problem: String {
    sentence.isPast ? "The date is in the past." : "The days or times don't combine."
  }

  /// Takes one of the choices.
  mutating func choose(_ choice: ItemSentence.Alternative) { chosen = choice }
}

// MARK: - Drawing

extension TitleReading {
  /// Returns the title and the facts in lines of limited width, as many in a line as fit. Facts are never cut off.
  /// Empty if the reading says no more than the title.
  func lines(_ place: TitlePlace?, width: Int, in zone: any TimeZoneRules) -> [String] {
    let facts = facts(place, in: zone)
    guard !facts.isEmpty else { return [] }
    var lines = ["→ \(title.escapingControls())"]
    for fact in facts {
      let longer = "\(lines[lines.count - 1]) · \(fact)"
      if longer.displayWidth <= width {
        lines[lines.count - 1] = longer
      } else {
        lines += fact.wrapped(toWidth: width - 2).map { "  \($0)" }
      }
    }
    return lines
  }
}
