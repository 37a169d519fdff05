import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

extension MemoryAccountStore {
  /// Adds users, each with a token.
  ///
  /// - Parameter reader: the user whose token is for reading only.
  /// - Returns: the tokens by name.
  func addUsersWithTokens(
    _ names: [String] = ["ann", "bob", "cat"], reader: String? = "cat"
  ) async throws -> [String: String] {
    for name in names { try await addUser(.sample(name)) }
    return try await addTokens(of: names, reader: reader)
  }
}

extension AccountStore {
  /// Adds a token of each user.
  ///
  /// - Parameter reader: the user whose token is for reading only.
  /// - Returns: the tokens by name.
  func addTokens(of names: [String], reader: String? = nil) async throws -> [String: String] {
    var tokens: [String: String] = [:]
    for name in names {
      let token = BearerToken()
      try await addToken(
        AccessToken(
          id: token.id, user: .sample(name), secretHash: token.secretHash, isReadOnly: name == reader,
          createdAt: Timestamp(microseconds: 0), expiresAt: nil))
      tokens[name] = token.description
    }
    return tokens
  }
}

/// The client of one caller in tests that run over both protocols.
enum UserClient: Sendable {
  case ttrpc(ToDoClient)
  #if GRPC
  case grpc(GRPCTestClient, authorization: String?)
  #endif
}

extension ListServiceTests.Transport {
  /// Serves methods, and runs `body` with a client for each token. An empty token stands for no credentials.
  func withClients(
    of methods: MethodTable, _ tokens: [String: String], _ body: @Sendable ([String: UserClient]) async throws -> Void
  ) async throws {
    switch self {
    case .ttrpc:
      try await TestServer.with(methods) { server in
        let clients = tokens.mapValues { token in
          var configuration = TestClient.configuration()
          configuration.token = token.isEmpty ? nil : token
          return server.client(configuration)
        }
        try await body(clients.mapValues(UserClient.ttrpc))
        for client in clients.values { await client.close() }
      }
    #if GRPC
    case .grpc:
      try await GRPCTestServer.with(methods) { server in
        try await GRPCTestClient.with(server.endpoint) { client in
          try await body(
            tokens.mapValues { .grpc(client, authorization: $0.isEmpty ? nil : "Bearer \($0)") })
        }
      }
    #endif
    }
  }
}
