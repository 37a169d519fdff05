import CToDoProtos
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// A request's envelope in Swift values, for comparison.
struct RequestSnapshot: Equatable {
  var service = ""
  var method = ""
  var payload: [UInt8] = []
  var timeout: Duration?
  var metadata = Metadata()

  init(
    service: String = "", method: String = "", payload: [UInt8] = [], timeout: Duration? = nil,
    metadata: Metadata = [:]
  ) {
    self.service = service
    self.method = method
    self.payload = payload
    self.timeout = timeout
    self.metadata = metadata
  }

  init(decoding bytes: [UInt8], in arena: Arena = Arena()) throws {
    self = try bytes.withUnsafeBytes { bytes in
      let request = try RequestEnvelope(decoding: bytes, in: arena)
      return RequestSnapshot(
        service: String(decoding: request.service, as: UTF8.self),
        method: String(decoding: request.method, as: UTF8.self), payload: Array(request.payload),
        timeout: request.timeout, metadata: try request.metadata())
    }
  }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral pairs: (String, String)...) {
    self.init()
    for (key, value) in pairs { append(key, value) }
  }
}

extension Arena {
  /// A message with one field of text.
  func getItemRequest(_ id: String) -> UnsafePointer<ProtobufCMessage> {
    let message = make(todo__v1__get_item_request__init)
    message.pointee.id = bytes(id)
    return message.message
  }

  func deleteItemResponse(revision: Int64) -> UnsafePointer<ProtobufCMessage> {
    let message = make(todo__v1__delete_item_response__init)
    message.pointee.revision = revision
    return message.message
  }
}
