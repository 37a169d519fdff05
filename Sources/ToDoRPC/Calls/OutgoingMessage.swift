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
