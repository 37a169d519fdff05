import RPC
import ToDoModel

extension CallContext {
  /// The client as it describes itself in the metadata `user-agent`, without control characters and shortened to
  /// `ChangeOrigin.clientLimit` bytes; empty if it does not.
  var clientName: String {
    guard let text = metadata["user-agent"] else { return "" }
    var name = ""
    for character in text where !character.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      guard name.utf8.count + character.utf8.count <= ChangeOrigin.clientLimit else { break }
      name.append(character)
    }
    return name
  }
}
