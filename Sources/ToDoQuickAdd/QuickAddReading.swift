package import ToDoModel

/// The reading of a sentence that describes an item.
package struct QuickAddReading: Equatable, Sendable {
  /// The day or the time when an item is due, in local time.
  package enum Due: Equatable, Sendable {
    case day(CalendarDate)
    /// A time in minutes after midnight of the day.
    case time(CalendarDate, minutes: Int)
    /// A number of minutes after now.
    case fromNow(minutes: Int)
    /// A time in microseconds after midnight of the day, in a zone. Only a date that stands alone is read as one.
    case exact(CalendarDate, microseconds: Int64, Zone?)
  }

  /// The time zone of a time.
  package enum Zone: Equatable, Sendable {
    /// An offset from UTC in seconds, positive east of Greenwich.
    case offset(seconds: Int)
    /// An abbreviation such as `cest`, in lower case.
    case name(String)
  }

  /// A remark about the reading for the writer of the sentence.
  package enum Notice: Equatable, Sendable {
    /// The sentence has two days or two times that do not combine. No date is read.
    case ambiguous
    /// These words repeat in a way that no rule can express. No date is read.
    case unrepeatable(String, Unrepeatable)
    /// The day lies in the past. No date is read.
    case past
    /// The half of the day was assumed: `at 5` became 17:00.
    case hour
    /// The date is the first day of a span, such as a week.
    case span
    /// The sentence has too many words to look for a date or a place. All are the title.
    case long
    /// These words look like a date but are not one. No date is read.
    case unread(String)
    /// Several lists are named, but an item can be in only one. Their words stay in the title.
    case lists([String])
  }

  /// The reason why no rule can express a repetition.
  package enum Unrepeatable: Equatable, Sendable {
    /// It is shorter than a day: `every 6 hours`.
    case often
    /// It happens several times in a day, a week or a month: `twice a week`.
    case several
    /// It does not say when: `every now and then`.
    case vague
    /// It is not a whole number of days: `every 1.5 weeks`.
    case uneven
    /// A list of tasks cannot count such days: `every last weekday of the month`.
    case unsupported
    /// There are two repetitions: `every monday at 8 or every friday`.
    case conflict
    /// It ends in two ways: `5 times until march`.
    case ends
  }

  /// The part of the item that a word is read as.
  package enum Role: Equatable, Sendable {
    case title, date, place, tag, priority, list
  }

  /// A sentence's reading if one of its dates is meant.
  package struct Alternative: Equatable, Sendable {
    /// The words that are then left.
    package let title: String
    /// The date that is meant.
    package let due: Due
    /// The rule by which the item then repeats; `nil` if it does not.
    package let repetition: Repetition.Rule?
  }

  /// A word of the sentence, with its punctuation.
  package struct Word: Equatable, Sendable {
    /// The word as it was written.
    package let text: String
    /// The part of the item that the word is read as.
    package let role: Role
  }

  /// The words that are left, in their order.
  package let title: String
  /// The date; `nil` if there is none.
  package let due: Due?
  /// The rule by which the item repeats; `nil` if it does not. `due` is its first occurrence.
  package let repetition: Repetition.Rule?
  /// The place's name, or its coordinate as it was written.
  package let place: String?
  /// The tags, without their marks.
  package let tags: [String]
  /// The priority.
  package let priority: Priority?
  /// The list, as the user has named it; `nil` if none is named, or more than one.
  package let list: String?
  /// A remark about the reading for the writer; `nil` if there is none.
  package let notice: Notice?
  /// The readings from which the writer can choose, if the notice is `ambiguous` or `past`.
  package let alternatives: [Alternative]
  /// All words of the sentence.
  package let words: [Word]

  init(
    title: String, due: Due? = nil, repetition: Repetition.Rule? = nil, place: String? = nil, tags: [String] = [],
    priority: Priority? = nil, list: String? = nil, notice: Notice? = nil, alternatives: [Alternative] = [],
    words: [(String, Role)]
  ) {
    self.title = title
    self.due = due
    self.repetition = repetition
    self.place = place
    self.tags = tags
    self.priority = priority
    self.list = list
    self.notice = notice
    self.alternatives = alternatives
    self.words = words.map { Word(text: $0.0, role: $0.1) }
  }
}
