#if GRPC
  import GRPCTransport
  import RPC
  import Synchronization
  import TestServers
  import Testing
  import Waiters

  /// Calls with invalid credentials over gRPC.
  @Suite(.timeLimit(.minutes(15))) struct GRPCStrikeTests {
    /// The connections that calls came on. They are retained, so that no two have the same identity.
    private final class Connections: Sendable {
      let all = Mutex<[CallConnection]>([])
    }

    @Test func connection_afterTooManyInvalidCredentials_isClosed() async throws {
      let connections = Connections()
      let reject = ServerMethod.unary(TestMethods.name("Reject")) { _, _, call in
        .pending {
          connections.all.withLock { $0.append(call.connection) }
          call.rejectedCredentials()
          throw RPCError(.unauthenticated, reason: "UNAUTHENTICATED", "invalid token")
        }
      }
      var limits = ServerLimits.patient
      limits.maximumStrikes = 3
      try await GRPCTestServer.with(MethodTable([reject]), limits: limits) { server in
        try await GRPCTestClient.with(server.endpoint) { client in
          // The client connects again after its connection was closed. Until it learns that, its calls fail without
          // suspending.
          while connections.all.withLock(\.count) < 4 {
            try Task.checkCancellation()
            _ = try? await client.call(TestMethods.name("Reject"), [])
            await Task.yield()
          }
        }
      }
      let calls = connections.all.withLock { $0.map(ObjectIdentifier.init) }
      #expect(calls[0] == calls[1] && calls[1] == calls[2])
      #expect(calls[2] != calls[3])
      #expect(connections.all.withLock { $0.allSatisfy { $0.peer.address == .v4(0x7F00_0001) } })
    }
  }
#endif
