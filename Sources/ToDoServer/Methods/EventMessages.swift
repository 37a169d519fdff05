import NIOCore
import ToDoRPC

/// The encoded messages of an event, which a watch sends one after another. It keeps none that it has sent.
struct EventMessages {
  /// The messages that are not sent, the first one last.
  private var reversed: [ByteBuffer]
  /// Their size in bytes, if only this watch holds them.
  private var privateSize = 0

  /// Creates messages that other watches hold, too, or those of an event whose own size counts.
  init(_ messages: [ByteBuffer]) { reversed = messages.reversed() }

  /// Creates messages that only this watch holds.
  init(ofOneWatch messages: [ByteBuffer]) {
    self.init(messages)
    privateSize = messages.reduce(0) { $0 + $1.readableBytes }
  }

  /// Sends all messages.
  ///
  /// - Parameter keep: receives the number of bytes that only this watch holds, whenever it changes. It includes the message that
  ///   is being sent.
  mutating func send(to outgoing: OutgoingMessages, keep: (Int) -> Void) async throws {
    while let message = reversed.popLast() {
      keep(privateSize)
      if privateSize > 0 { privateSize -= message.readableBytes }
      try await outgoing.send(OutgoingMessage(encoded: consume message))
    }
    keep(0)
  }
}
