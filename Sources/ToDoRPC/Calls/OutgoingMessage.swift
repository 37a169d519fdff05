package import CToDoProtos
package import NIOCore
package import ToDoProtobuf

/// A message to send: either built in an arena when it is sent, or encoded in advance, possibly for several calls.
package struct OutgoingMessage: Sendable {
  /// A function that builds a message in an arena.
  package typealias Build = @Sendable (Arena) -> UnsafePointer<ProtobufCMessage>

  private enum Content: Sendable {
    case unbuilt(Build)
    case encoded(ByteBuffer)
  }

  private let content: Content

  /// Creates a message that is built when it is sent.
  package init(_ build: @escaping Build) {
    content = .unbuilt(build)
  }

  /// Creates a message from its encoded bytes.
  package init(encoded bytes: ByteBuffer) {
    content = .encoded(bytes)
  }

  /// Returns the message as the content of an envelope, which is valid until the arena is reset.
  package func payload(in arena: Arena) -> Payload {
    switch content {
    case .unbuilt(let build): .message(build(arena))
    case .encoded(let bytes): .encoded(bytes)
    }
  }

  /// Appends the encoded message to a buffer.
  package func write(to buffer: inout ByteBuffer, _ arena: Arena) {
    switch content {
    case .unbuilt(let build): buffer.writeMessage(build(arena))
    case .encoded(let bytes): buffer.writeImmutableBuffer(bytes)
    }
  }
}

/// A stream's server side, independent of the transport.
package struct OutgoingMessages: Sendable {
  /// Sends one message, and returns when the stream can take another. It consumes the message, because a stream whose
  /// peer does not read waits for minutes, and must not keep what was sent.
  package typealias Write = @Sendable (consuming OutgoingMessage) async throws -> Void

  private let write: Write

  /// Creates the server's side of a stream.
  package init(write: @escaping Write) {
    self.write = write
  }

  /// Sends one message, and returns when the connection can take another. A slow reader therefore slows down only its
  /// own stream.
  ///
  /// - Throws: `RPCError` if the stream has ended, `CancellationError` if its handler was canceled.
  package func send(_ message: consuming OutgoingMessage) async throws {
    try Task.checkCancellation()
    try await write(consume message)
  }
}
