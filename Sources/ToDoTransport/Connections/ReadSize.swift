package import NIOCore
package import NIOPosix

/// The number of bytes that are read from a connection before the event loop serves its other connections.
package enum ReadSize: Int {
  /// A dozen requests. Serving them delays the other connections by about a millisecond at most. NIO keeps a buffer of this
  /// size for each idle connection.
  case small = 2048
  /// A part of a large frame, which is served only when all of it has arrived.
  case large = 65_536

  /// Selects the size of the next read.
  ///
  /// - Parameter pending: the data length of a frame that has partly arrived, if any has.
  package init(pending: Int?) {
    self = (pending ?? 0) > Self.small.rawValue ? .large : .small
  }

  /// The allocator of the channel's reads.
  package var allocator: FixedSizeRecvByteBufferAllocator { FixedSizeRecvByteBufferAllocator(capacity: rawValue) }
}

extension ServerBootstrap {
  /// Reads a small part from a connection in each turn of its event loop.
  package func readingSmallParts() -> ServerBootstrap {
    childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: ReadSize.small.allocator)
  }
}
