/// The number of an item in its list: 1 for the first item that was added, and one more for each further item.
///
/// A number is never reused, also not after its item was deleted.
public struct ItemNumber: Hashable, Sendable {
  /// The number, or 0 if it is unknown.
  public let value: Int64

  /// Creates a number.
  public init(_ value: Int64) {
    self.value = value
  }

  /// The number of an item whose server does not number items.
  public static let unknown = ItemNumber(0)

  /// The number after this one.
  public var next: ItemNumber { ItemNumber(value + 1) }
}

extension ItemNumber: Comparable {
  /// Whether the first item was added earlier.
  public static func < (left: ItemNumber, right: ItemNumber) -> Bool { left.value < right.value }
}

extension ItemNumber: CustomStringConvertible {
  public var description: String { String(value) }
}
