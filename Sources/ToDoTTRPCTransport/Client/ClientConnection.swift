package import Logging
package import NIOCore
package import ToDoProtobuf
package import ToDoRPC
import ToDoTTRPC
package import ToDoTransport

/// A connection to a ttrpc server. Calls from any number of tasks share it.
package final class ClientConnection: Sendable {
  private let channel: any Channel
  private let handler: NIOLoopBound<ClientConnectionHandler>
  private let configuration: ClientConfiguration

  private init(
    channel: any Channel, handler: NIOLoopBound<ClientConnectionHandler>, configuration: ClientConfiguration
  ) {
    self.channel = channel
    self.handler = handler
    self.configuration = configuration
  }

  /// Connects to a server.
  ///
  /// - Throws: `RPCError` with the code `unavailable` if the server cannot be reached, `unauthenticated` if it is not
  ///   trusted, or `failedPrecondition` if it runs as a user that the configuration does not allow. `TLSFileError`.
  ///   `CancellationError`.
  package static func connect(
    to endpoint: Endpoint, configuration: ClientConfiguration = ClientConfiguration(),
    on group: any EventLoopGroup, logger: Logger
  ) async throws -> ClientConnection {
    let channel = try await ClientChannel.connect(to: endpoint, configuration: configuration, on: group) { channel in
      try configure(channel, configuration, logger)
    }
    do { return try await over(channel, configuration) } catch {
      // The channel has already closed.
      throw RPCError.unavailable("\(endpoint) cannot be reached: \(error)", isUnsent: true)
    }
  }

  /// Prepares a channel that is not connected yet. Tests call it with their own channels.
  package static func configure(
    _ channel: any Channel, _ configuration: ClientConfiguration, _ logger: Logger
  ) throws {
    let handler = ClientConnectionHandler(configuration: configuration, logger: logger)
    if let limit = configuration.inactivityTimeout {
      try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: TimeAmount(limit)))
    }
    try channel.pipeline.syncOperations.addHandler(handler)
  }

  /// Returns a connection over a channel that `configure` has prepared.
  package static func over(
    _ channel: any Channel, _ configuration: ClientConfiguration
  ) async throws -> ClientConnection {
    let handler = try await channel.eventLoop.submit {
      NIOLoopBound(
        try channel.pipeline.syncOperations.handler(type: ClientConnectionHandler.self), eventLoop: channel.eventLoop)
    }.get()
    return ClientConnection(channel: channel, handler: handler, configuration: configuration)
  }

  /// Whether the connection is open.
  package var isOpen: Bool { channel.isActive }

  /// Closes the connection, and returns when it has closed. Calls in flight fail.
  package func close() async {
    try? await channel.close()
  }

  /// Closes the connection without waiting until it has closed.
  package func closeSoon() {
    channel.close(promise: nil)
  }

  /// Returns when this client or the server has closed the connection.
  package func waitUntilClosed() async throws {
    try await channel.closeFuture.get()
  }

  // MARK: Calls

  /// Calls a unary method.
  ///
  /// - Parameters:
  ///   - timeout: the maximum time to wait for the response. The server receives it as the call's deadline.
  ///   - decode: decodes the response message in place, on the event loop.
  /// - Throws: `RPCError`, `CancellationError`.
  package func call<Response: Sendable>(
    _ method: MethodName, _ message: OutgoingMessage, timeout: Duration? = nil, metadata: Metadata = Metadata(),
    decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Response
  ) async throws -> Response {
    let request = try RequestFrame(
      method, message, kind: .unary, timeout: timeout, metadata: metadata,
      maximumLength: configuration.maximumFrameLength)
    let progress = CallProgressBox.makeBoxSendingValue(.waiting, eventLoop: channel.eventLoop)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform { $0.start(request, progress, .unary(continuation, decode)) }
      }
    } onCancel: {
      perform { $0.cancel(progress) }
    }
  }

  /// Calls a method that streams its responses.
  ///
  /// Exiting the loop over the responses, or canceling its task, cancels the call. A slow consumer applies
  /// back-pressure to every call on this connection.
  package func stream<Response: Sendable>(
    _ method: MethodName, _ message: OutgoingMessage, timeout: Duration? = nil, metadata: Metadata = Metadata(),
    decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Response
  ) throws -> ResponseStream<Response> {
    try open(.serverStreaming, method, message, timeout, metadata, decode).responses
  }

  /// Calls a method that streams its requests and its responses.
  package func exchange<Response: Sendable>(
    _ method: MethodName, _ message: OutgoingMessage, timeout: Duration? = nil, metadata: Metadata = Metadata(),
    decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Response
  ) throws -> CallExchange<Response> {
    try open(.streaming, method, message, timeout, metadata, decode)
  }

  private func open<Response: Sendable>(
    _ kind: ClientStreams.Kind, _ method: MethodName, _ message: OutgoingMessage, _ timeout: Duration?,
    _ metadata: Metadata, _ decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Response
  ) throws -> CallExchange<Response> {
    let request = try RequestFrame(
      method, message, kind: kind, timeout: timeout, metadata: metadata,
      maximumLength: configuration.maximumFrameLength)
    let progress = CallProgressBox.makeBoxSendingValue(.waiting, eventLoop: channel.eventLoop)
    let (responses, source) = ResponseStream<Response>.make(
      resume: { [self] in perform { $0.resume(progress) } },
      cancel: { [self] in perform { $0.cancel(progress) } })
    perform { $0.start(request, progress, .stream(source, decode)) }
    return CallExchange(responses: responses) { [self] message, isLast in
      let sent = channel.eventLoop.makePromise(of: Void.self)
      perform { $0.send(message, isLast: isLast, progress, sent) }
      try await sent.futureResult.get()
    }
  }

  private func perform(_ body: @escaping @Sendable (ClientConnectionHandler) -> Void) {
    let handler = handler
    channel.eventLoop.execute { body(handler.value) }
  }
}

