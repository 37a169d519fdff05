public import ToDoModel

/// The texts and the alternatives of an `ItemFilter`.
public struct FilterCombination: Equatable, Sendable {
  private let text: TextFilter
  private let excludedText: TextFilter
  private let alternatives: [Alternative]

  /// An alternative, of which the text of the place is prepared for the search.
  fileprivate struct Alternative: Equatable, Sendable {
    let filter: ItemFilter
    let place: TextFilter
    let combination: FilterCombination?
  }

  /// Creates a combination, or returns `nil` if the filter has neither texts nor alternatives.
  public init?(_ filter: ItemFilter) {
    guard filter.isCombined else { return nil }
    text = TextFilter(filter.text)
    excludedText = TextFilter(filter.excludedText)
    alternatives = filter.alternatives.map {
      Alternative(filter: $0, place: TextFilter($0.place), combination: FilterCombination($0))
    }
  }

  /// Whether an item contains the words of the text, is not found by the excluded text, and passes one of the alternatives.
  public func includes(_ item: ToDoItem) -> Bool {
    text.matches(item.content) && (excludedText.isEmpty || !excludedText.matches(item.content))
      && (alternatives.isEmpty || alternatives.contains { (alternative: Alternative) in alternative.includes(item) })
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
