#if GRPC
import ToDoProtobuf
import ToDoRPC
import ToDoTestSupport
import Testing

@testable import ToDoGRPCTransport

/// Requests as tools send them, byte by byte, and the responses.
@Suite struct ReflectionServiceTests {
  private let service = ReflectionService(index: .schema, services: ["b", "a"])

  /// - Parameter field: 3: a file by its name, 4: by a symbol, 6: the extensions of a message, 7: the services.
  private func response(_ field: UInt64, _ value: String) throws -> ReflectionResponse {
    service.response(to: try Self.request(ProtobufBytes().field(field, value)))
  }

  private static func request(_ bytes: ProtobufBytes) throws -> ReflectionRequest {
    try bytes.bytes.withUnsafeBytes { try ReflectionRequest($0, Arena()) }
  }

  @Test func services_areListedAlphabetically() throws {
    #expect(try response(7, "") == .services(["a", "b"]))
  }

  @Test func file_precedesItsImports_eachOnce() throws {
    guard case .files(let files) = try response(3, "todo/v1/to_do_service.proto") else {
      Issue.record("there are no files")
      return
    }
    let names = files.map(Self.name)
    #expect(names.first == "todo/v1/to_do_service.proto")
    #expect(
      Set(names) == [
        "todo/v1/to_do_service.proto", "todo/v1/changes.proto", "todo/v1/geocoding.proto", "todo/v1/history.proto",
        "todo/v1/item_reads.proto", "todo/v1/item_writes.proto", "todo/v1/items.proto", "todo/v1/quick_add.proto",
        "todo/v1/server_info.proto",
        "google/protobuf/field_mask.proto", "google/protobuf/timestamp.proto", "google/type/date.proto",
        "google/type/latlng.proto",
      ])
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: [
    ("todo.v1.ToDoService", "todo/v1/to_do_service.proto"),
    ("todo.v1.ToDoService.GetItem", "todo/v1/to_do_service.proto"), ("todo.v1.Item", "todo/v1/items.proto"),
    ("todo.v1.Granularity", "todo/v1/items.proto"),
    ("google.rpc.BadRequest.FieldViolation", "google/rpc/error_details.proto"),
    ("grpc.health.v1.HealthCheckResponse.ServingStatus", "grpc/health/v1/health.proto"),
    ("grpc.reflection.v1.ServerReflection", "grpc/reflection/v1/reflection.proto"),
    ("grpc.reflection.v1alpha.ServerReflection", "grpc/reflection/v1alpha/reflection.proto"),
    ("google.protobuf.Timestamp", "google/protobuf/timestamp.proto"),
  ])
  func symbol_isFoundInItsFile(_ symbol: String, _ file: String) throws {
    guard case .files(let files) = try response(4, symbol) else {
      Issue.record("there are no files")
      return
    }
    #expect(files.first.map(Self.name) == file)
  }

  @Test(arguments: [(3, "todo/v1/nothing.proto"), (4, "todo.v1.Nothing"), (4, ""), (6, "todo.v1.Nothing")])
  func request_whenNameIsUnknown_isNotFound(_ field: UInt64, _ value: String) throws {
    guard case .error(.notFound, _) = try response(field, value) else {
      Issue.record("something was found")
      return
    }
  }

  @Test func extensions_areEmpty() throws {
    #expect(try response(6, "todo.v1.Item") == .extensionNumbers("todo.v1.Item", []))
    let request = ProtobufBytes().field(5, ProtobufBytes().field(1, "todo.v1.Item").field(2, 100))
    guard case .error(.notFound, _) = service.response(to: try Self.request(request)) else {
      Issue.record("something was found")
      return
    }
  }

  @Test func request_whenEmpty_isRejected() throws {
    #expect(service.response(to: try Self.request(ProtobufBytes())) == .error(.invalidArgument, "nothing is asked"))
  }

  @Test(arguments: [
    ProtobufBytes().field(3, [0xff]), ProtobufBytes().field(1, [0xff]), ProtobufBytes([0x1a, 0x05]),
    ProtobufBytes().field(5, ProtobufBytes().field(1, [0xff])),
  ])
  func request_whenMalformed_isRejected(_ bytes: ProtobufBytes) {
    #expect(throws: DecodingFailure.malformed) { try Self.request(bytes) }
  }

  @Test func response_containsRequest() throws {
    let bytes = ProtobufBytes().field(1, "host").field(4, "todo.v1.Item")
    let request = try Self.request(bytes)
    let arena = Arena()
    let response = Array(arena.pack(ReflectionResponse.error(.notFound, "no").build(for: request, arena)))
    let error = ProtobufBytes().field(1, 5).field(2, "no")
    #expect(response == ProtobufBytes().field(1, "host").field(2, bytes).field(7, error).bytes)
  }

  /// The first field of a google.protobuf.FileDescriptorProto.
  private static func name(_ file: [UInt8]) -> String {
    String(decoding: file.dropFirst(2).prefix(Int(file[1])), as: UTF8.self)
  }
}
#endif