/// A call that streams its requests and its responses.
package struct CallExchange<Response: Sendable>: Sendable {
  /// The responses of the server.
  package let responses: ResponseStream<Response>
  let send: @Sendable (OutgoingMessage?, _ isLast: Bool) async throws -> Void

  /// Sends one message, and returns when the connection can take another one. Only one task may send at a time.
  ///
  /// - Throws: `RPCError` if the message is too large, which ends the call, or if the call has ended.
  package func send(_ message: OutgoingMessage) async throws { try await send(message, false) }

  /// Closes the client's side of the call. No further messages can be sent.
  ///
  /// - Throws: `RPCError` if the call has ended.
  package func finish() async throws { try await send(nil, true) }
}

extension CallReceiver {
  fileprivate static func unary<Response: Sendable>(
    _ continuation: CheckedContinuation<Response, any Error>,
    _ decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Response
  ) -> CallReceiver {
    var response: Response?
    return CallReceiver(
      isStream: false,
      message: { bytes, arena in
        do { response = try decode(bytes, arena) } catch { throw RPCError.malformedResponse(error) }
        return .more
      },
      end: { error in
        if let error {
          continuation.resume(throwing: error)
        } else if let response {
          continuation.resume(returning: response)
        } else {
          continuation.resume(throwing: RPCError.malformedResponse(DecodingFailure.malformed))
        }
      })
  }

  fileprivate static func stream<Response: Sendable>(
    _ source: ResponseStream<Response>.Producer.Source,
    _ decode: @escaping @Sendable (UnsafeRawBufferPointer, Arena) throws -> Response
  ) -> CallReceiver {
    CallReceiver(
      isStream: true,
      message: { bytes, arena in
        let response: Response
        do { response = try decode(bytes, arena) } catch { throw RPCError.malformedResponse(error) }
        if case .stopProducing = source.yield(response) { return .wait }
        return .more
      },
      end: { error in
        if let error {
          source.finish(error)
        } else {
          source.finish()
        }
      })
  }
}
