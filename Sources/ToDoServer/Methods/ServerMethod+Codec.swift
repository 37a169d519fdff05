import NIOCore
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoSupport

extension ServerMethod {
  /// Creates a unary method whose messages are mapped to Swift values, and whose errors are mapped to statuses.
  static func unary<Request, Response>(
    _ method: Method<Request, Response>, _ body: @escaping @Sendable (CallContext, Request) async throws -> Response
  ) -> ServerMethod {
    lookup(method) { call, request in
      .pending { try await body(call, request) }
    } response: { response in
      OutgoingMessage { method.response.encode(response, $0) }
    }
  }

  /// Creates a unary method that acts on the default list of its caller.
  static func unary<Request, Response>(
    _ method: Method<Request, Response>, _ access: any AccessControl,
    _ body: @escaping @Sendable (AccessGrant, Request) throws -> Lookup<Response>
  ) -> ServerMethod {
    lookup(method) { call, request in
      try access.lookUp(for: call) { grant in try body(grant, request) }
    } response: { response in
      OutgoingMessage { method.response.encode(response, $0) }
    }
  }

  /// Creates a unary method that acts on the list that its request names, and whose response can be large. The response is read and
  /// encoded in turns with others of its list, and encoded before the call returns to the event loop.
  ///
  /// - Parameter turns: the turns that a call waits for, one after the other.
  static func large<Request, Response>(
    _ method: Method<Scoped<Request>, Response>, _ access: any AccessControl, _ turns: [OwnerTurns],
    _ body: @escaping @Sendable (AccessGrant, CallContext, Request) throws -> Lookup<ByteBuffer>
  ) -> ServerMethod {
    var large = lookup(method) { call, scoped in
      try access.lookUp(for: call, in: scoped.list) { grant in
        switch try body(grant, call, scoped.request) {
        case .ready(let message): return .ready(message)
        case .pending(let work):
          let read = turns.reversed().reduce(Lookup.pending(work)) { lookup, turns in
            .pending { try await turns.run(for: grant.account) { try await lookup.value } }
          }
          guard let list = grant.furtherList, let userLists = access.userLists else { return read }
          return .pending {
            let message = try await read.value
            // The list may have been deleted, or shared no longer, while the read waited.
            _ = try await userLists.lookUpItems(in: list, of: grant.account).value
            return message
          }
        }
      }
    } response: { message in
      OutgoingMessage(encoded: message)
    }
    large.runsOnEventLoop = false
    return large
  }

  /// Creates a unary method whose response may be ready without suspending.
  static func lookup<Request, Response, Found>(
    _ method: Method<Request, Response>,
    _ lookUp: @escaping @Sendable (CallContext, Request) throws -> Lookup<Found>,
    response: @escaping @Sendable (Found) -> OutgoingMessage
  ) -> ServerMethod {
    .unary(method.name) { bytes, arena, call in
      switch try mappingErrors({ try lookUp(call, method.request.decode(bytes, arena)) }) {
      case .ready(let found): .ready(response(found))
      case .pending(let work): .pending { response(try await mappingErrors(work)) }
      }
    }
  }

  /// Creates a server-streaming method whose messages are mapped to Swift values.
  static func stream<Request, Response>(
    _ method: Method<Request, Response>,
    _ body: @escaping @Sendable (Request, @Sendable (Response) async throws -> Void) async throws -> Void
  ) -> ServerMethod {
    .streaming(method.name) { bytes, arena in
      let request = try mappingErrors { try method.request.decode(bytes, arena) }
      return { _, _, outgoing in
        try await mappingErrors {
          try await body(request) { response in
            try await outgoing.send(OutgoingMessage { method.response.encode(response, $0) })
          }
        }
      }
    }
  }
}

extension Method {
  /// Decodes a request that was copied because it is not decoded on the event loop.
  ///
  /// - Parameter maximumElements: the number of elements that all lists in the request may have together.
  func decoded(_ request: ByteBuffer, maximumElements: Int) throws -> Request {
    let arena = Arena()
    defer { arena.release() }
    arena.setLimit(forEncodedSize: request.readableBytes)
    arena.setLimit(ofElements: maximumElements)
    return try request.withUnsafeReadableBytes { try self.request.decode($0, arena) }
  }

  /// Returns an encoded response.
  func encoded(_ response: Response) -> ByteBuffer {
    let arena = Arena()
    defer { arena.release() }
    var message = ByteBuffer()
    message.writeMessage(self.response.encode(response, arena))
    return message
  }
}

/// Maps the list's errors to the statuses that clients receive.
func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch let error as ToDoError { throw RPCError(error) }
}

/// Maps the list's errors to the statuses that clients receive.
func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
  do { return try await body() } catch let error as ToDoError { throw RPCError(error) }
}
