#if HTTP
import CToDoProtos
import CToDoSchema
import NIOCore
import NIOEmbedded
import Testing
import ToDoCompression
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport
@testable import ToDoServer

/// Calls by GET.
@Suite(.timeLimited) struct GETCallTests {
  private func connection(_ limits: ServerLimits = ServerLimits()) throws -> EmbeddedHTTPConnection {
    var reading = ServerMethod.saying
    reading.hasNoSideEffects = true
    return try EmbeddedHTTPConnection(to: [reading, .holding], limits: limits)
  }

  @Test(arguments: [
    ("connect=v1&encoding=proto&message=%0A%01a", "\n\u{1}a"), ("encoding=proto&message=", ""),
    ("connect=v1&encoding=proto&base64=1&message=CgFh", "\n\u{1}a"), ("message=Cg-_&base64=1&encoding=proto&x=y", ""),
    ("encoding=proto&base64=1&message=CgFhYg%3D%3D", "\n\u{1}ab"),
    ("encoding=proto&base64=1&message=CgFhYg", "\n\u{1}ab"),
    ("%65ncoding=proto&message=a+b%2b", "a b+"), ("encoding=proto&compression=identity&message=", ""),
  ])
  func call_returnsResponse(_ query: String, _ body: String) throws {
    let connection = try connection()
    connection.receive(.request("GET /test.Texts/Say?\(query) HTTP/1.1"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n") && sent.contains("content-type: application/proto\r\n"))
    #expect(body.isEmpty || sent.hasSuffix("\r\n\r\n" + body))
    #expect(connection.isOpen)
  }

  @Test(arguments: [
    "", "encoding=proto", "message=", "encoding=xml&message=", "encoding=proto&message=%", "encoding=proto&message=%0",
    "encoding=proto&message=%0g", "encoding=proto&message=a&message=b", "connect=v2&encoding=proto&message=",
    "encoding=proto&base64=2&message=", "encoding=proto&base64=1&message=a", "encoding=proto&base64=1&message=a===",
    "encoding=proto&base64=1&message=%00", "encoding=proto&compression=br&message=",
    "encoding=proto&compression=gzip&base64=1&message=CgFh", "encoding=proto&compression=gzip&message=",
  ])
  func query_whenMalformed_is400(_ query: String) throws {
    let connection = try connection()
    #expect(try connection.status(.request("GET /test.Texts/Say?\(query) HTTP/1.1")) == 400)
    #expect(connection.isOpen)
  }

  @Test func message_whenCompressed_isDecompressed() throws {
    let connection = try connection()
    connection.receive(.request("GET /test.Texts/Say?\(try compressed("\n\u{1}a")) HTTP/1.1"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n") && sent.hasSuffix("\r\n\r\n\n\u{1}a"))
  }

  @Test func message_whenItIsTooLargeDecompressed_isRefused() throws {
    var limits = ServerLimits()
    limits.maximumFrameLength = 1000
    let connection = try connection(limits)
    let query = try compressed(String(repeating: "a", count: 1001))
    #expect(try connection.status(.request("GET /test.Texts/Say?\(query) HTTP/1.1")) == 429)
  }

  /// Returns a query with a compressed message.
  private func compressed(_ text: String) throws -> String {
    var compressed = ByteBuffer()
    try Gzip.compress(ByteBuffer(string: text), into: &compressed)
    let message = Array(compressed.readableBytesView).base64.map { ["+": "-", "/": "_"][$0] ?? $0 }
    return "encoding=proto&compression=gzip&base64=1&message=\(String(message))"
  }

  @Test func call_whenItHasBody_is413() throws {
    let request = String.request(
      "GET /test.Texts/Say?encoding=proto&message= HTTP/1.1", ["Host: localhost", "Content-Length: 1"], "a")
    #expect(try connection().status(request) == 413)
  }

  @Test func method_whenItHasSideEffects_is405() throws {
    let connection = try connection()
    #expect(try connection.status(.request("GET /test.Texts/Hold?encoding=proto&message= HTTP/1.1")) == 405)
    connection.receive(.request("PUT /test.Texts/Say HTTP/1.1"))
    #expect(try connection.sent().contains("allow: GET, POST\r\n"))
  }

  @Test func methodsWithoutSideEffects_areThoseOfSchema() throws {
    let arena = Arena()
    let set = try arena.unpack(
      google__protobuf__file_descriptor_set__init,
      UnsafeRawBufferPointer(start: todo_schema_bytes(), count: todo_schema_size()))
    var marked: Set<String> = []
    for file in UnsafeBufferPointer(start: set.pointee.file, count: set.pointee.n_file) {
      guard let file = file?.pointee else { continue }
      for service in UnsafeBufferPointer(start: file.service, count: file.n_service) {
        guard let service = service?.pointee else { continue }
        for method in UnsafeBufferPointer(start: service.method, count: service.n_method) {
          guard let method = method?.pointee, let options = method.options?.pointee,
            options.idempotency_level == GOOGLE__PROTOBUF__METHOD_OPTIONS__IDEMPOTENCY_LEVEL__NO_SIDE_EFFECTS
          else { continue }
          marked.insert("\(file.package.text ?? "").\(service.name.text ?? "")/\(method.name.text ?? "")")
        }
      }
    }
    #expect(Set(ServerMethod.namesWithoutSideEffects.map(\.description)) == marked)
    #expect(marked.count == 12)
  }
}
#endif
