package import ToDoModel

/// Creates the rule by which a service matches items with a text and a filter, as in `ItemQuery`.
package typealias ItemSearch = @Sendable (String, ItemFilter) -> @Sendable (ToDoItem) -> Bool

/// A text and a filter that match items by the rules of a service.
package struct ItemMatcher: Equatable, Sendable {
  private let text: String
  private let filter: ItemFilter
  private let rule: @Sendable (ToDoItem) -> Bool

  /// Creates a matcher.
  ///
  /// - Parameters:
  ///   - text: as in `ItemQuery.text`.
  ///   - filter: as in `ItemQuery.filter`.
  ///   - search: the rules of the service.
  package init(text: String = "", filter: ItemFilter = ItemFilter(), by search: ItemSearch) {
    (self.text, self.filter, rule) = (text, filter, search(text, filter))
  }

  /// Whether an item contains the text and passes the filter.
  package func matches(_ item: ToDoItem) -> Bool { rule(item) }

  package static func == (left: ItemMatcher, right: ItemMatcher) -> Bool {
    left.text == right.text && left.filter == right.filter
  }
}
