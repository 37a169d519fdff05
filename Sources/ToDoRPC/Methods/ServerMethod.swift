package import ToDoProtobuf
package import ToDoSupport

/// A method of a server: its name and its implementation.
package struct ServerMethod: Sendable {
  /// The method's name.
  package let name: MethodName
  /// The method's implementation, which interceptors wrap.
  package internal(set) var body: Body
  /// Whether the method remains available during shutdown, such as a health check.
  package var isAvailableDuringShutdown = false
  /// Whether the method's calls end when the shutdown starts, because they would not end otherwise.
  package var endsOnShutdown = false
  /// Whether the method acts on the ttrpc connection of the call. Other protocols do not provide such methods.
  package var actsOnConnection = false
  /// Whether a call changes nothing, so that it may be made by HTTP's GET, which browsers and proxies may repeat.
  package var hasNoSideEffects = false
  /// Whether calls over HTTP have a `MetadataExchange`, with which the method adds metadata to its response.
  package var exchangesMetadata = false
  /// Whether the work of a pending call runs on its connection's event loop, which saves thread switches. Decoding
  /// or building a large message there would delay the other connections, and a stream could occupy the event loop for as
  /// long as it can send.
  package var runsOnEventLoop: Bool
  /// The maximum number of elements in all lists of a request.
  package var maximumElements = ServerMethod.defaultMaximumElements

  /// The default of `maximumElements`: more than any method of the to-do list but `BatchAddItems` and `MoveItems` allows, so
  /// that the service itself reports excessive requests.
  package static let defaultMaximumElements = 1000

  /// Checks a call's credentials before its request is accepted. It is `nil` if the method serves any caller.
  package var authenticate: Authenticate?
  /// Whether a client may send several messages over gRPC.
  package var takesManyMessages = false

  /// The implementation of a method.
  package enum Body: Sendable {
    /// One request, one response.
    case unary(Unary)
    /// A stream of messages in one or both directions.
    case streaming(Streaming)
    /// The cancellation of other calls on the connection.
    case cancellation(Cancellation)
  }

  /// Decodes a request in place, on the event loop. Returns the response if it is ready, or the work that produces it.
  ///
  /// A ready response needs no task, which would cost more than most responses.
  package typealias Unary = @Sendable (UnsafeRawBufferPointer, Arena, CallContext) throws -> Lookup<OutgoingMessage>

  /// Throws an error if the call would be rejected for lack of valid credentials.
  package typealias Authenticate = @Sendable (CallContext) throws -> Lookup<Void>

  /// Decodes a request in place, on the event loop, and returns the asynchronous work that sends the messages of its
  /// stream.
  ///
  /// `IncomingMessages` receives further messages of the client.
  package typealias Streaming =
    @Sendable (UnsafeRawBufferPointer, Arena) throws ->
    @Sendable (CallContext, IncomingMessages, OutgoingMessages)
    async throws -> Void

  /// Decodes the selection of the calls to cancel, and returns it with the response.
  package typealias Cancellation =
    @Sendable (UnsafeRawBufferPointer, Arena) throws -> (CallSelection, OutgoingMessage)

  /// Starts the work of a pending call, on the current thread and the event loop if the method runs there.
  ///
  /// The task is unstructured: the connection owns it and cancels it when the peer disconnects.
  package func start(
    on executor: EventLoopExecutor, _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    runsOnEventLoop ? Task.immediate(executorPreference: executor) { await work() } : Task { await work() }
  }

  /// Creates a method with one request and one response.
  package static func unary(_ name: MethodName, _ body: @escaping Unary) -> ServerMethod {
    ServerMethod(name: name, body: .unary(body), runsOnEventLoop: true)
  }

  /// Creates a method with a stream of messages.
  package static func streaming(_ name: MethodName, _ body: @escaping Streaming) -> ServerMethod {
    ServerMethod(name: name, body: .streaming(body), runsOnEventLoop: false)
  }

  /// Creates a method that cancels calls, because ttrpc has no frame for it.
  package static func cancellation(_ name: MethodName, _ body: @escaping Cancellation) -> ServerMethod {
    // Calls in flight can still be canceled during shutdown.
    ServerMethod(
      name: name, body: .cancellation(body), isAvailableDuringShutdown: true, actsOnConnection: true,
      runsOnEventLoop: true)
  }
}
