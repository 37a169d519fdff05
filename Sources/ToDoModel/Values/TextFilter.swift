/// Finds a text in an item's words, whatever the case.
public struct TextFilter: Equatable, Sendable {
  /// Lower case; empty matches everything.
  private let needle: String

  public init(_ text: String) {
    needle = text.lowercased()
  }

  public var isEmpty: Bool { needle.isEmpty }

  /// Whether the title, the description, the place's name or its address contains the text.
  public func matches(_ content: ItemContent) -> Bool {
    isEmpty
      || [content.title, content.itemDescription, content.location?.name, content.location?.address]
        .contains { $0?.lowercased().contains(needle) == true }
  }
}
