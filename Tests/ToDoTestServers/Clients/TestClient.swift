import Testing
package import ToDoClient
package import ToDoModel
import ToDoTestSupport
package import ToDoTransport

/// Creates clients with a given number of attempts, and defines the calls under test.
package enum TestClient {
  package static let id = ItemID(high: 1, low: 2)

  /// Returns a configuration with a number of attempts and short pauses between them.
  package static func configuration(retries: Int = 0, timeout: Duration = .seconds(300)) -> ToDoClient.Configuration {
    var configuration = ToDoClient.Configuration()
    configuration.retryLimit = retries
    configuration.timeout = timeout
    configuration.backoff.initial = .milliseconds(1)
    configuration.backoff.maximum = .milliseconds(10)
    return configuration
  }

  package static func withClient<Value>(
    of endpoint: Endpoint, retries: Int = 0, timeout: Duration = .seconds(300),
    _ body: (ToDoClient) async throws -> Value
  ) async throws -> Value {
    let client = ToDoClient(endpoint: endpoint, configuration: configuration(retries: retries, timeout: timeout))
    do {
      let value = try await body(client)
      await client.close()
      return value
    } catch {
      await client.close()
      throw error
    }
  }

  /// A named call, for parameterized tests.
  package enum Call: String, CaseIterable, CustomTestStringConvertible {
    case get, list, info, add, check, checkIfAt, delete, deleteAll

    package var testDescription: String { rawValue }

    package static let idempotent: [Call] = [.get, .list, .info, .add, .checkIfAt]
    package static let others: [Call] = [.check, .delete, .deleteAll]

    package func make(_ client: ToDoClient) async throws {
      switch self {
      case .get: _ = try await client.item(id)
      case .list: _ = try await client.items(ItemQuery())
      case .info: _ = try await client.info()
      case .add: _ = try await client.addItem(NewItem(id: id, content: .full))
      case .check: _ = try await client.checkItem(id, ifRevision: nil)
      case .checkIfAt: _ = try await client.checkItem(id, ifRevision: Revision(1))
      case .delete: _ = try await client.deleteItem(id, ifRevision: nil)
      case .deleteAll: _ = try await client.deleteItems(.all)
      }
    }
  }
}
