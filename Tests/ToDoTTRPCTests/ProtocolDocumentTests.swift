import CToDoProtos
import NIOCore
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport

/// Protos/EXAMPLES.md, and the errors of Protos/API.md, against the code.
struct ProtocolDocumentTests {
  private let document: ProtocolDocument
  private static let itemID = "0198c0de-7000-7abc-8def-0123456789ab"

  init() throws { document = try ProtocolDocument() }

  // MARK: Frames

  static let headers: [(String, FrameHeader)] = [
    ("get-item-request", FrameHeader(length: 76, streamID: StreamID(1), type: .request)),
    ("get-item-response", FrameHeader(length: 91, streamID: StreamID(1), type: .response)),
    ("get-item-error", FrameHeader(length: 180, streamID: StreamID(1), type: .response)),
    ("watch-request", FrameHeader(length: 53, streamID: StreamID(3), type: .request, flags: .remoteClosed)),
    ("watch-data", FrameHeader(length: 2, streamID: StreamID(3), type: .data)),
    ("watch-end", FrameHeader(length: 0, streamID: StreamID(3), type: .data, flags: [.remoteClosed, .noData])),
    ("cancel-request", FrameHeader(length: 43, streamID: StreamID(5), type: .request)),
    ("cancelled-error", FrameHeader(length: 92, streamID: StreamID(3), type: .response)),
    ("cancel-response", FrameHeader(length: 0, streamID: StreamID(5), type: .response)),
  ]

  /// The blocks that are golden vectors too. `GoldenVectorTests` checks their content.
  static let vectorHeaders: [(String, FrameHeader)] = [
    ("add-item-request", FrameHeader(length: 209, streamID: StreamID(1), type: .request)),
    ("add-item-response", FrameHeader(length: 91, streamID: StreamID(1), type: .response)),
    ("invalid-item-error", FrameHeader(length: 184, streamID: StreamID(1), type: .response)),
    ("update-item-request", FrameHeader(length: 105, streamID: StreamID(3), type: .request)),
    ("watch-items-request", FrameHeader(length: 37, streamID: StreamID(5), type: .request, flags: .remoteClosed)),
    ("watch-items-changes", FrameHeader(length: 108, streamID: StreamID(5), type: .data)),
    ("watch-items-progress", FrameHeader(length: 4, streamID: StreamID(5), type: .data)),
  ]

  @Test func blocks_areAllChecked() {
    #expect(Set(document.blocks.keys) == Set((Self.headers + Self.vectorHeaders).map(\.0)))
  }

  @Test(arguments: vectorHeaders.map(\.0))
  func block_whenVectorHasItsName_hasTheVectorsBytes(name: String) throws {
    let vector = try #require(try ProtocolDocument.frameVectors()[name])
    #expect(document.blocks[name] == vector)
  }

