#if GRPC || HTTP
import CToDoZlib
package import NIOCore

/// Compressed messages in the format of gzip (RFC 1952).
///
/// A message is converted as a whole: no state, which would be larger than most messages, remains between the parts of a
/// message that arrive one after another.
package enum Gzip {
  /// The smallest message that is worth compressing. A smaller one saves no packet.
  package static let minimumSize = 1024

  /// Added to the window bits, this selects the format.
  private static let format: CInt = 16

  // MARK: - Decompressing

  /// Appends the content of a compressed message.
  ///
  /// - Parameter maximumSize: the maximum number of bytes to append. No more memory than this is used, whatever the message says.
  /// - Throws: an error if the bytes are not one complete gzip file, or its content is larger. The buffer then ends with a part of
  ///   the content.
  package static func decompress(
    _ bytes: ByteBuffer, into output: inout ByteBuffer, maximumSize: Int
  ) throws(GzipError) {
    var stream = z_stream()
    guard todo_inflate_init(&stream, MAX_WBITS + format) == Z_OK else { throw .noMemory }
    defer { inflateEnd(&stream) }
    let start = output.writerIndex
    let error = bytes.withUnsafeReadableBytes { bytes -> GzipError? in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(clamping: bytes.count)
      return inflateAll(&stream, into: &output, end: start + maximumSize)
    }
    if let error { throw error }
    guard stream.avail_in == 0 else { throw .malformed }
  }

  private static func inflateAll(
    _ stream: inout z_stream, into output: inout ByteBuffer, end: Int
  ) -> GzipError? {
    while true {
      // One byte more than the limit shows that the content is larger.
      let room = end - output.writerIndex + 1
      guard room > 0 else { return .tooLarge }
      var status = Z_OK
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: min(room, step(of: output))) { target in
        let space = UnsafeMutableRawBufferPointer(rebasing: target.prefix(room))
        stream.next_out = space.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(clamping: space.count)
        status = inflate(&stream, Z_NO_FLUSH)
        return space.count - Int(stream.avail_out)
      }
      switch status {
      case Z_STREAM_END: return output.writerIndex <= end ? nil : .tooLarge
      case Z_OK: continue
      // The input is used up, but the room is not.
      case Z_BUF_ERROR: return stream.avail_out > 0 ? .truncated : .tooLarge
      case Z_MEM_ERROR: return .noMemory
      default: return .malformed
      }
    }
  }

  /// Doubles a buffer that is full.
  private static func step(of output: ByteBuffer) -> Int { max(output.readableBytes, 1024) }

  // MARK: - Compressing

  /// The time that a compression may take for a smaller result.
  package enum Effort: Sendable {
    /// As little as possible, for a message that is sent once.
    case least
    /// Some times as much, for a file that is sent often.
    case usual
  }

  /// Appends a message in compressed form.
  package static func compress(
    _ bytes: ByteBuffer, into output: inout ByteBuffer, effort: Effort = .least
  ) throws(GzipError) {
    var stream = z_stream()
    // A quarter megabyte of memory is only worth allocating for large messages.
    let windowBits = max(9, min(MAX_WBITS, CInt(Int.bitWidth - bytes.readableBytes.leadingZeroBitCount)))
    let level = effort == .least ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION
    guard todo_deflate_init(&stream, level, windowBits + format, windowBits - 7) == Z_OK else { throw .noMemory }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(bytes.readableBytes)))
    var status = Z_OK
    bytes.withUnsafeReadableBytes { bytes in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(clamping: bytes.count)
      output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { target in
        stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(clamping: target.count)
        status = deflate(&stream, Z_FINISH)
        return target.count - Int(stream.avail_out)
      }
    }
    guard status == Z_STREAM_END else { throw .noMemory }
  }
}

/// The reason why a message could not be decompressed.
package enum GzipError: Error, Equatable {
  /// The bytes are not in the format, their checksum is wrong, or other bytes follow.
  case malformed
  /// The end is missing.
  case truncated
  /// The content is larger than the limit.
  case tooLarge
  /// The system has no memory.
  case noMemory
}
#endif
