#if GRPC
import NIOCore
import NIOHPACK
import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// Headers and trailers that a method adds to its response, and the timeout that it sees.
@Suite(.timeLimited) struct GRPCMetadataTests {
  /// The answer of a server whose only method adds metadata.
  private func answer(
    of error: RPCError? = nil, isStream: Bool = false, _ headers: [(String, String)] = []
  ) async throws -> HTTP2TestStream.Answer {
    let method: ServerMethod = isStream ? .addingToStream(error: error) : .adding(error: error)
    return try await GRPCTestServer.with(MethodTable([method])) { server in
      try await HTTP2TestClient.with(server.endpoint) { try await $0.call("Add", headers: headers) }
    }
  }

  @Test(arguments: [false, true]) func response_hasHeadersAndTrailers(_ isStream: Bool) async throws {
    let answer = try await answer(isStream: isStream)
    #expect(answer.status == .ok)
    #expect(answer.headers["x-head"] == ["1", "2"] && answer.headers["x-trail"] == ["3"])
    let names = answer.headers.map(\.name)
    #expect(names.firstIndex(of: "x-head") ?? 9 < names.firstIndex(of: "grpc-status") ?? 0)
    #expect(names.last == "x-trail")
  }

  @Test(arguments: [false, true]) func failure_hasHeadersAndTrailers(_ isStream: Bool) async throws {
    let answer = try await answer(of: RPCError(.notFound, reason: "GONE", "no"), isStream: isStream)
    #expect(answer.status == .notFound)
    #expect(answer.headers["x-head"] == ["1", "2"] && answer.headers["x-trail"] == ["3"])
  }

  @Test func exchange_hasTimeoutOfCaller() async throws {
    let timed = try await answer([("grpc-timeout", "5S")])
    #expect(String(decoding: timed.data.dropFirst(5), as: UTF8.self) == "5.0 seconds")
    #expect(String(decoding: try await answer().data.dropFirst(5), as: UTF8.self) == "none")
  }
}

extension ServerMethod {
  /// A method that adds metadata to its response, which is the timeout or an error.
  fileprivate static func adding(error: RPCError?) -> ServerMethod {
    var method = unary(TestMethods.name("Add")) { _, _, call in
      call.addExample()
      if let error { throw error }
      return .ready(OutgoingMessage(encoded: ByteBuffer(string: call.exchange?.timeout.map { "\($0)" } ?? "none")))
    }
    method.exchangesMetadata = true
    return method
  }

  /// A method that adds metadata to a stream of one message.
  fileprivate static func addingToStream(error: RPCError?) -> ServerMethod {
    var method = streaming(TestMethods.name("Add")) { _, _ in
      { call, _, outgoing in
        call.addExample()
        try await outgoing.send(OutgoingMessage(encoded: ByteBuffer(string: "a")))
        if let error { throw error }
      }
    }
    method.exchangesMetadata = true
    return method
  }
}

extension CallContext {
  fileprivate func addExample() {
    exchange?.metadata.headers.append("X-Head", "1")
    exchange?.metadata.headers.append("x-head", "2")
    exchange?.metadata.trailers.append("X-Trail", "3")
  }
}
#endif
