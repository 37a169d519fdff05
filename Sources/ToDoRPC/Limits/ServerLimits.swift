/// The limits of a server and its connections. TTRPC.md documents the defaults.
public struct ServerLimits: Sendable {
  // MARK: Frames

  /// The maximum data size in a client's frame, in bytes.
  public var maximumFrameLength = Self.messageLengthLimit
  /// The maximum data size in the server's frames, in bytes.
  public var maximumResponseLength = Self.messageLengthLimit
  /// The maximum data size in a client's frame before a call on the connection has authenticated, in bytes. It
  /// applies only while the server requires credentials.
  public var maximumFrameLengthBeforeAuthentication = 64 << 10
  /// The maximum number of metadata pairs in a request.
  public var maximumMetadataPairs = 64
  /// The maximum total size of a request's metadata keys and values, in bytes.
  public var maximumMetadataSize = 16 << 10
  /// The number of protocol violations after which the connection is closed.
  public var maximumStrikes = Self.defaultStrikeLimit

  // MARK: Calls

  /// The maximum number of calls in flight on one connection. Beyond it, the server pauses reading from the connection.
  public var maximumStreams = Self.defaultStreamLimit
  /// The maximum number of these that may be streaming calls, such as watches. Further ones are rejected.
  public var maximumStreamingCalls = 64
  /// The deadline of a call that specifies none. Streaming methods are exempt.
  public var defaultDeadline: Duration = .seconds(30)
  /// The maximum deadline of a call. Streaming methods are exempt.
  public var maximumDeadline: Duration = .seconds(5 * 60)

  /// Whether connections must authenticate. The requirement can also be added while the server runs.
  public var requiresAuthentication = false

  // MARK: Times

  /// The time within which a connection must authenticate, if it must.
  public var loginTime: Duration = .seconds(30)

  /// The maximum time from accepting a connection to its first frame, plus the time for the frame's data.
  public var firstFrameTime: Duration = .seconds(10)
  /// The maximum time from the first byte of a frame to its last, plus the time for its data.
  public var frameTime: Duration = .seconds(10)
  /// The minimum rate of a frame's data, in bytes per second, which determines the time for its data.
  public var frameRate = 64 << 10
  /// The maximum time in which the peer reads none of the written bytes. It is checked four times in this time, so the
  /// effective timeout can be a quarter longer.
  public var writeStallTime: Duration = .seconds(30)
  /// The maximum idle time of a connection without a call in flight.
  public var idleTime: Duration = .seconds(60 * 60)
  /// The maximum time in which the peer must read the last responses before its connection is closed.
  public var closingTime: Duration = .seconds(10)

  // MARK: Memory

  /// The number of unsent bytes at which the server pauses reading from a connection, and its streams pause.
  public var outputPause = 128 << 10
  /// The number of unsent bytes at which the server closes a connection.
  public var outputLimit = 8 << 20
  /// The size of unary requests in flight, in bytes, at which the server pauses reading from a connection.
  public var inputPause = 8 << 20
  /// The maximum number of bytes that all connections buffer. Beyond it, the largest holder loses a connection.
  public var maximumBufferedBytes = 256 << 20
  /// The maximum number of bytes that an authenticated user's connections buffer. Beyond it, the user loses the
  /// largest of them.
  public var maximumBufferedBytesPerUser = 64 << 20
  /// The maximum number of bytes that the connections from a network address or a Unix user buffer. Beyond it, the
  /// largest holder among them loses a connection.
  public var maximumBufferedBytesPerAddress = 128 << 20
  /// The divisor that determines the part of `maximumBufferedBytes` that is reserved for connections with at most
  /// `smallBuffer` bytes.
  package static let bufferReserveShare = 8
  /// The number of buffered bytes up to which a connection may use the reserve.
  package static let smallBuffer = 64 << 10

  // MARK: Connections

  /// The maximum number of connections, limited to the maximum number of open files less 64. A further connection
  /// replaces the oldest unauthenticated one if authentication is required; otherwise it is closed immediately.
  public var maximumConnections = 10_000
  /// The maximum number of connections from one network address, with the same consequence. IPv6 addresses with the same
  /// first 64 bits count as one.
  public var maximumConnectionsPerAddress = 100
  /// The maximum number of one Unix user's connections over Unix sockets. Root and the server's own user are exempt.
  public var maximumConnectionsPerUnixUser = 100

  /// The proxies whose connections and requests count as those of their clients.
  package var trustedProxies = TrustedProxies()

  /// The maximum size of an encoded message, in bytes.
  package static let messageLengthLimit = 4 << 20
  /// The default of `maximumStreams`.
  package static let defaultStreamLimit = 1024
  /// The default of `maximumStrikes`.
  package static let defaultStrikeLimit = 100

  /// Creates the default limits.
  public init() {}
}
