import NIOCore

/// How many bytes are read from a connection before the event loop serves its other connections.
enum ReadSize: Int {
  /// A few dozen requests. Serving them delays the other connections by less than a millisecond.
  case small = 4096
  /// A part of a large frame, which is served only when all of it has arrived.
  case large = 65_536

  /// - Parameter pending: the data length of a frame that has partly arrived.
  init(pending: Int?) {
    self = (pending ?? 0) > Self.small.rawValue ? .large : .small
  }

  var allocator: FixedSizeRecvByteBufferAllocator { FixedSizeRecvByteBufferAllocator(capacity: rawValue) }
}
