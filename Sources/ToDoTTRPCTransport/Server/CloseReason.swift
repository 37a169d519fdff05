import ToDoRPC
import ToDoTTRPC

/// The reason for which a server closes a connection, for its log.
enum CloseReason: Equatable, Sendable {
  /// The bytes are not ttrpc.
  case notTTRPC
  /// A frame left the state of the connection undefined.
  case violation(ProtocolViolation)
  /// The peer has reached the limit of strikes.
  case tooManyViolations
  /// The server is shutting down, and no call is in flight.
  case shuttingDown
  /// The peer does not read, and too many bytes are unsent.
  case outputFull
  /// A timeout has expired.
  case timedOut(ConnectionTimeouts.Timeout)
  /// The server needs the connection's resources.
  case evicted(EvictionEvent.Reason)
}

extension CloseReason: CustomStringConvertible {
  var description: String {
    switch self {
    case .notTTRPC: "the peer does not speak ttrpc"
    case .violation(let violation): "\(violation)"
    case .tooManyViolations: "too many violations of the protocol"
    case .shuttingDown: "the server is shutting down"
    case .outputFull: "the peer does not read its responses"
    case .timedOut(let timeout): "too long: \(timeout)"
    case .evicted(let reason): reason.rawValue
    }
  }
}
