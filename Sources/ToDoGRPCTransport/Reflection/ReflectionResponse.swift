#if GRPC
import CToDoProtos
import ToDoProtobuf
import ToDoRPC

/// A response of server reflection.
enum ReflectionResponse: Equatable, Sendable {
  /// Encoded `google.protobuf.FileDescriptorProto` messages. The requested file is first.
  case files([[UInt8]])
  case extensionNumbers(String, [Int32])
  case services([String])
  case error(StatusCode, String)

  static func notFound(_ message: String) -> ReflectionResponse { .error(.notFound, message) }

  /// Creates the response message.
  func build(for request: ReflectionRequest, _ arena: Arena) -> UnsafePointer<ProtobufCMessage> {
    let message = arena.make(grpc__reflection__v1__server_reflection_response__init)
    message.pointee.valid_host = arena.bytes(request.host)
    // The request was decoded before, so this cannot fail.
    message.pointee.original_request = request.bytes.withUnsafeBytes {
      try? arena.unpack(grpc__reflection__v1__server_reflection_request__init, arena.bytes($0).buffer)
    }
    switch self {
    case .files(let files): Self.setFiles(files, of: message, arena)
    case .extensionNumbers(let type, let numbers): Self.setExtensionNumbers(numbers, type, of: message, arena)
    case .services(let services): Self.setServices(services, of: message, arena)
    case .error(let code, let text): Self.setError(code, text, of: message, arena)
    }
    return message.message
  }

  private typealias Response = UnsafeMutablePointer<Grpc__Reflection__V1__ServerReflectionResponse>

  private static func setFiles(_ files: [[UInt8]], of message: Response, _ arena: Arena) {
    let response = arena.make(grpc__reflection__v1__file_descriptor_response__init)
    response.pointee.n_file_descriptor_proto = files.count
    response.pointee.file_descriptor_proto = arena.array(files.map { $0.withUnsafeBytes { arena.bytes($0) } })
    message.pointee.message_response_case =
      GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_FILE_DESCRIPTOR_RESPONSE
    message.pointee.file_descriptor_response = response
  }

  private static func setExtensionNumbers(
    _ numbers: [Int32], _ type: String, of message: Response, _ arena: Arena
  ) {
    let response = arena.make(grpc__reflection__v1__extension_number_response__init)
    response.pointee.base_type_name = arena.bytes(type)
    response.pointee.n_extension_number = numbers.count
    response.pointee.extension_number = arena.array(numbers)
    message.pointee.message_response_case =
      GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ALL_EXTENSION_NUMBERS_RESPONSE
    message.pointee.all_extension_numbers_response = response
  }

  private static func setServices(_ services: [String], of message: Response, _ arena: Arena) {
    let response = arena.make(grpc__reflection__v1__list_service_response__init)
    response.pointee.n_service = services.count
    response.pointee.service = arena.array(
      services.map { name in
        let service = arena.make(grpc__reflection__v1__service_response__init)
        service.pointee.name = arena.bytes(name)
        return service
      })
    message.pointee.message_response_case =
      GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_LIST_SERVICES_RESPONSE
    message.pointee.list_services_response = response
  }

  private static func setError(_ code: StatusCode, _ text: String, of message: Response, _ arena: Arena) {
    let response = arena.make(grpc__reflection__v1__error_response__init)
    response.pointee.error_code = code.rawValue
    response.pointee.error_message = arena.bytes(text)
    message.pointee.message_response_case =
      GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ERROR_RESPONSE
    message.pointee.error_response = response
  }
}
#endif
