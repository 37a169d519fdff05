import CToDoProtos

// Conformances of generated list messages with the same fields, so that one codec serves several of them.

/// A generated request with a list's ID.
protocol ListReferenceMessage: GeneratedMessage {
  var id: ProtobufCBinaryData { get set }
}

/// A generated response with one list.
protocol ListResponse: GeneratedMessage {
  // A pointer in a C struct is imported like this.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var list: UnsafeMutablePointer<Todo__V1__List>! { get set }
}

/// A generated response with a set of lists.
protocol ListSetMessage: GeneratedMessage {
  // A pointer in a C struct is imported like this.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var set: UnsafeMutablePointer<Todo__V1__ListSet>! { get set }
}

extension Todo__V1__GetListRequest: ListReferenceMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__get_list_request__init(message) }
}

extension Todo__V1__DeleteListRequest: ListReferenceMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__delete_list_request__init(message) }
}

extension Todo__V1__UndeleteListRequest: ListReferenceMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__undelete_list_request__init(message) }
}

extension Todo__V1__AcceptListRequest: ListReferenceMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__accept_list_request__init(message) }
}

extension Todo__V1__LeaveListRequest: ListReferenceMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__leave_list_request__init(message) }
}

extension Todo__V1__CreateListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__create_list_response__init(message) }
}

extension Todo__V1__GetListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__get_list_response__init(message) }
}

extension Todo__V1__UpdateListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__update_list_response__init(message) }
}

extension Todo__V1__DeleteListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__delete_list_response__init(message) }
}

extension Todo__V1__UndeleteListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__undelete_list_response__init(message) }
}

extension Todo__V1__ShareListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__share_list_response__init(message) }
}

extension Todo__V1__UnshareListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__unshare_list_response__init(message) }
}

extension Todo__V1__AcceptListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__accept_list_response__init(message) }
}

extension Todo__V1__LeaveListResponse: ListResponse {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__leave_list_response__init(message) }
}

extension Todo__V1__ListListsResponse: ListSetMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__list_lists_response__init(message) }
}

extension Todo__V1__WatchListsResponse: ListSetMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__watch_lists_response__init(message) }
}
