/// An item's repetition: its rule, and the state of its occurrences.
///
/// Checking an item that repeats adds a done item for the occurrence, and moves the item on to the next one.
public struct Repetition: Hashable, Sendable {
  /// The rule by which the occurrences follow each other.
  @nonexhaustive
  public enum Rule: Hashable, Sendable {
    /// Days or times of a calendar. The item has a due date.
    case calendar(RecurrenceRule)
    /// A time after the item was done.
    case afterDone(Interval)
  }

  /// A number of days, weeks, months or years.
  public struct Interval: Hashable, Sendable {
    /// The number of units, in 1...`RecurrenceRule.Limits.interval`.
    public var count: Int
    /// The unit.
    public var unit: RecurrenceRule.Frequency

    /// Creates an interval.
    public init(_ count: Int, _ unit: RecurrenceRule.Frequency) {
      self.count = count
      self.unit = unit
    }
  }

  /// The rule.
  public var rule: Rule
  /// The name of the IANA time zone in which days begin and times are local, such as `Europe/Berlin`. Empty for UTC.
  public var timeZone: String
  /// The due date from which `rule` counts its intervals and occurrences. The service sets it to the item's due date if it
  /// is `nil`.
  public var start: DueDate?
  /// The number of occurrences that have passed without being checked or skipped.
  public var missedCount: Int
  /// The due date that a calendar rule gave to the present occurrence, while the item is due at another. The service sets it when
  /// only the due date is edited, and clears it when the item moves on: the next occurrence is the first one after it.
  public var occurrence: DueDate?

  /// Creates a repetition.
  public init(
    _ rule: Rule, timeZone: String = "", start: DueDate? = nil, missedCount: Int = 0, occurrence: DueDate? = nil
  ) {
    self.rule = rule
    self.timeZone = timeZone
    self.start = start
    self.missedCount = missedCount
    self.occurrence = occurrence
  }
}
