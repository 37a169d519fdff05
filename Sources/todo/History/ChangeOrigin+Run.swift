import ToDoModel

/// The program names itself with its user, its host and a mark that is new in each run, such as
/// `todo/0.1.0 #3f2a9100 ann@laptop`. `todo undo` undoes the changes of one run together.
extension ChangeOrigin {
  /// Returns the client name of a program run.
  static func clientName(run: UInt32, user: String, host: String) -> String {
    let place = [user, host].filter { !$0.isEmpty }.joined(separator: "@")
    let words = ["todo/\(ServiceInfo.currentVersion)", mark(ofRun: run), place.truncated(toUTF8Count: placeLimit)]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The user of the change, or the user and the host of this program, or the client; `nil` if none is known.
  var maker: String? {
    if !user.isEmpty { return user }
    let text = clientText.split(separator: " ").first { $0.contains("@") }.map(String.init) ?? clientText
    return text.isEmpty ? nil : text
  }

  /// The maximum size of the user and the host, so that the whole name is within `clientLimit` in every version.
  private static let placeLimit = 40
}
