import TTRPC

/// The limits of a server and of its connections, with the defaults that PROTOCOL.md states to clients.
public struct ServerConfiguration: Sendable {
  // MARK: Frames

  /// The most bytes of data that a frame of a client may bear.
  public var maximumFrameLength = FrameHeader.maximumLength
  /// The most bytes of data that a frame of the server may bear.
  public var maximumAnswerLength = FrameHeader.maximumLength
  /// The most bytes of data that a frame of a client may bear before a call of its connection was authenticated; `nil`
  /// when it need not be.
  public var maximumFrameLengthBeforeAuthentication: Int?
  /// The most pairs of metadata that a request may bear.
  public var maximumMetadataPairs = 64
  /// The most bytes that the keys and values of a request's metadata may have together.
  public var maximumMetadataSize = 16 << 10
  /// How many frames may be out of place before the connection is closed.
  public var maximumStrikes = ServerStreams.defaultStrikeLimit

  // MARK: Calls

  /// How many calls one connection may have in flight; then the server reads no more from it.
  public var maximumStreams = ServerStreams.defaultLimit
  /// How many of these may be of methods that stream, such as watches; one more is refused.
  public var maximumStreamingCalls = 64
  /// How long a call may take that sets no bound itself. Methods that stream are exempt.
  public var defaultDeadline: Duration = .seconds(30)
  /// How long a call may take at most, whatever it asks for. Methods that stream are exempt.
  public var maximumDeadline: Duration = .seconds(5 * 60)

  // MARK: Times

  /// How long after it was accepted a connection may take to send its first frame, besides the time for its data.
  public var firstFrameTime: Duration = .seconds(10)
  /// How long a frame may take to arrive once it has begun, besides the time for its data.
  public var frameTime: Duration = .seconds(10)
  /// How many bytes of a frame's data have to arrive in a second.
  public var frameRate = 64 << 10
  /// How long the peer may take nothing of what is written to it. It is looked at four times in this time, so it can be
  /// a quarter longer.
  public var writeStallTime: Duration = .seconds(30)
  /// How long a connection without a call in flight may be silent.
  public var idleTime: Duration = .seconds(60 * 60)
  /// How long the peer may take to read the last answers before its connection is closed.
  public var closingTime: Duration = .seconds(10)

  // MARK: Memory

  /// How many written bytes may wait for the peer to read before nothing more is read from it, and its streams wait.
  public var outputPause = 1 << 20
  /// How many written bytes may wait for the peer to read before its connection is closed.
  public var outputLimit = 8 << 20
  /// How many bytes all connections may have in buffers before no more are accepted.
  public var maximumBufferedBytes = 256 << 20

  // MARK: Connections

  /// How many connections there may be, or as many as the process may open files less 64 if that is less. One more is
  /// closed at once.
  public var maximumConnections = 10_000
  /// How many connections one network address may have; one more is closed at once. IPv6 addresses count as one when
  /// their first 64 bits are the same. Unix sockets are exempt.
  public var maximumConnectionsPerAddress = 100

  public init() {}
}
