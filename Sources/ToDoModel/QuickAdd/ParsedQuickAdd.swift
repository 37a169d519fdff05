/// The item that a sentence describes, with the parts of the text that set its fields.
public struct ParsedQuickAdd: Equatable, Sendable {
  /// A field that a sentence sets.
  @nonexhaustive
  public enum Field: CaseIterable, Sendable {
    /// The due date and the repetition.
    case due
    case place, tag, priority, list
  }

  /// A part of the text that sets a field.
  public struct Span: Equatable, Sendable {
    /// The field.
    public let field: Field
    /// The part in UTF-16 code units of the text.
    public let range: Range<Int>

    /// Creates a part.
    public init(_ field: Field, _ range: Range<Int>) {
      self.field = field
      self.range = range
    }
  }

  /// The item: its title, due date, repetition, place, tags and priority. The place is a coordinate, or a name as it was written.
  public var content: ItemContent
  /// The name of the item's list, one of `QuickAddSentence.lists`; `nil` if the sentence names none.
  public var list: String?
  /// The parts of the text that are not the title, in their order.
  public var spans: [Span]
  /// The fields that were read besides the title, in words.
  public var facts: [String]
  /// A remark about the reading for the writer, in one sentence; `nil` if there is none.
  public var notice: String?
  /// The possible items if the sentence's dates don't combine or are past, one for each date that may be meant.
  public var alternatives: [ItemContent]

  /// Creates a value.
  public init(
    _ content: ItemContent, list: String? = nil, spans: [Span] = [], facts: [String] = [], notice: String? = nil,
    alternatives: [ItemContent] = []
  ) {
    self.content = content
    self.list = list
    self.spans = spans
    self.facts = facts
    self.notice = notice
    self.alternatives = alternatives
  }
}

/// Reads sentences about items.
public protocol QuickAddService: Sendable {
  /// Returns the item that a sentence describes, without adding it.
  ///
  /// - Throws: `ToDoError.invalidRequest` if the sentence is blank, exceeds a limit, or its time zone is unknown.
  func parseQuickAdd(_ sentence: QuickAddSentence) async throws -> ParsedQuickAdd
}
