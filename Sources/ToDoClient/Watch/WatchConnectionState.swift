/// The state of a watch's connection.
public enum WatchConnectionState: Sendable {
  /// The first connection is being established.
  case connecting
  /// The connection is established, and events arrive as they occur.
  case connected
  /// The connection was lost and is being reestablished.
  case lost
}
