/// A call's metadata: pairs of a key and a value.
///
/// Keys are case-insensitive. A key may occur several times, and the order is preserved.
public struct Metadata: Sendable {
  /// The pairs, with lower-case keys.
  package private(set) var pairs: [(key: String, value: String)] = []

  /// Creates empty metadata.
  public init() {}

  /// Appends a value of a key.
  public mutating func append(_ key: String, _ value: String) {
    pairs.append((key.lowercased(), value))
  }

  /// Replaces all values of a key by one value.
  public mutating func replace(_ key: String, _ value: String) {
    let key = key.lowercased()
    pairs.removeAll { $0.key == key }
    pairs.append((key, value))
  }

  /// Returns the first value of a key, or `nil`.
  public subscript(key: String) -> String? {
    // Most calls have no metadata.
    guard !pairs.isEmpty else { return nil }
    let key = key.lowercased()
    return pairs.first { $0.key == key }?.value
  }
}

extension Metadata: Equatable {
  /// Whether both have the same pairs in the same order.
  public static func == (left: Metadata, right: Metadata) -> Bool {
    left.pairs.elementsEqual(right.pairs, by: ==)
  }
}
