#if PostgreSQL
import ToDoModel

extension ItemID {
  /// The halves of the ID as a `uuid` value, which sorts as IDs do.
  var uuid: (UInt64, UInt64) { (high, low) }

  /// Creates an ID from a value of the type `uuid`.
  init(uuid: (UInt64, UInt64)) {
    self.init(high: uuid.0, low: uuid.1)
  }

  /// The ID that sorts before all others.
  static let first = ItemID(high: 0, low: 0)

  /// The ID that sorts after all others.
  static let last = ItemID(high: .max, low: .max)
}
#endif
