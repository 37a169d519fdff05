import CToDoProtos
import ToDoProtobuf

extension Codec where Value == String? {
  /// The value of `authorization`, or `nil` for the credentials that the call itself presents.
  static var authenticateRequest: Codec {
    Codec(todo__v1__authenticate_request__init) { message in
      try message.authorization.optionalText("authorization")
    } encode: { authorization, message, arena in
      if let authorization { message.pointee.authorization = arena.bytes(authorization) }
    }
  }
}

extension Codec where Value == Void {
  static var authenticateResponse: Codec {
    Codec(todo__v1__authenticate_response__init)
  }
}
