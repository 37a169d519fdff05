package import ToDoModel
import ToDoQuickAdd
package import ToDoRules
import ToDoText

/// Reads sentences about items as `todo add` does, at the time of the server's clock in the writer's time zone.
package struct QuickAddParser: Sendable {
  private let clock: any WallClock
  private let zones: any TimeZones

  /// Creates a parser.
  package init(clock: any WallClock = SystemWallClock(), zones: any TimeZones = TimeZoneFiles()) {
    self.clock = clock
    self.zones = zones
  }

  /// Returns the item that a sentence describes.
  ///
  /// - Throws: `ToDoError.invalidRequest`.
  func parse(_ sentence: QuickAddSentence) throws(ToDoError) -> ParsedQuickAdd {
    var violations = sentence.violations
    let zone = zones.rules(of: sentence.timeZone)
    if zone == nil { violations.append(FieldViolation("time_zone", "is not the name of a time zone")) }
    guard let zone, violations.isEmpty else { throw .invalidRequest(violations) }
    let now = clock.now()
    let reader = ItemSentenceReader(
      zone: zone, zoneName: sentence.timeZone, locale: Self.locale(of: sentence.languages))
    let read = reader.read(sentence.text, at: now, lists: Set(sentence.lists))
    let content = Self.content(of: read)
    return ParsedQuickAdd(
      content, list: read.list, spans: Self.spans(of: sentence.text, read.reading.words),
      facts: content.facts(today: zone.localTime(at: now).date ?? .epoch, in: zone), notice: read.notice,
      alternatives: read.alternatives.map { alternative in
        var content = content
        (content.title, content.due, content.repetition) = (alternative.title, alternative.due, alternative.repetition)
        return content
      })
  }

  private static func content(of read: ItemSentence) -> ItemContent {
    let location = read.place.map { place in
      Coordinate(place).map { Location(coordinate: $0) } ?? Location(name: place)
    }
    return ItemContent(
      title: read.title, due: read.due, location: location, tags: read.tags, priority: read.priority,
      repetition: read.repetition)
  }

  /// The languages whose words are read.
  private static let languages: Set<Substring> = ["de", "en", "es", "fr", "it"]

  /// Returns the locale of the first language that is read, or else the first one's.
  private static func locale(of languages: [String]) -> String {
    let language = languages.first { Self.languages.contains($0.prefix { $0 != "-" }) } ?? languages.first ?? ""
    return String(language.map { $0 == "-" ? "_" : $0 })
  }

  /// Returns the parts of a text that are not the title. Adjacent words for a date, a place or a list are one part.
  private static func spans(of text: String, _ words: [QuickAddReading.Word]) -> [ParsedQuickAdd.Span] {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == words.count else { return [] }
    var spans: [ParsedQuickAdd.Span] = []
    var (index, offset) = (text.startIndex, 0)
    var previous: ParsedQuickAdd.Field?
    for (part, word) in zip(parts, words) {
      offset += text.utf16.distance(from: index, to: part.startIndex)
      let end = offset + part.utf16.count
      let field = word.role.field
      if let field, field == previous, field.hasSeveralWords, let last = spans.popLast() {
        spans.append(ParsedQuickAdd.Span(field, last.range.lowerBound..<end))
      } else if let field {
        spans.append(ParsedQuickAdd.Span(field, offset..<end))
      }
      (index, offset, previous) = (part.endIndex, end, field)
    }
    return spans
  }
}

extension QuickAddReading.Role {
  /// The field that a word sets; `nil` for the title.
  fileprivate var field: ParsedQuickAdd.Field? {
    switch self {
    case .title: nil
    case .date: .due
    case .place: .place
    case .tag: .tag
    case .priority: .priority
    case .list: .list
    }
  }
}

extension ParsedQuickAdd.Field {
  /// Whether adjacent words set the field together.
  fileprivate var hasSeveralWords: Bool {
    switch self {
    case .due, .place, .list: true
    case .tag, .priority: false
    }
  }
}
