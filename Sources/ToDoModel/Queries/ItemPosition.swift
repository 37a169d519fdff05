/// An item's position in an order: the sort key that delimits a listing's pages.
///
/// Positions compare as the items do. Keys that sort in descending order are stored complemented, so that one
/// comparison serves all orders.
public struct ItemPosition: Hashable, Sendable {
  /// The major key: 1 for the done items of `ItemOrder.list`, 2 for deleted items, otherwise 0.
  public var section: UInt8
  /// The first key within the section.
  public var primary: Int64
  /// The second key within the section.
  public var secondary: Int64
  /// The last key: the item's ID, or its complement in a descending order.
  public var tieBreak: ItemID

  /// Creates a position from its keys.
  public init(section: UInt8, primary: Int64, secondary: Int64, tieBreak: ItemID) {
    self.section = section
    self.primary = primary
    self.secondary = secondary
    self.tieBreak = tieBreak
  }

  /// Creates the position of an item in an order.
  public init(of item: ToDoItem, in order: ItemOrder) {
    guard item.deletion == nil else {
      self.init(section: Self.deleted, primary: ~item.revision.number, secondary: 0, tieBreak: ~item.id)
      return
    }
    switch (order, item.completedAt) {
    case (.list, nil):
      self.init(
        section: Self.toDo, primary: (item.due?.order ?? .max).microseconds, secondary: item.createdAt.microseconds,
        tieBreak: item.id)
    case (.list, let completedAt?):
      self.init(section: Self.done, primary: ~completedAt.microseconds, secondary: 0, tieBreak: ~item.id)
    case (.created, _):
      self.init(section: 0, primary: item.createdAt.microseconds, secondary: 0, tieBreak: item.id)
    case (.updated, _):
      self.init(section: 0, primary: ~item.revision.number, secondary: 0, tieBreak: ~item.id)
    }
  }

  /// The section of the incomplete items in `ItemOrder.list`.
  public static let toDo: UInt8 = 0
  /// The section of the done items in `ItemOrder.list`.
  public static let done: UInt8 = 1
  /// The section of the deleted items in every order.
  public static let deleted: UInt8 = 2
}

extension ItemPosition: Comparable {
  /// Whether the first position precedes the second.
  public static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.section, left.primary, left.secondary, left.tieBreak)
      < (right.section, right.primary, right.secondary, right.tieBreak)
  }
}

extension ItemID {
  /// Returns an ID's complement. Complements sort in the reverse order of the IDs.
  package static prefix func ~ (id: ItemID) -> ItemID { ItemID(high: ~id.high, low: ~id.low) }
}

extension Timestamp {
  /// A time later than every time of an item: the sort key of items without a due date.
  package static let max = Timestamp(microseconds: .max)
}
