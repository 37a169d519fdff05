import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Void {
  static var createSignInLinkRequest: Codec { Codec(todo__v1__create_sign_in_link_request__init) }
}

extension Codec where Value == SignInLink {
  static var createSignInLinkResponse: Codec {
    Codec(todo__v1__create_sign_in_link_response__init) { message in
      let path = try message.path.line("path", upTo: addressBytes)
      guard path.hasPrefix("/") else { throw RPCError.malformedResponse("path", "must begin with a slash") }
      return SignInLink(
        path: path, origin: try message.origin.line("origin", upTo: addressBytes),
        expiresAt: try Timestamp(response: message.expires_at, at: "expires_at"))
    } encode: { link, message, arena in
      message.pointee.path = arena.bytes(link.path)
      message.pointee.origin = arena.bytes(link.origin)
      message.pointee.expires_at = link.expiresAt.message(in: arena)
    }
  }

  /// The maximum number of bytes in a path, and in an origin.
  private static var addressBytes: Int { 2048 }
}
