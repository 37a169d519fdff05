package import NIOCore

extension ByteBuffer {
  /// Appends received bytes. They are not copied unless unread bytes are pending.
  package mutating func appendReceived(_ received: ByteBuffer) {
    if readableBytes == 0 { self = received } else { writeImmutableBuffer(received) }
  }

  /// The memory that the unread bytes occupy.
  package var retainedBytes: Int { readableBytes > 0 ? storageCapacity : 0 }

  /// Retains only the unread bytes, not the whole memory that they arrived in, so that a few bytes of a message cannot hold
  /// the memory of a large read.
  package mutating func releaseReadBytes() {
    let count = readableBytes
    if count == 0 {
      self = ByteBuffer()
    } else if storageCapacity > 4 * count + 1024 {
      self = ByteBuffer(bytes: readableBytesView)
    } else {
      discardReadBytes()
    }
  }
}
