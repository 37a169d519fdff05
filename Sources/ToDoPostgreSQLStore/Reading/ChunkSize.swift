#if PostgreSQL
/// The number of rows that a read requests in one statement, so that neither the number of statements nor the size of
/// a result grows with the list.
struct ChunkSize {
  /// The maximum number of rows in the first statement.
  static let first = 256
  private static let maximum = 1000
  private static let minimum = 16
  /// The desired size of a result, in bytes.
  private static let byteCount = 4 << 20

  /// The number of rows in the next statement.
  private(set) var rows: Int

  /// Creates the size of the first statement.
  ///
  /// - Parameter limit: the number of rows after which the read probably ends.
  init(limit: Int) {
    rows = min(limit, Self.first - 1) + 1
  }

  /// Adapts the size to the rows of a chunk.
  mutating func adapt(toRows count: Int, bytes: Int) {
    let fitting = Self.byteCount * count / max(bytes, 1)
    rows = max(Self.minimum, min(4 * rows, fitting, Self.maximum))
  }
}
#endif
