#if GRPC
import NIOCore
import ToDoProtobuf
package import ToDoRPC
import ToDoTransport

extension [ServerMethod] {
  /// Returns the methods, and those of server reflection that describe them.
  package func addingReflection() -> [ServerMethod] {
    let names = filter(\.isOfferedWithoutConnection).map(\.name.service)
    return self + ReflectionService(index: .schema, services: Set(names).union(ReflectionService.services)).methods
  }
}

/// Server reflection, which describes the server's services and messages to gRPC tools.
///
/// The two versions of the service differ only in their names.
struct ReflectionService: Sendable {
  static let services: Set = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]
  static let method = "ServerReflectionInfo"

  let index: SchemaIndex
  /// The full names of the services that the server offers.
  let services: Set<String>

  var methods: [ServerMethod] {
    Self.services.map { service in
      var method = ServerMethod.streaming(MethodName(service: service, method: Self.method)) { bytes, arena in
        let first = try ReflectionRequest(bytes, arena)
        return { _, requests, responses in
          try await responses.send(message(respondingTo: first))
          for try await request in requests { try await responses.send(message(respondingTo: decode(request))) }
        }
      }
      // Tools keep the stream open, so it would not end by itself.
      method.endsOnShutdown = true
      method.takesManyMessages = true
      return method
    }
  }

  private func decode(_ message: ByteBuffer) throws -> ReflectionRequest {
    let arena = Arena()
    return try message.withUnsafeReadableBytes { bytes in
      arena.setLimit(forEncodedSize: bytes.count)
      arena.setLimit(ofElements: ServerMethod.defaultMaximumElements)
      return try ReflectionRequest(bytes, arena)
    }
  }

  private func message(respondingTo request: ReflectionRequest) -> OutgoingMessage {
    let response = response(to: request)
    return OutgoingMessage { response.build(for: request, $0) }
  }

  func response(to request: ReflectionRequest) -> ReflectionResponse {
    switch request.content {
    case .file(let name): index.file(named: name).map { .files($0) } ?? .notFound("there is no file \(name)")
    case .symbol(let symbol):
      index.file(defining: symbol).map { .files($0) } ?? .notFound("there is no symbol \(symbol)")
    case .extension(let number, let type): .notFound("there is no extension \(number) of \(type)")
    case .extensionNumbers(let type):
      index.messages.contains(type) ? .extensionNumbers(type, []) : .notFound("there is no message \(type)")
    case .services: .services(services.sorted())
    case .none: .error(.invalidArgument, "nothing is asked")
    }
  }
}
#endif
