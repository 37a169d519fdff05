#if GRPC
  import GRPCCore
  import NIOCore
  import TTRPC
  import TTRPCTransport

  /// Encodes the messages that a server sends.
  struct MessageEncoder: MessageSerializer {
    let maximumLength: Int

    /// - Throws: `TTRPC.RPCError` when the message is longer than a message may be.
    func serialize<Bytes: GRPCContiguousBytes>(_ element: OutgoingMessages.Element) throws -> Bytes {
      switch element {
      case .message(let message):
        let arena = Arena()
        let bytes = arena.pack(message.build(arena))
        try check(bytes.count)
        return Bytes(bytes)
      case .encoded(let buffer):
        try check(buffer.readableBytes)
        return Bytes(buffer.readableBytesView)
      }
    }

    private func check(_ length: Int) throws {
      if length > maximumLength { throw TTRPC.RPCError.messageTooLarge(length, limit: maximumLength) }
    }
  }
#endif
