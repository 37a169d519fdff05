#if GRPC
import NIOCore
import NIOHTTP2

extension NIOHTTP2Handler.ConnectionConfiguration {
  /// Returns the limits of a connection, which GRPC.md documents. They bound the work that a client can cause without
  /// sending calls. Ordinary clients do not reach them.
  static func serving(maximumStreams: Int) -> Self {
    var configuration = Self()
    configuration.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams),
      HTTP2Setting(parameter: .maxHeaderListSize, value: 64 << 10),
    ]
    configuration.targetWindowSize = 1 << 20
    configuration.maximumSequentialEmptyDataFrames = 100
    // A client may send frames of streams that the server has reset. For more streams, the connection is closed.
    configuration.maximumRecentlyResetStreams = 256
    configuration.maximumConnectionGlitches = 10_000
    // Libraries that measure the bandwidth send a ping for every few data frames that they receive. The window is short
    // because HTTP/2 stores the time of each frame in it.
    configuration.controlFrameRateLimit.maximumCount = 1000
    configuration.controlFrameRateLimit.windowLength = .milliseconds(100)
    return configuration
  }
}

extension NIOHTTP2Handler.StreamConfiguration {
  /// Returns the limits of a connection's streams.
  ///
  /// - Parameter isShared: whether a proxy sends the calls of several clients over the connection. `ConnectionCalls` then counts
  ///   those that each of them cancels, because NIO would close the connection of all.
  static func serving(isShared: Bool) -> Self {
    var configuration = Self()
    configuration.streamResetFrameRateLimit.maximumCount = 1000
    // So many frames never arrive in a nanosecond. NIO reserves memory for the maximum count, so that is no higher.
    configuration.streamResetFrameRateLimit.windowLength = isShared ? .nanoseconds(1) : .seconds(1)
    configuration.streamErrorRateLimit.maximumCount = 1000
    configuration.streamErrorRateLimit.windowLength = .seconds(1)
    configuration.outboundBufferSizeHighWatermark = 64 << 10
    configuration.outboundBufferSizeLowWatermark = 32 << 10
    return configuration
  }
}
#endif
