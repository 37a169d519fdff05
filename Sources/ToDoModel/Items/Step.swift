/// A step of an item: a line of its checklist.
public struct Step: Hashable, Sendable {
  /// The text. It is required, not blank, and at most `ItemContent.Limits.step` bytes of UTF-8.
  public var text: String
  /// Whether the step is done.
  public var isDone: Bool

  /// Creates a step.
  public init(_ text: String, isDone: Bool = false) {
    self.text = text
    self.isDone = isDone
  }
}
