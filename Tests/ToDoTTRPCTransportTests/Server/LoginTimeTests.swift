import Testing
import ToDoRPC
import ToDoSupport
import ToDoTestServers
import ToDoTestSupport

/// The time in which a connection must authenticate, on a clock that a test advances.
@Suite(.timeLimited) struct LoginTimeTests {
  private let methods = TestMethods()

  private func expectService(_ server: ServerChannel, _ id: UInt32) async throws {
    try await server.write(.request(id, "Say", "here"))
    #expect(try await server.frames().map { try $0.text } == ["here"])
  }

  private func withLogin(
    _ limiter: ConnectionLimiter? = nil, isRequired: Bool = true, _ body: (ServerChannel) async throws -> Void
  ) async throws {
    let login = ServerMethod.unary(TestMethods.name("Login")) { _, _, call in
      .pending {
        call.authenticated()
        return TestMethods.message("welcome")
      }
    }
    var configuration = ServerLimits()
    configuration.requiresAuthentication = isRequired
    let logout = ServerMethod.unary(TestMethods.name("Logout")) { _, _, call in
      .pending {
        call.connection.endAuthentication()
        return TestMethods.message("bye")
      }
    }
    let table = MethodTable(methods.methods + [login, logout])
    try await ServerChannel.with(table, configuration, limiter: limiter, body)
  }

  @Test func connection_whenNoCallAuthenticatesInTime_isClosedDespiteOpenStream() async throws {
    try await withLogin { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1))
      try await methods.journal.wait(for: "started 0")
      await server.advance(by: .milliseconds(29_900))
      #expect(server.isOpen)
      try await expectService(server, 3)
      await server.advance(by: .milliseconds(100))
      #expect(!server.isOpen)
    }
  }

  @Test func connection_whenCallAuthenticatesInTime_staysOpen() async throws {
    try await withLogin { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1), .request(3, "Login"))
      #expect(try await server.frames().map { try $0.text } == ["welcome"])
      await server.advance(by: .seconds(24 * 3600))
      #expect(server.isOpen)
    }
  }

  @Test func connection_whenItsCredentialsEnd_mustAuthenticateInTime() async throws {
    try await withLogin { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1), .request(3, "Login"))
      await server.advance(by: .seconds(3600))
      try await server.write(.request(5, "Logout"))
      #expect(try await server.frames().map { try $0.text } == ["welcome", "bye"])
      try await server.write(.request(7, "Say", String(repeating: "x", count: 70_000)))
      #expect(try await server.frames().map { try $0.error?.reason } == ["MESSAGE_TOO_LARGE"])
      await server.advance(by: .seconds(29))
      #expect(server.isOpen)
      await server.advance(by: .seconds(2))
      #expect(!server.isOpen)
    }
  }

  @Test func connection_whenItAuthenticatesAgain_staysOpen() async throws {
    try await withLogin { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1), .request(3, "Login"), .request(5, "Logout"))
      await server.advance(by: .seconds(29))
      try await server.write(.request(7, "Login"))
      await server.advance(by: .seconds(24 * 3600))
      #expect(server.isOpen)
      #expect(try await server.frames().map { try $0.text } == ["welcome", "bye", "welcome"])
      try await server.write(.request(9, "Say", String(repeating: "x", count: 70_000)))
      #expect(try await server.frames().count == 1)
    }
  }

  @Test func connection_whenCredentialsBecomeRequired_mustAuthenticateInTime() async throws {
    let limiter = ConnectionLimiter(ServerLimits())
    try await withLogin(limiter, isRequired: false) { server async throws in
      try await server.write(.request(1, "CountAndHold", "0", flags: 1))
      await server.advance(by: .seconds(3600))
      limiter.requireCredentials()
      try await server.write(.request(3, "Say", String(repeating: "x", count: 70_000)))
      #expect(try await server.frames().map { try $0.error?.reason } == ["MESSAGE_TOO_LARGE"])
      await server.advance(by: .seconds(31))
      #expect(!server.isOpen)
    }
  }
}
