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

  /// Creates a filter. An empty text filters nothing.
  package init(text: String = "", due: String = "", place: String = "", marks: String = "") {
    (self.text, self.due, self.place, self.marks) = (text, due, place, marks)
  }

  /// Whether no filter is set.
  var isEmpty: Bool { text.isEmpty && due.isEmpty && place.isEmpty && marks.isEmpty }

  /// Returns the due dates to show at the current time, or `nil` for all of them.
  ///
  /// An invalid due filter is ignored.
  func dueDates(_ dates: DueDateParser) -> DueFilter? {
    due.isEmpty ? nil : try? DueFilterParser(dates: dates).parse(due)
  }

  /// Returns the matcher for the items to show, or `nil` if all items are shown.
  ///
  /// - Parameter wait: whether items that wait are shown.
  func matcher(_ dueDates: DueFilter?, wait: WaitFilter?, by search: ItemSearch) -> ItemMatcher? {
    // Invalid marks are ignored.
    let marks = (try? MarkFilter(parsing: marks)) ?? MarkFilter()
    let filter = ItemFilter(due: dueDates, place: place, tags: marks.tags, priorities: marks.priorities, wait: wait)
    return text.isEmpty && filter.isEmpty ? nil : ItemMatcher(text: text, filter: filter, by: search)
  }

  /// Returns a message if the due filter or the marks are invalid.
  func problem(_ dates: DueDateParser) -> String? {
    do { _ = try MarkFilter(parsing: marks) } catch { return error.description }
    guard !due.isEmpty, dueDates(dates) == nil else { return nil }
    return "'\(due.escapingControls())' is not a due date to filter by; use \(DueFilterParser.acceptedForms)"
  }

  /// Whether every item that matches this filter also matches an earlier one.
  func narrows(_ earlier: ListFilter) -> Bool {
    guard due == earlier.due, place == earlier.place, marks == earlier.marks, !earlier.text.isEmpty,
      text.hasPrefix(earlier.text)
    else {
      return false
    }
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
