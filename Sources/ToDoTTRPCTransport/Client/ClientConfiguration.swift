package import ToDoRPC
package import ToDoTTRPC
package import ToDoTransport

/// The configuration of a client connection.
package struct ClientConfiguration: Sendable {
  /// The maximum length of a frame's data, in bytes, in both directions.
  package var maximumFrameLength = FrameHeader.maximumLength
  /// The maximum number of calls in flight. Further calls fail immediately.
  package var maximumCalls = 8192
  /// The maximum number of unsent bytes. Beyond it, further calls fail immediately.
  package var maximumUnsentBytes = 8 << 20
  /// The maximum time from the first byte of a frame to its last, plus the time for its data. It is checked when a call's
  /// deadline passes.
  package var frameTime: Duration = .seconds(10)
  /// The minimum rate of a frame's data, in bytes per second, which determines the time for its data.
  package var frameRate = 64 << 10
  /// The ID of the first stream, which is odd. Tests set it to exhaust the IDs.
  package var firstStreamID: UInt32 = 1
  /// The maximum time to connect, including the TLS handshake.
  package var connectTimeout: Duration = .seconds(10)
  /// The trusted authorities and the client certificate for `tls://` endpoints.
  package var tls = ClientTLS()
  /// The users that the server of a Unix socket may run as; `nil` permits any. A connection to the server of another
  /// user is closed before anything is sent.
  package var unixUsers: Set<UInt32>?
  /// The time without received data after which the connection is closed; `nil` disables the timeout.
  package var inactivityTimeout: Duration?
  /// The method that cancels calls in the server; `nil` if the server has none.
  package var cancellation: Cancellation?

  /// A method that cancels a call, and its request message.
  package struct Cancellation: Sendable {
    let method: MethodName
    let message: @Sendable (StreamID) -> OutgoingMessage

    /// Creates a cancellation.
    ///
    /// - Parameter message: returns the request that cancels the call of a stream.
    package init(method: MethodName, message: @escaping @Sendable (StreamID) -> OutgoingMessage) {
      self.method = method
      self.message = message
    }
  }

  /// Creates the default configuration.
  package init() {}
}
