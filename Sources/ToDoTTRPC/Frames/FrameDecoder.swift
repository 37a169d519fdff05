package import NIOCore

/// Divides a stream of bytes into frames.
///
/// A frame whose data exceeds the limit is reported as soon as its header has arrived. Its data is skipped on arrival and
/// never buffered.
package struct FrameDecoder: NIOSingleStepByteToMessageDecoder {
  package typealias InboundOut = DecodedFrame

  private enum State {
    case header
    case data(FrameHeader)
    case skipping(FrameHeader, left: Int)
  }

  private var state = State.header
  /// The maximum data length of the frames whose headers have not arrived yet.
  package var maximumLength: Int

  /// Creates a decoder.
  package init(maximumLength: Int = FrameHeader.maximumLength) {
    self.maximumLength = maximumLength
  }

  /// Returns the next frame, or `nil` if more bytes are needed.
  ///
  /// - Throws: `FramingError` if the bytes are not ttrpc. The bytes after them cannot be decoded either.
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

  /// The data length of the frame that is arriving; `nil` between frames, and while a header is arriving.
  package var pendingLength: Int? {
    switch state {
    case .header: nil
    case .data(let header), .skipping(let header, _): header.length
    }
  }

  /// Discards an incomplete frame at the end of the stream.
  package mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodedFrame? {
    try decode(buffer: &buffer)
  }
}

/// A frame that `FrameDecoder` has decoded.
package enum DecodedFrame: Equatable, Sendable {
  /// A frame within the limit, with its data.
  case frame(FrameHeader, ByteBuffer)
  /// A frame whose data exceeds the limit and is discarded.
  case oversized(FrameHeader)
}

/// An error after which nothing on a connection can be decoded.
package enum FramingError: Error, Equatable {
  /// A frame does not begin with 0. The peer may speak TLS or HTTP.
  case notTTRPC
}
