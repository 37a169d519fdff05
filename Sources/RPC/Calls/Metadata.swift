import Protobuf

/// Pairs of texts that go with a call, beside its message.
///
/// Keys are compared whatever their case. A key may occur several times; the order is kept.
public struct Metadata: Sendable {
  package private(set) var pairs: [(key: String, value: String)] = []

  public init() {}

  public mutating func append(_ key: String, _ value: String) {
    pairs.append((key.lowercased(), value))
  }

  /// Sets the only value of a key.
  public mutating func replace(_ key: String, _ value: String) {
    let key = key.lowercased()
    pairs.removeAll { $0.key == key }
    pairs.append((key, value))
  }

  /// The first value of a key.
  public subscript(key: String) -> String? {
    // Most calls have none.
    guard !pairs.isEmpty else { return nil }
    let key = key.lowercased()
    return pairs.first { $0.key == key }?.value
  }
}

extension Metadata: Equatable {
  public static func == (left: Metadata, right: Metadata) -> Bool {
    left.pairs.elementsEqual(right.pairs, by: ==)
  }
}