  @Test(arguments: headers + vectorHeaders)
  func block_isOneFrame(name: String, header: FrameHeader) throws {
    var bytes = ByteBuffer(bytes: try #require(document.blocks[name]))
    var decoder = FrameDecoder()
    let data = bytes.getSlice(at: FrameHeader.size, length: header.length)
    #expect(try decoder.decode(buffer: &bytes) == data.map { .frame(header, $0) })
    #expect(bytes.readableBytes == 0)

    var written = ByteBuffer()
    written.writeFrameHeader(header)
    written.writeImmutableBuffer(try #require(data))
    #expect(document.blocks[name] == Array(written.readableBytesView))
  }

  @Test func unaryCall_isWhatBothSidesExpect() throws {
    var client = ClientStreams()
    var server = ServerStreams()
    let get = StreamID(1)
    #expect(client.open(.unary) == get)
    #expect(server.receive(try header("get-item-request")) == .start(get, .unary))
    #expect(client.receive(try header("get-item-response")) == .finish(get))
  }

  @Test func stream_isWhatBothSidesExpect() throws {
    var client = ClientStreams(firstID: 3)
    var server = ServerStreams()
    let watch = StreamID(3)
    #expect(client.open(.serverStreaming) == watch)
    #expect(server.receive(try header("watch-request")) == .start(watch, .closed))
    #expect(client.receive(try header("watch-data")) == .deliver(watch, isLast: false))
    #expect(client.receive(try header("watch-end")) == .end(watch))
  }

  @Test func cancellation_isWhatBothSidesExpect() throws {
    var client = ClientStreams(firstID: 3)
    var server = ServerStreams()
    let (watch, cancel) = (StreamID(3), StreamID(5))
    #expect(client.open(.serverStreaming) == watch)
    #expect(client.open(.unary) == cancel)
    #expect(server.receive(try header("cancel-request")) == .start(cancel, .unary))
    #expect(client.receive(try header("cancelled-error")) == .finish(watch))
    #expect(client.receive(try header("cancel-response")) == .finish(cancel))
  }

  private func header(_ name: String) throws -> FrameHeader {
    try #require(Self.headers.first { $0.0 == name }).1
  }

  // MARK: Envelopes

  static let requests: [(String, RequestSnapshot)] = [
    (
      "get-item-request",
      RequestSnapshot(
        service: "todo.v1.ToDoService", method: "GetItem", payload: .field(1, itemID), timeout: .seconds(5))
    ),
    (
      "watch-request",
      RequestSnapshot(
        service: "grpc.health.v1.Health", method: "Watch", payload: .field(1, "todo.v1.ToDoService"))
    ),
    (
      "cancel-request",
      RequestSnapshot(service: "todo.v1.ConnectionService", method: "CancelCall", payload: [8, 3])
    ),
  ]

  @Test(arguments: requests)
  func request_isWhatTheTextSays(name: String, request: RequestSnapshot) throws {
    #expect(try RequestSnapshot(decoding: data(name)) == request)
  }

  @Test(arguments: requests)
  func request_encodedAgain_givesTheSameBytes(name: String, request: RequestSnapshot) throws {
    let arena = Arena()
    let payload =
      switch name {
      case "get-item-request": arena.getItemRequest(Self.itemID)
      case "watch-request": arena.healthCheckRequest("todo.v1.ToDoService")
      default: arena.cancelCallRequest(3)
      }
    var buffer = ByteBuffer()
    buffer.writeRequestEnvelope(
      MethodName(service: request.service, method: request.method), timeout: request.timeout, metadata: [:],
      payload: .message(payload), arena: arena)
    #expect(try Array(buffer.readableBytesView) == data(name))
  }

  @Test func response_isTheItem_andEncodedAgainGivesTheSameBytes() throws {
    let arena = Arena()
    try data("get-item-response").withUnsafeBytes { bytes throws in
      let response = try ResponseEnvelope(decoding: bytes, in: arena)
      #expect(try response.error(in: arena) == nil)
      let message = try arena.unpack(todo__v1__get_item_response__init, response.payload)
      let item = try #require(message.pointee.item).pointee
      #expect(item.id.text == Self.itemID)
      #expect(item.title.text == "Buy milk")
      #expect(item.due_date.pointee.year == 2026)
      #expect(item.due_date.pointee.month == 5)
      #expect(item.due_date.pointee.day == 1)
      #expect(item.create_time.pointee.seconds == 1_767_225_600)
      #expect(item.create_time.pointee.nanos == 500_000_000)
      #expect(item.revision == 7)

      var buffer = ByteBuffer()
      buffer.writeResponseEnvelope(payload: .message(message.message), arena: arena)
      #expect(Array(buffer.readableBytesView) == Array(bytes))
    }
  }

  @Test func response_toACancellation_isEmpty() throws {
    let arena = Arena()
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(
      payload: .message(arena.make(todo__v1__cancel_call_response__init).message), arena: arena)
    #expect(try Array(buffer.readableBytesView) == data("cancel-response"))
  }

  static let errors: [(String, RPCError)] = [
    (
      "get-item-error",
      RPCError(
        .notFound, reason: "ITEM_NOT_FOUND", domain: "todo.v1", "there is no item \(itemID)",
        metadata: ["item_id": itemID])
    ),
    ("cancelled-error", .cancelled),
  ]

  @Test(arguments: errors)
  func error_isWhatTheTextSays_andEncodedAgainGivesTheSameBytes(name: String, error: RPCError) throws {
    let arena = Arena()
    try data(name).withUnsafeBytes { bytes throws in
      #expect(try ResponseEnvelope(decoding: bytes, in: arena).error(in: arena) == error)
      var buffer = ByteBuffer()
      buffer.writeResponseEnvelope(error: error, arena: arena)
      #expect(Array(buffer.readableBytesView) == Array(bytes))
    }
  }

  @Test func data_isTheStatus_andEncodedAgainGivesTheSameBytes() throws {
    let arena = Arena()
    try data("watch-data").withUnsafeBytes { bytes throws in
      let message = try arena.unpack(grpc__health__v1__health_check_response__init, bytes)
      #expect(message.pointee.status == GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING)
      var buffer = ByteBuffer()
      buffer.writeMessage(message.message)
      #expect(Array(buffer.readableBytesView) == Array(bytes))
    }
  }

  // MARK: Tables

  @Test(arguments: [("ttrpc", "WIRE_ERROR_REASON_"), ("todo.v1", "ERROR_REASON_")])
  func reasons_areThoseOfTheSchema_withTheirCodes(domain: String, prefix: String) throws {
    let rows = try ProtocolTable.rows(under: "### Domain `\(domain)`")
    let documented = rows.map { (String($0[0].dropFirst().dropLast()), $0[1]) }
    let schema = try ProtocolDocument.codes(ofReasonsAfter: prefix)
    #expect(!schema.isEmpty)
    #expect(Dictionary(uniqueKeysWithValues: documented) == schema)
  }

  @Test func codes_areThoseOfTheCode() throws {
    let rows = try ProtocolTable.rows(under: "## Errors")
    let cells = rows.flatMap { [($0[0], $0[1]), ($0[3], $0[4])] }.filter { $0.0 != "" }
    let codes = StatusCode.allCases.map { ($0.name, String($0.rawValue)) }
    #expect(Dictionary(uniqueKeysWithValues: cells) == Dictionary(uniqueKeysWithValues: codes))
  }

  /// What follows the header.
  private func data(_ name: String) throws -> [UInt8] {
    Array(try #require(document.blocks[name]).dropFirst(FrameHeader.size))
  }
}

extension Arena {
  fileprivate func healthCheckRequest(_ service: String) -> UnsafePointer<ProtobufCMessage> {
    let message = make(grpc__health__v1__health_check_request__init)
    message.pointee.service = bytes(service)
    return message.message
  }

  fileprivate func cancelCallRequest(_ id: UInt32) -> UnsafePointer<ProtobufCMessage> {
    let message = make(todo__v1__cancel_call_request__init)
    message.pointee.stream_id = id
    return message.message
  }
}
