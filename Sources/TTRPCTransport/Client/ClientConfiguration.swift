package import RPC
import TTRPC
package import Transport

/// How a client behaves on one connection.
package struct ClientConfiguration: Sendable {
  /// The most bytes of data that a frame may bear, either way.
  package var maximumFrameLength = FrameHeader.maximumLength
  /// How many calls may be in flight; one more fails at once.
  package var maximumCalls = 8192
  /// How many bytes may wait for the server to read them; with more, another call fails at once.
  package var maximumUnsentBytes = 8 << 20
  /// How long a frame may take to arrive once it has begun, besides the time for its data; looked at when a call's time
  /// is over.
  package var frameTime: Duration = .seconds(10)
  /// How many bytes of a frame's data have to arrive in a second.
  package var frameRate = 64 << 10
  /// The number of the first stream; odd. For tests that use the numbers up.
  package var firstStreamID: UInt32 = 1
  /// How long connecting may take, the handshake of TLS included.
  package var connectTimeout: Duration = .seconds(10)
  /// Who is trusted at a `tls://` endpoint, and what is shown there.
  package var tls = ClientTLS()
  /// The users that a server at a Unix socket may run as; `nil`: any. A connection to another user's server is closed
  /// before anything is sent.
  package var unixUsers: Set<UInt32>?
  /// The time without data after which the connection counts as lost; `nil`: never.
  package var inactivityTimeout: Duration?
  /// How a server is told that a call is cancelled; `nil` when it cannot be.
  package var cancellation: Cancellation?

  /// The method that cancels a call, and the message that says which.
  package struct Cancellation: Sendable {
    let method: MethodName
    let message: @Sendable (StreamID) -> OutgoingMessage

    package init(method: MethodName, message: @escaping @Sendable (StreamID) -> OutgoingMessage) {
      self.method = method
      self.message = message
    }
  }

  package init() {}
}
