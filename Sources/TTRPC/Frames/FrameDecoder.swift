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
    case skipping(FrameHeader, left: Int)
  }

  private var state = State.header
  /// How long the data of a frame may be whose header has yet to come.
  package var maximumLength: Int

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
          state = .skipping(header, left: header.length)
          return .oversized(header)
        }
        state = .data(header)
      case .data(let header):
        guard let data = buffer.readSlice(length: header.length) else { return nil }
        state = .header
        return .frame(header, data)
      case .skipping(let header, let left):
        let skipped = min(left, buffer.readableBytes)
        buffer.moveReaderIndex(forwardBy: skipped)
        guard skipped == left else {
          state = .skipping(header, left: left - skipped)
          return nil
        }
        state = .header
      }
    }
  }

  /// How long the data is of the frame that has begun to arrive; `nil` between frames, and while a header is arriving.
  package var pendingLength: Int? {
    switch state {
    case .header: nil
    case .data(let header), .skipping(let header, _): header.length
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
