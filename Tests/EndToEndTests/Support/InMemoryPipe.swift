import Logging
import NIOCore
import NIOEmbedded
import ToDoRPC
import ToDoTTRPCTransport

/// A client channel and a server channel that are connected without a socket.
struct InMemoryPipe: Sendable {
  let connection: ClientConnection
  private let client = NIOAsyncTestingChannel()
  private let server = NIOAsyncTestingChannel()

  init(methods: MethodTable) async throws {
    let logger = Logger(label: "pipe")
    let (client, server) = (client, server)
    try await client.testingEventLoop.executeInContext {
      try ClientConnection.configure(client, ClientConfiguration(), logger)
    }
    try await server.testingEventLoop.executeInContext {
      try ServerListener.configure(server, methods: methods, logger: logger)
    }
    let address = try SocketAddress(unixDomainSocketPath: "/pipe")
    try await client.connect(to: address).get()
    try await server.connect(to: address).get()
    connection = try await ClientConnection.over(client, ClientConfiguration())
  }

  /// Transfers bytes in both directions until its task is canceled.
  func run() async {
    await withTaskGroup { group in
      group.addTask { await Self.carry(from: client, to: server) }
      group.addTask { await Self.carry(from: server, to: client) }
    }
  }

  func close() async {
    _ = try? await client.finish(acceptAlreadyClosed: true)
    _ = try? await server.finish(acceptAlreadyClosed: true)
  }

  private static func carry(from source: NIOAsyncTestingChannel, to target: NIOAsyncTestingChannel) async {
    while let bytes = try? await source.waitForOutboundWrite(as: ByteBuffer.self) {
      _ = try? await target.writeInbound(bytes)
      // Tasks that are submitted to an embedded event loop run only when the loop is run.
      await target.testingEventLoop.run()
    }
  }
}
