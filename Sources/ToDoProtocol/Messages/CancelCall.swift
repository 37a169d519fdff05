import CProtos
import TTRPC

extension Codec where Value == StreamID {
  static var cancelCallRequest: Codec {
    Codec(todo__v1__cancel_call_request__init) { message in
      StreamID(message.stream_id)
    } encode: { id, message, _ in
      message.pointee.stream_id = id.rawValue
    }
  }
}

extension Codec where Value == Void {
  static var cancelCallResponse: Codec {
    Codec(todo__v1__cancel_call_response__init)
  }
}
