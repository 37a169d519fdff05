import CToDoProtos

// Conformances of generated messages with the same fields, so that one codec serves several of them.

/// A generated message with its `…__init` function.
protocol GeneratedMessage: SendableMetatype {
  static func initialize(_ message: UnsafeMutablePointer<Self>?)
}

extension Todo__V1__CheckItemRequest: SingleItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__check_item_request__init(message) }
}

extension Todo__V1__UncheckItemRequest: SingleItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__uncheck_item_request__init(message) }
}

extension Todo__V1__DeleteItemRequest: SingleItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__delete_item_request__init(message) }
}

extension Todo__V1__GetItemRequest: SingleItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__get_item_request__init(message) }

  /// Always 0, because reading has no precondition.
  var if_revision: Int64 {
    get { 0 }
    set {}
  }

  var if_incarnation: UInt64 {
    get { 0 }
    set {}
  }
}

extension Todo__V1__UndeleteItemRequest: SingleItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__undelete_item_request__init(message) }
}

extension Todo__V1__UndeleteItemResponse: ItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__undelete_item_response__init(message) }
}

extension Todo__V1__AddItemResponse: ItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__add_item_response__init(message) }
}

extension Todo__V1__GetItemResponse: ItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__get_item_response__init(message) }
}

extension Todo__V1__UpdateItemResponse: ItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__update_item_response__init(message) }
}

extension Todo__V1__CheckItemResponse: ItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__check_item_response__init(message) }
}

extension Todo__V1__UncheckItemResponse: ItemMessage {
  static func initialize(_ message: UnsafeMutablePointer<Self>?) { todo__v1__uncheck_item_response__init(message) }
}
