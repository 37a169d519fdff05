/// A recurrence rule of RFC 5545, without the parts that a to-do list has no use for (`FREQ=HOURLY` and shorter, `BYHOUR`,
/// `BYSETPOS`, `BYWEEKNO`, `BYYEARDAY`).
public struct RecurrenceRule: Hashable, Sendable {
  /// The unit of a rule's interval.
  @nonexhaustive
  public enum Frequency: String, CaseIterable, Sendable {
    case daily, weekly, monthly, yearly
  }

  /// A weekday, in a month or a year with the number of its occurrence.
  public struct Weekday: Hashable, Sendable {
    /// The day of the week; 0 is Monday.
    public var day: Int
    /// The number in the month or year: 1 is the first, -1 the last. 0 for each such day.
    public var ordinal: Int

    /// Creates a day of the week.
    public init(_ day: Int, ordinal: Int = 0) {
      self.day = day
      self.ordinal = ordinal
    }
  }

  /// The end of a rule.
  @nonexhaustive
  public enum End: Hashable, Sendable {
    /// After this number of occurrences.
    case count(Int)
    /// With the last occurrence that is not later.
    case until(DueDate)
  }

  /// `FREQ`.
  public var frequency: Frequency
  /// `INTERVAL`, in 1...`Limits.interval`.
  public var interval: Int
  /// `BYDAY`, ordered by day, then by ordinal.
  public var weekdays: [Weekday]
  /// `BYMONTHDAY`, in ascending order: 1...31, or -31...-1 from the end of the month.
  public var monthDays: [Int]
  /// `BYMONTH`, in ascending order: 1...12.
  public var months: [Int]
  /// `COUNT` or `UNTIL`; `nil` for a rule without an end.
  public var end: End?
  /// `WKST`: the first day of the week; 0 is Monday.
  public var weekStart: Int
  /// Whether a day that a month does not have stands for the month's last day (`SKIP=BACKWARD` of RFC 7529), instead of
  /// being skipped.
  public var clampsMonthDays: Bool

  /// Creates a rule. The initializer does not validate it; the service does.
  public init(
    _ frequency: Frequency, interval: Int = 1, weekdays: [Weekday] = [], monthDays: [Int] = [], months: [Int] = [],
    end: End? = nil, weekStart: Int = 0, clampsMonthDays: Bool = false
  ) {
    self.frequency = frequency
    self.interval = interval
    self.weekdays = weekdays
    self.monthDays = monthDays
    self.months = months
    self.end = end
    self.weekStart = weekStart
    self.clampsMonthDays = clampsMonthDays
  }

  /// The limits of a rule's numbers.
  public enum Limits {
    /// The maximum interval.
    public static let interval = 999
    /// The maximum number of occurrences.
    public static let count = 9999
    /// The maximum size of a rule's text, in bytes.
    public static let text = 512
    /// The maximum number of elements of `weekdays`.
    public static let weekdays = 64
  }
}
