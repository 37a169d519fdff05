package import CProtos
package import NIOCore
package import Protobuf

/// A message to be sent: built when there is an arena to build it in, or encoded before, maybe for several calls.
package struct OutgoingMessage: Sendable {
  package typealias Build = @Sendable (Arena) -> UnsafePointer<ProtobufCMessage>

  private enum Content: Sendable {
    case unbuilt(Build)
    case encoded(ByteBuffer)
  }

  private let content: Content

  package init(_ build: @escaping Build) {
    content = .unbuilt(build)
  }

  package init(encoded bytes: ByteBuffer) {
    content = .encoded(bytes)
  }

  /// The encoded message; valid until the arena is reset.
  package func bytes(in arena: Arena) -> UnsafeRawBufferPointer {
    switch content {
    case .unbuilt(let build): arena.pack(build(arena))
    case .encoded(let bytes): bytes.withUnsafeReadableBytes { arena.bytes($0).buffer }
    }
  }

  /// Writes the encoded message at the end of the buffer.
  package func write(to buffer: inout ByteBuffer, _ arena: Arena) {
    switch content {
    case .unbuilt(let build): buffer.writeMessage(build(arena))
    case .encoded(let bytes): buffer.writeImmutableBuffer(bytes)
    }
  }
}
