import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import ToDoRPC
import ToDoSupport
import ToDoTestServers
import ToDoTestSupport

/// How much the server reads from one connection before it serves the others of the same event loop.
@Suite(.timeLimited) struct ReadSizeTests {
  /// The order in which requests are served.
  private final class Order: Sendable {
    private let texts = Mutex<[String]>([])

    func append(_ text: String) { texts.withLock { $0.append(text) } }

    func index(of text: String) -> Int? { texts.withLock { $0.firstIndex(of: text) } }
  }

  /// Blocks the event loop until a test has written everything that it should find.
  private final class Barrier: Sendable {
    private let (reached, passed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    func block() {
      reached.signal()
      passed.waitForSignal()
    }

    func waitUntilBlocked(sourceLocation: SourceLocation = #_sourceLocation) async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          self.reached.waitForSignal(sourceLocation: sourceLocation)
          continuation.resume()
        }
      }
    }

    func pass() { passed.signal() }
  }

  private func method(_ name: String, _ body: @escaping @Sendable (String) -> Void) -> ServerMethod {
    .unary(TestMethods.name(name)) { bytes, arena, _ in
      let text = try TestMethods.decode(bytes, arena)
      body(text)
      return .ready(TestMethods.message(text))
    }
  }

  /// One event loop has three connections. While the first blocks it, the second sends 1000 requests, then the third one.
  @Test func call_whenAnotherConnectionHasManyRequests_isNotServedAfterAll() async throws {
    let (order, barrier) = (Order(), Barrier())
    let methods = MethodTable([method("Record", order.append), method("Block") { _ in barrier.block() }])
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    try await TestServer.with(methods, on: group) { server in
      var clients: [RawClient] = []
      for _ in 0..<3 { clients.append(try await RawClient.connect(to: server.endpoint)) }
      // After a call, a connection is certainly accepted.
      for client in clients { _ = try await client.response(to: .request(1, "Record", "first")) }
      try await clients[0].write(.request(3, "Block", ""))
      await barrier.waitUntilBlocked()
      let requests = (0..<1000).map { RawFrame.request(UInt32(2 * $0 + 3), "Record", "busy \($0)") }
      try await clients[1].write(requests.flatMap(\.bytes))
      try await clients[2].write(.request(3, "Record", "other"))
      barrier.pass()
      for _ in requests { _ = try await clients[1].frame() }
      _ = try await clients[2].frame()
      for client in clients { await client.close() }
    }
    try await group.shutdownGracefully()
    #expect(try #require(order.index(of: "other")) < 200)
  }

  @Test func requests_whenLargeAndSmallInTurn_getTheirResponses() async throws {
    let methods = TestMethods()
    let text = String(repeating: "x", count: 1 << 20)
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        for id in [UInt32(1), 3] {
          #expect(try await client.response(to: .request(id, "Say", text)).text == text)
          #expect(try await client.response(to: .request(id + 4, "Say", "small")).text == "small")
        }
      }
    }
  }
}
