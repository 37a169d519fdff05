#if GRPC
import NIOHPACK
import ToDoRPC
import Testing

@testable import ToDoGRPCTransport

@Suite struct RequestHeadTests {
  /// The headers of a call, with some added or, if `nil`, removed.
  private static func headers(_ changes: [(String, String?)] = []) -> HPACKHeaders {
    var headers: HPACKHeaders = [
      ":method": "POST", ":scheme": "http", ":path": "/a.B/C", ":authority": "localhost",
      "content-type": "application/grpc", "te": "trailers",
    ]
    for (name, value) in changes {
      if headers.contains(name: name), !name.hasPrefix("grpc-") { headers.remove(name: name) }
      if let value { headers.add(name: name, value: value) }
    }
    return headers
  }

  private func head(_ changes: (String, String?)...) throws -> RequestHead {
    try RequestHead(Self.headers(changes))
  }

  private func rejection(_ changes: (String, String?)...) -> RequestRejection? {
    #expect(throws: RequestRejection.self) { try RequestHead(Self.headers(changes)) }
  }

  private func code(_ rejection: RequestRejection?) -> StatusCode? {
    if case .status(let error)? = rejection { error.code } else { nil }
  }

  @Test func head_hasServiceAndMethodNames() throws {
    let head = try head()
    #expect(head.service == "a.B" && head.method == "C" && head.timeout == nil && head.metadata == Metadata())
  }

  @Test(arguments: ["", "/", "a.B/C", "/a.B", "/a/b/c", "//C/", "*"])
  func path_whenNotServiceAndMethod_isUnimplemented(_ path: String) {
    #expect(code(rejection((":path", path))) == .unimplemented)
  }

  @Test(arguments: ["GET", "CONNECT", "post", nil]) func method_whenNotPOST_isRejected(_ method: String?) {
    #expect(rejection((":method", method)) == .http(405))
  }

  @Test(arguments: ["application/grpc+proto", "application/grpc;charset=utf-8", "Application/GRPC"])
  func contentType_whenProtobuf_isAccepted(_ type: String) throws { _ = try head(("content-type", type)) }

  @Test(arguments: [nil, "", "application/json", "application/grpc+json", "application/grpc-web", "text/plain"])
  func contentType_whenNotGRPC_isUnsupportedMediaType(_ type: String?) {
    #expect(rejection(("content-type", type)) == .http(415))
  }

  @Test(arguments: [
    ("1H", Duration.seconds(3600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("4m", .milliseconds(4)),
    ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("0n", .zero), ("99999999H", .seconds(359_999_996_400)),
  ])
  func timeout_isParsed(_ text: String, _ timeout: Duration) throws {
    #expect(try head(("grpc-timeout", text)).timeout == timeout)
  }

  @Test(arguments: [
    "", "1", "S", "1s", "-1S", "-0S", "+1S", "1.5S", "100000000S", "1 S", " 1S", "1S ", "0x1S", "٣S",
    "-9223372036854775808n", "1S,2S", "1é", "🕐",
  ])
  func timeout_whenMalformed_isRejected(_ text: String) {
    #expect(code(rejection(("grpc-timeout", text))) == .invalidArgument)
  }

  @Test func timeout_whenRepeated_isRejected() {
    #expect(code(rejection(("grpc-timeout", "1S"), ("grpc-timeout", "2S"))) == .invalidArgument)
  }

  @Test func encoding_whenIdentity_isAccepted() throws {
    let head = try head(("grpc-encoding", "identity"), ("grpc-accept-encoding", "gzip,deflate,\u{1}"))
    #expect(head.encoding == .identity && head.responseEncoding == .identity)
  }

  @Test(arguments: [nil, "gzip", "identity,gzip", "identity, gzip ,deflate"])
  func encoding_whenGzip_isThatOfResponses(_ accepted: String?) throws {
    let head = try head(("grpc-encoding", "gzip"), ("grpc-accept-encoding", accepted))
    #expect(head.encoding == .gzip && head.responseEncoding == .gzip)
  }

  @Test(arguments: ["", "identity", "deflate,x-gzip", "GZIP"])
  func encoding_whenCallerCannotReadIt_isNotThatOfResponses(_ accepted: String) throws {
    let head = try head(("grpc-encoding", "gzip"), ("grpc-accept-encoding", accepted))
    #expect(head.encoding == .gzip && head.responseEncoding == .identity)
  }

  @Test(arguments: ["deflate", "", "identity,gzip", "GZIP", "\u{0}"])
  func encoding_whenUnknown_isUnimplemented(_ encoding: String) {
    #expect(rejection(("grpc-encoding", encoding)) == .status(.unsupportedEncoding))
  }

  @Test func encoding_whenRepeated_isUnimplemented() {
    #expect(rejection(("grpc-encoding", "gzip"), ("grpc-encoding", "gzip")) == .status(.unsupportedEncoding))
  }

  @Test func metadata_keepsOrder_withoutReservedHeaders() throws {
    let head = try head(
      ("a", "1"), ("grpc-previous-rpc-attempts", "-1"), ("b-bin", "AQI"), ("authorization", "Bearer π"),
      ("b-bin", "AQI=, AQ=="))
    var expected = Metadata()
    for (key, value) in [
      ("a", "1"), ("authorization", "Bearer π"), ("b-bin", "AQI="), ("b-bin", "AQ=="),
    ] {
      expected.append(key, value)
    }
    #expect(head.metadata == expected)
  }

  @Test(arguments: ["A", "A===", "AQ=", "A=Q=", "AQI$", "====", "AQIDé", "AQ==,A"])
  func binaryMetadata_whenNotBase64_isRejected(_ value: String) {
    #expect(code(rejection(("x-bin", value))) == .invalidArgument)
  }

  @Test(arguments: ["\u{0}", "a\r\nb", "\u{7f}"]) func metadata_whenValueHasControlCharacters_isRejected(
    _ value: String
  ) {
    #expect(code(rejection(("x", value))) == .invalidArgument)
  }
}
#endif
