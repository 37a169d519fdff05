import ToDoModel

/// The reading of a new item's title, as `todo add` reads its words.
struct FormReading: Equatable, Sendable {
  private let source: Source
  /// The meaning of the title at the time when it was typed.
  let sentence: ItemSentence

  /// The title, and which of its words are read: only those for fields that are empty.
  private struct Source: Equatable {
    let title: String
    let readsDue: Bool
    let readsPlace: Bool

    init(_ texts: FormTexts) {
      title = texts[.title].text.oneLine
      (readsDue, readsPlace) = (texts[.due].isBlank, texts[.place].isBlank)
    }
  }

  init(_ texts: FormTexts, _ environment: ScreenEnvironment) {
    source = Source(texts)
    sentence = environment.sentences.read(
      source.title, at: environment.now, readsDue: source.readsDue, readsPlace: source.readsPlace)
  }

  /// Whether the texts are those that were read.
  func isReading(of texts: FormTexts) -> Bool { source == Source(texts) }

  /// The due date and the place as texts.
  func facts(in zone: any TimeZoneRules) -> [String] {
    [
      sentence.due.map { $0.absoluteText(in: zone) }, sentence.place.map { "at \($0.escapingControls())" },
    ].compactMap(\.self)
  }

  /// Whether the place is a coordinate.
  var hasCoordinate: Bool { sentence.place.map { (try? Coordinate(argument: $0)) != nil } ?? false }

  /// Returns a form with the place that was read, and with the title that is left.
  func completing(_ form: EditForm) -> EditForm {
    guard sentence.due != nil || sentence.place != nil else { return form }
    var form = form
    form[.title] = sentence.title
    if let place = sentence.place { form[hasCoordinate ? .coordinate : .place] = place }
    return form
  }
}

extension FormScreen {
  /// Reads the title again if it has changed. Otherwise its days remain relative to the time when it was typed.
  mutating func updateReading(_ environment: ScreenEnvironment) { reading = currentReading(environment) }

  /// Returns the reading of a new item's title, or `nil` if the form edits an item or the title is empty.
  func currentReading(_ environment: ScreenEnvironment) -> FormReading? {
    guard case .newItem = target, !texts[.title].isBlank else { return nil }
    if let reading, reading.isReading(of: texts) { return reading }
    return FormReading(texts, environment)
  }
}
