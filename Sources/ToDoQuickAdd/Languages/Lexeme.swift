import ToDoModel

/// A meaning that a word, or a few words, can have in a date or a time.
enum Lexeme: Equatable, Sendable {
  /// A day of the week; 0 is Monday.
  case weekday(Int)
  /// A month of the year, from 1.
  case month(Int)
  /// A number of days after today.
  case relative(Int)
  /// A part of a day beside a day or a time; with several words, also alone.
  case part(Part)
  /// A part of a day that stands alone: `abends`.
  case adverb(Part)
  /// A part of a day that is a number of days after today: `tonight`.
  case relativePart(Int, Part)
  /// A weekday with a part of the day: `Samstagabend`.
  case weekdayPart(Int, Part)
  /// A time in minutes after midnight: `noon`.
  case clock(Int)
  /// The end of a working day: `eod`.
  case endOfDay
  case number(Double)
  case unit(Unit)
  /// A position in a sequence: 1 is the first, 0 the last.
  case ordinal(Int)
  case span(Span)
  /// A day with a name: `Christmas`.
  case holiday(Holiday)
  /// A word before a holiday, but before no other day: `at`.
  case beforeHoliday
  /// A word before the number of a week: `KW`.
  case calendarWeek
  /// The last day of a span.
  case endOf(Span)

  case next, this, last, coming
  /// `after next`, before or after a day or a span.
  case afterNext
  /// A word before a month or a span that stands for a part of it: `end of`, `early`.
  case edge(Edge)
  case article, of
  /// Words before a date that another one replaces: `instead of`.
  case insteadOf
  /// A word before a duration: `in two weeks`.
  case ahead
  /// A word before a duration that ends a span of time: `within two weeks`.
  case within
  /// Words after a duration: `from now`.
  case fromNow
  /// Words after a duration that lie in the past: `ago`.
  case ago
  /// A word before a day: `on`, `by`.
  case beforeDay
  /// A word before a time: `at`, `by`.
  case beforeTime
  /// A word before a month that stands alone: `in`, `by`.
  case beforeMonth
  /// A word before a day that stands alone: `on`.
  case on
  /// A word before a time that stands alone: `at`.
  case at
  /// A word before the day or time at which a span ends, or after which it begins.
  case before, after
  /// A word between two ends of a span: `to`.
  case through
  /// A word before two ends of a span: `between`, and `from` before hours.
  case between, from
  /// A word between two alternatives: `and`.
  case and
  case am, pm, oClock
  /// A word after a time that says no more: `sharp`.
  case sharp
  /// Words after a day or a time that say no more: `at the latest`.
  case trailer
  /// Repeating parts of the day, after a weekday: `sunday nights`.
  case parts(Part)
  /// `half` before an hour that it follows (`half past 5`) or precedes (`halb 6`).
  case half, quarter, past, to
  /// Before an hour that it precedes by a quarter: `dreiviertel sechs`.
  case threeQuarters
  /// `every`, before a day, a unit or a number of units.
  case every
  /// `every other`, before a day or a unit.
  case everyOther
  /// `alternate`, before days or units in the plural.
  case alternate
  /// `daily`, with the number of units between two occurrences.
  case repeats(RecurrenceRule.Frequency, every: Int)
  /// A word before a repetition that says no more: `repeats`.
  case repeating
  /// A repetition that no rule can express: `hourly`, `every now and then`.
  case unrepeatable(QuickAddReading.Unrepeatable)
  /// Words after an interval that begins when something was done: `after completion`.
  case afterDone
  /// A number of times: `twice`, or `times` after a number.
  case count(Int), times
  /// A word between a number of times and a unit: `per`.
  case per
  /// A word before days that repeat, after a unit: `on` in `every month on the 1st`.
  case onDays
  /// Words after a day that is in a month, or in each: `of the month`, `of every month`.
  case ofMonth, ofEveryMonth
  /// Words after one day that mean every other one: `sur deux`.
  case outOfTwo
  /// A word before days on which something does not repeat: `except`.
  case except
  /// Words after a day that not all months have, which is then the last one: `or the last day`.
  case orLastDay
  /// A word before the first day, before the last day, and before the duration of a repetition.
  case starts, ends, lasting
  /// A word after the duration of a repetition: `lang`.
  case long
  /// Days of the week that repeat: `mondays`.
  case weekdays(Int)
  /// A day from Monday to Friday, after `every`.
  case workday
  /// All days from Monday to Friday, and those after them.
  case workdays, weekends
  /// A name or an idiom that is not a date, though it has its words: `good friday agreement`.
  case name
}

/// A part of a day, which stands for a time.
enum Part: Equatable, Sendable {
  case morning, noon, afternoon, evening, night

  /// The time in minutes after midnight.
  var minutes: Int {
    switch self {
    case .morning: 9 * 60
    case .noon: 12 * 60
    case .afternoon: 15 * 60
    case .evening: 18 * 60
    case .night: 20 * 60
    }
  }

  /// The minute after midnight at which it is over.
  var end: Int {
    switch self {
    case .morning: 12 * 60
    case .noon: 14 * 60
    case .afternoon: 18 * 60
    case .evening: 22 * 60
    case .night: 24 * 60
    }
  }

  /// Returns the time that an hour without `am` or `pm` means in this part of the day.
  func minutes(_ time: Int) -> Int {
    self == .morning || time >= 12 * 60 || (self == .night && time < 5 * 60) ? time : time + 12 * 60
  }
}

/// A unit of a duration.
enum Unit: Equatable, Sendable {
  case minute, quarterHour, halfHour, hour, day, week, fortnight, month, year
}

/// A part of a span of days.
enum Edge: Equatable, Sendable {
  case start, middle, late, end
}

/// A span of days.
enum Span: Equatable, Sendable {
  case week, weekend, month, year
}
