#if HTTP
import NIOCore
import Testing
import ToDoRPC
import ToDoTestSupport

@testable import ToDoHTTPTransport

/// Headers and trailers that a method adds to its response.
@Suite(.timeLimited) struct ResponseMetadataTests {
  private static let web = "application/grpc-web+proto"

  /// The response to a call of a method, divided into head and body.
  private func response(
    to method: ServerMethod, type: String = "application/proto", headers: [String] = [], body: String = ""
  ) throws -> (head: String, body: String) {
    let connection = try EmbeddedHTTPConnection(to: [method])
    connection.receive(.call(method.name.method, headers, type: type, body: body))
    let sent = try connection.sent()
    let end = try #require(sent.firstRange(of: "\r\n\r\n"))
    return (String(sent[..<end.upperBound]), String(sent[end.upperBound...]))
  }

  private let empty = "\0\0\0\0\0"

  @Test(arguments: [nil, RPCError(.notFound, reason: "GONE", "no")])
  func unaryConnect_hasTrailersAmongHeaders(_ error: RPCError?) throws {
    let response = try response(to: .adding(error: error))
    #expect(response.head.hasPrefix("HTTP/1.1 \(error == nil ? 200 : 404) "))
    #expect(response.head.contains("x-head: 1\r\nx-head: 2\r\ntrailer-x-trail: 3\r\n"))
  }

  @Test(arguments: [nil, RPCError(.notFound, reason: "", domain: "", "no")])
  func grpcWeb_hasTrailersWithStatus(_ error: RPCError?) throws {
    let response = try response(to: .adding(error: error), type: Self.web, body: empty)
    #expect(response.head.contains("x-head: 1\r\nx-head: 2\r\n"))
    if error == nil {
      #expect(!response.head.contains("x-trail"))
      #expect(response.body.hasSuffix("grpc-status: 0\r\nx-trail: 3\r\n"))
    } else {
      #expect(response.head.contains("grpc-message: no\r\n") && response.head.contains("x-trail: 3\r\n"))
      #expect(response.body.isEmpty)
    }
  }

  @Test func connectStream_hasTrailersAtItsEnd() throws {
    let end = Envelope.end(nil, ResponseMetadata.example.trailers)
    #expect(String(buffer: end).hasSuffix(#"{"metadata":{"x-trail":["3"]}}"#))
    let failed = Envelope.end(RPCError(.notFound, reason: "", domain: "", "no"), ResponseMetadata.example.trailers)
    #expect(
      String(buffer: failed).hasSuffix(#"{"error":{"code":"not_found","message":"no"},"metadata":{"x-trail":["3"]}}"#))
    let protocols: [any CallProtocol] = [
      ConnectStream(format: .proto), GRPCWeb(method: MethodName(service: "a", method: "b"), form: .binary),
    ]
    for callProtocol in protocols {
      let response = callProtocol.response(RPCError.cancelled, .example)
      #expect(response.headers.filter { $0.0 == "x-head" }.map(\.1) == ["1", "2"])
    }
  }

  @Test(arguments: [
    ("application/proto", "connect-timeout-ms: 1500", ""), (web, "grpc-timeout: 1500m", "\0\0\0\0\0"),
  ])
  func exchange_hasTimeoutOfCaller(_ type: String, _ header: String, _ body: String) throws {
    let method = ServerMethod.adding(error: nil)
    #expect(try response(to: method, type: type, headers: [header], body: body).body.contains("1.5 seconds"))
    #expect(try response(to: method, type: type, body: body).body.contains("none"))
  }

  @Test func exchange_ofOtherMethods_isMissing() throws {
    var method = ServerMethod.adding(error: nil)
    method.exchangesMetadata = false
    #expect(!(try response(to: method).head.contains("x-head")))
  }
}

extension ResponseMetadata {
  fileprivate static var example: ResponseMetadata {
    var metadata = ResponseMetadata()
    metadata.headers.append("X-Head", "1")
    metadata.headers.append("x-head", "2")
    metadata.trailers.append("X-Trail", "3")
    return metadata
  }
}

extension ServerMethod {
  /// `test.Texts/Add`, which adds metadata to its response. That is the timeout, or an error.
  fileprivate static func adding(error: RPCError?) -> ServerMethod {
    var method = unary(MethodName(service: "test.Texts", method: "Add")) { _, _, call in
      call.exchange?.metadata = .example
      if let error { throw error }
      let text = call.exchange?.timeout.map { "\($0)" } ?? "none"
      return .ready(OutgoingMessage(encoded: ByteBuffer(string: text)))
    }
    method.exchangesMetadata = true
    return method
  }
}
#endif
