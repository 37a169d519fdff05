import Synchronization
import ToDoRPC
import ToDoTTRPCTransport

/// A server and its connections, all in memory.
final class InMemoryNetwork: Sendable {
  private let methods: MethodTable
  private let pipes: AsyncStream<InMemoryPipe>
  private let newPipe: AsyncStream<InMemoryPipe>.Continuation
  private let opened = Mutex<[InMemoryPipe]>([])

  init(methods: MethodTable) {
    self.methods = methods
    (pipes, newPipe) = AsyncStream.makeStream()
  }

  func connect() async throws -> ClientConnection {
    let pipe = try await InMemoryPipe(methods: methods)
    opened.withLock { $0.append(pipe) }
    newPipe.yield(pipe)
    return pipe.connection
  }

  /// Carries bytes on all connections until `close`.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await pipe in pipes { group.addTask { await pipe.run() } }
    }
  }

  func close() async {
    newPipe.finish()
    for pipe in opened.withLock(\.self) { await pipe.close() }
  }
}
