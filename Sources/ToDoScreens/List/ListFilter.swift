import ToDoModel
import ToDoText

/// The filter of the list as the user typed it.
package struct ListFilter: Equatable, Sendable {
  /// As in `ItemQuery.text`.
  var text = ""
  /// A value of `DueFilterParser`. Values such as "today" depend on the time.
  var due = ""
  /// As in `ItemFilter.place`.
  var place = ""
  /// The text of a `MarkFilter`.
  var marks = ""
  /// As in `ItemFilter.excludedText`. Only the command line can set it.
  var excludedText = ""
  /// Filters of which an item must pass at least one, without alternatives of their own. Only the command line can set them.
  var alternatives: [ListFilter] = []
  /// Filters of which an item must pass none, without alternatives or exclusions of their own. Only the command line can set them.
  var exclusions: [ListFilter] = []

  /// Creates a filter. An empty text filters nothing.
  package init(
    text: String = "", due: String = "", place: String = "", marks: String = "", excludedText: String = "",
    alternatives: [ListFilter] = [], exclusions: [ListFilter] = []
  ) {
    (self.text, self.due, self.place, self.marks) = (text, due, place, marks)
    (self.excludedText, self.alternatives, self.exclusions) = (excludedText, alternatives, exclusions)
  }

  /// Whether no filter is set.
  var isEmpty: Bool { self == ListFilter() }

  /// Returns the filter of the service at the current time, without the text. Values that are invalid filter nothing.
  func itemFilter(_ dates: DueDateParser) -> ItemFilter {
    let marks = (try? MarkFilter(parsing: marks)) ?? MarkFilter()
    let parts = { (filters: [ListFilter]) in
      filters.map { part in
        var filter = part.itemFilter(dates)
        filter.text = part.text
        return filter
      }
    }
    return ItemFilter(
      due: dueDates(dates), place: place, tags: marks.tags, priorities: marks.priorities, excludedText: excludedText,
      alternatives: parts(alternatives), exclusions: parts(exclusions))
  }

  private func dueDates(_ dates: DueDateParser) -> DueFilter? {
    due.isEmpty ? nil : try? DueFilterParser(dates: dates).parse(due)
  }

  /// Returns the matcher for the items to show, or `nil` if all items are shown.
  ///
  /// - Parameters:
  ///   - filter: the result of `itemFilter(_:)` at the current time.
  ///   - wait: whether items that wait are shown.
  func matcher(_ filter: ItemFilter, wait: WaitFilter?, by search: ItemSearch) -> ItemMatcher? {
    var filter = filter
    filter.wait = wait
    return text.isEmpty && filter.isEmpty ? nil : ItemMatcher(text: text, filter: filter, by: search)
  }

  /// Returns a message if a due filter or marks are invalid.
  func problem(_ dates: DueDateParser) -> String? {
    do { _ = try MarkFilter(parsing: marks) } catch { return error.description }
    guard due.isEmpty || dueDates(dates) != nil else {
      return "'\(due.escapingControls())' is not a due date to filter by; use \(DueFilterParser.acceptedForms)"
    }
    return (alternatives + exclusions).lazy.compactMap { $0.problem(dates) }.first
  }

  /// Whether every item that matches this filter also matches an earlier one.
  func narrows(_ earlier: ListFilter) -> Bool {
    var other = earlier
    other.text = text
    guard self == other, !earlier.text.isEmpty, text.hasPrefix(earlier.text) else { return false }
    // A mark after a text belongs to its last character, which the earlier text does not match.
    let next = text.unicodeScalars.dropFirst(earlier.text.unicodeScalars.count).first
    return next.map { $0.isASCII || $0.properties.generalCategory.isLetterOrNumber } ?? true
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isLetterOrNumber: Bool {
    switch self {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: true
    default: false
    }
  }
}
