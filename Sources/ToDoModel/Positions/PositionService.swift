/// Takes reports of one user's positions, and answers with the reminders that they trigger.
///
/// A service keeps no position: it compares a report with the places of items, and keeps in memory which of them the user is at.
/// Every operation throws `ToDoError` if the service rejects it. A client also throws `RPCError` if no response arrives.
public protocol PositionService: Sendable {
  /// Reports where the user is.
  ///
  /// A report does not count if a later one was made within the same second, or if the user was there before the last one.
  ///
  /// - Returns: the reminders that the user is to be told about now. Each is returned once, to whichever client reports first.
  /// - Throws: `invalidRequest`, `writeRateExceeded`.
  func reportPosition(_ position: Position) async throws -> [PlaceReminder]
}

/// A reminder that a position has triggered.
public struct PlaceReminder: Hashable, Sendable {
  /// The event at an item's place.
  @nonexhaustive
  public enum Event: String, CaseIterable, Sendable {
    case arriving, leaving

    /// The trigger of reminders for this event.
    package var trigger: Reminder.Trigger {
      switch self {
      case .arriving: .arriving
      case .leaving: .leaving
      }
    }
  }

  /// The user's list that contains the item.
  public var list: ListID
  /// The item.
  public var item: ItemID
  /// The item's number.
  public var number: ItemNumber
  /// The item's title.
  public var title: String
  /// The event.
  public var event: Event

  /// Creates a reminder.
  public init(list: ListID, item: ItemID, number: ItemNumber, title: String, event: Event) {
    self.list = list
    self.item = item
    self.number = number
    self.title = title
    self.event = event
  }
}
