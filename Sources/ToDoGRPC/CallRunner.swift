#if GRPC
  import GRPCCore
  import Logging
  import TTRPC
  import TTRPCTransport

  /// Runs the work of calls: within their deadlines, until they are cancelled, and with errors in gRPC's form.
  struct CallRunner: Sendable {
    let connections: ConnectionSet
    let limits: ServerConfiguration
    let drain: Drain
    let logger: Logger

    /// Runs the work of one call.
    ///
    /// - Throws: `GRPCCore.RPCError` with the details of the list's errors.
    func run<Value: Sendable>(
      _ method: ServerMethod, _ metadata: GRPCCore.Metadata, _ context: ServerContext,
      _ work: @escaping @Sendable (CallContext) async throws -> Value
    ) async throws -> Value {
      try await tellingErrors {
        if drain.isDraining, !method.isAnsweredWhileDraining { throw TTRPC.RPCError.shuttingDown }
        let pairs = try checked(TTRPC.Metadata(metadata))
        let id = metadata[stringValues: ConnectionStamp.key].first { _ in true }.flatMap(ConnectionSet.ID.init)
        // A call on a connection that is closed by now is nobody's.
        let connection = id.flatMap { connections[$0] } ?? CallConnection(peer: Peer())
        let call = CallContext(metadata: pairs, connection: connection)
        if let id, method.isStreaming {
          guard connections.beginStreamingCall(of: id, limit: limits.maximumStreamingCalls) else {
            throw TTRPC.RPCError.tooManyStreams(limit: limits.maximumStreamingCalls)
          }
        }
        defer { if let id, method.isStreaming { connections.endStreamingCall(of: id) } }
        return try await limit(
          context, timeout: timeout(of: method, metadata), endsWithDrain: method.endsWithDrain
        ) { try await work(call) }
      }
    }

    private func checked(_ metadata: TTRPC.Metadata) throws(TTRPC.RPCError) -> TTRPC.Metadata {
      let (pairs, bytes) = (limits.maximumMetadataPairs, limits.maximumMetadataSize)
      let size = metadata.pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      guard metadata.pairs.count <= pairs, size <= bytes else { throw .metadataTooLarge(pairs: pairs, bytes: bytes) }
      return metadata
    }

    private func timeout(of method: ServerMethod, _ metadata: GRPCCore.Metadata) -> Duration? {
      if method.isStreaming { return metadata.callTimeout.map { min($0, Self.longestTimeout) } }
      return min(metadata.callTimeout ?? limits.defaultDeadline, limits.maximumDeadline)
    }

    /// More could be too much to add to the present time.
    private static let longestTimeout = Duration.seconds(365 * 24 * 3600)

    /// Runs what may throw any error, and gives it the form that gRPC's clients are told.
    func tellingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
      do { return try await body() } catch let error as GRPCCore.RPCError {
        // The transport's own: the stream has ended, and nobody hears.
        throw error
      } catch {
        throw GRPCCore.RPCError(TTRPC.RPCError(told: error, logger))
      }
    }

    /// Cancels the work when the call is cancelled or its time is over.
    private func limit<Value: Sendable>(
      _ context: ServerContext, timeout: Duration?, endsWithDrain: Bool,
      _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
      try await withThrowingTaskGroup(of: Value?.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await work() }
        group.addTask {
          try await context.cancellation.cancelled
          // When the server shuts down the transport cancels every call; but most may finish.
          if drain.isDraining {
            if endsWithDrain { throw TTRPC.RPCError.shuttingDown }
            return nil
          }
          // A client that cancels hears no answer. So if it hears one, its time was over.
          throw timeout == nil ? TTRPC.RPCError.cancelled : .deadlineExceeded
        }
        if let timeout {
          group.addTask {
            try await Task.sleep(for: timeout)
            throw TTRPC.RPCError.deadlineExceeded
          }
        }
        while let finished = try await group.next() {
          if let value = finished { return value }
        }
        // Not reached: the work gives a value or throws.
        throw CancellationError()
      }
    }
  }

  extension ServerMethod {
    fileprivate var isStreaming: Bool {
      if case .streaming = body { true } else { false }
    }
  }
#endif
