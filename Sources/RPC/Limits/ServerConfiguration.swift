/// The limits of a server and of its connections, with the defaults that PROTOCOL.md states to clients.
public struct ServerConfiguration: Sendable {
  // MARK: Frames

  /// The most bytes of data that a frame of a client may bear.
  public var maximumFrameLength = Self.messageLengthLimit
  /// The most bytes of data that a frame of the server may bear.
  public var maximumAnswerLength = Self.messageLengthLimit
  /// The maximum number of bytes of data in a client's frame before a call of its connection has authenticated. It
  /// applies only while the server requires credentials.
  public var maximumFrameLengthBeforeAuthentication = 64 << 10
  /// The most pairs of metadata that a request may bear.
  public var maximumMetadataPairs = 64
  /// The most bytes that the keys and values of a request's metadata may have together.
  public var maximumMetadataSize = 16 << 10
  /// How many frames may be out of place before the connection is closed.
  public var maximumStrikes = Self.defaultStrikeLimit

  // MARK: Calls

  /// How many calls one connection may have in flight; then the server reads no more from it.
  public var maximumStreams = Self.defaultStreamLimit
  /// How many of these may be of methods that stream, such as watches; one more is refused.
  public var maximumStreamingCalls = 64
  /// How long a call may take that sets no bound itself. Methods that stream are exempt.
  public var defaultDeadline: Duration = .seconds(30)
  /// How long a call may take at most, whatever it asks for. Methods that stream are exempt.
  public var maximumDeadline: Duration = .seconds(5 * 60)

  /// Whether a connection must authenticate. It can also become necessary while the server runs.
  public var requiresAuthentication = false

  // MARK: Times

  /// The time that a connection has to authenticate, if it must.
  public var loginTime: Duration = .seconds(30)

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
  public var outputPause = 256 << 10
  /// How many written bytes may wait for the peer to read before its connection is closed.
  public var outputLimit = 8 << 20
  /// The number of bytes of unary requests whose calls are in flight, beyond which the server reads nothing more from a
  /// connection.
  public var inputPause = 8 << 20
  /// The number of bytes that all connections may have in buffers. Beyond it the largest holder loses a connection.
  public var maximumBufferedBytes = 256 << 20
  /// The number of bytes that all connections of an authenticated user may have in buffers. Beyond it the user loses
  /// the largest of them.
  public var maximumBufferedBytesPerUser = 64 << 20
  /// The number of bytes that all connections of a network address or a Unix user may have in buffers. Beyond it the
  /// largest holder among them loses a connection.
  public var maximumBufferedBytesPerAddress = 128 << 20
  /// The part of `maximumBufferedBytes` that is reserved for connections with at most `smallBuffer` bytes: one of this
  /// number.
  package static let bufferReserveShare = 8
  /// The number of bytes in buffers up to which a connection may use the reserve.
  package static let smallBuffer = 64 << 10

  // MARK: Connections

  /// How many connections there may be, or as many as the process may open files less 64 if that is less. One more
  /// takes the place of the oldest that should have authenticated and has not, or is closed at once.
  public var maximumConnections = 10_000
  /// The maximum number of connections of one network address; beyond it the same holds. IPv6 addresses count as one
  /// when their first 64 bits are the same.
  public var maximumConnectionsPerAddress = 100
  /// The maximum number of connections of one Unix user over Unix sockets, except for root and the user that the server
  /// runs as.
  public var maximumConnectionsPerUnixUser = 100

  /// The maximum number of bytes in a message, encoded.
  package static let messageLengthLimit = 4 << 20
  package static let defaultStreamLimit = 1024
  package static let defaultStrikeLimit = 100

  public init() {}
}
