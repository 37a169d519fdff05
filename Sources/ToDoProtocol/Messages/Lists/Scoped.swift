import CToDoProtos
package import ToDoModel
import ToDoProtobuf

/// A request that concerns the items of one list.
package struct Scoped<Request: Sendable>: Sendable {
  /// The list.
  package var list: ListID
  /// The rest of the request.
  package var request: Request

  /// Creates a request that concerns a list.
  package init(_ request: Request, in list: ListID = .default) {
    self.list = list
    self.request = request
  }
}

extension Scoped: Equatable where Request: Equatable {}

/// A generated request message that names a list.
protocol ScopedMessage: SendableMetatype {
  /// The text of the list's ID, or empty for the default list.
  var list: ProtobufCBinaryData { get set }
}

extension Todo__V1__AddItemRequest: ScopedMessage {}
extension Todo__V1__BatchAddItemsRequest: ScopedMessage {}
extension Todo__V1__DeleteItemsRequest: ScopedMessage {}
extension Todo__V1__RenameTagRequest: ScopedMessage {}
extension Todo__V1__ListItemsRequest: ScopedMessage {}
extension Todo__V1__UpdateItemRequest: ScopedMessage {}
extension Todo__V1__ListNearbyItemsRequest: ScopedMessage {}
extension Todo__V1__ListChangesRequest: ScopedMessage {}
extension Todo__V1__WatchItemsRequest: ScopedMessage {}
extension Todo__V1__ListRevisionsRequest: ScopedMessage {}
extension Todo__V1__RevertRevisionRequest: ScopedMessage {}

extension Codec {
  /// Creates the codec of a request that names a list.
  ///
  /// - Parameters:
  ///   - initialize: the generated `…__init` function.
  ///   - decode: decodes the other fields.
  ///   - encode: encodes the other fields.
  init<Message: ScopedMessage, Request>(
    scoped initialize: @escaping @Sendable (UnsafeMutablePointer<Message>?) -> Void,
    decode: @escaping @Sendable (Message) throws -> Request,
    encode: @escaping @Sendable (Request, UnsafeMutablePointer<Message>, Arena) -> Void
  ) where Value == Scoped<Request> {
    self.init(initialize) { message in
      Scoped(try decode(message), in: message.list.isEmpty ? .default : try ListID(message.list, at: "list"))
    } encode: { scoped, message, arena in
      encode(scoped.request, message, arena)
      if !scoped.list.isDefault { message.pointee.list = scoped.list.bytes(in: arena) }
    }
  }
}
