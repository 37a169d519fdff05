public import ToDoModel

/// The texts, the alternatives and the exclusions of an `ItemFilter`.
public struct FilterCombination: Equatable, Sendable {
  private let text: TextFilter
  private let excludedText: TextFilter
  private let alternatives: [Alternative]
  private let exclusions: [Alternative]

  /// An alternative or an exclusion whose place text is prepared for the search.
  fileprivate struct Alternative: Equatable, Sendable {
    let filter: ItemFilter
    let place: TextFilter
    let combination: FilterCombination?

    init(_ filter: ItemFilter) {
      self.filter = filter
      (place, combination) = (TextFilter(filter.place), FilterCombination(filter))
    }
  }

  /// Creates a combination, or returns `nil` if the filter has none of them.
  public init?(_ filter: ItemFilter) {
    guard filter.isCombined else { return nil }
    text = TextFilter(filter.text)
    excludedText = TextFilter(filter.excludedText)
    alternatives = filter.alternatives.map(Alternative.init)
    exclusions = filter.exclusions.map(Alternative.init)
  }

  /// Whether an item contains the text's words, is not found by the excluded text, passes one of the alternatives, and none of
  /// the exclusions.
  public func includes(_ item: ToDoItem) -> Bool {
    var folded = FoldedItem()
    return includes(item, &folded)
  }

  /// Whether an item passes, as `includes(_:)` says.
  ///
  /// - Parameter folded: the item's texts.
  func includes(_ item: ToDoItem, _ folded: inout FoldedItem) -> Bool {
    guard folded.matches(text, item), excludedText.isEmpty || !folded.matches(excludedText, item) else { return false }
    func passes(_ alternative: Alternative) -> Bool { alternative.includes(item, &folded) }
    return (alternatives.isEmpty || alternatives.contains(where: passes)) && !exclusions.contains(where: passes)
  }
}

extension FilterCombination.Alternative {
  fileprivate func includes(_ item: ToDoItem, _ folded: inout FoldedItem) -> Bool {
    guard filter.includesMarks(of: item), folded.placeMatches(place, item) else { return false }
    return combination?.includes(item, &folded) ?? true
  }
}

extension ItemFilter {
  /// Whether an item passes the filters by due date, tags, priority and waiting.
  fileprivate func includesMarks(of item: ToDoItem) -> Bool {
    due.map { $0.includes(item.due) } != false && (tags.isEmpty || tags.includes(item.tags))
      && (priorities.isEmpty || priorities.contains(item.priority))
      && wait.map { $0.includes(item) } != false
  }
}
