/// The number of a call in the log: that of its connection, which is unique in the process, and that of its stream.
package struct CallID: Hashable, Sendable {
  /// The number of the connection.
  package let connection: UInt64
  /// The number of the stream on the connection.
  package let stream: UInt32
}

extension CallID: CustomStringConvertible {
  package var description: String { "\(connection)-\(stream)" }
}
