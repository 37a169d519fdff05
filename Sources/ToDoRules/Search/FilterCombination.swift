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
    text.matches(item.content) && (excludedText.isEmpty || !excludedText.matches(item.content))
      && (alternatives.isEmpty || alternatives.contains { (alternative: Alternative) in alternative.includes(item) })
      && !exclusions.contains { (exclusion: Alternative) in exclusion.includes(item) }
  }
}

extension FilterCombination.Alternative {
  fileprivate func includes(_ item: ToDoItem) -> Bool {
    filter.includesMarks(of: item) && (place.isEmpty || place.matches(placeOf: item.content))
      && combination.map { $0.includes(item) } != false
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
