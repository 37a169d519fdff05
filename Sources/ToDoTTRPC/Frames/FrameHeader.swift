package import NIOCore
import ToDoRPC

/// The ten bytes that precede every frame's data.
///
///      0               4               8       9       10
///     +---------------+---------------+-------+-------+----------
///     | data length   | stream id     | type  | flags | data ...
///     +---------------+---------------+-------+-------+----------
///
/// Integers are big-endian. The length is at most 4 MiB, so the first byte is always 0.
package struct FrameHeader: Equatable, Sendable {
  /// The length of the data, in bytes.
  package var length: Int
  /// The stream that the frame belongs to.
  package var streamID: StreamID
  /// The type of the frame.
  package var type: FrameType
  /// The state of the stream's sending side.
  package var flags: FrameFlags

  /// Creates a header.
  package init(length: Int, streamID: StreamID, type: FrameType, flags: FrameFlags = []) {
    self.length = length
    self.streamID = streamID
    self.type = type
    self.flags = flags
  }

  /// A header's size in bytes.
  package static let size = 10

  /// The maximum length of a frame's data: 4 MiB.
  package static let maximumLength = ServerLimits.messageLengthLimit
}

/// The type of a frame. Receivers skip unknown types, so that later versions can add types.
package struct FrameType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A frame from client to server that opens a stream.
  package static let request = FrameType(rawValue: 1)
  /// A frame from server to client that ends a stream.
  package static let response = FrameType(rawValue: 2)
  /// A frame in either direction with a further message of an open stream.
  package static let data = FrameType(rawValue: 3)
}

/// A frame's flags, which describe the sender's side of its stream.
package struct FrameFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The sender sends no more data on this stream.
  package static let remoteClosed = FrameFlags(rawValue: 1)
  /// The sender may send more data on this stream.
  package static let remoteOpen = FrameFlags(rawValue: 2)
  /// The frame contains no message. Without this flag, a frame without data contains an empty message.
  package static let noData = FrameFlags(rawValue: 4)
}

extension ByteBuffer {
  /// Reads a header. Returns `nil` and reads nothing if fewer than ten bytes are readable.
  package mutating func readFrameHeader() -> FrameHeader? {
    guard let (length, id, type, flags) = readMultipleIntegers(as: (UInt32, UInt32, UInt8, UInt8).self) else {
      return nil
    }
    return FrameHeader(
      length: Int(length), streamID: StreamID(id), type: FrameType(rawValue: type), flags: FrameFlags(rawValue: flags))
  }

  /// Writes a header.
  package mutating func writeFrameHeader(_ header: FrameHeader) {
    writeMultipleIntegers(
      UInt32(header.length), header.streamID.rawValue, header.type.rawValue, header.flags.rawValue)
  }
}
