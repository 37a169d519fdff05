#if GRPC
import CToDoProtos
import ToDoProtobuf

/// A request of server reflection.
struct ReflectionRequest: Equatable, Sendable {
  enum Content: Equatable {
    case file(name: String)
    case symbol(String)
    case `extension`(number: Int32, of: String)
    case extensionNumbers(of: String)
    case services
    /// The request is empty, or of a kind that this server does not support.
    case none
  }

  let content: Content
  let host: String
  /// The encoded request, which the response contains.
  let bytes: [UInt8]

  /// Decodes a request.
  init(_ bytes: UnsafeRawBufferPointer, _ arena: Arena) throws {
    let message = try arena.unpack(grpc__reflection__v1__server_reflection_request__init, bytes).pointee
    self.bytes = Array(bytes)
    host = try message.host.checkedText
    content =
      switch message.message_request_case {
      case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_BY_FILENAME:
        .file(name: try message.file_by_filename.checkedText)
      case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_SYMBOL:
        .symbol(try message.file_containing_symbol.checkedText)
      case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_EXTENSION:
        .extension(
          number: message.file_containing_extension.pointee.extension_number,
          of: try message.file_containing_extension.pointee.containing_type.checkedText)
      case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_ALL_EXTENSION_NUMBERS_OF_TYPE:
        .extensionNumbers(of: try message.all_extension_numbers_of_type.checkedText)
      case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_LIST_SERVICES: .services
      default: .none
      }
  }
}

extension ProtobufCBinaryData {
  fileprivate var checkedText: String {
    get throws {
      guard let text else { throw DecodingFailure.malformed }
      return text
    }
  }
}
#endif
