import CProtos
import TTRPC
import ToDoModel

/// A generated message that bears one item.
protocol ItemMessage: GeneratedMessage {
  // A pointer in a C struct is imported like this.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var item: UnsafeMutablePointer<Todo__V1__Item>! { get set }
}

extension Codec where Value == ToDoItem {
  static func item<Message: ItemMessage>(_: Message.Type) -> Codec {
    Codec({ Message.initialize($0) }) { message in
      guard let item = message.item?.pointee else { throw DecodingFailure.malformed }
      return try ToDoItem(item)
    } encode: { item, message, arena in
      message.pointee.item = item.message(in: arena)
    }
  }
}
