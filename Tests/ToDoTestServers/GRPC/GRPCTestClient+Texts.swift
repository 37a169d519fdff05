#if GRPC
import ToDoProtobuf
import ToDoProtocol

extension GRPCTestClient {
  /// Calls a method of `TestMethods` that returns one response.
  package func say(_ text: String, to method: String = "Say") async throws -> String {
    try await texts(method, text).joined()
  }

  /// Calls a method of `TestMethods`.
  package func texts(_ method: String, _ text: String, metadata: [String: String] = [:]) async throws -> [String] {
    let request = HealthMethods.check.request.encoded(text)
    return try await stream(TestMethods.name(method), [request], metadata: metadata) { messages in
      var texts: [String] = []
      for try await message in messages { texts.append(try HealthMethods.check.request.decode(bytes: message)) }
      return texts
    }
  }
}
#endif
