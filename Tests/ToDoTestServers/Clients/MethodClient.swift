package import ToDoRPC

/// A client that sends and receives encoded messages, whatever the protocol.
package protocol MethodClient: Sendable {
  /// Calls a method that returns one response.
  ///
  /// - Throws: `RPCError`, with the details that came with it.
  func call(_ method: MethodName, _ request: [UInt8], metadata: [String: String]) async throws -> [UInt8]

  /// Calls a method that returns a stream. The call ends when `body` returns.
  ///
  /// - Parameter body: reads the responses with a function that returns the next one, or `nil` at the end of the stream.
  /// - Throws: as `call`.
  func readStream(
    _ method: MethodName, _ request: [UInt8], metadata: [String: String],
    _ body: (_ next: () async throws -> [UInt8]?) async throws -> Void
  ) async throws
}

#if GRPC
extension GRPCTestClient: MethodClient {
  package func readStream(
    _ method: MethodName, _ request: [UInt8], metadata: [String: String],
    _ body: (_ next: () async throws -> [UInt8]?) async throws -> Void
  ) async throws {
    try await stream(method, [request], metadata: metadata) { messages in
      var iterator = messages.makeAsyncIterator()
      try await body { try await iterator.next() }
    }
  }
}
#endif
