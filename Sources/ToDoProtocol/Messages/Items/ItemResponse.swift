import CToDoProtos
import ToDoModel

/// A generated message with one item.
protocol ItemMessage: GeneratedMessage {
  // A pointer in a C struct is imported like this.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var item: UnsafeMutablePointer<Todo__V1__Item>! { get set }
  /// The incarnation of the list that the item's revision belongs to, or 0 if the message has no such field.
  var incarnation: UInt64 { get set }
}

extension ItemMessage {
  var incarnation: UInt64 {
    get { 0 }
    set {}
  }
}

extension Codec where Value == ToDoItem {
  static func item<Message: ItemMessage>(_: Message.Type) -> Codec {
    Codec({ Message.initialize($0) }) { message in
      var value = try ToDoItem(response: message.item, at: "item")
      value.revision.incarnation = ListIncarnation(message.incarnation)
      return value
    } encode: { item, message, arena in
      message.pointee.item = item.message(in: arena)
      message.pointee.incarnation = item.revision.wireIncarnation
    }
  }
}
