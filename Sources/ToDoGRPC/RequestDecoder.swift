#if GRPC
  import GRPCCore
  import TTRPC

  /// Reads a request in place, as the methods of a table do.
  struct RequestDecoder<Work>: MessageDeserializer {
    private let maximumElements: Int
    private let decode: @Sendable (UnsafeRawBufferPointer, Arena) throws -> Work

    /// - Parameter maximumElements: how many elements all lists of a request may have.
    init(maximumElements: Int, _ decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Work) {
      self.maximumElements = maximumElements
      self.decode = decode
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Work {
      let arena = Arena()
      return try bytes.withUnsafeBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        arena.setLimit(ofElements: maximumElements)
        return try decode(bytes, arena)
      }
    }
  }

  extension RPCAsyncSequence {
    /// The message of a call that takes one.
    ///
    /// - Throws: `TTRPC.RPCError` when there is another number of messages.
    func only() async throws -> Element {
      var iterator = makeAsyncIterator()
      guard let message = try await iterator.next() else { throw TTRPC.RPCError.invalidStream("a request is missing") }
      guard case .none = try await iterator.next() else {
        throw TTRPC.RPCError.invalidStream("the method takes one message")
      }
      return message
    }
  }
#endif
