#if GRPC
  import GRPCCore
  import Logging
  import TTRPC
  import TTRPCTransport

  /// Runs the work of calls: within their deadlines, until they are cancelled, and with errors in gRPC's form.
  struct CallRunner: Sendable {
    let connections: ConnectionSet
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
        let call = CallContext(metadata: TTRPC.Metadata(metadata), connection: connection(of: metadata))
        return try await limit(
          context, timeout: metadata.callTimeout, endsWithDrain: method.endsWithDrain
        ) { try await work(call) }
      }
    }

    private func connection(of metadata: GRPCCore.Metadata) -> CallConnection {
      let id = metadata[stringValues: ConnectionStamp.key].first { _ in true }.flatMap(ConnectionSet.ID.init)
      // A call on a connection that is closed by now is nobody's.
      return id.flatMap { connections[$0] } ?? CallConnection(peer: Peer())
    }

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
#endif
