import Testing
import ToDoClient
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// Connections on which others could read a token.
@Suite(.timeLimited) struct ReadableConnectionTests {
  @Test func token_whenConnectionIsReadable_isNotSent() async throws {
    var configuration = TestClient.configuration()
    configuration.token = "secret"
    let client = ToDoClient(endpoint: .tcp(host: "192.0.2.1", port: 1), configuration: configuration)
    let error = await #expect(throws: RPCError.self) { try await client.info() }
    #expect(error?.reason == "TOKEN_NOT_SENT")
    let watching = await #expect(throws: RPCError.self) {
      for try await _ in client.watch(from: .snapshot, state: .all) {}
    }
    #expect(watching?.reason == "TOKEN_NOT_SENT")
    await client.close()
  }
}
