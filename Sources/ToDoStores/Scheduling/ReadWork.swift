/// The work of a long read since its task was last found not to be canceled.
package struct ReadWork {
  private var rowCount = 0
  private var byteCount = 0

  /// Creates the work of a read that begins.
  package init() {}

  /// Adds the work of one row.
  ///
  /// - Throws: `CancellationError` if the task is canceled. This is checked after 256 rows or 64 KiB, whichever is first.
  package mutating func add(bytes: Int) throws {
    rowCount += 1
    byteCount += bytes
    guard rowCount >= 256 || byteCount >= 64 << 10 else { return }
    (rowCount, byteCount) = (0, 0)
    try Task.checkCancellation()
  }
}
