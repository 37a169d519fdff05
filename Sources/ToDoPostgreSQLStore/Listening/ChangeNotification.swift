#if PostgreSQL
import ToDoModel

/// A notification on the channel `todo_changes`: a server has committed changes of lists.
///
/// The payload is the ID of the server, then for each list a line feed and the list's name. If that is too long, or a
/// name contains a line feed, a single `*` stands for all lists.
struct ChangeNotification: Equatable, Sendable {
  static let channel = "todo_changes"

  /// The server's ID. Empty for a change that every server must read.
  var serverID: String
  var lists: ChangedLists

  init(serverID: String, lists: ChangedLists) {
    self.serverID = serverID
    self.lists = lists
  }

  /// The maximum size of a payload in bytes. PostgreSQL rejects 8,000 bytes and more.
  private static let sizeLimit = 7_000

  /// The text of the notification, at most 7,000 bytes unless the server's ID is longer.
  var payload: String {
    let all = serverID + "\n*"
    guard case .some(let lists) = lists else { return all }
    var text = serverID
    for list in lists.sorted(by: { $0.name < $1.name }) {
      if list.name.utf8.contains(UInt8(ascii: "\n")) { return all }
      text += "\n" + list.name
      if text.utf8.count > Self.sizeLimit { return all }
    }
    return text
  }

  /// Parses a payload. A list named `*` stands for all lists.
  init(payload: String) {
    let parts = payload.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    serverID = parts[0]
    let names = parts.dropFirst()
    lists = names.contains("*") ? .all : .some(Set(names.map { OwnerID($0) }))
  }
}
#endif
