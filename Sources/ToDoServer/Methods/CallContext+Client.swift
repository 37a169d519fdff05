import ToDoModel
import ToDoRPC

extension CallContext {
  /// The client as it describes itself in the metadata `user-agent`; empty if it does not.
  var clientName: String { metadata["user-agent"].map(ChangeOrigin.client) ?? "" }
}
