/// A reminder of an item.
///
/// A client that reminds leases the reminder first: it snoozes it for a minute, in an edit that is bound to the item's revision. Of
/// several clients, one succeeds, and tells the user. Then it acknowledges the reminder, unless it was changed meanwhile. If the client
/// ends before that, the reminder is due again after the minute.
public struct Reminder: Hashable, Sendable {
  /// The event that triggers a reminder.
  @nonexhaustive
  public enum Trigger: Hashable, Sendable {
    /// A time. An item that repeats loses the reminder when it moves on.
    case time(Timestamp)
    /// A number of seconds before the due time, in 0...`Limits.seconds`. The item is due at a time.
    case before(seconds: Int)
    /// A time of day, relative to the due day. The item has a due date.
    case day(DayTrigger)
    /// Arriving at the item's place.
    case arriving
    /// Leaving the item's place.
    case leaving
  }

  /// A local time on the due day or on a day before it.
  public struct DayTrigger: Hashable, Sendable {
    /// The number of days before the due day, in 0...`Limits.days`.
    public var daysBefore: Int
    /// The time of day in minutes, in 0...1439.
    public var minuteOfDay: Int
    /// The name of the IANA time zone in which the time is local, such as `Europe/Berlin`. Empty for UTC.
    public var timeZone: String

    /// Creates a trigger.
    public init(daysBefore: Int, minuteOfDay: Int, timeZone: String = "") {
      self.daysBefore = daysBefore
      self.minuteOfDay = minuteOfDay
      self.timeZone = timeZone
    }
  }

  /// The event that triggers the reminder.
  public var trigger: Trigger
  /// The time for which the reminder was acknowledged last. It is due again if its time changes.
  public var acknowledged: Timestamp?
  /// The time at which the acknowledged reminder is due once more. Ignored once `acknowledged` is not the reminder's time.
  public var snoozedUntil: Timestamp?

  /// Creates a reminder.
  public init(_ trigger: Trigger, acknowledged: Timestamp? = nil, snoozedUntil: Timestamp? = nil) {
    self.trigger = trigger
    self.acknowledged = acknowledged
    self.snoozedUntil = snoozedUntil
  }

  /// The limits of triggers.
  public enum Limits {
    /// The maximum number of days before the due day.
    public static let days = 366
    /// The maximum number of seconds before the due time.
    public static let seconds = days * 86_400
  }

  /// The reminder's size, in bytes: a fixed amount, 8 for each time of its state, and the time zone in UTF-8.
  package var size: Int {
    let state = (acknowledged == nil ? 0 : 8) + (snoozedUntil == nil ? 0 : 8)
    guard case .day(let day) = trigger else { return Self.overhead + state }
    return Self.overhead + state + 1 + day.timeZone.utf8.count
  }

  /// The size of a reminder without state and time zone, in bytes.
  package static let overhead = 10

  /// The reminder as if the user had not been told about it.
  package var withoutState: Reminder { Reminder(trigger) }

  /// The reminder as it is in the next occurrence of an item: without its state, or `nil` if it was only for this one.
  var forNextOccurrence: Reminder? {
    if case .time = trigger { nil } else { withoutState }
  }
}

extension [Reminder] {
  /// Returns the reminders, each with the state of the one in `others` that has the same trigger.
  package func keepingStates(of others: [Reminder]) -> [Reminder] {
    map { reminder in others.first { $0.trigger == reminder.trigger } ?? reminder }
  }
}
