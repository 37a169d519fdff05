import CToDoProtos
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == CallSelection {
  static var cancelCallRequest: Codec {
    Codec(todo__v1__cancel_call_request__init) { message in
      CallSelection(
        stream: message.stream_id == 0 ? nil : message.stream_id,
        method: try message.method.optionalText("method"))
    } encode: { selection, message, arena in
      message.pointee.stream_id = selection.stream ?? 0
      if let method = selection.method { message.pointee.method = arena.bytes(method) }
    }
  }
}

extension Codec where Value == Void {
  static var cancelCallResponse: Codec {
    Codec(todo__v1__cancel_call_response__init)
  }
}
