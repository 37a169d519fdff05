/// The ID of a stream on its connection. IDs of streams that the client opened, which is the only kind in use, are odd.
package struct StreamID: Hashable, Sendable {
  /// The number.
  package let rawValue: UInt32

  /// Creates an ID from its number.
  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Whether the ID is valid for a stream that the client opened.
  package var isClientInitiated: Bool { rawValue & 1 == 1 }
}

extension StreamID: Comparable {
  /// Whether the first ID is lower.
  package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
}

extension StreamID: CustomStringConvertible {
  package var description: String { String(rawValue) }
}
