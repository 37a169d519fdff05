/// A field of an item that a change set.
public struct FieldChange: Equatable, Sendable {
  /// The field.
  public var field: Field
  /// The value before the change; `nil` if the field had none.
  public var from: Value?
  /// The value after the change; `nil` if the field has none.
  public var to: Value?

  /// Creates a change.
  public init(_ field: Field, from: Value?, to: Value?) {
    self.field = field
    self.from = from
    self.to = to
  }

  /// The fields that a change can set, in the order in which a change lists them.
  public enum Field: String, CaseIterable, Sendable {
    /// The title.
    case title
    /// The note.
    case itemDescription = "description"
    /// The due date.
    case due
    /// The name of the place.
    case placeName = "location.name"
    /// The address of the place.
    case address = "location.address"
    /// The coordinate of the place.
    case coordinate = "location.coordinate"
    /// The tags, as one text with spaces between them.
    case tags
    /// The priority, as a text.
    case priority
    /// The steps, as a text such as `3/7: [x] Pack`: the number of done ones, and the steps that differ.
    case steps
    /// The time until which the item waits.
    case waitUntil = "wait_time"
    /// How the item repeats, as a text such as `FREQ=DAILY Europe/Berlin` or `P3D`. If only the start or the missed count changed,
    /// they follow: `FREQ=DAILY Europe/Berlin from 2026-05-01, 2 missed`.
    case repetition
    /// The reminders with their states, as a text such as `PT1H; P1D 18:00 Europe/Berlin acknowledged 2026-05-01T16:00:00Z`.
    case reminders
    /// Whether the item is done.
    case done
  }

  /// The value of a field.
  public enum Value: Equatable, Sendable {
    /// A text of at most `textLimit` bytes of UTF-8, which can be an excerpt.
    case text(String)
    /// A due date, or the time until which the item waits.
    case due(DueDate)
    /// A coordinate.
    case coordinate(Coordinate)
    /// Whether the item is done.
    case done(Bool)
  }

  /// The maximum size of a text, in bytes of UTF-8.
  public static let textLimit = 128
}

extension FieldChange {
  /// Returns the fields in which two states of an item differ.
  ///
  /// Where one of two texts is longer than `textLimit`, both are excerpts that begin shortly before the first difference.
  /// An ellipsis replaces the rest.
  public static func differences(from former: ToDoItem, to item: ToDoItem) -> [FieldChange] {
    let (old, new) = (former.location, item.location)
    let changes = [
      text(.title, former.title, item.title),
      text(.itemDescription, former.itemDescription, item.itemDescription),
      value(.due, former.due.map(Value.due), item.due.map(Value.due)),
      text(.placeName, old?.name, new?.name),
      text(.address, old?.address, new?.address),
      value(.coordinate, old?.coordinate.map(Value.coordinate), new?.coordinate.map(Value.coordinate)),
      text(.tags, Tag.joined(former.tags), Tag.joined(item.tags)),
      text(.priority, former.priority?.rawValue, item.priority?.rawValue),
      steps(former.steps, item.steps),
      value(.waitUntil, former.waitUntil.map { .due(.time($0)) }, item.waitUntil.map { .due(.time($0)) }),
      repetition(former.repetition, item.repetition),
      reminders(former.reminders, item.reminders),
      value(.done, .done(former.isDone), .done(item.isDone)),
    ]
    return changes.compactMap(\.self)
  }

  /// Returns `nil` if two values without text are equal.
  private static func value(_ field: Field, _ from: Value?, _ to: Value?) -> FieldChange? {
    from == to ? nil : FieldChange(field, from: from, to: to)
  }

  private static func steps(_ from: [Step], _ to: [Step]) -> FieldChange? {
    let texts = Step.differences(from: from, to: to)
    return text(.steps, texts.from, texts.to)
  }

  private static func repetition(_ from: Repetition?, _ to: Repetition?) -> FieldChange? {
    guard let from, let to, from.summary == to.summary else { return text(.repetition, from?.summary, to?.summary) }
    return text(.repetition, from.details, to.details)
  }

  private static func reminders(_ from: [Reminder], _ to: [Reminder]) -> FieldChange? {
    from == to ? nil : text(.reminders, Reminder.summary(from), Reminder.summary(to))
  }

  /// Returns `nil` if two texts have the same bytes.
  private static func text(_ field: Field, _ from: String?, _ to: String?) -> FieldChange? {
    guard let from, let to else {
      guard from != nil || to != nil else { return nil }
      return FieldChange(
        field, from: from.map { .text(excerpt(of: $0, from: 0)) }, to: to.map { .text(excerpt(of: $0, from: 0)) })
    }
    guard !from.hasSameBytes(as: to) else { return nil }
    var start = 0
    if max(from.utf8.count, to.utf8.count) > textLimit {
      start = max(0, from.commonByteCount(with: to) - context)
    }
    return FieldChange(field, from: .text(excerpt(of: from, from: start)), to: .text(excerpt(of: to, from: start)))
  }

  /// The number of bytes before the first difference with which an excerpt begins.
  private static let context = 24
  private static let ellipsis = "…"

  /// Returns a text from a byte on, or from the start of the scalar that contains the byte.
  private static func excerpt(of text: String, from start: Int) -> String {
    let bytes = text.utf8
    var first = bytes.index(bytes.startIndex, offsetBy: start)
    while first > bytes.startIndex, bytes[first] & 0xC0 == 0x80 { first = bytes.index(before: first) }
    let rest = first == bytes.startIndex ? text : ellipsis + text[first...]
    guard rest.utf8.count > textLimit else { return rest }
    return rest.truncated(toUTF8Count: textLimit - ellipsis.utf8.count) + ellipsis
  }
}
