#if GRPC
import ToDoGRPCTransport
import NIOCore

extension FuzzTarget {
  /// The division of an HTTP/2 connection's bytes after whole frames. The first byte is the size of the parts in which the
  /// bytes arrive.
  static let http2Frames = FuzzTarget(name: "http2-frames") { bytes in
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    let whole = divided(input, inPartsOf: max(input.count, 1))
    precondition(divided(input, inPartsOf: max(1, Int(first))) == whole, "frames do not depend on the sizes of reads")
    precondition(input.starts(with: whole.bytes), "bytes are not changed")
  }

  private struct Divided: Equatable {
    var bytes: [UInt8] = []
    var isRejected = false
  }

  private static func divided(_ input: [UInt8], inPartsOf size: Int) -> Divided {
    var splitter = FrameSplitter()
    var divided = Divided()
    var rest = input[...]
    do throws(FrameSplitter.TooManyIgnoredFrames) {
      while !rest.isEmpty {
        splitter.append(ByteBuffer(bytes: rest.prefix(size)))
        rest = rest.dropFirst(size)
        while let frames = try splitter.next() { divided.bytes += frames.readableBytesView }
        precondition(splitter.bufferedBytes <= 32_768 + 2 * input.count, "at most one incomplete frame is retained")
      }
    } catch {
      // What came before the frame that is rejected depends on the reads.
      return Divided(isRejected: true)
    }
    return divided
  }
}
#endif
