package import NIOCore

/// Cuts a stream of bytes into frames.
///
/// Data that is longer than the limit is skipped as it arrives and never buffered: the frame is reported as soon as
/// its header is there.
package struct FrameDecoder: NIOSingleStepByteToMessageDecoder {
  package typealias InboundOut = DecodedFrame

  private enum State {
    case header
    case data(FrameHeader)
    case skipping(Int)
  }

  private var state = State.header
  private let maximumLength: Int

  package init(maximumLength: Int = FrameHeader.maximumLength) {
    self.maximumLength = maximumLength
  }

  /// The next frame, or `nil` when more bytes are needed.
  ///
  /// - Throws: `FramingError` when the bytes cannot be ttrpc; nothing after them can be understood.
  package mutating func decode(buffer: inout ByteBuffer) throws -> DecodedFrame? {
    while true {
      switch state {
      case .header:
        if let first: UInt8 = buffer.getInteger(at: buffer.readerIndex), first != 0 { throw FramingError.notTTRPC }
        guard let header = buffer.readFrameHeader() else { return nil }
        guard header.length <= maximumLength else {
          state = .skipping(header.length)
          return .oversized(header)
        }
        state = .data(header)
      case .data(let header):
        guard let data = buffer.readSlice(length: header.length) else { return nil }
        state = .header
        return .frame(header, data)
      case .skipping(let length):
        let skipped = min(length, buffer.readableBytes)
        buffer.moveReaderIndex(forwardBy: skipped)
        guard skipped == length else {
          state = .skipping(length - skipped)
          return nil
        }
        state = .header
      }
    }
  }

  /// A peer that goes away in the middle of a frame has sent nothing: the rest is dropped.
  package mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodedFrame? {
    try decode(buffer: &buffer)
  }
}

package enum DecodedFrame: Equatable, Sendable {
  case frame(FrameHeader, ByteBuffer)
  /// A frame whose data is longer than the limit, and is dropped.
  case oversized(FrameHeader)
}

/// The bytes are no ttrpc: the connection is of no more use.
package enum FramingError: Error, Equatable {
  /// A frame begins with a byte that is not 0: a TLS hello, HTTP, or anything else.
  case notTTRPC
}
