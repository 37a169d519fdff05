/// Where an item stands in an order: the sort key that listings are cut into pages by.
///
/// Positions compare as the items do. What sorts in descending order is stored complemented, so that one
/// comparison serves all orders.
public struct ItemPosition: Hashable, Sendable {
  /// 0, or 1 for the done items of `ItemOrder.list`.
  public var section: UInt8
  public var primary: Int64
  public var secondary: Int64
  public var tieBreak: ItemID

  public init(section: UInt8, primary: Int64, secondary: Int64, tieBreak: ItemID) {
    self.section = section
    self.primary = primary
    self.secondary = secondary
    self.tieBreak = tieBreak
  }

  public init(of item: ToDoItem, in order: ItemOrder) {
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

  /// The sections of `ItemOrder.list`.
  public static let toDo: UInt8 = 0
  public static let done: UInt8 = 1
}

extension ItemPosition: Comparable {
  public static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.section, left.primary, left.secondary, left.tieBreak)
      < (right.section, right.primary, right.secondary, right.tieBreak)
  }
}

extension ItemID {
  /// The identity that orders the other way round.
  package static prefix func ~ (id: ItemID) -> ItemID { ItemID(high: ~id.high, low: ~id.low) }
}

extension Timestamp {
  /// Later than every time that an item can bear: where an item without a due date stands.
  package static let max = Timestamp(microseconds: .max)
}
