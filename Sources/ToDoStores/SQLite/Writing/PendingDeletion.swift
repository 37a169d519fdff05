import ToDoModel
import ToDoRules

/// A bulk deletion that has begun and is not complete.
///
/// A deletion of many items is performed in slices, each in its own transaction, so that writes of other owners run
/// between them. The owner's row records the deletion until the last slice. Until then the list's revision stays, and the
/// the next revision's rows are invisible: the feed ends at the list's revision, and every other read and write of the list
/// first continues the deletion. So the deletion is atomic for every client, and it continues after a crash.
struct PendingDeletion: Equatable {
  let selection: BulkDeletion
  let time: Timestamp
  /// The time until which the deleted items are kept; `nil` to remove them.
  let expiry: Timestamp?
  /// The list size that copies of the deleted items do not exceed.
  let byteLimit: Int
  /// The user and the client that delete the items.
  let origin: ChangeOrigin

  /// The maximum number of items that a slice deletes.
  static let maximumItems = 64
  /// A slice ends when it has deleted this many bytes, by `StoredSize`.
  static let maximumBytes = 64 << 10

  /// The error of reads and writes that must wait until a deletion is complete. The store handles it and never throws it.
  struct Unfinished: Error {}
}

extension PendingDeletion {
  /// The number that represents the selection in a row.
  var number: Int64 { selection == .all ? 1 : 2 }

  /// - Parameter number: `nil` if there is no deletion.
  init?(number: Int64?, time: Int64, expiry: Int64?, byteLimit: Int64?, _ origin: ChangeOrigin) {
    guard let number else { return nil }
    self.init(
      selection: number == 1 ? .all : .done, time: Timestamp(microseconds: time),
      expiry: expiry.map { Timestamp(microseconds: $0) }, byteLimit: byteLimit.map { Int($0) } ?? .max, origin: origin)
  }
}
