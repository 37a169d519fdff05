#if GRPC
import NIOCore
import ToDoCompression

extension FuzzTarget {
  /// The decompression of messages, and the compression of what was decompressed.
  static let gzip = FuzzTarget(name: "gzip") { bytes in
    let limit = 20_000
    var content = ByteBuffer()
    let isValid: Void? = try? Gzip.decompress(ByteBuffer(bytes: bytes), into: &content, maximumSize: limit)
    precondition(content.storageCapacity <= 4 * limit, "the limit bounds the memory")
    guard isValid != nil else { return }
    precondition(content.readableBytes <= limit, "the content is no larger than the limit")
    var compressed = ByteBuffer()
    let isCompressed: Void? = try? Gzip.compress(content, into: &compressed)
    precondition(isCompressed != nil, "any content can be compressed")
    var again = ByteBuffer()
    let isDecompressed: Void? = try? Gzip.decompress(compressed, into: &again, maximumSize: limit)
    precondition(isDecompressed != nil && again == content, "compression keeps the content")
  }
}
#endif
