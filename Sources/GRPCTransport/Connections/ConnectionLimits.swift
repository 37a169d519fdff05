#if GRPC
  import NIOCore
  import NIOHTTP2

  extension NIOHTTP2Handler.ConnectionConfiguration {
    /// The limits of a connection, which PROTOCOL.md states. They bound what a client can make the server do for
    /// nothing, and ordinary clients do not meet them.
    static func serving(maximumStreams: Int) -> Self {
      var configuration = Self()
      configuration.initialSettings = [
        HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams),
        HTTP2Setting(parameter: .maxHeaderListSize, value: 64 << 10),
      ]
      configuration.targetWindowSize = 1 << 20
      configuration.maximumSequentialEmptyDataFrames = 100
      // Of a stream that the server has reset, frames may be under way; beyond these, the connection is closed.
      configuration.maximumRecentlyResetStreams = 256
      configuration.maximumConnectionGlitches = 10_000
      // Libraries that measure the bandwidth send a ping for every few frames of data that they receive. The window is
      // short because the time of each frame in it is kept.
      configuration.controlFrameRateLimit.maximumCount = 1000
      configuration.controlFrameRateLimit.windowLength = .milliseconds(100)
      return configuration
    }
  }

  extension NIOHTTP2Handler.StreamConfiguration {
    static var serving: Self {
      var configuration = Self()
      configuration.streamResetFrameRateLimit.maximumCount = 1000
      configuration.streamResetFrameRateLimit.windowLength = .seconds(1)
      configuration.streamErrorRateLimit.maximumCount = 1000
      configuration.streamErrorRateLimit.windowLength = .seconds(1)
      configuration.outboundBufferSizeHighWatermark = 64 << 10
      configuration.outboundBufferSizeLowWatermark = 32 << 10
      return configuration
    }
  }
#endif
