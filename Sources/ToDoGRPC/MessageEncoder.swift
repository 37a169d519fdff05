#if GRPC
  import GRPCCore
  import NIOCore
  import TTRPC
  import TTRPCTransport

  /// Encodes the messages that a server sends.
  struct MessageEncoder: MessageSerializer {
    let maximumLength: Int

    /// - Throws: `TTRPC.RPCError` when the message is longer than a message may be.
    func serialize<Bytes: GRPCContiguousBytes>(_ message: OutgoingMessage) throws -> Bytes {
      let arena = Arena()
      defer { arena.release() }
      let bytes = message.bytes(in: arena)
      guard bytes.count <= maximumLength else {
        throw TTRPC.RPCError.messageTooLarge(bytes.count, limit: maximumLength)
      }
      return Bytes(bytes)
    }
  }
#endif
