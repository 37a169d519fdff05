#if GRPC
import ToDoGRPCTransport
import ToDoRPC
import Synchronization
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoSupport

/// Calls with invalid credentials over gRPC.
@Suite(.timeLimited) struct GRPCStrikeTests {
  /// The connections that calls came on. They are retained, so that no two have the same identity.
  private final class Connections: Sendable {
    let all = Mutex<[CallConnection]>([])
  }

  private let connections = Connections()
  private let limits: ServerLimits = {
    var limits = ServerLimits.patient
    limits.maximumStrikes = 3
    return limits
  }()

  /// A method that finds the credentials of its call invalid, and one that finds them valid.
  private var methods: MethodTable {
    let reject = ServerMethod.unary(TestMethods.name("Reject")) { [connections] _, _, call in
      .pending {
        connections.all.withLock { $0.append(call.connection) }
        call.rejectedCredentials()
        throw RPCError(.unauthenticated, reason: "UNAUTHENTICATED", "invalid token")
      }
    }
    let accept = ServerMethod.unary(TestMethods.name("Accept")) { [connections] _, _, call in
      connections.all.withLock { $0.append(call.connection) }
      call.authenticated(as: "ann")
      return .ready(TestMethods.message("accepted"))
    }
    return MethodTable([reject, accept])
  }

  @Test func connection_afterTooManyInvalidCredentials_isClosed() async throws {
    try await GRPCTestServer.with(methods, limits: limits) { server in
      try await HTTP2TestClient.with(server.endpoint) { client async throws in
        for _ in 1..<limits.maximumStrikes {
          #expect(try await client.call("Reject").status == .unauthenticated)
        }
        // The connection may be closed before the answer has arrived.
        _ = try? await client.call("Reject")
        try await client.closed()
      }
      try await HTTP2TestClient.with(server.endpoint) { client async throws in
        #expect(try await client.call("Reject").status == .unauthenticated)
      }
    }
    let calls = connections.all.withLock { $0.map(ObjectIdentifier.init) }
    #expect(calls[0] == calls[1] && calls[1] == calls[2])
    #expect(calls[2] != calls[3])
    #expect(connections.all.withLock { $0.allSatisfy { $0.peer.address == .v4(0x7F00_0001) } })
  }

  // A proxy sends the calls of several callers over one connection.
  @Test func connection_whenCredentialsWereValid_staysOpen_afterManyInvalidOnes() async throws {
    try await GRPCTestServer.with(methods, limits: limits) { server in
      try await HTTP2TestClient.with(server.endpoint) { client async throws in
        let calls = Array(repeating: "Reject", count: limits.maximumStrikes - 1) + ["Accept"]
        for method in calls + Array(repeating: "Reject", count: 3 * limits.maximumStrikes) + ["Accept"] {
          #expect(try await client.call(method).status == (method == "Accept" ? .ok : .unauthenticated))
        }
      }
    }
    #expect(Set(connections.all.withLock { $0.map(ObjectIdentifier.init) }).count == 1)
  }
}
#endif
