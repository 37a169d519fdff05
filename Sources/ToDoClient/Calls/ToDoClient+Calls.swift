import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTTRPCTransport

extension ToDoClient {
  /// Calls a method, and retries the call as `RetryStateMachine` decides.
  ///
  /// - Throws: `ToDoError` if the service rejects the request; `RPCError`; `CancellationError`; `TLSFileError`.
  func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, isIdempotent: Bool
  ) async throws -> Response {
    let deadline = ContinuousClock.now + configuration.timeout
    let metadata = try configuration.metadata(for: endpoint)
    var machine = RetryStateMachine(
      isIdempotent: isIdempotent, retryLimit: configuration.retryLimit, backoff: configuration.backoff,
      deadline: deadline)
    while true {
      do {
        return try await attempt(
          method, request, authenticatingFirst: machine.mustAuthenticateFirst, metadata, by: deadline)
      } catch let error as RPCError {
        switch machine.attemptFailed(with: error, at: .now, jitter: .random(in: 0..<1)) {
        case .retry(let delay):
          if delay > .zero { try await Task.sleep(for: delay, clock: .continuous) }
        case .fail:
          if let rejection = ToDoError(error) { throw rejection }
          throw error
        }
      }
    }
  }

  /// Sends a call once.
  ///
  /// - Parameter authenticatingFirst: Whether a small call precedes it.
  private func attempt<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, authenticatingFirst: Bool, _ metadata: Metadata,
    by deadline: ContinuousClock.Instant
  ) async throws -> Response {
    let connection = try await connection(by: deadline)
    do {
      if authenticatingFirst { _ = try await connection.call(ToDoMethods.getServerInfo, (), metadata, by: deadline) }
      return try await connection.call(method, request, metadata, by: deadline)
    } catch let error as RPCError where error.code == .unavailable && error.isUnprocessed {
      connectionManager.discard(connection)
      throw error
    }
  }

  /// Returns the shared connection, established by the deadline.
  ///
  /// - Throws: `RPCError`, with the code `deadlineExceeded` after the deadline; `CancellationError`; `TLSFileError`.
  private func connection(by deadline: ContinuousClock.Instant) async throws -> ClientConnection {
    if let connection = connectionManager.openConnection { return connection }
    return try await withThrowingTaskGroup(of: ClientConnection.self) { [connectionManager] group in
      group.addTask { try await connectionManager.connection() }
      group.addTask {
        try await Task.sleep(until: deadline, clock: .continuous)
        throw RPCError.deadlineExceeded
      }
      defer { group.cancelAll() }
      guard let connection = try await group.next() else { throw CancellationError() }
      return connection
    }
  }
}

extension ClientConnection {
  /// Sends a request and returns its response.
  fileprivate func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, _ metadata: Metadata, by deadline: ContinuousClock.Instant
  ) async throws -> Response {
    try await call(
      method.name, OutgoingMessage { method.request.encode(request, $0) },
      timeout: ContinuousClock.now.duration(to: deadline), metadata: metadata, decode: method.response.decode)
  }
}
