package import NIOCore
package import RPC

/// The ten bytes in front of every frame's data.
///
///      0               4               8       9       10
///     +---------------+---------------+-------+-------+----------
///     | data length   | stream id     | type  | flags | data ...
///     +---------------+---------------+-------+-------+----------
///
/// Integers are big-endian. The length is at most 4 MiB, so the first byte is always 0.
package struct FrameHeader: Equatable, Sendable {
  package var length: Int
  package var streamID: StreamID
  package var type: FrameType
  package var flags: FrameFlags

  package init(length: Int, streamID: StreamID, type: FrameType, flags: FrameFlags = []) {
    self.length = length
    self.streamID = streamID
    self.type = type
    self.flags = flags
  }

  /// The size of a header in bytes.
  package static let size = 10

  /// The most bytes of data that a frame may bear: 4 MiB.
  package static let maximumLength = ServerLimits.messageLengthLimit
}

/// What a frame is. Types that are not known are skipped, so that later versions may add some.
package struct FrameType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Opens a stream: from client to server.
  package static let request = FrameType(rawValue: 1)
  /// Ends a stream: from server to client.
  package static let response = FrameType(rawValue: 2)
  /// One more message on an open stream: either way.
  package static let data = FrameType(rawValue: 3)
}

/// What a frame says about its stream.
package struct FrameFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The sender sends no more data on this stream.
  package static let remoteClosed = FrameFlags(rawValue: 1)
  /// The sender goes on sending data on this stream.
  package static let remoteOpen = FrameFlags(rawValue: 2)
  /// The frame bears no message; without it, no bytes are an empty message.
  package static let noData = FrameFlags(rawValue: 4)
}

extension ByteBuffer {
  /// Reads a header, or nothing when fewer than ten bytes are there.
  package mutating func readFrameHeader() -> FrameHeader? {
    guard let (length, id, type, flags) = readMultipleIntegers(as: (UInt32, UInt32, UInt8, UInt8).self) else {
      return nil
    }
    return FrameHeader(
      length: Int(length), streamID: StreamID(id), type: FrameType(rawValue: type), flags: FrameFlags(rawValue: flags))
  }

  package mutating func writeFrameHeader(_ header: FrameHeader) {
    writeMultipleIntegers(
      UInt32(header.length), header.streamID.rawValue, header.type.rawValue, header.flags.rawValue)
  }
}
