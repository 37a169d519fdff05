import NIOCore
import NIOPosix
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTransport

/// Opens the connections, performs a run on them, and closes them.
struct LoadRun {
  let plan: LoadPlan
  let transport: ClientConfiguration
  /// The metadata of every request.
  let metadata: Metadata

  /// Performs a run.
  ///
  /// A connection that is lost during the run is opened again; its requests in flight count as failed.
  ///
  /// - Parameter onConnect: Called with an open connection before the first request.
  /// - Throws: `RPCError` or `TLSFileError` if one of the connections cannot be opened at the start.
  func perform(
    _ workload: Workload, _ observer: LoadObserver, onConnect: (any Channel) async -> Void = { _ in }
  ) async throws -> LoadOutcome {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let outcome = try await perform(workload, observer, on: group.next(), onConnect)
      try? await group.shutdownGracefully()
      return outcome
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  private func perform(
    _ workload: Workload, _ observer: LoadObserver, on loop: any EventLoop, _ onConnect: (any Channel) async -> Void
  ) async throws -> LoadOutcome {
    let connections = LoadConnections(self, loop)
    var channels: [any Channel] = []
    do {
      for _ in 0..<plan.connections { channels.append(try await connections.connect()) }
    } catch {
      for channel in channels { channel.close(promise: nil) }
      throw error
    }
    await onConnect(channels[0])
    let bound = try await loop.submit { [plan, metadata] in
      NIOLoopBound(LoadLoop(plan, workload, metadata: metadata, observer: observer, on: loop), eventLoop: loop)
    }.get()
    return try await withThrowingTaskGroup(of: Void.self) { [channels] tasks in
      for (connectionIndex, channel) in channels.enumerated() {
        tasks.addTask { await connections.maintainConnection(connectionIndex, channel, bound) }
      }
      let outcome = try await loop.flatSubmit {
        bound.value.start()
        return bound.value.outcome
      }.get()
      tasks.cancelAll()
      return outcome
    }
  }
}

/// The connections of a run.
private struct LoadConnections: Sendable {
  private let endpoint: Endpoint
  private let transport: ClientConfiguration
  private let loop: any EventLoop

  init(_ run: LoadRun, _ loop: any EventLoop) {
    (endpoint, transport, self.loop) = (run.plan.endpoint, run.transport, loop)
  }

  func connect() async throws -> any Channel {
    // The server does not send before the client does, so no bytes arrive before the handler is added.
    try await ClientChannel.connect(to: endpoint, configuration: transport, on: loop) { _ in }
  }

  private static let pause = Duration.milliseconds(100)

  /// Keeps a connection open, reconnecting after a pause if it is lost, until the task is canceled.
  func maintainConnection(_ connectionIndex: Int, _ channel: any Channel, _ run: NIOLoopBound<LoadLoop>) async {
    var channel: (any Channel)? = channel
    while !Task.isCancelled {
      if let open = channel {
        try? await addHandler(connectionIndex, open, run)
        try? await open.closeFuture.get()
      }
      guard !Task.isCancelled, (try? await Task.sleep(for: Self.pause)) != nil else { return }
      channel = try? await connect()
    }
    channel?.close(promise: nil)
  }

  private func addHandler(_ connectionIndex: Int, _ channel: any Channel, _ run: NIOLoopBound<LoadLoop>) async throws {
    try await loop.submit {
      let handler = LoadConnectionHandler(run.value, connectionIndex: connectionIndex)
      try channel.pipeline.syncOperations.addHandler(handler)
      run.value.attach(handler, at: connectionIndex)
    }.get()
  }
}
