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

  /// The value of a field.
  @nonexhaustive
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
  /// If one of two texts is longer than `textLimit`, both are excerpts that begin shortly before the first difference.
  /// An ellipsis replaces the rest.
  public static func differences(from former: ToDoItem, to item: ToDoItem) -> [FieldChange] {
    ItemField.all.compactMap { field in
      switch field.states(former, item) {
      case .texts(let from, let to): text(field.name, from, to)
      case .values(let from, let to): from == to ? nil : FieldChange(field.name, from: from, to: to)
      }
    }
  }

  /// A field in two states of an item.
  enum States {
    /// Texts, which a change shortens to excerpts if they are long.
    case texts(String?, String?)
    /// Other values.
    case values(Value?, Value?)

    static func texts(of states: (from: String?, to: String?)) -> States { .texts(states.from, states.to) }
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
