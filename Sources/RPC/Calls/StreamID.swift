/// The number of a stream on its connection: odd when the client opened it, which is the only way there is.
package struct StreamID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package var isClientInitiated: Bool { rawValue & 1 == 1 }
}

extension StreamID: Comparable {
  package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
}

extension StreamID: CustomStringConvertible {
  package var description: String { String(rawValue) }
}
